"""What is picked and what is set of models, as pages see it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, SecretStr

ProviderId = Literal["own", "openai", "anthropic", "mistralai", "cohere"]
"""``own`` is whatever server speaks OpenAI's protocol at an address of one's own."""
Reach = Literal["machine", "network", "internet"]


class ProviderState(BaseModel):
    """``key_fixed`` and ``address_fixed``: the environment sets them. ``reach`` is where what is asked goes."""

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
    """Where questions and passages go."""

    host: str
    reach: Reach


class ModelConfiguration(BaseModel):
    """``provider`` is ``None`` while answers are quoted; ``fixed`` are the settings that the environment sets."""

    provider: ProviderId | None
    answers: str | None
    small: str | None
    further: list[str]
    fixed: list[str]
    providers: list[ProviderState]


class ModelChoice(BaseModel):
    """What somebody picked; a ``key`` that is not given stays as it is."""

    provider: ProviderId
    address: str | None = None
    key: SecretStr | None = None
    answers: str | None = None
    small: str | None = None
    further: list[str] = []
