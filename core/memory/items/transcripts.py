"""Converts a transcript to memories: *transcript* → one item per statement, with its speaker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.ids import id_of
from core.language.transcripts import Utterance
from core.store.items import MEMORY, Embedding, ItemSource, MemoryItem, Place, Timestamps


@dataclass(frozen=True)
class Transcript:
    """A conversation; ``id`` is its source's, such as a document's; ``said_at`` in epoch seconds."""

    id: str
    said_at: float
    utterances: Sequence[Utterance]


def items_of(user_id: str, transcript: Transcript) -> list[MemoryItem]:
    """The items in order, always with the same ids; they do not expire.

    In the embedded text, the earlier statements come before the item's text, because a turn often does not name its
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
