"""Stores calls of a chat model in a file: *messages and tools* → the chunks that came, with their times.

JSON Lines, one finished call per line. A request is stored only as a digest, because it contains texts of documents and
users. No chunk contains a key, address or header.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, JsonValue, ValidationError

from core.errors import fail
from core.models.capabilities import Capabilities

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

_VARIES = re.compile(
    r"\b[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\b"
    r"|\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, )?\d{4}-\d{2}-\d{2}"
    r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?\b"
)
"""Patterns for ids, days and times, which are ignored: the same question on another day or in another data directory
counts as the same request."""
_SPACE = re.compile(r"\s+")


class RecordedChunk(BaseModel, extra="forbid"):
    """A chunk: ``after`` in seconds since the call began; ``message`` has the fields of a LangChain
    ``AIMessageChunk``."""

    after: float
    message: dict[str, JsonValue]


class RecordedCall(BaseModel, extra="forbid"):
    """A recorded call: ``request`` is :func:`request_digest`; ``model`` is ``provider:name``."""

    request: str
    model: str
    capabilities: Capabilities
    chunks: list[RecordedChunk]


class Recording:
    """A file of recorded calls."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def append(self, call: RecordedCall) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(call.model_dump_json(exclude_defaults=True) + "\n")

    def calls(self) -> Iterator[RecordedCall]:
        """The recorded calls. Raises ``PalimpsestError`` when there is no such file, or a line is
        not a recorded call."""
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise fail("not_found", "models.replay.no_file", detail=repr(error), path=str(self._path)) from None
        for number, line in enumerate(lines, start=1):
            try:
                call = RecordedCall.model_validate_json(line)
            except ValidationError as error:
                told = {"path": str(self._path), "line": number}
                raise fail("validation", "models.replay.broken", detail=str(error), **told) from None
            yield call


def request_digest(messages: Sequence[BaseMessage], tools: Sequence[str]) -> str:
    """SHA-256 of the messages with their roles and of the tools' names, without ids, days and times."""
    spoken = [f"{each.type}: {_SPACE.sub(' ', _VARIES.sub('#', each.text)).strip()}" for each in messages]
    return hashlib.sha256("\n".join([*spoken, *sorted(tools)]).encode()).hexdigest()
