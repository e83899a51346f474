"""What ``@`` offers: attachments first, then sets, then the library."""

from __future__ import annotations

from pydantic import JsonValue

from core.language.normalisation import fold
from core.library.records import Document, DocumentSet
from core.store.items import LIBRARY
from core.workbench import Workbench

OFFERED = 12
"""Names at once."""


async def mentionable(workbench: Workbench, user_id: str, search: str, conversation_id: str | None) -> list[JsonValue]:
    """``insert`` is what the question is to say; ``kind`` is ``set``, ``attachment`` or ``document``."""
    wanted = fold(search).strip()
    documents = [
        each for each in await workbench.library.find(user_id, conversation_id=conversation_id) if each.is_stored
    ]
    titles = {fold(each.metadata.title) for each in documents}
    sets = [_set(each, titles) for each in await workbench.sets.all(user_id) if wanted in fold(each.name)]
    named = [each for each in documents if wanted in fold(f"{each.metadata.title}\n{each.filename}")]
    attached = [_document(each) for each in named if each.scope != LIBRARY]
    published = [_document(each) for each in named if each.scope == LIBRARY]
    return [*attached, *sets, *published][:OFFERED]


def _document(document: Document) -> JsonValue:
    title = document.metadata.title
    kind = "document" if document.scope == LIBRARY else "attachment"
    return {"kind": kind, "title": title, "hint": document.filename, "insert": f'@"{title.replace(chr(34), chr(39))}"'}


def _set(each: DocumentSet, titles: set[str]) -> JsonValue:
    """It says that it is a set only where a document has its name too."""
    mark = "set:" if fold(each.name) in titles else ""
    return {"kind": "set", "title": each.name, "count": len(each.document_ids), "insert": f'@{mark}"{each.name}"'}
