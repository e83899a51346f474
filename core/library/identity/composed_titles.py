"""Composes titles and normalises their spelling: *title, kind, organisations* → a title that is distinguishable.

A form has no title, so one is composed of its organisation, kind and period. A title that only says the kind gets the
issuer, a contract its parties, a report its number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.language.detection import detect
from core.language.entities.periods import without_periods
from core.language.hebrew import LETTER
from core.language.normalisation import fold
from core.library.identity.aliases import bare_name
from core.library.identity.cover import Cover
from core.library.identity.institutions import is_of_forms
from core.library.records import CoveredPeriod, DocumentKind, Organisation
from core.messages import message

LONGEST = 200
"""Maximum length of a title in characters."""
_FIRST_LINES = 12
_REPORT_NUMBER = re.compile(
    r"(?:report|accident|incident|case|docket|study|project|reference|document|audit|file|investigation)\s"
    r"(?:number|no\.?|id|#)\s?:?\s?\|?\s?(?P<number>[A-Z0-9][\w/-]{3,24})",
    re.IGNORECASE,
)
SMALL = frozenset(
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
FILED: tuple[DocumentKind, ...] = ("annual report", "quarterly report", "current report", "earnings release")
_ISSUED: tuple[DocumentKind, ...] = (
    *FILED,
    "report",
    "manual",
    "guide",
    "plan",
    "brochure",
    "presentation",
    "press release",
)
"""Kinds whose title needs the organisation's name, if it has no other words."""
KIND_NAMES = {kind: message(f"library.titles.{kind.replace(' ', '_')}") for kind in _NAMED}


def composed_title(
    kind: DocumentKind, form: str | None, by: Sequence[Organisation], periods: Sequence[CoveredPeriod], language: str
) -> str:
    """The title of a document whose cover has only a form's words: "Name · Annual report (Form 10-K) · FY2022"."""
    name = KIND_NAMES[kind].to(language)
    parts = [*(each.name for each in by[:1]), f"{name} ({form})" if form else name]
    if periods:
        parts.append(_period_words(periods[0].key, language, bool(form)))
    return " · ".join(parts)


def _period_words(key: str, language: str, fiscal: bool) -> str:
    """ "2022" → "FY2022", "2023-Q2" → "Q2 FY2023", a date unchanged."""
    year, _, part = key.partition("-")
    mark = "FY" if fiscal else ""
    if part[:1] in ("Q", "H"):
        if language == "he" and part[0] == "Q":
            return message("library.titles.quarter", number=part[1], year=year).to(language)
        return f"{part} {mark}{year}"
    return f"{mark}{year}" if not part else key


def with_issuer(title: str, kind: DocumentKind, by: Sequence[Organisation]) -> str:
    """Adds the issuer to a title that only says the document's kind: "Name · Annual Report 2023"."""
    if (
        not by
        or kind not in _ISSUED
        or not is_of_forms(without_periods(title))
        or fold(bare_name(by[0].name)) in fold(title)
    ):
        return title
    return f"{by[0].name} · {title}"


def with_number(title: str, kind: DocumentKind, cover: Cover) -> str:
    """Adds the number that distinguishes the author's reports: "Accident Final Report (NYC08CA055)"."""
    if kind != "report" or any(map(str.isdigit, title)):
        return title
    match = _REPORT_NUMBER.search("\n".join(line.text for line in cover.lines[:_FIRST_LINES]))
    return f"{title} ({match['number']})" if match and sum(map(str.isdigit, match["number"])) > 1 else title


def with_parties(title: str, by: Sequence[Organisation]) -> str:
    """Adds the two parties to a contract's title, if it names neither them nor a number."""
    named = len(by) > 1 and fold(bare_name(by[0].name)) in fold(title)
    # A number in the title already distinguishes the contract.
    if len(by) < 2 or named or any(map(str.isdigit, title)):
        return title
    between = message("library.titles.between", one=by[0].name, other=by[1].name).to(detect(title))
    whole = f"{sentence_case(title)} {between}"
    return whole if len(whole) <= LONGEST else title


def sentence_case(title: str) -> str:
    """A title in all capitals as normal text; other titles unchanged."""
    title = title.strip(" *_#|·-")
    if not title.isupper() or re.search(LETTER, title) or len(title.split()) < 2:
        return title
    shaped = [
        word.lower() if place and word.lower() in SMALL else _capitalised(word)
        for place, word in enumerate(title.split())
    ]
    return " ".join(shaped)


def _capitalised(word: str) -> str:
    if re.search(r"\d|\.", word[:-1]):
        return word
    return "-".join(part.capitalize() for part in word.split("-"))


def clipped(title: str) -> str:
    """A title that is longer than ``LONGEST``, cut between words."""
    return title if len(title) <= LONGEST else title[: LONGEST - 1].rsplit(" ", 1)[0].rstrip(" ,;:·-") + "…"
