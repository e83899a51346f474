"""What a question was taken to be about, one thing a chip: organisation, period, metric, kind of document, terms."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

ChipKind = Literal["organisation", "period", "metric", "kind", "term", "document"]
Meant = Literal["named", "carried", "guessed"]
"""Named in the question, carried on from the one before, or guessed."""


class Chip(BaseModel):
    """``label`` as the reader knows it; ``text`` what of the question it was taken from, empty when it was not there.

    ``binds``: only documents of it were searched. ``document_ids`` are those it stands for.
    """

    model_config = ConfigDict(frozen=True)

    kind: ChipKind
    label: str
    text: str = ""
    meant: Meant = "named"
    binds: bool = False
    document_ids: list[str] = []
