"""What a question was taken to be about, one thing a chip: organisation, period, metric, kind of document, terms."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, computed_field

from core.words import Words

ChipKind = Literal["organisation", "period", "metric", "kind", "term", "document"]
Meant = Literal["named", "carried", "guessed"]
"""Named in the question, carried on from the one before, or guessed."""


def chip_key(kind: ChipKind, name: str) -> str:
    """By what a chip is left out of the next search: "period:2022"."""
    return f"{kind}:{name}"


class Chip(BaseModel, frozen=True):
    """``label`` as the reader knows it; ``text`` what of the question it was taken from, empty when it was not there.

    ``name`` is what ``key`` knows it by: a document's id, a period's key, else the label. ``binds``: only documents of
    it were searched. ``document_ids`` are those it stands for. ``note`` says how it was taken, where that needs saying.
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
        """What a search is asked to leave out when the chip is taken off."""
        return chip_key(self.kind, self.name or self.label)


class Absent(BaseModel, frozen=True):
    """What a question names and no document has: an organisation, or a period of the ``organisation``."""

    kind: Literal["organisation", "period"]
    name: str
    organisation: str = ""
    words: Words


class Completed(BaseModel, frozen=True):
    """What is looked for in the place of what was asked: ``text`` says what the question left to the one before it.

    ``carried`` are the kinds of things that were taken over; ``relative`` how the question itself calls a period of
    ``text``: its key → "last year".
    """

    text: str
    carried: list[ChipKind] = []
    relative: dict[str, str] = {}
