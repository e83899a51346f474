"""Converts a document that is a transcript into a conversation: *entry and passages* → who spoke, and when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from core.errors import fail
from core.language.transcripts import utterances_in
from core.library.records import Document
from core.library.viewing.passages import own_texts
from core.memory.items.transcripts import Transcript
from core.store.items import MemoryItem


def transcript_of(document: Document, passages: Sequence[MemoryItem]) -> Transcript:
    """The conversation, dated on the document's date, in seconds; if it has none, on the day it was added.

    Raises:
        PalimpsestError: no speaker is found in it ("validation").
    """
    utterances = utterances_in("\n".join(own_texts(passages)))
    if not utterances:
        raise fail("validation", "library.no_transcript", filename=document.filename)
    date = document.metadata.date
    said_at = datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp() if date else document.added_at
    return Transcript(f"{document.id}/said", said_at, utterances)
