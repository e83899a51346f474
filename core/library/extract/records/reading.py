"""Provides the last step of the JSON, XML and YAML readers: a tree, or an invalid file's text → extracted file."""

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
    """The blocks of a tree, and its metadata."""
    limit = settings.limits.extracted_characters
    reader = TreeReader(limit)
    blocks = reader.read(tree)
    said = {"title": _named(filename), **said_of_itself(tree)}
    return Extracted(blocks=blocks, mime=mime, notes=[*notes, *reader.notes(limit)], **said)


def _named(filename: str) -> str:
    """The result without a title: the first field of data is not a title, and the file's name is better."""
    words = words_of_filename(filename)
    return words[:1].upper() + words[1:] or filename


def read_as_text(text: str, mime: str, kind: str | None, settings: Settings) -> Extracted:
    """The text of a file that does not match its extension; ``kind`` is the expected format, if that is to be
    reported."""
    limit = settings.limits.extracted_characters
    notes = [problems.read_as_text(kind)] if kind else []
    if len(text) > limit:
        notes.append(problems.only_characters(limit))
    blocks = [Block(text=part) for part in paragraphs(normalise(text[:limit]))]
    return Extracted(blocks=blocks, mime=mime, notes=notes)
