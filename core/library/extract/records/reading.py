"""What the readers of JSON, XML and YAML share: a tree, or the text of a file that is none, as an extracted file."""

from __future__ import annotations

from collections.abc import Sequence

from core.library.extract import problems
from core.library.extract.records.alike import Tree
from core.library.extract.records.tree import TreeReader, said_of_itself
from core.library.extract.text import normalise
from core.library.extract.txt import paragraphs
from core.library.extracted import Block, Extracted
from core.library.identity.cover import words_of_filename
from core.settings import Settings


def blocks_of(
    tree: Tree, mime: str, filename: str, settings: Settings, notes: Sequence[problems.Note] = ()
) -> Extracted:
    """The blocks of a tree, and what it says of itself."""
    limit = settings.limits.extracted_characters
    reader = TreeReader(limit)
    blocks = reader.read(tree)
    said = {"title": _named(filename), **said_of_itself(tree)}
    return Extracted(blocks=blocks, mime=mime, notes=[*notes, *reader.notes(limit)], **said)


def _named(filename: str) -> str:
    """The first field of data is no title of it; its file's name is a better one."""
    words = words_of_filename(filename)
    return words[:1].upper() + words[1:] or filename


def read_as_text(text: str, mime: str, kind: str | None, settings: Settings) -> Extracted:
    """The text of a file that is not what its name says; ``kind`` is what it should be, where that is to be said."""
    limit = settings.limits.extracted_characters
    notes = [problems.read_as_text(kind)] if kind else []
    if len(text) > limit:
        notes.append(problems.only_characters(limit))
    blocks = [Block(text=part) for part in paragraphs(normalise(text[:limit]))]
    return Extracted(blocks=blocks, mime=mime, notes=notes)
