"""Checks the parts of a running workbench; each check gives its own findings."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

from core.clock import DAY, HOUR, Clock
from core.library.extract import ocr
from core.memory.items.reading import ITEMS
from core.memory.retrieval import Retrieval
from core.messages import message
from core.models.configuration.chosen import ChosenModels
from core.models.configuration.records import ModelChoice
from core.operations.backup_folder import BackupFolder
from core.operations.doctor.addresses import examine_addresses
from core.operations.doctor.findings import fine, reason_of, wrong
from core.operations.doctor.machine import examine_machine
from core.operations.doctor.recent_errors import RecentErrors
from core.operations.features import Features
from core.operations.processes import Processes
from core.operations.records import Finding
from core.resilience.read_only import ReadOnly
from core.runs.jobs import UNFINISHED
from core.settings import Settings
from core.store.index import Where
from core.store.truth import Truth
from core.tools.mcp.servers import McpServers

log = logging.getLogger(__name__)

STUCK = HOUR
"""Seconds after which an unfinished job is reported."""
OLD_BACKUP = 30 * DAY
AHEAD = 60.0
"""Maximum seconds by which a record's time may be later than the clock."""
MOST_USERS = 100
MOST_SHOWN = 5
CHECK_SECONDS = 20.0

Check = Callable[[], AsyncIterator[Finding]]


@dataclass(frozen=True)
class Doctor:
    """All checks; ``examine`` changes nothing."""

    settings: Settings
    truth: Truth
    retrieval: Retrieval
    models: ChosenModels
    tools: McpServers
    backups: BackupFolder
    errors: RecentErrors
    features: Features
    figures: Callable[[], Awaitable[list[Finding]]]
    read_only: ReadOnly
    processes: Processes
    clock: Clock

    async def examine(self) -> list[Finding]:
        """All findings, the machine's first; a check that fails is also a finding."""
        found = await asyncio.to_thread(examine_machine, self.settings, serving=True)
        checks: dict[str, Check] = {
            "read_only": self._held,
            "index": self._index,
            "addresses": self._addresses,
            "meaning": self._meaning,
            "model": self._model,
            "ocr": self._ocr,
            "tools": self._tool_servers,
            "jobs": self._jobs,
            "documents": self._documents,
            "clock": self._clock_of_records,
            "errors": self._errors,
            "features": self._features,
            "figures": self._figures,
            "backup": self._backups,
        }
        for name, check in checks.items():
            try:
                async with asyncio.timeout(CHECK_SECONDS):
                    found += [each async for each in check()]
            except Exception as error:
                log.warning("the check of %s failed", name, exc_info=True)
                found.append(wrong(name, "check_failed", why=reason_of(error)))
        return found

    async def _held(self) -> AsyncIterator[Finding]:
        if self.read_only.why:
            yield wrong("read_only", "read_only", why=self.read_only.why.what)

    async def _addresses(self) -> AsyncIterator[Finding]:
        for each in await examine_addresses(self.settings):
            yield each

    async def _index(self) -> AsyncIterator[Finding]:
        index, where = self.retrieval.index, self.settings.qdrant_address or self.settings.folder / "index"
        if not await index.healthy():
            yield wrong("index", "index_away", where=where)
            return
        state = await self.retrieval.reindexing.status()
        if state is not None and state.state in ("running", "paused"):
            why = state.problem.what if state.problem else message(f"doctor.reindex.{state.state}")
            yield wrong("index", "reindex_unfinished", copied=state.copied, total=state.total, why=why)
        kept = await self.truth.collection(ITEMS).count_by("user_id", {"indexed": True})
        there = [await index.count(Where(user_id)) for user_id in list(kept)[:MOST_USERS]]
        points, rows = sum(there), sum(list(kept.values())[:MOST_USERS])
        if points != rows:
            yield wrong("index", "index_differs", points=points, rows=rows)
        else:
            yield fine("index", count=points, where=where)

    async def _meaning(self) -> AsyncIterator[Finding]:
        if not self.settings.dense_enabled:
            yield wrong("meaning", "meaning_switched_off")
            return
        if self.retrieval.dense_off:
            yield wrong("meaning", "meaning_off", why=self.retrieval.dense_off)
            return
        waiting = await self.retrieval.items.pending_vectors(None, None, 10_000)
        if waiting:
            yield wrong("meaning", "vectors_missing", count=len(waiting))
        else:
            yield fine("meaning", model=self.retrieval.schema.model, dimension=self.retrieval.schema.dimension)

    async def _model(self) -> AsyncIterator[Finding]:
        chosen = self.models.configuration()
        if chosen.provider is None or chosen.answers is None:
            yield wrong("model", "model_absent")
            return
        try:
            offered = await self.models.offered(ModelChoice(provider=chosen.provider))
        except Exception as error:
            yield wrong("model", "model_away", model=chosen.answers, why=reason_of(error))
            return
        yield fine("model", model=chosen.answers, count=len(offered))

    async def _ocr(self) -> AsyncIterator[Finding]:
        if self.settings.ocr_enabled and not await asyncio.to_thread(ocr.is_available, self.settings):
            yield wrong("ocr", "ocr_absent")
        elif self.settings.ocr_enabled:
            yield fine("ocr", languages=ocr.language_names())

    async def _tool_servers(self) -> AsyncIterator[Finding]:
        for part in self.tools.health():
            yield wrong("tools", "tool_server_away", why=part.meaning) if part.state != "green" else fine("tools")

    async def _jobs(self) -> AsyncIterator[Finding]:
        jobs, waiting = self.truth.collection("jobs"), {"state": {"$in": UNFINISHED}}
        count = await jobs.count(waiting)
        first = await jobs.find(waiting, sort=[("created_at", 1)], limit=1, fields=["created_at"])
        oldest = self.clock() - float(str(first[0]["created_at"])) if first else 0.0
        if count and self.settings.mongodb_uri and not any(each.workers for each in await self.processes.alive()):
            yield wrong("jobs", "jobs_without_worker", count=count)
        elif oldest > STUCK:
            yield wrong("jobs", "jobs_stuck", count=count, hours=round(oldest / HOUR, 1))
        else:
            yield fine("jobs", count=count)

    async def _documents(self) -> AsyncIterator[Finding]:
        counts = await self.truth.collection("documents").count_by("state")
        if unread := counts.get("failed", 0):
            yield wrong("documents", "documents_unread", count=unread)
        else:
            yield fine("documents", count=counts.get("completed", 0))

    async def _clock_of_records(self) -> AsyncIterator[Finding]:
        latest = await self.truth.collection("runs").find(sort=[("created_at", -1)], limit=1, fields=["created_at"])
        ahead = float(str(latest[0]["created_at"])) - self.clock() if latest else 0.0
        yield wrong("clock", "clock_behind", seconds=round(ahead)) if ahead > AHEAD else fine("clock")

    async def _errors(self) -> AsyncIterator[Finding]:
        told = self.errors.since(self.clock() - HOUR)
        if told:
            last = "; ".join(f"{each.module}: {each.text}" for each in told[-MOST_SHOWN:])
            yield wrong("errors", "errors_recent", count=len(told), last=last)
        else:
            yield fine("errors")

    async def _features(self) -> AsyncIterator[Finding]:
        told = self.features.notices()
        for title, notice in told:
            yield wrong("features", "feature_switched_off", feature=title, why=notice)
        if not told:
            yield fine("features")

    async def _figures(self) -> AsyncIterator[Finding]:
        for each in await self.figures():
            yield each

    async def _backups(self) -> AsyncIterator[Finding]:
        made = [each for each in await self.backups.all(None) if each.of is None]
        age = self.clock() - made[0].made_at if made else None
        every = self.settings.backups.every_hours * HOUR
        if every and (age is None or age > 2 * every):
            yield wrong("backup", "backup_overdue", hours=self.settings.backups.every_hours)
        elif age is not None and (every or age < OLD_BACKUP):
            yield fine("backup", name=made[0].name, days=round(age / DAY, 1))
        elif await self.truth.collection("documents").count():
            yield wrong("backup", "backup_missing")
        else:
            yield fine("backup", seen="backup_not_needed")
