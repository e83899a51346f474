"""Combines the operation services (backups, health, diagnosis, index rebuilds) in one object; ``keep_up`` runs their
periodic duties."""

from __future__ import annotations

import asyncio

from core.clock import Clock
from core.coordination.redis import RedisConnection
from core.library.library import Library
from core.memory.memory import Memory
from core.memory.retrieval import Retrieval
from core.models.configuration.chosen import ChosenModels
from core.operations.backup_folder import BackupFolder
from core.operations.doctor.doctor import Doctor
from core.operations.doctor.recent_errors import RecentErrors
from core.operations.features import Features
from core.operations.figures.counted import Counted
from core.operations.figures.records import FiguresView
from core.operations.figures.view import view_of
from core.operations.heap import trim_heap
from core.operations.originals import Originals
from core.operations.processes import Processes
from core.operations.rebuilding import Rebuilding
from core.operations.records import Called, Finding, LoggedError, RunError, UnderWay
from core.operations.under_way import called, under_way
from core.resilience.health import Health
from core.resilience.read_only import ReadOnly
from core.settings import Settings
from core.store.overrides import Overrides
from core.store.room import Reserve
from core.store.truth import Truth
from core.tools.mcp.servers import McpServers

MOST_ERRORS = 50


class Operations:
    """Operation services for administrators; other users can use only their own backups.

    >>> [finding.state for finding in run(workbench.operations.examine()) if finding.check == "versions"]
    ['green']
    """

    def __init__(
        self,
        settings: Settings,
        truth: Truth,
        memory: Memory,
        retrieval: Retrieval,
        models: ChosenModels,
        tools: McpServers,
        library: Library,
        overrides: Overrides,
        counted: Counted,
        redis: RedisConnection | None,
        read_only: ReadOnly,
        clock: Clock,
        owner: str,
        *,
        serves: bool,
    ) -> None:
        self._settings = settings
        self._truth = truth
        self._metrics = retrieval.metrics
        self._alone = settings.mongodb_uri is None
        self.processes = Processes(truth, clock, owner, settings.jobs, serves=serves)
        self._reserve = Reserve(settings)
        self._errors = RecentErrors(clock)
        self.counted = counted
        self.backups = BackupFolder(settings, memory, clock)
        self.originals = Originals(settings, truth, library)
        self.rebuilding = Rebuilding(memory, retrieval.reindexing)
        self.features = Features(truth, overrides, clock)
        retrieval.metrics.listen(self.features.observed)
        self._doctor = Doctor(
            settings, truth, retrieval, models, tools, self.backups, self._errors, self.features, counted.unusual,
            read_only, self.processes, clock,
        )  # fmt: skip

    async def start(self) -> None:
        """Start; also continue an index rebuild that a crash interrupted, unless another process may be running it."""
        self._errors.start()
        await self.counted.ensure()
        await self.features.load()
        await asyncio.to_thread(self._reserve.keep)
        await self.backups.start()
        if self._alone:
            await self.rebuilding.go_on()
        else:
            await self.processes.start()

    async def keep_up(self) -> None:
        await asyncio.to_thread(self._reserve.keep)
        await self.features.load()
        await self.counted.keep_up()
        await self.backups.keep_up()
        await trim_heap()

    async def examine(self) -> list[Finding]:
        """Problems and their remedies."""
        return await self._doctor.examine()

    def findings_of(self, health: Health) -> list[Finding]:
        """The health report as findings."""
        return [
            Finding(check="part", name=each.name, warning=each.warning, state=each.state, what=each.meaning)
            for each in health.parts
        ]

    async def figures(self, user_id: str | None, days: int) -> FiguresView:
        """Figures of the last days, for this user or with ``None`` for all users, including the latest, which are not
        stored yet."""
        await self.counted.keep()
        daily = self.counted.daily
        return view_of(await daily.last(days, user_id), daily.today, days)

    async def run_errors(self, user_id: str | None) -> list[RunError]:
        """The last errors shown to this user, or with ``None`` to any user; the latest first."""
        return await self.counted.errors.last(user_id, MOST_ERRORS)

    def logged_errors(self) -> list[LoggedError]:
        """The last errors in this process's log, the latest first."""
        return self._errors.since(0.0)[::-1][:MOST_ERRORS]

    def called(self) -> list[Called]:
        """External calls and their results."""
        return called(self._metrics)

    async def under_way(self, user_id: str | None) -> list[UnderWay]:
        """Work in progress for this user; for all users with ``None`` (administrators)."""
        return await under_way(self._truth, user_id)

    async def stop(self) -> None:
        if not self._alone:
            await self.processes.stop()
        await self.counted.keep()
        await self.features.settle()
        await self.backups.stop()
        await self.rebuilding.stop()
        self._errors.stop()
