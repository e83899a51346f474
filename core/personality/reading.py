"""Parses the YAML of a personality: text, lists and sections, each with its position in the text.

All values are text (``name: 2024`` is a name). Features that only an attacker needs (references, tags, deep nesting)
are refused before anything is built.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

import yaml

from core.messages import message
from core.words import Words

LONGEST = 64_000
"""Maximum number of characters in a template."""
DEEPEST = 8
Node = yaml.ScalarNode | yaml.SequenceNode | yaml.MappingNode
Data = str | list["Data"] | dict[str, "Data"] | None

_EMPTY = ("", "~", "null", "Null", "NULL")
UNSPEAKABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")
"""Characters that escapes can put into a value, and that later steps cannot use."""


@dataclass(frozen=True)
class YamlProblem:
    """A problem in the text; ``line`` and ``column`` are counted from 1, and are 0 if the problem affects the whole
    text."""

    words: Words
    line: int = 0
    column: int = 0


class UnreadableYamlError(Exception):
    """The text cannot be parsed."""

    def __init__(self, flaw: YamlProblem) -> None:
        super().__init__(flaw.words.en)
        self.flaw = flaw


class _Composer(yaml.BaseLoader):
    """Builds YAML nodes, not values."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise UnreadableYamlError(flaw_at(message("personality.reading.reference"), event.start_mark))
        if event.tag:
            raise UnreadableYamlError(flaw_at(message("personality.reading.tag"), event.start_mark))
        if self.depth >= DEEPEST:
            raise UnreadableYamlError(flaw_at(message("personality.reading.nested"), event.start_mark))
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


def compose(text: str) -> yaml.MappingNode:
    """The sections of ``text``.

    Raises:
        FlawedError: the text is too long, is not YAML, or has no sections.
    """
    if len(text) > LONGEST:
        raise UnreadableYamlError(
            YamlProblem(message("personality.reading.too_long", length=len(text), longest=LONGEST))
        )
    try:
        root = _Composer(text).get_single_node()
    except yaml.reader.ReaderError as error:
        raise UnreadableYamlError(
            YamlProblem(message("personality.reading.character"), *_line_and_column(text, error.position))
        ) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = _words_of(str(error.problem or error.context or ""))
        raise UnreadableYamlError(flaw_at(problem, mark) if mark else YamlProblem(problem)) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise UnreadableYamlError(YamlProblem(_syntax(""))) from error
    if not isinstance(root, yaml.MappingNode):
        raise UnreadableYamlError(YamlProblem(message("personality.reading.not_a_mapping"), 1, 1))
    return root


def data_of(node: Node) -> Data:
    """Plain data; entries without a value are left out.

    Raises:
        FlawedError: a key is not text, or occurs twice.
    """
    match node:
        case yaml.ScalarNode():
            empty = node.style is None and node.value in _EMPTY
            return None if empty else UNSPEAKABLE.sub("", node.value)
        case yaml.SequenceNode():
            return [each for each in map(data_of, node.value) if each is not None]
    found: dict[str, Data] = {}
    names = set()
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise UnreadableYamlError(flaw_at(message("personality.reading.key"), key.start_mark))
        if key.value in names:
            raise UnreadableYamlError(flaw_at(message("personality.reading.twice", name=key.value), key.start_mark))
        names.add(key.value)
        data = data_of(value)
        if data is not None:
            found[key.value] = data
    return found


def entry(node: Node, part: str | int) -> tuple[Node, Node] | None:
    """The node where ``part`` of a section or list begins, and its value."""
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == part), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return cast(Node, node.value[part]), cast(Node, node.value[part])
    return None


def flaw_at(words: Words, mark: yaml.Mark) -> YamlProblem:
    return YamlProblem(words, mark.line + 1, mark.column + 1)


def _line_and_column(text: str, position: int) -> tuple[int, int]:
    before = text[:position]
    return before.count("\n") + 1, position - before.rfind("\n")


def _words_of(problem: str) -> Words:
    """The YAML parser's message in plain words; unchanged if it is not known."""
    return next((words for part, words in _KNOWN.items() if part in problem), _syntax(problem))


_KNOWN = {
    "mapping values are not allowed": message("personality.reading.known.mapping_values_allowed"),
    "could not find expected ':'": message("personality.reading.known.find_expected"),
    "found character '\\t'": message("personality.reading.known.found_character_t"),
    "expected <block end>": message("personality.reading.known.expected_block_end"),
    "found unexpected end of stream": message("personality.reading.known.found_unexpected_end_stream"),
    "expected ',' or": message("personality.reading.known.expected"),
    "expected the node content": message("personality.reading.known.expected_node_content"),
    "found another document": message("personality.reading.known.found_another_document"),
    "that cannot start any token": message("personality.reading.known.cannot_start_any_token"),
    "unknown escape character": message("personality.reading.known.unknown_escape_character"),
}


def _syntax(problem: str) -> Words:
    detail = f" ({problem})" if problem else ""
    return message("personality.reading.syntax", detail=detail)
