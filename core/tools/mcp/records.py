"""Defines tool servers' records for the pages, and the form's input."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, SecretStr

from core.errors import Problem
from core.tools.definition import Effects

Condition = Literal["off", "starting", "ready", "failing", "sign_in"]
"""A server's state. ``failing``: it is restarted after growing pauses; ``sign_in``: it waits for a user to sign in."""


SIGNED_IN_PATH = "/tool-servers/signed-in"
"""The path, below the workbench's public address, to which users return after signing in."""


class ServerDraft(BaseModel):
    """A server's program or address as entered in the form. A secret that is ``None`` keeps its stored value."""

    name: str
    command: str = ""
    args: list[str] = []
    env: dict[str, SecretStr | None] = {}
    url: str = ""
    headers: dict[str, SecretStr | None] = {}
    hosts: list[str] = []


class ToolLine(BaseModel):
    """A tool; ``name`` is the server's name for it, ``called`` the name for models."""

    name: str
    called: str
    title: str
    description: str
    arguments: list[str]
    effects: Effects


class ResourceLine(BaseModel):
    """A resource; ``template``: its address has placeholders."""

    name: str
    uri: str
    description: str
    template: bool


class PromptLine(BaseModel):
    name: str
    description: str
    arguments: list[str]


class Offered(BaseModel):
    """What a server currently offers."""

    tools: list[ToolLine] = []
    resources: list[ResourceLine] = []
    prompts: list[PromptLine] = []


class ServerView(BaseModel):
    """A server as the page shows it; of its secrets only the names are included."""

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
    """The address where a user was sent to sign in; empty when the user has returned."""
    software: str
    """The name and version that the server reports."""
    offered: Offered
    calls: int
    failures: int
    latency: float | None
    """Duration of the last call, in seconds."""
