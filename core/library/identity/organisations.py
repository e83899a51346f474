"""Finds a document's authors or contract parties: *cover* → organisation names with their aliases.

The methods are tried from the most to the least reliable: a form's registrant, a contract's parties, a press release's
ticker, a label, a letterhead, the file's author property, and last the company that the first pages name most.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from core.language.entities.calendar_words import YEAR
from core.language.hebrew import LETTER, LETTERS, LIMITED
from core.language.normalisation import fold
from core.language.vocabulary import pattern_of, phrase_of
from core.library.extract.csv import MIME as CSV
from core.library.identity.aliases import aliases_of, bare_name, cased, full_name, has_suffix
from core.library.identity.cover import Cover, Line
from core.library.identity.institutions import NOT_A_NAME, is_name, is_of_forms
from core.library.identity.owners import affiliations, of_acronym, of_domain, of_filename, owners, unparted_companies
from core.library.identity.parties import parties
from core.library.identity.wording import any_of, phrase, words
from core.library.records import DocumentKind, Organisation

_REGISTERED = re.compile(rf",\s*(?:{phrase_of('library/identity.organisations.registered')})")
MOST = 4
_LETTERHEAD = 8
_WORD = re.compile(r"[^\W\d_][\w&.-]+")
_COMPANY = 15
"""Number of lines at the top that may be a letterhead, or name a company with its legal form."""
_LONGEST = 90

_MARKS = re.compile(r"exact\s*name\s*of|of\s*incorporation\s*:", re.IGNORECASE)
"""Texts without one of these cannot match the two slow patterns below, which are then skipped."""
_REGISTRANT = re.compile(
    r"(?=[^()]{2,600}\()(?P<before>[^()]{2,400}?)(?:(?<![\s_|])[\s_|]++)?+\(\s*exact\s*name\s*of\s*(?:the\s*)?(?:registrant|company|issuer)",
    re.IGNORECASE,
)
_OF_STATE = re.compile(
    r"(?P<before>[^\n]{2,120})\n\s{0,200}+state\s*(?:or\s*other\s*jurisdiction\s*)?of\s*incorporation\s*:",
    re.IGNORECASE,
)
_BEFORE_NAME = re.compile(
    rf"^.*(?:file\s*(?:number|no\.?)\s*:?\s*[\d-]+|{YEAR}\)?|reported\)\s*:?|[_=]{{2,}}|\|)\s*",
    re.IGNORECASE | re.DOTALL,
)
_EXCHANGE = r"(?:nasdaq|nyse|new york stock exchange|nyse american|lse|tsx|asx|tase|euronext|otcqx|otc)"
_LISTED = re.compile(
    rf"(?P<name>[A-Z0-9][\w&.,'’ -]{{1,80}}?)\s*(?:\([^()]{{0,80}}\)\s*)?\(\s*[\"“]?{_EXCHANGE}[^()]{{0,40}}[:)]",
    re.IGNORECASE,
)
_HEADLINE = pattern_of("library/identity.organisations.headline")
_LATIN_SUFFIXED = r"(?:[A-Z0-9][\w&.'’-]*(?:\s+(?:of|and|&|the|de|for))?[ ,]+){1,6}"


@dataclass(frozen=True)
class FoundOrganisations:
    """The organisations that were found. ``sure``: a form, a party, a label, a letterhead or a copyright notice names
    them."""

    found: list[Organisation]
    sure: bool = True


def organisations_of(cover: Cover, kind: DocumentKind) -> FoundOrganisations:
    """The organisations from the most reliable method that finds any, each once."""
    reports = ("annual report", "quarterly report", "earnings release", "current report")
    ways: tuple[tuple[Callable[[], list[str]], bool], ...] = (
        (lambda: _registrant(cover), True),
        (lambda: parties(cover) if kind == "contract" else [], True),
        (lambda: _exchange_listed(cover) if kind != "contract" else [], True),
        (lambda: _labelled(cover), True),
        (lambda: affiliations(cover) if kind == "paper" else [], True),
        (lambda: _letterhead(cover), True),
        (lambda: unparted_companies(cover), True),
        (lambda: owners(cover), True),
        (lambda: _file_author(cover), True),
        (lambda: of_filename(cover, certain=kind in reports), False),
        (lambda: of_acronym(cover), False),
        (lambda: of_domain(cover), False),
        (lambda: _most_named(cover) if kind in reports else [], False),
    )
    for way, sure in ways:
        if names := list(_distinct(way())):
            return FoundOrganisations(
                [Organisation(name=name, aliases=aliases_of(name, cover)) for name in names[:MOST]], sure
            )
    return FoundOrganisations([], sure=True)


def _distinct(names: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in (each.rpartition(": ")[2] for each in names):  # "Company name: Acme Ltd" is a label with its value.
        key = fold(bare_name(name))
        if len(key) > 1 and key not in seen and not is_of_forms(key):
            seen.add(key)
            yield name


def _registrant(cover: Cover) -> list[str]:
    """The line above "(Exact name of registrant as specified in its charter)"."""
    if not _MARKS.search(cover.text):
        return []
    for pattern in (_REGISTRANT, _OF_STATE):
        if match := pattern.search(cover.text):
            last = match["before"].strip(" _|\n").split("\n")[-1]
            name = _BEFORE_NAME.sub("", last).strip(" _|,;:-")
            if 1 < len(name) <= _LONGEST and not NOT_A_NAME.search(name):
                return [cased(name, cover)]
    return []


def _exchange_listed(cover: Cover) -> list[str]:
    """ "Name, Inc. (NASDAQ: NAME)": the text between the dateline and the ticker."""
    for match in _LISTED.finditer(cover.text[:6000]):
        name = re.split(r"\s-{1,2}\s*|--|\)\s|\s\|\s|[:;]\s|(?<=[a-z]{3})\.\s", match["name"])[-1].strip(" -,")
        if name[:1].isupper() or name[:1].isdigit():
            return [cased(name, cover)]
    return []


def _labelled(cover: Cover) -> list[str]:
    """ "Customer | Name, street": a cell with a label, or the line below its label."""
    found = []
    for place, line in enumerate(cover.lines[:30]):
        match = any_of("labels").match(line.text)
        if not match or (line.in_table and line.text.count("|") != 1) or cover.mime == CSV:
            continue
        rest = line.text[match.end() :]
        if not rest and place + 1 < len(cover.lines):
            rest = "| " + cover.lines[place + 1].text
        if marked := re.match(r"\s*[|:]\s*(?P<name>[^|;:]{2,100})", rest):
            name = _whole_name(marked["name"])
            if name:
                found.append(name)
    return found


def _whole_name(text: str) -> str | None:
    """``text`` up to its address or department, if that is a name."""
    name = text.strip()
    pieces = name.split(", ")
    kept = pieces[0]
    for piece in pieces[1:]:
        if not has_suffix(f"x {piece}") or len(piece.split()) > 1:
            break
        kept = f"{kept}, {piece}"
    letters = re.sub(r"[^^\W\d_]", "", kept)
    proper = kept[:1].isupper() or kept[:1].isdigit() or bool(re.match(LETTER, kept))
    return kept if proper and len(letters) > 1 and len(kept.split()) <= 8 and not NOT_A_NAME.search(kept) else None


def _letterhead(cover: Cover) -> list[str]:
    """A line at the top that is the name of a company or institution, or a name before its department."""
    typed = [line.text for line in cover.typed[:_LETTERHEAD]]
    for place, text in [*enumerate(typed), *enumerate(line.text for line in _flowing(cover)[:_COMPANY])]:
        if not has_suffix(text) and (place >= _LETTERHEAD or text.endswith((".", "!"))):
            continue
        name = _REGISTERED.split(_issuer(text))[0]
        if len(name) <= _LONGEST and is_name(name):
            return [cased(name, cover)]
        if before := _before_department(text):
            return [cased(before, cover)]
    return []


def _flowing(cover: Cover) -> list[Line]:
    return [line for line in cover.lines[: 2 * _COMPANY] if not line.in_table]


def _issuer(title: str) -> str:
    """ "Bylaws of Name Corporation" → "Name Corporation"; other lines unchanged."""
    issued = _kind_of_name().match(title)
    return title[issued.end() :] if issued and has_suffix(title) else title


@cache
def _kind_of_name() -> re.Pattern[str]:
    kinds = "|".join(
        phrase(each).pattern for known in words().kinds.values() for each in known.title if "*" not in each
    )
    return re.compile(
        rf".{{0,60}}?(?:{any_of('charters').pattern}|{kinds})\s+of\s+(?:the\s+)?(?=[A-Z\d])", re.IGNORECASE
    )


def _before_department(text: str) -> str | None:
    """ "Name, Procurement" → "Name"; "Person, Department of Physics, University of X" → "University of X"."""
    name, comma, rest = text.partition(", ")
    if institution := next((piece for piece in text.split(", ") if comma and is_name(piece)), None):
        return institution
    if not comma or len(text) > 120 or not any_of("departments").match(rest):
        return None
    count = len(name.split())
    hebrew = bool(re.match(LETTER, name))
    proper = hebrew or all(word[0].isupper() or len(word) <= 3 for word in name.split())
    return name if 1 < count <= 6 and proper and not re.search(r"[:|]", name) else None


def _file_author(cover: Cover) -> list[str]:
    """The file's author property, if it is an organisation that the text mentions, or one before its department;
    programs and typesetters put their own names there."""
    author = cover.own_author
    if not author or len(author) > _LONGEST:
        return []
    if cover.is_mail and _WORD.fullmatch(author) and fold(author) in fold(cover.own_title):
        return [author]
    before = _before_department(author) or _last_before_department(author)
    if before and (not cover.is_pdf or _is_said(before, cover)):
        return [before]
    return [author] if (has_suffix(author) or is_name(author)) and _is_said(author, cover) else []


def _is_said(name: str, cover: Cover) -> bool:
    return fold(bare_name(name)) in fold(f"{cover.early} {cover.stem}")


def _last_before_department(author: str) -> str | None:
    """ "Person, Department, Name" → "Name"."""
    pieces = author.split(", ")
    return pieces[-1] if len(pieces) == 3 and any_of("departments").match(pieces[1]) else None


def _most_named(cover: Cover) -> list[str]:
    """The company that the first pages name most often, at least three times."""
    pattern = re.compile(
        rf"{_LATIN_SUFFIXED}(?:Inc\.?|Corp\.?|Corporation|plc|PLC|Ltd\.?|Limited|LLC|Company|GmbH|AG|S\.A\.)(?![\w])"
    )
    counts = Counter(" ".join(match.group().split()) for match in pattern.finditer(cover.early))
    hebrew = re.compile(rf"(?:{LETTER}[{LETTERS}'\"-]*\s){{1,5}}{LIMITED}")
    counts.update(match.group() for match in hebrew.finditer(cover.early))
    usual = [(name, count) for name, count in counts.most_common(5) if count >= 3 and not NOT_A_NAME.search(name)]
    return [re.sub(r"^(?:of|and|the|for)\s+", "", usual[0][0])] if usual else _headlined(cover)


def _headlined(cover: Cover) -> list[str]:
    """ "Name reports results": the words before the verb of a press release's headline."""
    for line in cover.lines[:10]:
        match = _HEADLINE.match(line.text)
        if match and len(match["name"].split()) <= 6:
            return [full_name(match["name"], cover)]
    return []
