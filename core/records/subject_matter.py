"""Defines the subject of a question as a list of chips: organisation, period, metric, document kind, terms."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, computed_field

from core.words import Words

ChipKind = Literal["organisation", "period", "metric", "kind", "term", "document"]
Meant = Literal["named", "carried", "guessed"]
"""Where a chip comes from: named in the question, carried over from the previous question, or guessed."""


def chip_key(kind: ChipKind, name: str) -> str:
    """The key that excludes a chip from the next search: "period:2022"."""
    return f"{kind}:{name}"


class Chip(BaseModel, frozen=True):
    """One element of a question's subject, displayed as a chip. ``label`` is its display text; ``text`` is its part of
    the question, empty if it is not in the question.

    ``name`` is the value in ``key``: a document's id, a period's key, otherwise the label. ``binds``: the search was
    limited to its documents. ``document_ids`` are the documents that it stands for. ``note`` explains how it was
    understood, if that is needed.
    """

    kind: ChipKind
    label: str
    name: str = ""
    text: str = ""
    meant: Meant = "named"
    binds: bool = False
    document_ids: list[str] = []
    note: Words | None = None

    @computed_field  # type: ignore[prop-decorator]
    @property
    def key(self) -> str:
        """The key that excludes it from a search when the chip is removed."""
        return chip_key(self.kind, self.name or self.label)


class Absent(BaseModel, frozen=True):
    """Something that a question names but no document contains: an organisation, or a period for ``organisation``."""

    kind: Literal["organisation", "period"]
    name: str
    organisation: str = ""
    words: Words


class Completed(BaseModel, frozen=True):
    """The query that is searched in place of the question: ``text`` is the question, completed with elements of the
    previous question.

    ``carried`` are the kinds of things taken from the previous question; ``relative`` maps a period's key in ``text``
    to the question's own words: its key → "last year". ``by_model``: a model wrote ``text``.
    """

    text: str
    carried: list[ChipKind] = []
    relative: dict[str, str] = {}
    by_model: bool = False
