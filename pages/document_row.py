"""Converts a document to the data that the page shows."""

from __future__ import annotations

from pathlib import Path

from core.library.intake.records import Unpacked
from core.library.records import Document, DocumentProgress, can_retry
from core.words import Language
from pages.actions import Reply
from viz.document import size


def row(document: Document, language: Language, standing: DocumentProgress | None = None, *, reader: str = "") -> Reply:
    """Data for the table and the attachment chips. ``standing``: the reading progress of a document that is being read.

    ``owner`` is set only if the owner is not ``reader``; ``group`` is the group that the owner shares the document
    with.
    """
    about, problem, extraction = document.metadata, document.problem, document.extraction
    recognition = document.recognition
    return {
        "id": document.id,
        "owner": document.user_id if reader and reader != document.user_id else None,
        "group": document.org_id,
        "run": document.run_id,
        "title": about.title,
        "kind": about.kind,
        "organisations": [each.name for each in about.organisations],
        "periods": [each.key for each in about.periods],
        "date": about.date,
        "bytes": document.size,
        "standing": _progress_reply(standing) if standing else None,
        "filename": document.filename,
        "type": Path(document.filename).suffix.lstrip(".").lower(),
        "pages": document.pages,
        "language": document.metadata.language,
        "scope": document.scope,
        "state": document.state,
        "chunks": document.chunks,
        "searchable": document.searchable,
        "embedded": document.embedded,
        "without_vectors": document.without_vectors,
        "size": size(document.size),
        "added_at": document.added_at,
        "origin": document.origin.model_dump() if document.origin else None,
        "can_retry": can_retry(document),
        "failed_unseen": document.failed_unseen,
        "recognition": recognition.model_dump(include={"done", "total"}) if recognition else None,
        "extraction": extraction.model_dump(include={"state", "done", "parts"}) if extraction else None,
        "notes": [note[1] if language == "he" else note[0] for note in document.notes],
        **({"problem": problem.told(language)} if problem else {}),
    }


def unpacked_reply(unpacked: Unpacked, language: Language) -> Reply:
    """The results for the files in a container, such as an archive. ``document`` is the first of them that now exists,
    for clients that expect a single document."""
    documents = [row(each, language) for each in unpacked.added]
    known = [row(each, language) for each in unpacked.known]
    return {
        "status": "unpacked",
        "document": next(iter([*documents, *known]), None),
        "documents": [*documents],
        "known": [*known],
        "left_out": [{"name": each.name, "problem": each.problem.told(language)} for each in unpacked.left_out],
    }


def _progress_reply(standing: DocumentProgress) -> Reply:
    """``words``: whole seconds until keyword search finds the document; ``meaning``: until it is completely ready."""
    return {
        "stage": standing.stage,
        "done": standing.done,
        "total": standing.total,
        "words": None if standing.words is None else round(standing.words),
        "meaning": None if standing.meaning is None else round(standing.meaning),
    }
