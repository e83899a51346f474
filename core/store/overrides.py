"""Settings changed while the workbench runs: *name and value* → stored in the truth, checked, applied at once.

A name is a dotted path of ``Settings`` ("limits.file_bytes"). The environment wins: what it sets is not changed here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from pydantic import BaseModel, JsonValue, ValidationError

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.settings import Settings, is_set_outside
from core.store.truth import Truth

log = logging.getLogger(__name__)

COLLECTION = "settings_overrides"


class Changeable(BaseModel):
    """A setting that may be changed on the page, with the bounds within which that makes sense."""

    name: str
    least: float
    most: float


class Override(BaseModel):
    """A changeable setting as it is now. ``fixed``: the environment sets it."""

    name: str
    value: JsonValue
    default: JsonValue
    least: float
    most: float
    fixed: bool


MEGABYTE = 1024 * 1024
LIMITS = (
    Changeable(name="limits.file_bytes", least=MEGABYTE, most=500 * MEGABYTE),
    Changeable(name="limits.document_pages", least=1, most=50_000),
)


class Overrides:
    """``settings`` is changed in place, so that whoever holds it sees the change."""

    def __init__(
        self, truth: Truth, settings: Settings, clock: Clock, changeable: Sequence[Changeable] = LIMITS
    ) -> None:
        self._truth = truth
        self._settings = settings
        self._clock = clock
        self._changeable = {each.name: each for each in changeable}
        self._defaults = {name: self._current_value(name) for name in self._changeable}
        self._watchers: list[Callable[[], None]] = []
        self._gate = asyncio.Lock()
        """What was read before a change must not be applied after it."""

    async def ensure(self) -> None:
        await self._truth.collection(COLLECTION).ensure()

    def watch(self, changed: Callable[[], None]) -> None:
        """Call ``changed`` now and whenever settings have been changed."""
        self._watchers.append(changed)
        changed()

    async def load(self) -> None:
        """Apply what is stored, also by another process; what no longer fits is left out and logged."""
        async with self._gate:
            await self._load_overrides()
        self._notify_watchers()

    async def _load_overrides(self) -> None:
        stored = {str(row["_id"]): row.get("value") for row in await self._truth.collection(COLLECTION).find()}
        for name in self._changeable:
            if is_set_outside(name):
                continue
            try:
                self._apply(name, stored[name] if name in stored else self._defaults[name])
            except PalimpsestError:
                log.warning("the stored value of %s no longer fits", name, exc_info=True)

    def all(self) -> list[Override]:
        return [
            Override(
                name=name,
                value=self._current_value(name),
                default=self._defaults[name],
                least=each.least,
                most=each.most,
                fixed=is_set_outside(name),
            )
            for name, each in self._changeable.items()
        ]

    async def change(self, name: str, value: JsonValue) -> None:
        """Store and apply; ``None`` goes back to the default.

        Raises:
            PalimpsestError: there is no such setting to change, the environment sets it, or the value does not fit.
        """
        if name not in self._changeable:
            raise unknown_setting(name)
        if is_set_outside(name):
            raise set_outside(name)
        async with self._gate:
            await self._store(name, value)
        self._notify_watchers()

    async def _store(self, name: str, value: JsonValue) -> None:
        collection = self._truth.collection(COLLECTION)
        if value is None:
            self._apply(name, self._defaults[name])
            await collection.delete({"_id": name})
        else:
            before = self._current_value(name)
            self._apply(name, value)
            try:
                await collection.upsert({"_id": name, "value": self._current_value(name), "changed_at": self._clock()})
            except Exception:
                self._apply(name, before)
                raise

    def _apply(self, name: str, value: JsonValue) -> None:
        each = self._changeable[name]
        holder, field = self._holder(name)
        try:
            checked = getattr(type(holder).model_validate({**holder.model_dump(), field: value}), field)
        except ValidationError as error:
            raise does_not_fit(each) from error
        if value != self._defaults[name] and not each.least <= checked <= each.most:
            raise does_not_fit(each)
        setattr(holder, field, checked)

    def _current_value(self, name: str) -> JsonValue:
        holder, field = self._holder(name)
        value: JsonValue = holder.model_dump(mode="json")[field]
        return value

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
    return fail("validation", "overrides.does_not_fit", least=each.least, most=each.most)
