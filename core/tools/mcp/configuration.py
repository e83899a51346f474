"""Reads from an entry of ``mcp.json`` or from a form how a tool server is reached: its program or its address."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, JsonValue, SecretStr, ValidationError, field_validator

from core.errors import PalimpsestError, Problem, fail, problem_of

FILE = "mcp.json"
"""Filename in the data directory."""
LONGEST_NAME = 60
MOST_ARGUMENTS = 64

Secrets = dict[str, SecretStr]
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}")
_HOST = re.compile(r"[A-Za-z0-9.\-\[\]:]{1,255}")
Text = Annotated[str, Field(max_length=4_000)]


class _Reached(BaseModel, ABC, frozen=True, hide_input_in_errors=True, extra="ignore"):
    @property
    @abstractmethod
    def secrets(self) -> Secrets: ...


class Launch(_Reached):
    """A child process: a program and its arguments, never a shell; ``env`` is added to a minimal environment."""

    command: Annotated[str, Field(min_length=1, max_length=1_000)]
    args: list[Text] = Field([], max_length=MOST_ARGUMENTS)
    env: Secrets = {}
    cwd: str | None = Field(None, max_length=1_000)

    @field_validator("command", "args", "cwd")
    @classmethod
    def _without_nul(cls, value: str | list[str] | None) -> str | list[str] | None:
        if "\0" in "".join(value or ""):
            raise ValueError("no program takes this")
        return value

    @field_validator("env")
    @classmethod
    def _variables(cls, value: Secrets) -> Secrets:
        return _named(value, _VARIABLE)

    @property
    def secrets(self) -> Secrets:
        return self.env


class Remote(_Reached):
    """An address. ``hosts`` are further hosts (host or host:port) in a private network that the server's sign-in may
    use."""

    url: Annotated[str, Field(max_length=2_000)]
    headers: Secrets = {}
    hosts: list[str] = Field([], max_length=16)

    @field_validator("url")
    @classmethod
    def _address(cls, value: str) -> str:
        parts = urlsplit(value.strip())
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
            raise ValueError("no address of a server")
        parts.port  # noqa: B018 - raises ValueError where it is none
        return value.strip()

    @field_validator("headers")
    @classmethod
    def _header_names(cls, value: Secrets) -> Secrets:
        return _named(value, _HEADER)

    @field_validator("hosts")
    @classmethod
    def _host_names(cls, value: list[str]) -> list[str]:
        if not all(_HOST.fullmatch(each) for each in value):
            raise ValueError("no host")
        return [each.lower() for each in value]

    @property
    def secrets(self) -> Secrets:
        return self.headers


Reached = Launch | Remote


def _named(value: Secrets, pattern: re.Pattern[str]) -> Secrets:
    for name, secret in value.items():
        if not pattern.fullmatch(name) or re.search(r"[\0\r\n]", secret.get_secret_value()):
            raise ValueError("no such name, or no such value")
    return value


class Configured(BaseModel, frozen=True):
    """A configured server. ``problem``: why its entry is invalid; such a server is never started."""

    id: str
    name: str
    origin: Literal["file", "page"]
    reached: Reached | None
    enabled: bool = True
    problem: Problem | None = None


@dataclass(frozen=True)
class Entry:
    """One server's entry in the file."""

    reached: Reached | Problem
    enabled: bool


class _File(BaseModel):
    mcpServers: dict[str, dict[str, JsonValue]] = {}  # noqa: N815 - as the file has it


def read_file(path: Path) -> dict[str, Entry]:
    """The entries by name; empty if there is no file.

    Raises:
        PalimpsestError: the file is not JSON of that form ("validation"), or may not be read ("auth").
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise fail("auth", "tools.mcp.file_unread", path=path) from error
    try:
        entries = _File.model_validate_json(text).mcpServers
    except ValidationError as error:
        raise fail(
            "validation", "tools.mcp.file_unusable", path=path, detail=f"{error.error_count()} errors"
        ) from error
    return {
        name.strip()[:LONGEST_NAME]: Entry(_reached(entry), entry.get("disabled") is not True)
        for name, entry in entries.items()
        if name.strip()
    }


def _reached(entry: Mapping[str, JsonValue]) -> Reached | Problem:
    if entry.get("type") == "sse":
        return problem_of("validation", "tools.mcp.old_transport")
    try:
        return reached_by(entry)
    except PalimpsestError as error:
        return error.problem


def reached_by(given: Mapping[str, object]) -> Reached:
    """A validated program or address. Raises ``PalimpsestError`` ("validation") if it is invalid."""
    kind: type[Launch] | type[Remote] = Remote if given.get("url") else Launch
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        wrong = ", ".join(sorted({str(each["loc"][0]) for each in error.errors() if each["loc"]}))
        raise fail("validation", "tools.mcp.entry_unusable", wrong=wrong, detail=wrong) from error
