"""What a document is: *extracted text, filename* → kind, title, organisations, periods, date."""

from __future__ import annotations

from pydantic import BaseModel

from core.library.extracted import Extracted
from core.library.identity.cover import cover_of
from core.library.identity.coverage import date_of, periods_of
from core.library.identity.kind import kind_of
from core.library.identity.organisations import organisations_of
from core.library.identity.titles import headline_of, title_of
from core.library.records import CoveredPeriod, DocumentKind, Organisation


class Identity(BaseModel):
    """``title`` is ``None`` where only the filename names the document."""

    kind: DocumentKind
    title: str | None
    organisations: list[Organisation]
    periods: list[CoveredPeriod]
    date: str | None


def identify(extracted: Extracted, filename: str) -> Identity:
    """By rules, from the cover; what it does not tell is ``None`` or ``[]``."""
    cover = cover_of(extracted, filename)
    kind = kind_of(cover)
    organisations = organisations_of(cover, kind)
    periods = periods_of(cover, kind, headline_of(cover) if kind == "earnings release" else None)
    return Identity(
        kind=kind,
        title=title_of(cover, kind, organisations, periods),
        organisations=organisations,
        periods=periods,
        date=date_of(cover, kind, periods),
    )
