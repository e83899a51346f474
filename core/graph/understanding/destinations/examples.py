"""Loads the training examples of the destinations: templates and written messages of this vocabulary, and the templates
of the intents."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, TypeAdapter

from core.graph.understanding.intent import examples as intents
from core.graph.understanding.intent.examples import Wish, filled_lines, with_aside
from core.graph.understanding.intent.probabilities import spoken_text
from core.language.normalisation import normalise
from core.language.vocabulary import vocabularies, vocabulary_file
from core.parsed_yaml import parse_yaml
from core.question.filenames import without_filenames

Kind = Literal[
    "documents",
    "data",
    "series",
    "summarize",
    "compare",
    "audit",
    "memory",
    "remember",
    "correct",
    "forget",
    "web",
    "current",
    "world",
    "open_data",
    "small_talk",
    "tool",
]
"""``current``: facts that change from day to day; ``world``: general knowledge; the others are places."""
KINDS: tuple[Kind, ...] = get_args(Kind)
VARIANTS = 4
"""Texts made from one template with a placeholder: their subjects are more diverse than those of the intents."""
_OF_INTENTS: dict[Wish, Kind] = {
    "inquire": "documents",
    "summarize": "summarize",
    "compare": "compare",
    "audit": "audit",
    "remember": "remember",
    "forget": "forget",
    "recall": "memory",
}
_TOOLS = "tools"
_EXAMPLES, WRITTEN, _MESSAGES = "examples", "written", "messages"
"""Beginnings of the names of files: templates, written lines, and messages with what their author has."""

_Lines = Mapping[str, Mapping[str, Sequence[str]] | Sequence[str]]


@dataclass(frozen=True)
class Example:
    """A training text; ``line`` is its template, ``tool`` the name of a tool that would answer it, ``author`` the file
    of a message that was written by hand."""

    text: str
    kind: Kind
    line: str
    tool: str = ""
    author: str = ""


class WrittenMessage(BaseModel, extra="ignore", frozen=True):
    """A message of the vocabulary with the kind that it wants."""

    id: str
    message: str
    kind: Kind


@cache
def examples() -> tuple[Example, ...]:
    """Returns all examples in both languages; the same at every call."""
    own = [each for file in files() for each in _of_file(file)]
    written = [each for file in _files(WRITTEN) for each in _of_lines(file)]
    messages = [each for file in message_files() for each in _of_messages(file)]
    return (*own, *_of_intents(), *written, *messages)


def files() -> list[Path]:
    """Returns the files of templates, one for each language."""
    return _files(_EXAMPLES)


def message_files() -> list[Path]:
    """Returns the files of messages with what their author has, one for each author."""
    return _files(_MESSAGES)


def _files(beginning: str) -> list[Path]:
    found = [vocabulary_file(name) for name in vocabularies("destinations")]
    return [file for file in found if file.name.startswith(beginning)]


def digest() -> str:
    """Returns a hash of the examples that the weights were trained on."""
    found = hashlib.sha256(intents.digest().encode())
    for file in (*files(), *_files(WRITTEN), *message_files()):
        found.update(file.read_bytes())
    return found.hexdigest()


def _read(file: Path) -> _Lines:
    return TypeAdapter(dict[str, dict[str, list[str]] | list[str]]).validate_python(
        parse_yaml(file.read_text(encoding="utf-8"))
    )


def _of_file(file: Path) -> Iterator[Example]:
    lists = _read(file)
    general = _read(file.parents[1] / "intents" / file.name)["fillings"]
    own, tools = lists["fillings"], lists[_TOOLS]
    assert isinstance(general, Mapping)
    assert isinstance(own, Mapping)
    assert isinstance(tools, Mapping)
    fillings = {**general, **own}
    for kind in KINDS:
        for line in lists.get(kind, ()):
            yield from _filled(line, kind, file, fillings)
    for tool, lines in tools.items():
        for line in lines:
            yield from _filled(line, "tool", file, fillings, tool)


def _filled(
    line: str, kind: Kind, file: Path, fillings: Mapping[str, Sequence[str]], tool: str = ""
) -> Iterator[Example]:
    texts = filled_lines(line, fillings, VARIANTS)
    # Nothing is said before a greeting.
    for text in texts if kind == "small_talk" else (*texts, with_aside(line, fillings)):
        yield Example(text, kind, f"{file.name}: {kind}: {line}", tool)


def _of_lines(file: Path) -> Iterator[Example]:
    lists = _read(file)
    tools = lists[_TOOLS]
    assert isinstance(tools, Mapping)
    for kind in KINDS:
        yield from (
            Example(normalise(line), kind, f"{file.name}: {line}", author=WRITTEN) for line in lists.get(kind, ())
        )
    for tool, lines in tools.items():
        yield from (Example(normalise(line), "tool", f"{file.name}: {line}", tool, WRITTEN) for line in lines)


def _of_messages(file: Path) -> Iterator[Example]:
    found = TypeAdapter(dict[str, list[WrittenMessage]]).validate_python(parse_yaml(file.read_text(encoding="utf-8")))
    for each in found["items"]:
        text = spoken_text(without_filenames(each.message))
        yield Example(text, each.kind, f"{file.name}: {each.id}", author=file.stem)


def _of_intents() -> Iterator[Example]:
    """Returns one text of each template of the intents: there are many templates."""
    first = {each.line: each for each in reversed(intents.examples())}
    for each in first.values():
        if each.wish in _OF_INTENTS:
            yield Example(each.text, _OF_INTENTS[each.wish], each.line)
