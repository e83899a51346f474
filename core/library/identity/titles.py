"""Determines a document's title: *cover, kind, organisations, periods* → a line under which a person would file it.

Placeholders of programs and forms ("FORM 10-K", "Microsoft Word - ...", a file number) are not titles. A form has no
title, so one is composed: "Name · Annual report (Form 10-K) · FY2022".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from core.language.detection import detect
from core.language.entities.periods import periods_in, without_periods
from core.language.normalisation import fold
from core.language.terms import content_terms, is_stop_word
from core.language.vocabulary import pattern_of, phrase_of
from core.library.identity.aliases import has_suffix
from core.library.identity.composed_titles import (
    FILED,
    KIND_NAMES,
    LONGEST,
    SMALL,
    clipped,
    composed_title,
    sentence_case,
    with_issuer,
    with_number,
    with_parties,
)
from core.library.identity.cover import Cover, Line
from core.library.identity.institutions import is_name, is_of_forms
from core.library.identity.kind import form_of, titles_of
from core.library.identity.largest_type import LargestWords, largest_words
from core.library.identity.usable_lines import is_boilerplate, is_placeholder, may_be_title
from core.library.records import CoveredPeriod, DocumentKind, Organisation

_TOP = 20
_FIRST = 3
_EARLY = 6
"""Among this many lines, the first with the kind's words is the title, whatever its type size."""
_LEAST_WORDS = 2
_SHORT_LINE = 100
_MOST_WORDS = 14

_CODE = re.compile(
    r"\d{6,}|\d{7,}-\d\d-\d+|_|\bexhibit\b|\bfinal\b|\bfiled\b|^\W*$|\b10-?[kq]\b"
    r"|\b8-?k\b|\bdoc &|\(\d+\)$|^slide \d|\bv\d+(?:\.\d+)*$",
    re.IGNORECASE,
)
_UNITS = pattern_of("library/identity.titles.units")
_CITED = re.compile(r"\d+\s[A-Z]{2,}\b|\[.*\]$")
_CODED = re.compile(r"\w{8}|\d{3}")
_SITE = re.compile(r"\s[|–—·•»-]\s")
_SUBJECT = re.compile(phrase_of("library/identity.titles.subject"), re.IGNORECASE | re.MULTILINE)
_NUMBER = pattern_of("library/identity.titles.number")
_BY_WORDS: tuple[DocumentKind, ...] = ("earnings release", "memo", "invoice")
"""Kinds whose title line contains the kind's words."""
_BY_TYPE: tuple[DocumentKind, ...] = (
    "paper",
    "email",
    "spreadsheet",
    "presentation",
    "report",
    "guide",
    "plan",
    "regulation",
    "statistics",
    "manual",
    "brochure",
    "letter",
    "press release",
    "form",
)
"""Kinds for which a line is not the title only because it contains the kind's words."""


@dataclass(frozen=True)
class FoundTitle:
    """The title that was found. ``sure`` is false if it is a guess, for example from the text's first words."""

    text: str
    sure: bool = True


def title_of(
    cover: Cover, kind: DocumentKind, organisations: Sequence[Organisation], periods: Sequence[CoveredPeriod]
) -> FoundTitle | None:
    """At most ``LONGEST`` characters; ``None`` if only the filename can name the document."""
    form = form_of(cover) if kind in FILED else None
    if form:
        return FoundTitle(clipped(composed_title(kind, form, organisations, periods, "en")))
    largest = largest_words(cover, {fold(name) for each in organisations for name in (each.name, *each.aliases)})
    by_kind, own = _by_kind(cover, kind, organisations), _file_title(cover, largest)
    chosen = _chosen(kind, by_kind, largest, own)
    if chosen is None and cover.are_slides:
        chosen = _first_slide(cover)
    if chosen is None and (headed := _headed(cover, organisations)):
        chosen = FoundTitle(headed, sure=not cover.typed or largest is not None)
    if chosen:
        text = with_parties(chosen.text, organisations) if kind == "contract" else chosen.text
        whole = with_issuer(sentence_case(text), kind, organisations)
        return replace(chosen, text=clipped(with_number(whole, kind, cover)))
    if kind in KIND_NAMES and organisations:
        return FoundTitle(clipped(composed_title(kind, None, organisations, periods, detect(cover.text))))
    first = _first_words(cover)
    return FoundTitle(clipped(first), sure=False) if first else None


def _chosen(
    kind: DocumentKind, by_kind: str | None, largest: LargestWords | None, own: str | None
) -> FoundTitle | None:
    """The most reliable one of: the line with the kind's words, the largest words, the file's title property."""
    if by_kind and kind in _BY_WORDS:
        return FoundTitle(by_kind)
    if by_kind and kind in FILED and largest and is_of_forms(without_periods(by_kind)):
        # Reports are printed with a slogan that is larger than their name.
        return FoundTitle(by_kind)
    if largest and largest.sure:
        within = [each for each in (by_kind, own) if each and fold(largest.text) in fold(each)]
        return FoundTitle(within[0] if within else largest.text)
    if by_kind:
        return FoundTitle(by_kind)
    if own:
        return FoundTitle(own)
    return FoundTitle(largest.text, sure=False) if largest else None


def _first_slide(cover: Cover) -> FoundTitle | None:
    """The first lines of a slide deck whose first slide has no title."""
    page = cover.lines[0].page if cover.lines else None
    top = [line for line in cover.lines[:_EARLY] if line.page == page and not line.in_table]
    headed = [line.text for line in top if line.level is not None and may_be_title(line.text)]
    lines = [line.text for line in top if may_be_title(line.text) and len(line.text) <= _SHORT_LINE]
    if headed or not lines:
        return FoundTitle(headed[0]) if headed and len(headed[0]) <= LONGEST else None
    whole = ": ".join(line.rstrip(":") for line in lines[:2])
    return FoundTitle(whole if len(whole) <= LONGEST else lines[0], sure=False)


def headline_of(cover: Cover) -> str | None:
    """The headline of a press release: the first line with typical words, with the line that continues it."""
    for line in titles_of(cover.lines, "earnings release"):
        if not line.text.endswith(".") and len(line.text.split()) > 2:
            return _continued(cover.lines, line)
    return None


def _by_kind(cover: Cover, kind: DocumentKind, by: Sequence[Organisation]) -> str | None:
    if kind == "earnings release":
        return headline_of(cover)
    if kind == "memo":
        own = _file_title(cover, None)
        subject = _SUBJECT.search(cover.text)
        return own or (subject["subject"].strip() if subject else None)
    if kind == "invoice":
        return _invoice(cover, by)
    lines = [line for line in titles_of(cover.lines, kind) if may_be_title(line.text)]
    if not lines or kind in _BY_TYPE:
        return None
    early = lines[0] in cover.lines[:_EARLY]
    heading = lines[0] if early else next((line for line in lines if line.level is not None), lines[0])
    own = _file_title(cover, None)
    if own and fold(lines[0].text) in fold(own):
        return own
    title = _continued(cover.lines, heading)
    return _of_meeting(title, heading, cover) if kind == "minutes" else title


def _of_meeting(title: str, line: Line, cover: Cover) -> str:
    """ "Minutes" together with the committee's name, if the line above has it."""
    place = next(index for index, each in enumerate(cover.lines) if each is line)
    above = cover.lines[place - 1].text if place else ""
    if not is_of_forms(title) or not may_be_title(above) or len(above) > _SHORT_LINE or above.endswith("."):
        return title
    return f"{sentence_case(above)}: {sentence_case(title)}"


def _invoice(cover: Cover, by: Sequence[Organisation]) -> str | None:
    number = _NUMBER.search(cover.text)
    line = next((line.text for line in titles_of(cover.lines, "invoice")), None)
    if not number:
        return None
    hebrew = bool(line) and detect(line or "") == "he"
    name = (
        line
        if line and number["number"] in line and len(line) < 60
        else f"{KIND_NAMES['invoice'].to('he' if hebrew else 'en')} {number['number']}"
    )
    return f"{by[0].name} · {name}" if by else name


def _file_title(cover: Cover, largest: LargestWords | None) -> str | None:
    """The file's title property if a person wrote it: its words are on the cover, or the cover is empty."""
    own = cover.own_title
    if len(own) <= 2 or is_placeholder(own) or is_boilerplate(own) or len(own) > LONGEST:
        return None
    if not re.search(r"[^\W\d_]{2}", own) or fold(own) == fold(cover.own_author):
        return None
    if cover.is_written:
        return _without_site(own, cover)
    if _CODE.search(own) or fold(own).replace(" ", "") == fold(cover.stem).replace(" ", ""):
        return None
    terms = content_terms(own)
    on_cover = sum(term in fold(cover.text) for term in terms)
    if bool(terms) and on_cover * 3 >= len(terms) * 2:
        return _without_site(own, cover)
    return own if len(own.split()) >= _LEAST_WORDS and not largest and not _strong(cover) else None


def _without_site(own: str, cover: Cover) -> str:
    """ "Name of the page | Name of the site" → the page's heading."""
    parts = [part.strip() for part in _SITE.split(own) if part.strip()]
    if len(parts) < 2:
        return own
    heads = {fold(line.text) for line in cover.lines[:_TOP] if line.level is not None}
    return next((part for part in parts if fold(part) in heads and len(part.split()) > 2), own)


def _strong(cover: Cover) -> bool:
    """Whether the cover begins with a heading; then the file's title property must agree with it."""
    return any(line.level is not None and may_be_title(line.text) for line in cover.lines[:2])


def _headed(cover: Cover, by: Sequence[Organisation]) -> str | None:
    """The highest heading at the top, the first among equals; a letterhead only if there is nothing else."""
    names = {fold(name) for each in by for name in (each.name, *each.aliases)}
    page = cover.lines[0].page if cover.lines else None
    headings = [
        (line.level or 9, place, line)
        for place, line in enumerate(cover.lines[:_TOP])
        if line.level is not None and line.page == page and may_be_title(line.text) and (line.level or place < _FIRST)
    ]
    running = {fold(line.text) for line in cover.typed if line.running}
    headings = [each for each in headings if fold(each[2].text) not in running] or headings
    titles = [each for each in headings if not _is_aside(each[2].text, names)] or headings
    if titles:
        chosen = min(titles, key=lambda each: each[:2])[2]
        return _without_page(chosen, cover) or _continued(cover.lines, chosen)
    first = next((line.text for line in cover.lines if not line.in_table), "")
    if len(first) >= _SHORT_LINE or not may_be_title(first):
        return None
    return first if _reads_as_title(first) or _heads_alone(first, cover) else None


def _heads_alone(text: str, cover: Cover) -> bool:
    """Whether a first line in sentence case is a title: above a sheet's cells, or above a text without typography."""
    count = len(text.split())
    whole = not text.endswith((".", ":", ";", ",", "?", "!")) and not text[0].islower() and "|" not in text
    if cover.is_workbook:
        # A heading of the first of several sheets is not the title of the whole file.
        alone = cover.sheets < 2 or not _is_readable(cover.stem)
        return whole and alone and 1 < count <= _MOST_WORDS and not _UNITS.match(text)
    return whole and not cover.typed and not cover.is_mail and 3 < count <= _MOST_WORDS and not text[0].isdigit()


def _is_aside(text: str, names: Collection[str]) -> bool:
    """The name of an organisation, or the number of a law or a file: "14 CFR Part 39", "[Docket No. 7]"."""
    return fold(text) in names or is_name(text) or bool(_CITED.match(text))


def _first_words(cover: Cover) -> str | None:
    """The beginning of the text, if the filename is a code; for a contract without a heading, its first line."""
    if _is_readable(cover.stem) or not _CODED.search(cover.stem):
        return None
    lines = [line.text for line in cover.lines[:_TOP] if not line.in_table and may_be_title(line.text)]
    return lines[0] if lines and len(lines[0].split()) > 1 else None


def _is_readable(stem: str) -> bool:
    """Whether a filename contains a word and is not a number or digest."""
    words = re.findall(r"(?<![^\W_])[^\W\d_]{3,}(?![^\W_])", stem)
    return any(not re.fullmatch(r"[b-df-hj-np-tv-xz]+|[a-f]+", word.lower()) for word in words)


def _without_page(line: Line, cover: Cover) -> str | None:
    """Removes a page number from a running header: "Title of the Paper 9" → "Title of the Paper"."""
    if line is not cover.lines[0] or line.level or not cover.is_pdf:
        return None
    match = re.fullmatch(r"(?P<head>.*[^\W\d_]{4}) \d{1,3}", line.text)
    return match["head"] if match else None


def _reads_as_title(text: str) -> bool:
    """Whether a line that is no heading by format looks like one: no sentence, most words capitalised."""
    parts = text.split()
    # Most scripts have no capitals.
    capitals = sum(not part[0].islower() or is_stop_word(part.lower()) for part in parts)
    return (
        1 < len(parts) <= _MOST_WORDS
        and not text.endswith((".", ":", ";", ",", "?"))
        and "|" not in text
        and capitals * 5 >= len(parts) * 4
    )


def _continued(lines: Sequence[Line], line: Line) -> str:
    """A heading with the lines below that continue it: they have its level, begin in lower case, or follow a word that
    cannot be the last."""
    place = next(index for index, each in enumerate(lines) if each is line)
    text = line.text
    for below in lines[place + 1 : place + 3]:
        open_end = text.split()[-1].lower() in SMALL or text.endswith((",", "-", "–"))
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
