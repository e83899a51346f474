"""Determines a document's date: *cover, kind, periods* → ISO date, or a month if no day is printed.

The file's creation date and the dates in table cells are not used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from core.language.entities.foreign_dates import with_english_dates
from core.language.entities.periods import NamedPeriod, periods_in, without_periods
from core.language.vocabulary import phrases
from core.library.identity.cover import Cover, Line
from core.library.identity.kind import form_of
from core.library.identity.wording import any_of
from core.library.records import CoveredPeriod, DocumentKind

_phrase = phrases("library/identity.coverage")
_DATE_LABELS = ("date", "dated", _phrase("date"))

TITLED: tuple[DocumentKind, ...] = (
    "other", "report", "manual", "brochure", "form", "presentation", "spreadsheet", "paper", "email", "guide", "plan",
    "regulation", "statistics",
)  # fmt: skip
"""Kinds that cover only the periods in their title, if there are any."""
_FORMS: tuple[DocumentKind, ...] = ("annual report", "quarterly report")
_APART: tuple[DocumentKind, ...] = (*TITLED, "annual report", "quarterly report")
"""Kinds whose own date is never inside a sentence."""
_SHORT_LINE = 100
_STAMP = 60
_FEW_LETTERS = 12
"""Maximum number of letters next to a month that is on a separate line, such as "Revised" or "Issue of"."""
_NEAR = 90
"""Number of characters after a label that are searched for its date."""
_OF_REPORT = re.compile(r"date\s*of\s*report", re.IGNORECASE)
_DATELINE = re.compile(r"\s*(?:$|[-(/]|\)\s*-|,?\s*[|])")


@dataclass(frozen=True)
class FoundDate:
    """The date that was found. ``sure``: a label, a signature, a dateline or the format marks it as the document's
    date."""

    day: str | None
    sure: bool = True


def date_of(cover: Cover, kind: DocumentKind, periods: Sequence[CoveredPeriod] = ()) -> FoundDate:
    """The document's date: from its label, its dateline, or its signature, and never the file's creation date. Dates in
    table cells belong to the listed things. If no day is printed, the month is used."""
    cover = in_english(cover)
    if kind in ("annual report", "quarterly report") and (signed := _signature_day(cover, periods)):
        return FoundDate(signed)
    if kind == "earnings release" or (kind in _FORMS and form_of(cover)):
        # A form's cover has dates for its number of shares and its market value.
        return FoundDate(dateline(cover) if kind == "earnings release" else None)
    if kind not in _FORMS and (labelled := label_dates(cover)):
        return FoundDate(labelled[0].key)
    own = next((period.key for period in periods_in(cover.own_date) if period.day), None)
    if own and kind == "email":
        return FoundDate(own)
    found = None if cover.is_workbook else _lone_day(cover, kind, periods)
    if found or own:
        return FoundDate(found or own, sure=found is None)
    return FoundDate(None if cover.is_workbook else _only_day(cover) or _lone_month(cover), sure=False)


def _only_day(cover: Cover) -> str | None:
    """The only date in short lines of the first page, such as a stamp in the margin."""
    page = cover.lines[0].page if cover.lines else None
    short = [line.text for line in _flowing(cover) if line.page == page and len(line.text) <= _STAMP]
    days = {period.key for text in short for period in periods_in(text) if period.day and not period.months}
    return days.pop() if page and len(days) == 1 else None


def _lone_month(cover: Cover) -> str | None:
    """ "May 2016" on a separate line, for a document without a full date."""
    texts = [line.text for line in cover.typed] or [line.text for line in _flowing(cover)[:12]]
    for text in texts:
        found = [period for period in periods_in(text) if period.month and not period.day] if len(text) < 60 else []
        if found and sum(map(str.isalpha, without_periods(text))) <= _FEW_LETTERS:
            return found[0].key
    return None


def _lone_day(cover: Cover, kind: DocumentKind, periods: Sequence[CoveredPeriod]) -> str | None:
    """The separate date at the top; the end of the document's period is not its date."""
    lines = [line.text for line in _flowing(cover)[:12] if kind not in _APART or _is_no_sentence(line.text)]
    rows = {_squashed(line.text) for line in cover.lines if line.in_table}
    typed = [line.text for line in cover.typed if _is_no_sentence(line.text)]
    lines += [text for text in typed if not any(_squashed(text) in row for row in rows)]
    days = [period for text in lines for period in periods_in(text) if period.day and not period.months]
    ends = {period.end for period in periods if period.end != period.key}
    return next((period.key for period in days if period.key not in ends), None)


def in_english(cover: Cover) -> Cover:
    """The cover with its dates in English notation."""
    return replace(
        cover,
        text=with_english_dates(cover.text),
        early=with_english_dates(cover.early),
        last=with_english_dates(cover.last),
        lines=[replace(line, text=with_english_dates(line.text)) for line in cover.lines],
        typed=[line.model_copy(update={"text": with_english_dates(line.text)}) for line in cover.typed],
    )


def _flowing(cover: Cover) -> list[Line]:
    return [line for line in cover.lines if not line.in_table]


def _squashed(text: str) -> str:
    return re.sub(r"[\s|]+", "", text)


def _is_no_sentence(text: str) -> bool:
    """Whether ``text`` is a short line and no sentence. A document of unknown kind may mention any date in its
    sentences; its own date is on a separate line."""
    return len(text) <= _SHORT_LINE and not text.rstrip().endswith(".")


def _signature_day(cover: Cover, periods: Sequence[CoveredPeriod]) -> str | None:
    """The date on which most people signed a report, within a year of its period's end: exhibits have other dates."""
    signed = Counter(each.key for each in _after_label(cover.last, _DATE_LABELS) if each.day)
    end = periods[0].end if periods else None
    if end:
        latest = (date.fromisoformat(end) + timedelta(days=365)).isoformat()
        signed = Counter({day: count for day, count in signed.items() if end < day <= latest})
    return max(signed, key=lambda day: (signed[day], day), default=None)


def dateline(cover: Cover) -> str | None:
    """The date that is the only text on a line at the top, or that precedes the first words of a press release."""
    for line in cover.lines[:20]:
        for period in periods_in(line.text):
            if period.day and not period.months and _DATELINE.match(line.text[period.end :]):
                return period.key
    return None


def label_dates(cover: Cover) -> list[NamedPeriod]:
    """Dates next to a date label, the most reliable label first."""
    text = "\n".join(line.text for line in (_flowing(cover) if cover.is_workbook else cover.lines))
    return [period for period in _after_label(text[:5000], None) if period.day]


def _after_label(text: str, labels: tuple[str, ...] | None) -> list[NamedPeriod]:
    pattern = any_of("dates") if labels is None else re.compile(rf"(?<!\w)(?:{'|'.join(labels)})(?!\w)", re.IGNORECASE)
    found: dict[int, NamedPeriod] = {}
    days = [period for period in periods_in(text) if period.day]
    for match in pattern.finditer(text):
        for period in days:
            gap = text[match.end() : period.start]
            near = match.end() <= period.start + 4 and period.start - match.end() <= _NEAR
            # A label in a column heading refers to the column's cells.
            if near and gap.count("\n") <= 1 and not ("|" in gap and "\n" in gap):
                found.setdefault(period.start, period)
                break
    for period in days:
        # "January 4, 2023 / Date of Report": the label is below its date.
        after = text[period.end : period.end + 40].lstrip(" \n_|")
        if _OF_REPORT.match(after):
            found.setdefault(period.start, period)
    return [found[start] for start in sorted(found)]
