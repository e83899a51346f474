"""The audit trail: *who did what* → an entry that nothing changes, until it is older than people want to keep it.

Append only: there is no call that changes or picks out an entry to remove. Writing one never stands in the way of what
it is about; a failure goes to the log.
"""

from __future__ import annotations

import logging

from core.accounts.records import AuditEntry, AuditKind
from core.clock import DAY, Clock
from core.ids import NewId
from core.store.truth import Filter, Sorted, Truth
from core.store.typed_collection import TypedCollection

log = logging.getLogger(__name__)

COLLECTION = "audit"
LONGEST_SUBJECT = 200
PAGE = 50


class Audit:
    """``days``: how long an entry is kept."""

    def __init__(self, truth: Truth, clock: Clock, identifiers: NewId, days: float) -> None:
        self._all = TypedCollection(truth.collection(COLLECTION), AuditEntry)
        self._clock = clock
        self._new_id = identifiers
        self._days = days

    async def ensure(self) -> None:
        await self._all.rows.ensure(sort=[Sorted(("user_id", "at")), Sorted(("at",))])

    async def note(
        self,
        user_id: str,
        kind: AuditKind,
        *,
        action: str = "",
        subject: str = "",
        address: str = "",
        by: str = "session",
    ) -> None:
        """``action`` is the endpoint that was called, ``by`` how the caller showed who they are."""
        entry = AuditEntry(
            id=self._new_id("audit"),
            at=self._clock(),
            user_id=_clean(user_id),
            kind=kind,
            action=action,
            subject=_clean(subject),
            address=address,
            by=by,
        )
        try:
            await self._all.insert(entry)
        except Exception:
            log.exception("an entry of the audit trail was not written: %s %s", kind, action)

    async def find(
        self,
        user_id: str | None,
        *,
        kinds: tuple[AuditKind, ...] = (),
        since: float | None = None,
        after: AuditEntry | None = None,
        limit: int = PAGE,
    ) -> list[AuditEntry]:
        """The newest first, of one person or of all; ``after`` is the last of the page before."""
        wanted: list[Filter] = []
        if user_id is not None:
            wanted.append({"user_id": user_id})
        if kinds:
            wanted.append({"kind": {"$in": list(kinds)}})
        if since is not None:
            wanted.append({"at": {"$gte": since}})
        return await self._all.find(
            {"$and": wanted} if wanted else None,
            sort=[("at", -1)],
            limit=limit,
            after={"_id": after.id, "at": after.at} if after else None,
        )

    async def get(self, entry_id: str) -> AuditEntry | None:
        return await self._all.get(entry_id)

    async def compact(self) -> int:
        """Remove what is older than it is kept; how many."""
        return await self._all.rows.delete({"at": {"$lt": self._clock() - self._days * DAY}})


def _clean(text: str) -> str:
    """What is typed may hold anything; what is kept is short and can be written down."""
    shown = text.encode("utf-8", "replace").decode("utf-8", "replace")
    return "".join(each if each.isprintable() else " " for each in shown)[:LONGEST_SUBJECT]
