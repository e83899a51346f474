"""User accounts for tests without a record store: the first of the given names is the administrator."""

from __future__ import annotations

from core.accounts.records import Account


class NoSessions:
    async def owner_of(self, text: str) -> str | None:
        return None


class Named:
    """Answers the user lookups that ``Identity`` makes. If no name is given, there are no users."""

    def __init__(self, *names: str) -> None:
        self._accounts = {
            name: Account(
                id=f"account_{number:032x}",
                user_id=name,
                role="person" if number else "administrator",
                created_at=float(number),
            )
            for number, name in enumerate(names)
        }
        self.sessions = NoSessions()

    @property
    def required(self) -> bool:
        return bool(self._accounts)

    @property
    def administrator(self) -> str | None:
        return next(iter(self._accounts), None)

    def of(self, name: str) -> Account | None:
        return self._accounts.get(name)

    async def refreshed(self, name: str) -> Account | None:
        return self.of(name)
