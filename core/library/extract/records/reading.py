"""What the readers of JSON, XML and YAML share: a tree, or the text of a file that is none, as an extracted file."""

from __future__ import annotations

from collections.abc import Sequence

from core.library.extract import problems
from core.library.extract.records.alike import Tree
from core.library.extract.records.tree import TreeReader, said_of_itself
from core.library.extract.text import normalise
from core.library.extract.txt import paragraphs
from core.library.extracted import Block, Extracted
from core.settings import Settings


def blocks_of(tree: Tree, mime: str, settings: Settings, notes: Sequence[problems.Note] = ()) -> Extracted:
    """The blocks of a tree, and what it says of itself."""
    limit = settings.limits.extracted_characters
    reader = TreeReader(limit)
    blocks = reader.read(tree)
    return Extracted(blocks=blocks, mime=mime, notes=[*notes, *reader.notes(limit)], **said_of_itself(tree))


def read_as_text(text: str, mime: str, kind: str | None, settings: Settings) -> Extracted:
    """The text of a file that is not what its name says; ``kind`` is what it should be, where that is to be told."""
    limit = settings.limits.extracted_characters
    notes = [problems.read_as_text(kind)] if kind else []
    if len(text) > limit:
        notes.append(problems.only_characters(limit))
    blocks = [Block(text=part) for part in paragraphs(normalise(text[:limit]))]
    return Extracted(blocks=blocks, mime=mime, notes=notes)
