"""Reads YAML: plain lists, mappings and texts, never objects; values keep their original notation.

The tree is built from the parser's events and not by its loader, because the loader recurses once per level and crashes
the process if there are very many.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import yaml

from core.library.extract import problems
from core.library.extract.records.alike import Tree, written
from core.library.extract.records.reading import blocks_of, read_as_text
from core.library.extract.text import decode
from core.library.extracted import Extracted
from core.settings import Settings

MIME = "application/yaml"
MOST_VALUES = 2_000_000
"""Maximum number of values of a file with all aliases expanded: a few lines of aliases can expand beyond any memory."""
_DEEPEST = 200
_PARSER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_NOTHING = frozenset(("~", "null", "Null", "NULL"))
_MERGE = "<<"


def extract_yaml(path: Path, filename: str, settings: Settings) -> Extracted:
    """All documents of the file. A file that is not YAML is read as plain text.

    Raises:
        PalimpsestError: its aliases expand to more than can be read.
    """
    text = decode(path.read_bytes()).lstrip("\ufeff")
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=_PARSER):
            builder.take(event)
    except _TooManyError as error:
        raise problems.unpacks_too_large(filename, settings.limits.unpacked_bytes) from error
    except (yaml.YAMLError, ValueError):
        return read_as_text(text, MIME, "YAML", settings)
    documents = [each for each in builder.documents if each]
    if not any(isinstance(each, dict | list) for each in documents):
        return read_as_text(text, MIME, None, settings)
    return blocks_of(documents[0] if len(documents) == 1 else documents, MIME, filename, settings)


class _TooManyError(Exception):
    """The file has too many values with its aliases expanded."""


@dataclass
class _Open:
    """An unfinished mapping or list; ``key`` is the key of the next value."""

    tree: dict[str, Tree] | list[Tree]
    anchor: str | None
    key: str | None = None
    size: int = 1
    taken_over: dict[str, Tree] = field(default_factory=dict)


@dataclass
class _Builder:
    documents: list[Tree] = field(default_factory=list)
    _open: list[_Open] = field(default_factory=list)
    _anchors: dict[str, tuple[Tree, int]] = field(default_factory=dict)

    def take(self, event: yaml.Event) -> None:
        """Process an event. Raises ``ValueError`` if the file is nested too deeply or an alias refers to a value that
        contains it."""
        if isinstance(event, yaml.DocumentStartEvent):
            self._anchors = {}
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            if len(self._open) >= _DEEPEST:
                raise ValueError("nested deeper than any real file")
            tree: dict[str, Tree] | list[Tree] = {} if isinstance(event, yaml.MappingStartEvent) else []
            self._open.append(_Open(tree, event.anchor))
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self._close(self._open.pop())
        elif isinstance(event, yaml.ScalarEvent):
            plain = event.style in (None, "") and event.value in _NOTHING
            self._put("" if plain else event.value, 1, event.anchor)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise ValueError("an alias of what is not there, or not whole yet")
            self._put(*self._anchors[event.anchor], None)

    def _close(self, ended: _Open) -> None:
        tree = ended.tree
        if isinstance(tree, dict):
            tree = {**ended.taken_over, **tree}
        self._put(tree, ended.size, ended.anchor)

    def _put(self, tree: Tree, size: int, anchor: str | None) -> None:
        """Put a complete value into its parent."""
        if anchor:
            self._anchors[anchor] = (tree, size)
        if not self._open:
            self.documents.append(tree)
            return
        within = self._open[-1]
        within.size += size
        if within.size > MOST_VALUES:
            raise _TooManyError
        if isinstance(within.tree, list):
            within.tree.append(tree)
        elif within.key is None:
            within.key = tree if isinstance(tree, str) else written(tree)[:200]
        else:
            key, within.key = within.key, None
            if key == _MERGE and not isinstance(tree, str):
                _take_over(within, tree)
            else:
                within.tree[key] = tree


def _take_over(within: _Open, tree: Tree) -> None:
    """Merge the fields of one mapping, or of several; earlier ones take precedence."""
    for each in reversed(tree) if isinstance(tree, list) else [tree]:
        if isinstance(each, dict):
            within.taken_over.update(each)
