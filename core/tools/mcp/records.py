"""What pages see of tool servers, and what somebody types to have one."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, SecretStr

from core.errors import Problem
from core.tools.definition import Effects

Condition = Literal["off", "starting", "ready", "failing", "sign_in"]
"""``failing`` is tried again with growing pauses; ``sign_in`` waits for a person."""


SIGNED_IN_PATH = "/tool-servers/signed-in"
"""Where people come back to who have signed in to one, under the address that they know us by."""


class ServerDraft(BaseModel):
    """A program or an address; a secret that is ``None`` stays as it is kept."""

    name: str
    command: str = ""
    args: list[str] = []
    env: dict[str, SecretStr | None] = {}
    url: str = ""
    headers: dict[str, SecretStr | None] = {}
    hosts: list[str] = []


class ToolLine(BaseModel):
    """``name`` as the server has it, ``called`` as a model asks for it."""

    name: str
    called: str
    title: str
    description: str
    arguments: list[str]
    effects: Effects


class ResourceLine(BaseModel):
    """``template``: the address has parts to fill in."""

    name: str
    uri: str
    description: str
    template: bool


class PromptLine(BaseModel):
    name: str
    description: str
    arguments: list[str]


class Offered(BaseModel):
    """What a server has now."""

    tools: list[ToolLine] = []
    resources: list[ResourceLine] = []
    prompts: list[PromptLine] = []


class ServerView(BaseModel):
    """A server as the page shows it; of secrets the names alone."""

    id: str
    name: str
    origin: Literal["file", "page"]
    kind: Literal["program", "address", "unusable"]
    state: Condition
    problem: Problem | None
    command: str
    args: list[str]
    env: list[str]
    url: str
    headers: list[str]
    hosts: list[str]
    sign_in_at: str
    """Where a person has been sent to sign in, until they come back."""
    software: str
    """The name and version that it tells of itself."""
    offered: Offered
    calls: int
    failures: int
    latency: float | None
    """Of the last call, in seconds."""
