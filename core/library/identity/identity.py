"""Identifies a document: *extracted text, filename* → kind, title, organisations, periods, date."""

from __future__ import annotations

from dataclasses import replace

from pydantic import BaseModel

from core.library.extracted import Extracted
from core.library.identity.cover import cover_of
from core.library.identity.coverage import periods_of, titled_periods
from core.library.identity.document_date import date_of
from core.library.identity.kind import kind_of
from core.library.identity.largest_type import largest_words
from core.library.identity.organisations import organisations_of
from core.library.identity.titles import headline_of, title_of
from core.library.records import CorrectedField, CoveredPeriod, DocumentKind, Organisation


class Identity(BaseModel):
    """The identity of a document. ``title`` is ``None`` if only the filename names it; a model may be asked about the
    ``unsure`` fields."""

    kind: DocumentKind
    title: str | None
    organisations: list[Organisation]
    periods: list[CoveredPeriod]
    date: str | None
    unsure: list[CorrectedField] = []


def identify(extracted: Extracted, filename: str) -> Identity:
    """Identify a document by rules, from its cover; unknown fields are ``None`` or ``[]``."""
    cover = cover_of(extracted, filename)
    largest = largest_words(cover)
    kind = kind_of(cover, largest)
    by = organisations_of(cover, kind)
    headline = headline_of(cover) if kind == "earnings release" else None
    periods = periods_of(cover, kind, headline)
    title = title_of(cover, kind, by.found, periods)
    periods = periods or titled_periods(title.text if title else cover.stem, kind)
    date = date_of(cover, kind, periods)
    if title and kind == "minutes" and date.day and not any(map(str.isdigit, title.text)):
        # A committee meets often: its minutes are distinguished by the day.
        title = replace(title, text=f"{title.text} · {date.day}")
    unsure: dict[CorrectedField, bool] = {
        "title": title is not None and not title.sure,
        "organisations": not by.sure,
        "date": date.day is not None and not date.sure,
    }
    return Identity(
        kind=kind,
        title=title.text if title else None,
        organisations=by.found,
        periods=periods,
        date=date.day,
        unsure=[field for field, is_unsure in unsure.items() if is_unsure],
    )
