"""Writes the audit trail: entries on who did what, which cannot be changed and are kept for a configured time.

The trail is append-only: no method changes an entry, and entries are only deleted when they are too old. If writing an
entry fails, this is logged, and the action itself is not blocked.
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
    """The audit trail; ``days``: number of days for which an entry is kept."""

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
        """Add an entry. ``action`` is the endpoint that was called, ``by`` how the caller authenticated."""
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
        """Entries, the newest first, of one user or of all; ``after`` is the previous page's last entry."""
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
        """Delete entries older than the limit; returns how many."""
        return await self._all.rows.delete({"at": {"$lt": self._clock() - self._days * DAY}})


def _clean(text: str) -> str:
    """The text, shortened and without unprintable characters, because users can type anything."""
    shown = text.encode("utf-8", "replace").decode("utf-8", "replace")
    return "".join(each if each.isprintable() else " " for each in shown)[:LONGEST_SUBJECT]
