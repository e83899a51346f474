"""The System tab: what works, what is being worked on, how those do that are called, when upkeep was last done.

Administrators see all of it, people what is theirs.
"""

from __future__ import annotations

from pydantic import JsonValue

from core.errors import PalimpsestError
from core.memory.maintenance.metrics import Calls
from core.messages import message
from core.operations.doctor.findings import of_parts
from core.operations.under_way import UnderWay
from core.words import Language, Words
from core.workbench import Workbench
from pages.actions import Call, Reply, action
from pages.auth import Identity
from pages.handlers.operations import finding_row

DEPENDENCIES = {
    "Search by meaning": message("operations.dependencies.dense"),
    "Search by words": message("operations.dependencies.lexical"),
    "The embedding model": message("operations.dependencies.embeddings"),
    "The cross-encoder": message("operations.dependencies.reranker"),
    "The document store": message("operations.dependencies.truth"),
    "Writing to the index": message("operations.dependencies.writing"),
    "Vectors of memories": message("operations.dependencies.background"),
    "The language model": message("operations.dependencies.model"),
}
"""What those that are called are named on the page; a tool has a title of its own."""


class SystemPage:
    """What the script of the tab and clients may call, beside what :mod:`pages.handlers.operations` does."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        self._workbench = workbench
        self._identity = identity

    @action("system", endpoint="get_system")
    async def system(self, user_id: str, call: Call) -> Reply:
        """Health by parts and what is being worked on; for administrators also storage, dependencies and upkeep."""
        bench, may = self._workbench, self._identity.is_administrator(user_id)
        health = await bench.health()
        backups = await bench.operations.backups.all(None if may else user_id)
        working = await bench.operations.under_way(None if may else user_id)
        return {
            "may_change": may,
            "user": user_id,
            "state": health.state,
            "parts": [finding_row(each, call.ui) for each in of_parts(health)],
            "storage": (await bench.storage()).model_dump() if may else None,
            "dependencies": self._dependencies(call.ui) if may else None,
            "upkeep": bench.retrieval.last_done.model_dump() if may else None,
            "backed_up": backups[0].made_at if backups else None,
            "under_way": [await self._work_row(each, user_id) for each in working],
        }

    def _dependencies(self, language: Language) -> list[JsonValue]:
        called = self._workbench.retrieval.metrics.snapshot().dependencies
        return [dependency_row(name, calls, language) for name, calls in sorted(called.items())]

    async def _work_row(self, each: UnderWay, user_id: str) -> Reply:
        """What somebody else's work is about stays theirs."""
        mine = each.user_id == user_id
        about = await self._about(each) if mine else None
        return {**each.model_dump(exclude={"about"}), "about": about, "mine": mine}

    async def _about(self, each: UnderWay) -> str | None:
        if each.kind == "question":
            return each.about
        try:
            return (await self._workbench.library.get(each.user_id, each.about)).filename
        except PalimpsestError:
            return None


def dependency_row(name: str, calls: Calls, language: Language) -> Reply:
    """Milliseconds are rounded to tenths."""
    return {
        "name": DEPENDENCIES.get(name, Words.alike(name)).to(language),
        "breaker": calls.breaker,
        "calls": calls.ok + calls.error + calls.timeout,
        "failed": calls.error + calls.timeout,
        "refused": calls.refused,
        "last": round(calls.last, 1),
        "p50": round(calls.latency.p50, 1),
        "p95": round(calls.latency.p95, 1),
    }
