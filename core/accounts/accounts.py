"""Manages user accounts, which administrators create and remove.

They are stored in the record store; ``PALIMPSEST_USERS`` only lists the users to create at the first start. Data that
each request needs (whether sign-in is required, whether the user exists, the user's role) is kept in memory.
"""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from core.accounts.known_accounts import OPEN, KnownAccounts
from core.accounts.names import name_of
from core.accounts.passwords import Passwords, checked
from core.accounts.pauses import Pauses
from core.accounts.records import Account, Identified, Role
from core.accounts.sessions import Sessions
from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.ids import hashed_id
from core.settings import Settings
from core.store.files import folder_name
from core.store.truth import Change, DuplicateError, Truth
from core.store.typed_collection import TypedCollection

if TYPE_CHECKING:
    from core.accounts.openid import OpenIdProvider

log = logging.getLogger(__name__)

COLLECTION = "accounts"
KIND = "account"
LOCAL = "local"
"""Id of the only user of a workbench without sign-in."""


class Accounts:
    """The accounts. Call ``load`` before use, and again regularly, because another process may have changed them.

    >>> run(workbench.accounts.create("grace", "correct horse battery")).role
    'person'
    >>> run(workbench.accounts.sign_in("grace", "a wrong password", "127.0.0.1")) is None
    True
    """

    def __init__(self, truth: Truth, settings: Settings, clock: Clock, tell: Callable[[], None] = lambda: None) -> None:
        self._all = TypedCollection(truth.collection(COLLECTION), Account)
        self._settings = settings
        self._clock = clock
        self._passwords = Passwords()
        self.pauses = Pauses(clock)
        self.sessions = Sessions(truth, clock, settings.session_hours * 3600)
        self._known = KnownAccounts(self._all, clock)
        self._leaving: list[Callable[[str], Awaitable[None]]] = []
        self._tell = tell
        """Notifies other processes of a change."""

    # -- accounts ----------------------------------------------------------------------------

    @property
    def required(self) -> bool:
        """Whether users must sign in."""
        return bool(self._known) or self._settings.login == "always" or self._settings.openid.issuer is not None

    @cached_property
    def provider(self) -> OpenIdProvider | None:
        """The OpenID Connect provider, if one is configured; its library is imported only in that case."""
        if self._settings.openid.issuer is None:
            return None
        from core.accounts.openid import OpenIdProvider

        return OpenIdProvider(self._settings.openid, self._clock)

    def of(self, name: str) -> Account | None:
        return self._known.of(name)

    def group_of(self, name: str) -> str | None:
        """The user's group."""
        account = self._known.of(name)
        return account.org_id if account else None

    def everybody(self) -> list[Account]:
        """All accounts in order of creation."""
        return sorted(self._known.all(), key=lambda each: (each.created_at, each.user_id))

    @property
    def administrator(self) -> str | None:
        """The first administrator."""
        return next((each.user_id for each in self.everybody() if each.role == "administrator"), None)

    async def ensure(self) -> None:
        """Create the initial accounts at the first start."""
        await self.sessions.ensure()
        await self._known.ensure()
        await self.load()
        if self._known:
            return
        now = self._clock()
        for number, (name, password) in enumerate(self._settings.users.items()):
            role: Role = "person" if number else "administrator"
            try:
                await self._add(name_of(name), password.get_secret_value(), role, now + number / 1000)
            except DuplicateError:
                log.info("another process has made the account meanwhile")
        await self.load()

    async def load(self) -> None:
        """Read changes made by other processes."""
        await self._known.read_changes()

    async def refreshed(self, name: str) -> Account | None:
        """The account's current state in the record store."""
        account = await self._all.get(hashed_id(KIND, name))
        if account is None or account.closed:
            self._known.drop(name)
            return None
        self._known.take(account)
        return account

    # -- signing in --------------------------------------------------------------------------

    async def sign_in(self, name: str, password: str, address: str) -> Account | None:
        """The account with this name and password. Checking an unknown name takes equally long, so it does not reveal
        which names exist.

        Raises:
            PausedError: too many attempts with this name from this address have failed.
        """
        name = unicodedata.normalize("NFC", name.strip())
        failures = self.pauses.begin(name, address)
        account = await self.refreshed(name)
        known = account.password if account else None
        if not await self._passwords.belongs(known or None, password) or account is None:
            log.warning("a sign-in failed, from %s, %d in a row for this name", address or "?", failures)
            return None
        self.pauses.succeeded(name, address)
        changes: dict[str, str | float] = {"last_sign_in_at": self._clock()}
        if self._passwords.is_dated(account.password):
            changes["password"] = await self._passwords.hash(password)
        return await self._note(name, changes)

    async def admit(self, who: Identified) -> Account:
        """The account of a user who signed in at a provider; it is created at the first sign-in.

        If another user (local, or with another identity at the provider) already has the name, sign-in is refused. If
        the provider says that the only administrator is not an administrator, that user stays one.

        Raises:
            PalimpsestError: the name belongs to another user ("auth").
        """
        found = await self._all.first({"subject": who.subject, **OPEN})
        if not found:
            try:
                await self._add(who.name, None, "person", self._clock(), who.subject)
            except DuplicateError as error:
                raise fail("auth", "accounts.openid.name_of_another", name=who.name) from error
        name = found.user_id if found else who.name
        if who.administrator is not None:
            await self._follow(name, "administrator" if who.administrator else "person")
        if who.org_id is not None:
            await self.give_group(name, who.org_id)
        return await self._note(name, {"last_sign_in_at": self._clock()})

    async def _follow(self, name: str, role: Role) -> None:
        try:
            await self.give_role(name, role)
        except PalimpsestError as error:
            if error.problem.category != "validation":
                raise
            log.warning("the provider says that the only administrator is none; they stay one")

    # -- changes -----------------------------------------------------------------------------

    async def create(self, name: str, password: str, role: Role = "person") -> Account:
        """Create an account. Raises ``PalimpsestError`` if the name is invalid or taken, or the password is invalid."""
        name, password = name_of(name), checked(password)
        try:
            await self._add(name, password, role, self._clock())
        except DuplicateError as error:
            raise fail("validation", "accounts.name_taken", name=name) from error
        return await self._there(name)

    async def change_password(self, name: str, old: str, new: str) -> None:
        """Change the user's own password. All the user's sessions end. Raises ``PalimpsestError`` ("auth") when ``old``
        is wrong."""
        await self.confirm(name, old)
        await self.reset_password(name, new)

    async def confirm(self, name: str, password: str) -> None:
        """Check a user's password. Raises ``PalimpsestError`` ("auth") when it is wrong, ``PausedError`` after too many
        failures."""
        account = await self._there(name)
        self.pauses.begin(name, "confirming")
        if not await self._passwords.belongs(account.password or None, password):
            raise fail("auth", "accounts.wrong_password")
        self.pauses.succeeded(name, "confirming")

    async def reset_password(self, name: str, new: str) -> None:
        """Set a password, by an administrator or after the old one was checked. All the user's sessions end."""
        await self._there(name)
        await self._change(name, {"password": await self._passwords.hash(checked(new))})
        await self.sessions.end_all(name)

    async def give_role(self, name: str, role: Role) -> Account:
        """Change a user's role. Raises ``PalimpsestError`` when no administrator would be left."""
        account = await self._there(name)
        if role != "administrator":
            await self._refuse_last(account)
        return await self._change(name, {"role": role})

    def before_leaving(self, listener: Callable[[str], Awaitable[None]]) -> None:
        """Call ``listener`` when a user leaves a group, to withdraw what the user has shared with it."""
        self._leaving.append(listener)

    async def give_group(self, name: str, group: str) -> Account:
        """Put a user into a group, or into none with an empty name. Raises ``PalimpsestError`` if the name is
        invalid."""
        account, org_id = await self._there(name), name_of(group) if group.strip() else None
        if account.org_id == org_id:
            return account
        await self._leave(name)
        changed = await self._change(name, {"org_id": org_id})
        await self._leave(name)  # withdraw what the user shared while the group was being changed
        return changed

    async def _leave(self, name: str) -> None:
        for listener in self._leaving:
            await listener(name)

    async def close(self, name: str) -> None:
        """Disable sign-in for the account; ``core.account_removal`` removes its data, then the account.

        Raises:
            PalimpsestError: there is no such user, or no administrator would be left.
        """
        await self._refuse_last(await self._there(name))
        await self._all.update(
            hashed_id(KIND, name), Change(set={"closed": True, "password": "", "changed_at": self._clock()})
        )
        self._known.drop(name)
        await self.sessions.end_all(name)
        self._tell()

    async def closed(self) -> list[str]:
        """Accounts whose removal is unfinished."""
        return [each.user_id for each in await self._all.find({"closed": True})]

    async def forget(self, name: str) -> None:
        """Delete a closed account's row, when all its other data is gone."""
        await self._all.rows.delete({"_id": hashed_id(KIND, name), "closed": True})

    async def _add(self, name: str, password: str | None, role: Role, now: float, subject: str = "") -> None:
        known = await self._passwords.hash(password) if password is not None else ""
        account = Account(
            id=hashed_id(KIND, name),
            user_id=name,
            role=role,
            password=known,
            subject=subject,
            created_at=now,
            changed_at=self._clock(),
        )
        await self._all.insert(account)
        self._tell()

    async def _there(self, name: str) -> Account:
        account = await self.refreshed(name)
        if account is None:
            raise fail("not_found", "accounts.nobody", name=name)
        return account

    async def _change(self, name: str, changes: Mapping[str, str | float | None]) -> Account:
        account = await self._note(name, changes)
        self._tell()
        return account

    async def _note(self, name: str, changes: Mapping[str, str | float | None]) -> Account:
        """Save changes that other processes need not be notified of."""
        account = await self._all.update(hashed_id(KIND, name), Change(set={**changes, "changed_at": self._clock()}))
        if account is None:
            raise fail("not_found", "accounts.nobody", name=name)
        self._known.take(account)
        return account

    async def _refuse_last(self, account: Account) -> None:
        others = {"role": "administrator", "_id": {"$ne": account.id}, **OPEN}
        if account.role == "administrator" and not await self._all.rows.count(others):
            raise fail("validation", "accounts.last_administrator")


async def people_by_folder(truth: Truth, settings: Settings) -> dict[str, str]:
    """The user for each folder of files; included are users with accounts, users with records, and the local user."""
    people = {LOCAL, *settings.users, *await truth.collection(COLLECTION).count_by("user_id", OPEN)}
    for collection in ("conversations", "documents", "preferences"):
        people |= set(await truth.collection(collection).count_by("user_id"))
    return {folder_name(each): each for each in people}
