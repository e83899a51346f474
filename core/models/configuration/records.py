"""Defines the model configuration's records, which pages show: the chosen models and the settings."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, SecretStr

ProviderId = Literal["own", "openai", "anthropic", "mistralai", "cohere"]
"""Providers; ``own`` is any OpenAI-compatible server at a custom address."""
Reach = Literal["machine", "network", "internet"]


class ProviderState(BaseModel):
    """A provider's settings. ``key_fixed`` and ``address_fixed``: environment variables set them. ``reach``: where data
    is sent."""

    id: ProviderId
    label: str
    address: str | None
    takes_address: bool
    host: str | None
    reach: Reach | None
    key_given: bool
    key_fixed: bool
    address_fixed: bool
    answers: str | None
    small: str | None


class Destination(BaseModel):
    """Where questions and passages are sent."""

    host: str
    reach: Reach


class ModelConfiguration(BaseModel):
    """The current configuration. ``provider`` is ``None`` if answers only quote. ``fixed`` lists values that
    environment variables set."""

    provider: ProviderId | None
    answers: str | None
    small: str | None
    further: list[str]
    fixed: list[str]
    providers: list[ProviderState]


class ModelChoice(BaseModel):
    """A user's choice of models; a ``key`` that is not given stays unchanged."""

    provider: ProviderId
    address: str | None = None
    key: SecretStr | None = None
    answers: str | None = None
    small: str | None = None
    further: list[str] = []


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


class LocalServer(BaseModel):
    """A model server on this machine with its chat models, the best first."""

    name: str
    address: str
    models: list[str]


class LocalModels(BaseModel):
    """The chat models on this machine. ``empty``: programs that run without one; ``advice``: what to install, if there
    is none; ``chosen``: a model is chosen already."""

    servers: list[LocalServer]
    empty: list[str]
    advice: InstallationAdvice | None
    chosen: bool
