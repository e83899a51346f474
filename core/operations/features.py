"""Switches features on and off while the workbench runs. Each feature has a setting and the parts of pages to hide when
it is off.

A feature that fails repeatedly is switched off automatically (docs/specification.md, "Features"); a notice says so
until an administrator switches it on again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque

from pydantic import BaseModel, Field

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.messages import message
from core.operations.records import FeatureRow
from core.resilience.dependencies import Observation
from core.resilience.ending import begin
from core.store.overrides import Overrides
from core.store.truth import Truth
from core.store.typed_collection import TypedCollection
from core.words import Words

log = logging.getLogger(__name__)

COLLECTION = "feature_notices"
WITHIN = 3600.0
"""Seconds within which failures are counted."""
FAILURES = 10
SHARE = 0.5
"""Minimum share of failed calls within that time. A feature is switched off if both this and the minimum number are
exceeded."""
MOST_KEPT = 1_000


class Feature(BaseModel):
    """A feature. ``off`` is the value of its setting when it is off. ``calls``: names of the external calls that only
    this feature makes."""

    name: str
    setting: str
    off: bool | str = False
    calls: tuple[str, ...] = ()


FEATURES = {
    each.name: each
    for each in (
        Feature(name="memory", setting="memory.enabled"),
        Feature(name="detection", setting="memory.detection"),
        Feature(name="promotion", setting="memory.promotion"),
        Feature(name="knowledge", setting="knowledge_enabled"),
        Feature(name="meaning", setting="dense_enabled"),
        Feature(name="rerank", setting="rerank_enabled", calls=("The cross-encoder",)),
        Feature(name="web", setting="web_enabled", calls=("web",)),
        Feature(name="open_data", setting="datagov.enabled", calls=("datagov",)),
        Feature(name="tool_servers", setting="tool_servers", off="off"),
        Feature(name="ocr", setting="ocr_enabled"),
        Feature(name="metadata", setting="metadata.enabled", calls=("Metadata by a model",)),
        Feature(name="prefix", setting="prefix.enabled", calls=("Contextual prefixes",)),
        Feature(name="sections", setting="books.sections", calls=("Reading a section out",)),
        Feature(name="reformulation", setting="tasks.reformulation"),
        Feature(name="rating", setting="tasks.rating"),
        Feature(name="tone", setting="tasks.tone"),
        Feature(name="blending", setting="tasks.blending"),
        Feature(name="debate", setting="tasks.debate"),
        Feature(name="page_pictures", setting="tasks.page_pictures"),
    )
}
CALLED_BY = {call: each.name for each in FEATURES.values() for call in each.calls}


class Notice(BaseModel, populate_by_name=True):
    """A feature was switched off automatically: when, how many of its calls had failed, and the number of calls."""

    name: str = Field(alias="_id")
    at: float
    failures: int
    calls: int


class Features:
    """The features. ``overrides`` changes the settings object itself, so that all code that reads it uses the change
    immediately."""

    def __init__(self, truth: Truth, overrides: Overrides, clock: Clock) -> None:
        self._overrides = overrides
        self._clock = clock
        self._notices = TypedCollection(truth.collection(COLLECTION), Notice)
        self._known: dict[str, Notice] = {}
        self._heard: dict[str, deque[tuple[float, bool]]] = {}
        self._going_off: set[asyncio.Task[None]] = set()
        self._writing = asyncio.Lock()
        """A lock held while a notice is saved, so that a load at the same time does not miss it."""

    async def load(self) -> None:
        """Read notices that other processes, or this one before a restart, have stored."""
        async with self._writing:
            self._known = {each.name: each for each in await self._notices.find()}

    def all(self) -> list[FeatureRow]:
        return [self._row(each) for each in FEATURES.values()]

    def notices(self) -> list[tuple[Words, Words]]:
        """For each feature that was switched off automatically, its title and the reason."""
        return [(row.title, row.notice) for row in self.all() if row.notice]

    def demand(self, name: str) -> None:
        """Raises ``PalimpsestError`` while the feature is off."""
        if not self._is_on(FEATURES[name]):
            raise fail("validation", "operations.features.is_off", name=self._row(FEATURES[name]).title)

    async def switch(self, name: str, *, on: bool) -> None:
        """Switch a feature on or off, immediately and for all users.

        Raises:
            PalimpsestError: there is no such feature, an environment variable sets it, or it conflicts with other
            settings.
        """
        feature = FEATURES.get(name)
        if feature is None:
            raise fail("not_found", "operations.features.unknown", name=name)
        await self._set(feature, on=on)
        self._heard.pop(name, None)
        async with self._writing:
            if self._known.pop(name, None):
                await self._notices.rows.delete({"_id": name})

    def heard(self, call: str, observation: Observation) -> None:
        """Record a call that a feature needs, and whether it failed; after too many failures the feature is switched
        off."""
        name = CALLED_BY.get(call)
        if name is None or observation.outcome == "refused" or not self._is_on(FEATURES[name]):
            return
        now, told = self._clock(), self._heard.setdefault(name, deque(maxlen=MOST_KEPT))
        told.append((now, observation.outcome != "ok"))
        while told[0][0] < now - WITHIN:
            told.popleft()
        failures = sum(failed for _, failed in told)
        if failures >= FAILURES and failures > SHARE * len(told):
            notice = Notice(name=name, at=now, failures=failures, calls=len(told))
            told.clear()
            begin(self._go_off(notice), self._going_off)

    def observed(self, observation: Observation) -> None:
        """The same as ``heard``, for a call that is identified by its dependency's name."""
        self.heard(observation.dependency, observation)

    async def settle(self) -> None:
        """Wait until all features that are being switched off are off."""
        await asyncio.gather(*self._going_off)

    async def _go_off(self, notice: Notice) -> None:
        log.error("%s failed in %s of %s calls and goes off", notice.name, notice.failures, notice.calls)
        try:
            await self._set(FEATURES[notice.name], on=False)
        except PalimpsestError:
            log.warning("%s stays on: the environment says so", notice.name)
            return
        async with self._writing:
            self._known[notice.name] = notice
            await self._notices.put(notice)

    async def _set(self, feature: Feature, *, on: bool) -> None:
        if on == self._is_on(feature):
            return
        default = self._overrides.of(feature.setting).default
        usual = (default != feature.off) == on
        await self._overrides.change(feature.setting, None if usual else True if on else feature.off)

    def _is_on(self, feature: Feature) -> bool:
        return self._overrides.of(feature.setting).value != feature.off

    def _row(self, feature: Feature) -> FeatureRow:
        notice = self._known.get(feature.name)
        return FeatureRow(
            name=feature.name,
            title=message(f"operations.features.{feature.name}.title"),
            hides=message(f"operations.features.{feature.name}.hides"),
            setting=f"PALIMPSEST_{feature.setting.upper().replace('.', '__')}",
            on=self._is_on(feature),
            fixed=self._overrides.of(feature.setting).fixed,
            notice=message("operations.features.went_off", failures=notice.failures, count=notice.calls)
            if notice
            else None,
        )
