"""A conversation of others as memories: *transcript* → an item for each thing said, with who said it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.ids import id_of
from core.language.transcripts import Utterance
from core.store.items import MEMORY, Embedding, ItemSource, MemoryItem, Place, Timestamps


@dataclass(frozen=True)
class Transcript:
    """``id`` is of what it was taken from, such as a document; ``said_at`` in epoch seconds."""

    id: str
    said_at: float
    utterances: Sequence[Utterance]


def items_of(user_id: str, transcript: Transcript) -> list[MemoryItem]:
    """In order, the same ids each time; they stay until somebody deletes them.

    What was said before stands before the text in what is embedded: a turn seldom names its subject.
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
