"""Writes the prompt for a document's metadata, and accepts the parts of the answer that the text supports.

The answer only fills fields that the rules left open, and only with words that are in the text. So neither a wrong
answer nor instructions inside the document can change anything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pydantic import BaseModel

from core.language.entities.foreign_dates import with_english_dates
from core.language.entities.periods import periods_in
from core.language.normalisation import fold, normalise
from core.language.terms import content_terms, is_stop_word
from core.library.contextual.prompt import Suspicious
from core.library.correction import KINDS, covered_period, organisation_named
from core.library.description.description import readable
from core.library.identity.composed_titles import LONGEST as LONGEST_TITLE
from core.library.identity.usable_lines import is_boilerplate
from core.library.records import CorrectedField, CoveredPeriod, Metadata, Organisation
from core.models.structured import Prompt
from core.search.documents.context import without_markers

OPENING = 6_000
"""Number of characters at the beginning of a document that the prompt contains: the cover identifies the document."""
MOST = 4
"""Maximum number of organisations, or of periods, that are accepted."""
LONGEST_NAME = 90

_JOINED = re.compile(r"(?:(?<!\s)\s++)?+[·|:]\s*|\s-\s|,\s|\(|\)")
"""Characters allowed between the parts of a title that are separate in the text."""


class Answer(BaseModel):
    """The model's answer before it is checked."""

    title: str | None = None
    kind: str | None = None
    kind_words: str | None = None
    organisations: list[str] | None = None
    periods: list[str] | None = None
    date: str | None = None


def prompt_of(rules: str, opening: str) -> Prompt:
    return Prompt(rules, f"BEGIN DOCUMENT\n{without_markers(opening)}\nEND DOCUMENT")


def open_fields(metadata: Metadata, filename: str, opening: str) -> list[CorrectedField]:
    """The fields that the rules left open or set on weak evidence, and that no person has set."""
    fields: dict[CorrectedField, bool] = {
        "title": _is_accidental(metadata.title, filename, opening),
        "kind": metadata.kind == "other",
        "organisations": not metadata.organisations,
        "periods": not metadata.periods,
        "date": metadata.date is None,
    }
    return [
        field
        for field, is_open in fields.items()
        if (is_open or field in metadata.unsure) and field not in metadata.corrected
    ]


def _is_accidental(title: str, filename: str, opening: str) -> bool:
    """Whether the title is only a file name, or a file property that the text does not contain."""
    if " · " in title or _standing(title, opening):
        return False
    if fold(title) == fold(readable(filename)):
        return True
    terms, text = content_terms(title), fold(opening)
    return sum(term in text for term in terms) * 3 < len(terms) * 2


def filled(metadata: Metadata, answer: Answer, filename: str, opening: str, suspicious: Suspicious) -> Metadata:
    """``metadata`` with the additional values in ``answer`` that ``opening`` supports."""
    found: dict[CorrectedField, object] = {
        "title": _valid_title(answer.title, opening, suspicious),
        "kind": answer.kind if answer.kind in KINDS and _standing(answer.kind_words, opening) else None,
        "organisations": list(_organisations(answer.organisations, opening, suspicious))[:MOST],
        "periods": list(_valid_periods(answer.periods, opening))[:MOST],
        "date": _valid_date(answer.date, opening),
    }
    fields = open_fields(metadata, filename, opening)
    known: dict[str, object] = {field: found[field] for field in fields if found[field]}
    known["unsure"] = [field for field in metadata.unsure if field not in known]
    return metadata.model_copy(update=known)


def _standing(words: str | None, opening: str) -> str | None:
    """``words`` as spelled in ``opening``, complete and in order; ``None`` if it does not contain them."""
    parts = normalise(words or "").split()
    if sum(character.isalnum() for part in parts for character in part) < 2:
        return None
    pattern = r"(?<!\w)" + r"\s".join(map(re.escape, parts)) + r"(?!\w)"
    match = re.search(pattern, normalise(opening), re.IGNORECASE)
    return match.group() if match else None


def _valid_title(given: str | None, opening: str, suspicious: Suspicious) -> str | None:
    title = normalise(given or "").strip(" .,:;·|-\"'*_#")
    letters = sum(character.isalpha() for character in title)
    if letters < 3 or len(title) > LONGEST_TITLE or is_boilerplate(title) or suspicious(title):
        return None
    parts = [part for part in _JOINED.split(title) if part.strip()]
    stands = _standing(title, opening) or all(_standing(part, opening) for part in parts)
    return title if stands else None


def _organisations(names: list[str] | None, opening: str, suspicious: Suspicious) -> Iterator[Organisation]:
    seen: set[str] = set()
    for name in names or []:
        written = _standing(name, opening) if len(name) <= LONGEST_NAME else None
        if written and _is_name(written) and not suspicious(written) and fold(written) not in seen:
            seen.add(fold(written))
            yield organisation_named(written)


def _is_name(written: str) -> bool:
    """Whether the text has the form of a name: no date, no form line, and capitalised if the script has capitals."""
    words = [word for word in re.findall(r"[^\W\d_]+", written) if not is_stop_word(fold(word))]
    small = sum(word[0].islower() for word in words)
    return bool(words) and not small * 2 > len(words) and not is_boilerplate(written) and not periods_in(written)


def _valid_periods(names: list[str] | None, opening: str) -> Iterator[CoveredPeriod]:
    known = {period.key for period in periods_in(opening)}
    seen: set[str] = set()
    for name in names or []:
        words = normalise(name)
        named = periods_in(words)[:1] if len(words) <= LONGEST_NAME else []
        is_day = any(period.day and not period.months for period in named)
        if not named or is_day or not (named[0].key in known or _standing(words, opening)):
            continue
        period = covered_period(words)
        if period and period.key not in seen:
            seen.add(period.key)
            yield period


def _valid_date(date: str | None, opening: str) -> str | None:
    opening = with_english_dates(opening)
    days = {period.key for period in periods_in(opening) if period.day}
    return next((period.key for period in periods_in(date or "") if period.day and period.key in days), None)
