"""Lists the chat models of local servers, best first, and what to install when there are none."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources

from pydantic import BaseModel

from core.models.configuration.offered import NO_CHAT
from core.models.model_server import ModelServer, ServedModel
from core.parsed_yaml import parse_yaml


class LocalModel(BaseModel, frozen=True, extra="forbid"):
    """A model to install. ``download`` is its size, ``memory`` what the machine should have, both in gigabytes."""

    id: str
    command: str
    download: float
    memory: float


class InstallationAdvice(BaseModel, frozen=True, extra="forbid"):
    """What to install for a model on this machine; ``as_of`` is the date of the sizes."""

    as_of: str
    program: str
    page: str
    models: list[LocalModel]


@cache
def installation_advice() -> InstallationAdvice:
    text = resources.files("core.models").joinpath("data/local_models.yaml").read_text("utf-8")
    return InstallationAdvice.model_validate(parse_yaml(text))


def chat_models(server: ModelServer) -> list[str]:
    """The names of the server's chat models: those that call tools first, otherwise in the server's order."""
    able = [model for model in server.models if _is_chat(model)]
    return [model.id for model in sorted(able, key=lambda model: not model.tools)]


def without_chat_models(servers: Sequence[ModelServer]) -> list[str]:
    """The names of the programs that run but offer no chat model."""
    return [server.name for server in servers if not chat_models(server)]


def _is_chat(model: ServedModel) -> bool:
    return not model.embeds if model.embeds is not None else not NO_CHAT.search(model.id)
