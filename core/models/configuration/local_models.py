"""Lists the chat models of local servers, best first, and what to install when there are none."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources

from core.models.configuration.offered import NO_CHAT
from core.models.configuration.records import InstallationAdvice, LocalModels, LocalServer
from core.models.model_server import ModelServer, ServedModel
from core.parsed_yaml import parse_yaml

MOST_MODELS = 5
"""Maximum number of models listed for each server."""


def local_models(found: Sequence[ModelServer], *, chosen: bool) -> LocalModels:
    """The chat models of ``found`` servers; ``chosen``: whether a model is configured already."""
    able = [(server, _chat_models(server)) for server in found]
    servers = [
        LocalServer(name=server.name, address=server.address, models=models[:MOST_MODELS])
        for server, models in able
        if models
    ]
    empty = [server.name for server, models in able if not models]
    return LocalModels(servers=servers, empty=empty, advice=None if servers else installation_advice(), chosen=chosen)


@cache
def installation_advice() -> InstallationAdvice:
    text = resources.files("core.models").joinpath("data/local_models.yaml").read_text("utf-8")
    return InstallationAdvice.model_validate(parse_yaml(text))


def _chat_models(server: ModelServer) -> list[str]:
    """The names of the server's chat models: those that call tools first, otherwise in the server's order."""
    able = [model for model in server.models if _is_chat(model)]
    return [model.id for model in sorted(able, key=lambda model: not model.tools)]


def _is_chat(model: ServedModel) -> bool:
    return not model.embeds if model.embeds is not None else not NO_CHAT.search(model.id)
