"""A document that is a transcript: *its entry and passages* → the conversation that it is of, with who spoke when."""

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
    """Said on the document's date, in seconds; on the day it was added where it has none.

    Raises:
        PalimpsestError: nobody speaks in it ("validation").
    """
    utterances = utterances_in("\n".join(own_texts(passages)))
    if not utterances:
        raise fail("validation", "library.no_transcript", filename=document.filename)
    date = document.metadata.date
    said_at = datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp() if date else document.added_at
    return Transcript(f"{document.id}/said", said_at, utterances)
