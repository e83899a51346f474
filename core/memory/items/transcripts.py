"""Converts a transcript to memories: one item per statement, with its speaker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.ids import id_of
from core.language.transcripts import Utterance
from core.store.items import MEMORY, Embedding, ItemSource, MemoryItem, Place, Timestamps


@dataclass(frozen=True)
class Transcript:
    """A conversation; ``id`` is the id of its source, such as a document; ``said_at`` is in epoch seconds."""

    id: str
    said_at: float
    utterances: Sequence[Utterance]


def items_of(user_id: str, transcript: Transcript) -> list[MemoryItem]:
    """The items in order, always with the same ids; they do not expire.

    The embedded text of an item begins with the earlier statements, because a statement often does not name its
    subject.
    """
    texts = [f"{each.speaker}: {each.text}" for each in transcript.utterances]
    at = Timestamps(created_at=transcript.said_at, updated_at=transcript.said_at)
    return [
        MemoryItem(
            id=id_of("mem", user_id, transcript.id, order),
            user_id=user_id,
            tier="history",
            kind="exchange",
            text=text,
            scope=MEMORY,
            source=ItemSource(type="user", speaker=transcript.utterances[order].speaker),
            timestamps=at,
            embedding=Embedding(prefix=before),
            place=Place(episode=transcript.id, order=order),
        )
        for order, (before, text) in enumerate(zip(["", *texts], texts, strict=False))
    ]
