"""Suggests names after ``@``: the beginning of a name → matching attachments, then sets, then library documents."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from core.language.normalisation import fold
from core.library.library import Library
from core.library.records import Document, DocumentSet
from core.library.sets import Sets
from core.store.items import LIBRARY

OFFERED = 12
"""Maximum number of names in one suggestion list."""


class Mention(BaseModel):
    """A suggestion. ``insert`` is the text to put into the question; ``hint`` is a document's file name, ``count`` a
    set's number of documents."""

    kind: Literal["attachment", "set", "document"]
    title: str
    insert: str
    hint: str | None = None
    count: int | None = None


class Mentions:
    """Suggests documents and sets that a question may mention."""

    def __init__(self, library: Library, sets: Sets) -> None:
        self._library = library
        self._sets = sets

    async def starting(self, user_id: str, search: str, conversation_id: str | None) -> list[Mention]:
        """Documents and sets whose name contains ``search`` and that this conversation may read."""
        wanted = fold(search).strip()
        found = await self._library.find(user_id, conversation_id=conversation_id)
        documents = [each for each in found if each.is_stored]
        titles = {fold(each.metadata.title) for each in documents}
        sets = [_set(each, titles) for each in await self._sets.all(user_id) if wanted in fold(each.name)]
        named = [each for each in documents if wanted in fold(f"{each.metadata.title}\n{each.filename}")]
        attached = [_document(each) for each in named if each.scope != LIBRARY]
        published = [_document(each) for each in named if each.scope == LIBRARY]
        return [*attached, *sets, *published][:OFFERED]


def _document(document: Document) -> Mention:
    title = document.metadata.title
    insert = f'@"{title.replace(chr(34), chr(39))}"'
    kind: Literal["document", "attachment"] = "document" if document.scope == LIBRARY else "attachment"
    return Mention(kind=kind, title=title, hint=document.filename, insert=insert)


def _set(each: DocumentSet, titles: set[str]) -> Mention:
    """The suggestion for a set; it is marked as a set only if a document has the same name."""
    mark = "set:" if fold(each.name) in titles else ""
    return Mention(kind="set", title=each.name, count=len(each.document_ids), insert=f'@{mark}"{each.name}"')
