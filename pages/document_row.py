"""A document as the page shows it."""

from __future__ import annotations

from pathlib import Path

from core.library.library import can_retry
from core.library.records import Document
from core.words import Language
from pages.answers import Reply
from viz.document import size


def row(document: Document, language: Language) -> Reply:
    """What the table and the chips of attachments are drawn from."""
    problem = _problem(document, language)
    return {
        "id": document.id,
        "run": document.run_id,
        "title": document.metadata.title,
        "filename": document.filename,
        "type": Path(document.filename).suffix.lstrip(".").lower(),
        "pages": document.pages,
        "language": document.metadata.language,
        "scope": document.scope,
        "state": document.state,
        "chunks": document.chunks,
        "searchable": document.searchable,
        "embedded": document.embedded,
        "size": size(document.size),
        "added_at": document.added_at,
        "can_retry": can_retry(document),
        "notes": [note[1] if language == "he" else note[0] for note in document.notes],
        **problem,
    }


def _problem(document: Document, language: Language) -> Reply:
    if document.problem is None:
        return {}
    what, why, remedy = document.problem.to(language)
    return {"problem": {"what": what, "why": why, "remedy": remedy}}
