"""Changes the chosen models while the workbench runs; a choice can be tested before it is saved.

A key is accepted but never returned. A key that was stored for one address is not sent to another.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Protocol
from urllib.parse import urlsplit

from pydantic import JsonValue, SecretStr

from core.errors import fail
from core.models.chat import ChatModels
from core.models.configuration.offered import offered_models
from core.models.configuration.providers import Provider, providers
from core.models.configuration.records import (
    Destination,
    ModelChoice,
    ModelConfiguration,
    ProviderId,
    ProviderState,
    Reach,
)
from core.models.configuration.trial import Trial, try_model
from core.models.model_server import ServedModel
from core.settings import Settings

NO_SECRET = SecretStr("-")
"""Placeholder key, used when no key is sent."""
NO_KEY = "none"
"""Stored as the key of a custom server that needs none, so that OpenAI's key is not sent to it."""


class Setting(Protocol):
    """A setting's state: ``given`` if it has a value, ``fixed`` if that value comes from an environment variable."""

    @property
    def given(self) -> bool: ...

    @property
    def fixed(self) -> bool: ...


class ChangeableSettings(Protocol):
    """Stores changed settings and applies them."""

    def of(self, name: str) -> Setting: ...

    async def change_all(self, values: Mapping[str, JsonValue]) -> None: ...


class ChosenModels:
    """Reads and changes the settings from which ``models`` are made."""

    def __init__(self, settings: Settings, overrides: ChangeableSettings, models: ChatModels) -> None:
        self._settings = settings
        self._overrides = overrides
        self._models = models

    def configuration(self) -> ModelConfiguration:
        chosen = self._models.available()
        ids = [each.id for each in chosen]
        small = self._models.of(None, "titles") if ids else None
        return ModelConfiguration(
            provider=self._models.provider_of(ids[0]) if ids else None,
            answers=_name(ids[0]) if ids else None,
            small=_name(small) if small and small != ids[0] else None,
            further=[_name(id) for id in ids[1:]],
            fixed=[name for name in ("model", "model_small", "models") if self._overrides.of(name).fixed],
            providers=[self._state(id, provider) for id, provider in providers().items()],
        )

    def reach(self, choice: ModelChoice) -> Destination:
        """Where questions would be sent with this choice. Raises ``PalimpsestError`` when no address is chosen."""
        address = providers()[choice.provider].address_in(self._draft(choice.model_copy(update={"key": NO_SECRET})))
        return Destination(host=urlsplit(address or "").hostname or "", reach=reach_of(address or ""))

    async def offered(self, choice: ModelChoice) -> list[ServedModel]:
        """The models of the chosen provider. Raises the same ``PalimpsestError`` as :func:`offered_models`."""
        draft = self._draft(choice)
        provider = providers()[choice.provider]
        key = provider.key_in(draft)
        return await offered_models(choice.provider, provider.address_in(draft), None if _is_none(key) else key)

    async def try_out(self, choice: ModelChoice) -> Trial:
        """Test the chosen model, which need not be saved. Raises ``PalimpsestError`` when none is chosen."""
        return await try_model(self._draft(choice))

    async def choose(self, choice: ModelChoice) -> None:
        """Save the choice; it applies immediately and to all users.

        Raises:
            PalimpsestError: no model or no address is chosen, a key must be typed again, or an environment variable
            sets a value that would change.
        """
        if not choice.answers:
            raise fail("validation", "models.chosen.no_model")
        await self._overrides.change_all(self._changes(choice))

    async def quote_only(self) -> None:
        """Use no model from now on, so that answers only quote; keys and addresses are kept. Raises ``PalimpsestError``
        when an environment variable sets the model."""
        await self._overrides.change_all({"model": None, "model_small": None, "models": None})

    def _state(self, id: ProviderId, provider: Provider) -> ProviderState:
        key, settings = self._overrides.of(provider.key), self._settings
        given = provider.address_in(settings)
        address = given if given != provider.host else None
        return ProviderState(
            id=id,
            label=provider.label,
            address=_without_password(address) if address else None,
            takes_address=provider.address is not None,
            host=provider.host,
            reach=reach_of(given) if given else None,
            key_given=key.given and not _is_none(provider.key_in(settings)),
            key_fixed=key.fixed,
            address_fixed=bool(provider.address) and self._overrides.of(str(provider.address)).fixed,
            answers=provider.answers,
            small=provider.small,
        )

    def _draft(self, choice: ModelChoice) -> Settings:
        """The settings as they would be with this choice."""
        changes = {name: SecretStr(str(value)) if name.endswith("_key") and value else value
                   for name, value in self._changes(choice).items()}  # fmt: skip
        return self._settings.model_copy(update=dict(changes))

    def _changes(self, choice: ModelChoice) -> Mapping[str, JsonValue]:
        provider = providers()[choice.provider]
        wanted: dict[str, JsonValue] = {
            "model": f"{provider.client}:{choice.answers}" if choice.answers else None,
            "model_small": f"{provider.client}:{choice.small}" if choice.small else None,
            "models": [f"{provider.client}:{each}" for each in choice.further],
        }
        if choice.provider == "openai":
            wanted["model_base_url"] = None
        moved = False
        if provider.address:
            address = (choice.address or "").strip().rstrip("/") or None
            if address is None and provider.host is None:
                raise fail("validation", "models.offered.no_address")
            if address and urlsplit(address).scheme not in ("http", "https"):
                raise fail("validation", "models.chosen.no_url")
            moved = address != getattr(self._settings, provider.address)
            wanted[provider.address] = address
        wanted |= self._key(choice, provider, moved=moved)
        return {name: value for name, value in wanted.items() if value != getattr(self._settings, name)}

    def _key(self, choice: ModelChoice, provider: Provider, *, moved: bool) -> dict[str, JsonValue]:
        if choice.key and choice.key.get_secret_value().strip():
            return {provider.key: choice.key.get_secret_value().strip()}
        if not moved:
            return {}
        if choice.provider == "own":
            return {provider.key: NO_KEY}
        if provider.key_in(self._settings):
            raise fail("validation", "models.chosen.key_again", label=provider.label)
        return {}


def reach_of(address: str) -> Reach:
    """Whether data sent to the address stays on this machine or in its network, as far as can be seen from the
    address."""
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return "machine"
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return "internet" if "." in host and not host.endswith((".local", ".lan", ".internal")) else "network"
    if ip.is_loopback:
        return "machine"
    return "network" if ip.is_private or ip.is_link_local else "internet"


def _name(id: str) -> str:
    return id.partition(":")[2]


def _is_none(key: SecretStr | None) -> bool:
    return key is not None and key.get_secret_value() == NO_KEY


def _without_password(address: str) -> str:
    parts = urlsplit(address)
    return address.replace(f"{parts.netloc.rpartition('@')[0]}@", "") if "@" in parts.netloc else address
