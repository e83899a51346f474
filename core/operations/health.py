"""Reports the health of each part (record store, index, models, disk, tool servers): its state, and its effect on
answers."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from core.coordination.redis import RedisConnection
from core.errors import explain
from core.memory.retrieval import Retrieval
from core.messages import message
from core.models.chat import ChatModels
from core.operations.doctor.findings import wrong
from core.operations.doctor.machine import examine_disk
from core.operations.features import Features
from core.operations.originals import Originals
from core.operations.processes import Processes
from core.resilience.health import Health, Part
from core.resilience.read_only import ReadOnly
from core.settings import Settings
from core.store.truth import Truth
from core.tools.mcp.servers import McpServers
from core.words import Words

log = logging.getLogger(__name__)


@dataclass
class HealthReport:
    """The health report. Every page's header and ``/health`` request it, so it does nothing slow."""

    _settings: Settings
    _truth: Truth
    _retrieval: Retrieval
    _models: ChatModels
    _tool_servers: McpServers
    _originals: Originals
    _features: Features
    _redis: RedisConnection | None
    _read_only: ReadOnly
    _processes: Processes

    async def read(self) -> Health:
        """All parts, the record store first."""
        records = await self._records()
        lost = await self._lost_records() if records.state == "green" else []
        searched = await self._retrieval.parts()
        return Health(
            parts=[
                records,
                *self._held(),
                *lost,
                *searched,
                *await self._coordination(),
                *(await self._sharing() if records.state == "green" else []),
                self._model(),
                await self._disk(),
                *self._tool_servers.health(),
                *self._went_off(),
            ]
        )

    async def _records(self) -> Part:
        name = message("workbench.documents_conversations")
        try:
            await self._truth.collection("documents").count()
        except Exception as error:
            log.warning("the truth cannot be read", exc_info=True)
            return Part(name=name, state="red", meaning=explain(error).remedy, warning="truth_unreadable")
        return Part(name=name, state="green", meaning=message("workbench.stored_readable"))

    def _held(self) -> list[Part]:
        """Whether records are currently read-only."""
        why = self._read_only.why
        if why is None:
            return []
        meaning = Words.joined([why.what, why.remedy])
        return [Part(name=message("workbench.read_only"), state="amber", meaning=meaning, warning="read_only")]

    async def _lost_records(self) -> list[Part]:
        """Reports original files whose records are missing."""
        if await self._truth.collection("documents").find(limit=1, fields=["_id"]):
            return []
        found = await self._originals.lost()
        if not found:
            return []
        told = wrong("truth", "truth_emptied", count=len(found), folder=self._settings.folder / "files")
        meaning = Words.joined([told.what, told.remedy or told.what])
        return [Part(name=told.name, state="red", meaning=meaning, warning=told.warning)]

    async def _coordination(self) -> list[Part]:
        """State of the data that processes share in Redis, if it is configured."""
        if self._redis is None:
            return []
        name = message("workbench.shared_by_processes")
        if await self._redis.answers():
            return [Part(name=name, state="green", meaning=message("workbench.redis_answers"))]
        meaning = message("workbench.redis_away")
        return [Part(name=name, state="amber", meaning=meaning, warning="redis_away")]

    async def _sharing(self) -> list[Part]:
        """State of the processes that share the record store, if there may be several."""
        if self._settings.mongodb_uri is None:
            return []
        name, alive = message("workbench.processes"), await self._processes.alive()
        if not any(each.workers for each in alive):
            return [
                Part(name=name, state="amber", meaning=message("workbench.nobody_works"), warning="jobs_without_worker")
            ]
        servers = sum(each.serves for each in alive)
        meaning = message("workbench.alive", servers=servers, workers=len(alive) - servers)
        return [Part(name=name, state="green", meaning=meaning)]

    def _model(self) -> Part:
        name = message("workbench.language_model")
        if self._models.configured:
            return Part(name=name, state="green", meaning=Words.alike(self._models.resolve(None)))
        meaning = message("workbench.none_configured_answers_quotations_documents")
        return Part(name=name, state="amber", meaning=meaning, warning="model_absent")

    def _went_off(self) -> list[Part]:
        """Features that were switched off automatically after failures."""
        return [
            Part(name=title, state="amber", meaning=told, warning="feature_switched_off")
            for title, told in self._features.notices()
        ]

    async def _disk(self) -> Part:
        """Whether there is enough free disk space."""
        found = await asyncio.to_thread(examine_disk, self._settings)
        return Part(name=found.name, state=found.state, meaning=found.what, warning=found.warning)
