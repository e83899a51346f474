"""Caches the accounts by name in each process; only changed rows are read again from the record store.

Changes by other processes are found by their time, removals by the number of accounts. All accounts are read again from
time to time, in case clocks differ widely or an old version has not recorded the time.
"""

from __future__ import annotations

from core.accounts.records import Account
from core.clock import Clock
from core.store.truth import Filter, Sorted
from core.store.typed_collection import TypedCollection

OVERLAP_SECONDS = 60.0
"""Maximum seconds by which the clocks of two machines may differ."""
EVERYTHING_SECONDS = 600.0
"""Seconds after which all accounts are read again."""
OPEN: Filter = {"closed": {"$ne": True}}


class KnownAccounts:
    """The cache. Call ``read_changes`` before use, and again regularly."""

    def __init__(self, accounts: TypedCollection[Account], clock: Clock) -> None:
        self._accounts = accounts
        self._clock = clock
        self._by_name: dict[str, Account] = {}
        self._read_at: float | None = None
        self._all_read_at = 0.0

    async def ensure(self) -> None:
        await self._accounts.rows.ensure(sort=[Sorted(("changed_at",)), Sorted(("subject",))])

    def of(self, name: str) -> Account | None:
        return self._by_name.get(name)

    def all(self) -> list[Account]:
        return list(self._by_name.values())

    def __bool__(self) -> bool:
        return bool(self._by_name)

    def take(self, account: Account) -> None:
        """Cache an account as it is in the record store now."""
        if account.closed:
            self.drop(account.user_id)
        else:
            self._by_name[account.user_id] = account

    def drop(self, name: str) -> None:
        self._by_name.pop(name, None)

    async def read_changes(self) -> None:
        """Read what other processes have changed since the last call."""
        now, before = self._clock(), self._read_at
        if before is None or now - self._all_read_at >= EVERYTHING_SECONDS:
            await self._read_all(now)
            return
        for account in await self._accounts.find({"changed_at": {"$gt": before - OVERLAP_SECONDS}}):
            self.take(account)
        self._read_at = now
        if await self._accounts.rows.count(OPEN) != len(self._by_name):
            await self._read_all(now)

    async def _read_all(self, now: float) -> None:
        self._by_name = {each.user_id: each for each in await self._accounts.find(OPEN)}
        self._read_at = self._all_read_at = now
