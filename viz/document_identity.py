"""What a document is, as a person may correct it: *metadata* → the fields of the detail, in both languages."""

from __future__ import annotations

from typing import NamedTuple, get_args

from core.library.records import CoveredPeriod, DocumentKind, Metadata
from core.words import Language
from viz.labels import label

KINDS: tuple[DocumentKind, ...] = get_args(DocumentKind)


class Field(NamedTuple):
    """``value`` is what the editor begins with, ``shown`` what stands there; ``theirs`` was set by a person."""

    name: str
    value: str
    shown: str
    theirs: bool
    choices: tuple[tuple[str, str], ...] = ()


def fields(metadata: Metadata, language: Language) -> list[Field]:
    """Title, kind, organisations, periods and date, whether they are known or not."""
    by = [each.name for each in metadata.organisations]
    values = {
        "title": (metadata.title, metadata.title),
        "kind": (metadata.kind, kind_name(metadata.kind, language)),
        "organisations": ("; ".join(by), ", ".join(by)),
        "periods": ("; ".join(map(_period_text, metadata.periods)), ", ".join(map(_period_text, metadata.periods))),
        "date": (metadata.date or "", metadata.date or ""),
    }
    choices = tuple((kind, kind_name(kind, language)) for kind in KINDS)
    return [
        Field(name, value, shown, name in metadata.corrected, choices if name == "kind" else ())
        for name, (value, shown) in values.items()
    ]


def kind_name(kind: DocumentKind, language: Language) -> str:
    return label(f"kind_{kind.replace(' ', '_')}", language)


def _period_text(period: CoveredPeriod) -> str:
    """As a person writes it: what they wrote themselves, else "2022" or "Q2 2023"."""
    own = [name for name in period.names if name != period.key and not name[:4].isdigit()]
    year, _, part = period.key.partition("-")
    return own[-1] if own else f"{part} {year}" if part[:1] in ("Q", "H") else period.key
