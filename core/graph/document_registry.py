"""Keeps a list of the documents that a conversation has mentioned (title and id) from one message to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.library.records import Document

MOST = 200
"""Maximum number of documents that a conversation remembers; the least recently mentioned are forgotten first."""


def updated_registry(
    registry: Mapping[str, str], spoken_of: Iterable[str], library: Iterable[Document]
) -> dict[str, str]:
    """Returns the list of mentioned documents after a turn that mentioned the ids ``spoken_of``, newest last.

    Documents no longer in the ``library`` are removed, and renamed ones get their new title. If several documents have
    the same title, later ones are labelled with their filename, and with a number if the filenames are also the same.
    """
    by_id = {document.id: document for document in library}
    wanted = list(dict.fromkeys(spoken_of))
    earlier = [each for each in registry.values() if each not in wanted]
    names: dict[str, str] = {}
    for document_id in [*dict.fromkeys(earlier), *wanted]:
        if document_id in by_id:
            names[_free_name(by_id[document_id], names)] = document_id
    return dict(list(names.items())[-MOST:])


def _free_name(document: Document, taken: Mapping[str, str]) -> str:
    title = document.metadata.title
    if title not in taken:
        return title
    name = named = f"{title} ({document.filename})"
    number = 2
    while name in taken:
        name = f"{named} {number}"
        number += 1
    return name
