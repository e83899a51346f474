"""Reads the list of model providers: for each id, its label, client, settings and usual pair of models."""

from __future__ import annotations

from functools import cache
from importlib import resources

from pydantic import BaseModel, SecretStr, TypeAdapter

from core.models.configuration.records import ProviderId
from core.parsed_yaml import parse_yaml
from core.settings import Settings


class Provider(BaseModel, frozen=True, extra="forbid"):
    """A provider. ``key`` and ``address`` are names of settings; ``host`` is used while the address is not set."""

    label: str
    client: str
    variable: str
    key: str
    address: str | None
    host: str | None
    answers: str | None
    small: str | None

    def address_in(self, settings: Settings) -> str | None:
        """The address of the provider's models according to ``settings``."""
        given: str | None = getattr(settings, self.address) if self.address else None
        return given or self.host

    def key_in(self, settings: Settings) -> SecretStr | None:
        key: SecretStr | None = getattr(settings, self.key)
        return key


@cache
def providers() -> dict[ProviderId, Provider]:
    text = resources.files("core.models").joinpath("data/providers.yaml").read_text("utf-8")
    return TypeAdapter(dict[ProviderId, Provider]).validate_python(parse_yaml(text))
