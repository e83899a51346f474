"""Changes settings while the workbench runs: *names and values* → checked, stored, applied immediately.

A name is a dotted path of ``Settings`` ("limits.file_bytes"). Environment variables take precedence: settings from the
environment cannot be changed here. Secrets are stored encrypted and never shown.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, JsonValue, SecretStr, ValidationError

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.forbidden_settings import forbidden_combinations
from core.set_outside import what_is_set_outside
from core.settings import Settings
from core.store.room import MEGABYTE
from core.store.secrets import Secrets
from core.store.truth import Truth

log = logging.getLogger(__name__)

COLLECTION = "settings_overrides"


class Changeable(BaseModel):
    """A setting that may be changed on the page, with its allowed range."""

    name: str
    least: float | None = None
    most: float | None = None
    secret: bool = False


class Override(BaseModel):
    """The current state of a changeable setting. ``fixed``: it is set by the environment. A secret's value is never
    shown; ``given`` says whether it is set."""

    name: str
    value: JsonValue
    default: JsonValue
    least: float | None
    most: float | None
    given: bool
    fixed: bool


LIMITS = (
    Changeable(name="limits.file_bytes", least=MEGABYTE, most=500 * MEGABYTE),
    Changeable(name="limits.document_pages", least=1, most=50_000),
)
SPENDING = Changeable(name="model_spending", least=0, most=1_000_000)
MODELS = (
    *(Changeable(name=name) for name in ("model", "model_small", "models")),
    *(Changeable(name=f"{name}_base_url") for name in ("model", "anthropic", "mistral", "cohere")),
    *(
        Changeable(name=f"{name}_api_key", secret=True)
        for name in ("model", "openai", "anthropic", "mistral", "cohere")
    ),
)
TOOLS_OFF = Changeable(name="tools.off")
FEATURES = tuple(
    Changeable(name=name)
    for name in (
        "memory.enabled",
        "memory.detection",
        "memory.promotion",
        "knowledge_enabled",
        "dense_enabled",
        "rerank_enabled",
        "web_enabled",
        "datagov.enabled",
        "tool_servers",
        "ocr_enabled",
        "metadata.enabled",
        "prefix.enabled",
        "books.sections",
        "tasks.reformulation",
        "tasks.rating",
        "tasks.tone",
        "tasks.blending",
        "tasks.debate",
        "tasks.page_pictures",
    )
)
CHANGEABLE = (*LIMITS, SPENDING, *MODELS, TOOLS_OFF, *FEATURES)


@dataclass
class Overrides:
    """Applies and stores settings. ``settings`` is changed in place, so that all its users see the change."""

    _truth: Truth
    _settings: Settings
    _clock: Clock
    _tell: Callable[[], None] = lambda: None
    """A function that tells other processes that a setting was changed here."""

    def __post_init__(self) -> None:
        self._secrets = Secrets(self._settings)
        self._changeable = {each.name: each for each in CHANGEABLE}
        self._defaults = {name: self._current(name) for name in self._changeable}
        self._watchers: list[Callable[[], None]] = []
        self._gate = asyncio.Lock()
        """Held while settings are read or changed: settings read before a change must not be applied after it."""

    async def ensure(self) -> None:
        await self._truth.collection(COLLECTION).ensure()

    def watch(self, changed: Callable[[], None]) -> None:
        """Call ``changed`` now and after every change of settings."""
        self._watchers.append(changed)
        changed()

    async def load(self) -> None:
        """Apply the stored settings, including those from another process; invalid ones are skipped and logged."""
        async with self._gate:
            await self._load_overrides()
        self._notify_watchers()

    async def _load_overrides(self) -> None:
        stored = {str(row["_id"]): row.get("value") for row in await self._truth.collection(COLLECTION).find()}
        is_set_outside = what_is_set_outside()
        for name in self._changeable:
            if is_set_outside(name):
                continue
            try:
                self._apply(name, self._opened(name, stored[name]) if name in stored else self._defaults[name])
                self._refuse_forbidden()
            except PalimpsestError:
                self._apply(name, self._defaults[name])
                log.warning("the stored value of %s no longer fits", name, exc_info=True)

    def may_be_told(self, name: str) -> bool:
        """Whether a setting is changeable and not a secret."""
        return name in self._changeable and not self._changeable[name].secret

    async def stored(self) -> dict[str, JsonValue]:
        """The settings changed here, without secrets and the addresses that secrets belong to."""
        rows = await self._truth.collection(COLLECTION).find()
        return {str(row["_id"]): row.get("value") for row in rows if self.may_be_told(str(row["_id"]))}

    def all(self, changeable: Iterable[Changeable] = LIMITS) -> list[Override]:
        return [self.of(each.name) for each in changeable]

    def of(self, name: str) -> Override:
        each, value = self._changeable[name], self._current(name)
        return Override(
            name=name,
            value=None if each.secret else value,
            default=None if each.secret else self._defaults[name],
            least=each.least,
            most=each.most,
            given=value not in (None, []),
            fixed=what_is_set_outside()(name),
        )

    async def change(self, name: str, value: JsonValue) -> None:
        """Store and apply one setting. Raises as :meth:`change_all` does."""
        await self.change_all({name: value})

    async def change_all(self, values: Mapping[str, JsonValue]) -> None:
        """Store and apply all or none; ``None`` restores the default.

        Raises:
            PalimpsestError: there is no such changeable setting, the environment sets it, or the value is invalid, by
            itself or in combination with other settings.
        """
        is_set_outside = what_is_set_outside()
        for name in values:
            if name not in self._changeable:
                raise unknown_setting(name)
            if is_set_outside(name):
                raise set_outside(name)
        async with self._gate:
            before = {name: self._current(name) for name in values}
            try:
                for name, value in values.items():
                    self._apply(name, self._defaults[name] if value is None else value)
                self._refuse_forbidden()
                for name, value in values.items():
                    await self._store(name, value)
            except Exception:
                for name, earlier in before.items():
                    self._apply(name, earlier)
                raise
        self._notify_watchers()
        self._tell()

    def _refuse_forbidden(self) -> None:
        for found in forbidden_combinations(self._settings):
            raise fail("validation", f"settings.forbidden.{found}")

    async def _store(self, name: str, value: JsonValue) -> None:
        collection = self._truth.collection(COLLECTION)
        if value is None:
            await collection.delete({"_id": name})
            return
        kept = await asyncio.to_thread(self._secrets.encrypt, str(value)) if self._is_secret(name) else value
        await collection.upsert({"_id": name, "value": kept, "changed_at": self._clock()})

    def _opened(self, name: str, stored: JsonValue) -> JsonValue | SecretStr:
        return self._secrets.decrypt(str(stored)) if self._is_secret(name) else stored

    def _is_secret(self, name: str) -> bool:
        return self._changeable[name].secret

    def _apply(self, name: str, value: JsonValue | SecretStr) -> None:
        each = self._changeable[name]
        holder, field = self._holder(name)
        draft = holder.model_copy()
        try:
            type(holder).__pydantic_validator__.validate_assignment(draft, field, value)
        except ValidationError as error:
            raise does_not_fit(each) from error
        checked: Any = getattr(draft, field)
        bounded = each.least is not None and each.most is not None and checked is not None
        if value != self._defaults[name] and bounded and not each.least <= checked <= each.most:
            raise does_not_fit(each)
        setattr(holder, field, checked)

    def _current(self, name: str) -> Any:
        holder, field = self._holder(name)
        return getattr(holder, field)

    def _holder(self, name: str) -> tuple[BaseModel, str]:
        *path, field = name.split(".")
        holder: BaseModel = self._settings
        for part in path:
            holder = getattr(holder, part)
        return holder, field

    def _notify_watchers(self) -> None:
        for changed in self._watchers:
            changed()


def unknown_setting(name: str) -> PalimpsestError:
    return fail("not_found", "overrides.unknown_setting", name=name)


def set_outside(name: str) -> PalimpsestError:
    return fail("validation", "overrides.set_outside", name=name)


def does_not_fit(each: Changeable) -> PalimpsestError:
    if each.least is None:
        return fail("validation", "overrides.not_such_a_value", name=each.name)
    return fail("validation", "overrides.does_not_fit", least=each.least, most=each.most)
