"""The title of a document: *cover, kind, organisations, periods* → a line that a person would file it under.

What programs and forms leave in the place of a title ("FORM 10-K", "Microsoft Word - ...", a file number) is none.
A form has no title of its own, so one is made: "Name · Annual report (Form 10-K) · FY2022".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.language.detection import detect
from core.language.entities.periods import periods_in
from core.language.hebrew import LETTER
from core.language.normalisation import fold
from core.language.terms import content_terms, is_stop_word
from core.language.vocabulary import pattern_of, phrase_of
from core.library.identity.aliases import bare_name, has_suffix
from core.library.identity.cover import Cover, Line
from core.library.identity.kind import form_of, titles_of
from core.library.identity.wording import any_of, phrase, words
from core.library.records import CoveredPeriod, DocumentKind, Organisation
from core.messages import message

LONGEST = 160
_TOP = 20
_FIRST = 3
_EARLY = 6
"""Lines among which the first in the kind's words is the title, whatever its type."""
_LEAST_WORDS = 2
_MOST_WORDS = 14

_CODE = re.compile(
    r"\d{6,}|\d{7,}-\d\d-\d+|_|\bexhibit\b|\bfinal\b|\bfiled\b|^\W*$|\b10-?[kq]\b"
    r"|\b8-?k\b|\bdoc &|\(\d+\)$|^slide \d|\bv\d+(?:\.\d+)*$",
    re.IGNORECASE,
)
_PLACEHOLDER = pattern_of("library/identity.titles.placeholder")
_SUBJECT = re.compile(phrase_of("library/identity.titles.subject"), re.IGNORECASE | re.MULTILINE)
_NUMBERED = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2})*\.|\d{1,2}(?:\.\d{1,2})+)\s")
"""The heading of a section: "5.1 Results", "1. Purpose"."""
_NUMBER = pattern_of("library/identity.titles.number")
_SMALL = frozenset(
    ("a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "into", "nor", "of", "on", "or", "over", "per",
     "the", "to", "up", "via", "with")
)  # fmt: skip

_NAMED: tuple[DocumentKind, ...] = (
    "annual report",
    "quarterly report",
    "current report",
    "earnings release",
    "invoice",
)
_KIND_NAMES = {kind: message(f"library.titles.{kind.replace(' ', '_')}") for kind in _NAMED}


def title_of(
    cover: Cover, kind: DocumentKind, organisations: Sequence[Organisation], periods: Sequence[CoveredPeriod]
) -> str | None:
    """At most ``LONGEST`` characters; ``None`` where only the filename can name the document."""
    form = form_of(cover) if kind in _KIND_NAMES else None
    if form:
        return _clipped(_composed_title(kind, form, organisations, periods, "en"))
    for found in (_by_kind(cover, kind, organisations), _file_title(cover), _headed(cover, organisations)):
        if found:
            return _clipped(_sentence_case(found))
    if kind in _KIND_NAMES and organisations:
        return _clipped(_composed_title(kind, None, organisations, periods, detect(cover.text)))
    return None


def headline_of(cover: Cover) -> str | None:
    """The headline of a release: the first line in its words, with the line that goes on with it."""
    for line in titles_of(cover.lines, "earnings release"):
        if not line.text.endswith(".") and len(line.text.split()) > 2:
            return _continued(cover.lines, line)
    return None


def _composed_title(
    kind: DocumentKind, form: str | None, by: Sequence[Organisation], periods: Sequence[CoveredPeriod], language: str
) -> str:
    name = _KIND_NAMES[kind].to(language)
    parts = [*(each.name for each in by[:1]), f"{name} ({form})" if form else name]
    if periods:
        parts.append(_period_words(periods[0].key, language, bool(form)))
    return " · ".join(parts)


def _period_words(key: str, language: str, fiscal: bool) -> str:
    """ "2022" → "FY2022", "2023-Q2" → "Q2 FY2023", a day as it is."""
    year, _, part = key.partition("-")
    mark = "FY" if fiscal else ""
    if part[:1] in ("Q", "H"):
        if language == "he" and part[0] == "Q":
            return message("library.titles.quarter", number=part[1], year=year).to(language)
        return f"{part} {mark}{year}"
    return f"{mark}{year}" if not part else key


def _by_kind(cover: Cover, kind: DocumentKind, by: Sequence[Organisation]) -> str | None:
    if kind == "earnings release":
        return headline_of(cover)
    if kind == "memo":
        own = _file_title(cover)
        subject = _SUBJECT.search(cover.text)
        return own or (subject["subject"].strip() if subject else None)
    if kind == "invoice":
        return _invoice(cover, by)
    lines = [line for line in titles_of(cover.lines, kind) if _may_be(line.text, cover)]
    if not lines or kind == "paper":
        return None
    early = lines[0] in cover.lines[:_EARLY]
    heading = lines[0] if early else next((line for line in lines if line.level is not None), lines[0])
    own = _file_title(cover)
    if own and fold(lines[0].text) in fold(own):
        return own
    title = _continued(cover.lines, heading)
    return _with_parties(title, by) if kind == "contract" else title


def _with_parties(title: str, by: Sequence[Organisation]) -> str:
    if len(by) < 2 or fold(bare_name(by[0].name)) in fold(title):
        return title
    between = message("library.titles.between", one=by[0].name, other=by[1].name).to(detect(title))
    whole = f"{_sentence_case(title)} {between}"
    return whole if len(whole) <= LONGEST else title


def _invoice(cover: Cover, by: Sequence[Organisation]) -> str | None:
    number = _NUMBER.search(cover.text)
    line = next((line.text for line in titles_of(cover.lines, "invoice")), None)
    if not number:
        return None
    hebrew = bool(line) and detect(line or "") == "he"
    name = (
        line
        if line and number["number"] in line and len(line) < 60
        else f"{_KIND_NAMES['invoice'].to('he' if hebrew else 'en')} {number['number']}"
    )
    return f"{by[0].name} · {name}" if by else name


def _file_title(cover: Cover) -> str | None:
    """The title that the file carries, when a person gave it: its words are on the cover, or it reads as a title."""
    own = cover.own_title
    if len(own) <= 2 or _PLACEHOLDER.match(own) or is_boilerplate(own) or len(own) > LONGEST:
        return None
    if not re.search(r"[^\W\d_]{2}", own):
        return None
    if not cover.is_pdf:
        return own
    if _CODE.search(own):
        return None
    terms = content_terms(own)
    on_cover = sum(term in fold(cover.text) for term in terms)
    whole = bool(terms) and on_cover * 3 >= len(terms) * 2
    return own if whole or (len(own.split()) >= _LEAST_WORDS and not _strong(cover)) else None


def _strong(cover: Cover) -> bool:
    """Whether the cover begins with a heading, so that the file's own title needs its support."""
    return any(line.level is not None and _may_be(line.text, cover) for line in cover.lines[:2])


def _headed(cover: Cover, by: Sequence[Organisation]) -> str | None:
    """The highest heading at the top, the first among equals; a letterhead only where nothing else is."""
    names = {fold(name) for each in by for name in (each.name, *each.aliases)}
    page = cover.lines[0].page if cover.lines else None
    headings = [
        (line.level or 9, place, line)
        for place, line in enumerate(cover.lines[:_TOP])
        if line.level is not None and line.page == page and _may_be(line.text, cover) and (line.level or place < _FIRST)
    ]
    titles = [each for each in headings if fold(each[2].text) not in names] or headings
    if titles:
        chosen = min(titles, key=lambda each: each[:2])[2]
        return _without_page(chosen, cover) or _continued(cover.lines, chosen)
    first = cover.lines[0].text if cover.lines else ""
    return first if len(first) < 100 and _may_be(first, cover) and _reads_as_title(first) else None


def _without_page(line: Line, cover: Cover) -> str | None:
    """A running head at the top of a page: "Title of the Paper 9" → "Title of the Paper"."""
    if line is not cover.lines[0] or line.level or not cover.is_pdf:
        return None
    match = re.fullmatch(r"(?P<head>.*[^\W\d_]{4}) \d{1,3}", line.text)
    return match["head"] if match else None


def _reads_as_title(text: str) -> bool:
    """Whether a line that no format calls a heading reads as one: no sentence, most words in capitals."""
    parts = text.split()
    # Most scripts have no capitals.
    capitals = sum(not part[0].islower() or is_stop_word(part.lower()) for part in parts)
    return (
        1 < len(parts) <= _MOST_WORDS
        and not text.endswith((".", ":", ";", ",", "?"))
        and "|" not in text
        and capitals * 5 >= len(parts) * 4
    )


def _may_be(text: str, cover: Cover) -> bool:
    letters = re.findall(r"[^\W\d_]", text)
    return (
        not _NUMBERED.match(text)
        and 2 < len(text) <= 250
        and len(letters) > 2
        and len(letters) * 2 > len(text.replace(" ", ""))
        and not is_boilerplate(text)
        and not text.endswith((":", ";", ","))
        and not re.search(r"\|\s|^\(.*\)$|https?:|www\.|\.com\b", text)
    )


def is_boilerplate(text: str) -> bool:
    """A line of a form, or the name of a part that every document has."""
    bare = re.sub(r"^[\W\d_]+|[\s\W]+$", "", text)
    if any_of("no_title").fullmatch(bare) or _PLACEHOLDER.match(text):
        return True
    return any(len(each.split()) > 2 and phrase(each).match(bare) for each in words().no_title)


def _continued(lines: Sequence[Line], line: Line) -> str:
    """A heading with the lines below that go on with it: of its rank, or begun in small letters, or after a word
    that cannot end."""
    place = next(index for index, each in enumerate(lines) if each is line)
    text = line.text
    for below in lines[place + 1 : place + 3]:
        open_end = text.split()[-1].lower() in _SMALL or text.endswith((",", "-", "–"))
        small = below.text[:1].islower() and len(below.text) < 120 and not below.text.endswith(".")
        small = small and not any(period.months for period in periods_in(below.text))
        other_type = text.isupper() and not below.text.isupper()
        if (
            not (open_end or small)
            or other_type
            or text.endswith(".")
            or len(text) + len(below.text) > LONGEST
            or has_suffix(text)
        ):
            break
        text = f"{text} {below.text}"
    return text


def _sentence_case(title: str) -> str:
    """A title in capitals as a title in words; other titles as they are."""
    title = title.strip(" *_#|·-")
    if not title.isupper() or re.search(LETTER, title) or len(title.split()) < 2:
        return title
    shaped = [
        word.lower() if place and word.lower() in _SMALL else _capitalised(word)
        for place, word in enumerate(title.split())
    ]
    return " ".join(shaped)


def _capitalised(word: str) -> str:
    if re.search(r"\d|\.", word[:-1]):
        return word
    return "-".join(part.capitalize() for part in word.split("-"))


def _clipped(title: str) -> str:
    return title if len(title) <= LONGEST else title[: LONGEST - 1].rsplit(" ", 1)[0].rstrip(" ,;:·-") + "…"
