"""Accounts: on Settings the user's own account and, for administrators, all users'; on System the audit trail."""

from __future__ import annotations

from pydantic import Field

from core.accounts.records import Account, AuditKind, Role
from core.errors import fail
from pages.actions import Call, Handlers, Reply, action

LONGEST_PASSWORD = 1024
MOST_ENTRIES = 200


class Secretive(Call, hide_input_in_errors=True):
    """Base class of requests with passwords: their validation errors never contain the password."""


class ChangedPassword(Secretive):
    """The current password and the new one."""

    old: str = Field(max_length=LONGEST_PASSWORD, repr=False)
    new: str = Field(max_length=LONGEST_PASSWORD, repr=False)


class OwnPassword(Secretive):
    """The user's own password, entered again to confirm an irreversible action."""

    password: str = Field(max_length=LONGEST_PASSWORD, repr=False)


class OnePerson(Call):
    """A user, identified by the sign-in name."""

    person: str = Field(max_length=200)


class NewPerson(OnePerson, Secretive):
    """A new user with a first password, which the user can change."""

    password: str = Field(max_length=LONGEST_PASSWORD, repr=False)
    role: Role = "person"


class NewPassword(OnePerson, Secretive):
    """A new password, set by an administrator."""

    password: str = Field(max_length=LONGEST_PASSWORD, repr=False)


class NewRole(OnePerson):
    """A user's new role."""

    role: Role


class NewGroup(OnePerson):
    """A user's new group; empty for none."""

    group: str = Field("", max_length=200)


class SoughtEntries(Call):
    """Filters for audit entries. ``kinds``: empty means all kinds; ``person``: empty means every user that the caller
    may see; ``since``: the earliest time; ``after``: only entries older than this one."""

    kinds: list[AuditKind] = Field([], max_length=20)
    person: str = Field("", max_length=200)
    since: float | None = None
    after: str = Field("", max_length=60)
    limit: int = Field(50, ge=1, le=MOST_ENTRIES)


class PeopleDesk(Handlers):
    """Actions on accounts that the scripts of the tabs can call."""

    # -- the user's own account --------------------------------------------------------------

    @action("settings", endpoint="get_account", who="in person")
    async def account(self, user_id: str, call: Call) -> Reply:
        """The caller's account and its sessions. ``signs_in`` is false if this server does not require sign-in."""
        account = self._workbench.accounts.of(user_id)
        sessions = await self._workbench.accounts.sessions.all(user_id)
        return {
            "name": user_id,
            "signs_in": account is not None,
            "has_password": bool(account and account.password),
            "administrator": self._identity.is_administrator(user_id),
            "group": self._workbench.accounts.group_of(user_id),
            "sessions": [each.model_dump(mode="json", include=SESSION_SHOWN) for each in sessions],
        }

    @action("settings", endpoint="change_password", who="in person", noted="account_changed")
    async def change_password(self, user_id: str, call: ChangedPassword) -> Reply:
        """Change the caller's password. All sessions end, and the user must sign in again with the new password."""
        await self._workbench.accounts.change_password(user_id, call.old, call.new)
        return {"changed": user_id}

    @action("settings", endpoint="sign_out_everywhere", who="in person", noted="account_changed")
    async def sign_out_everywhere(self, user_id: str, call: Call) -> Reply:
        """End all sessions of the caller, including this one."""
        return {"ended": await self._workbench.accounts.sessions.end_all(user_id)}

    @action("settings", endpoint="delete_account", who="in person", noted="account_removed")
    async def delete_account(self, user_id: str, call: OwnPassword) -> Reply:
        """Permanently delete the caller's account and all its data."""
        await self._workbench.accounts.confirm(user_id, call.password)
        await self._workbench.account_removal.remove(user_id)
        return {"removed": user_id}

    # -- all accounts, for administrators -----------------------------------------------------

    @action("settings", endpoint="list_people", who="administrator in person")
    async def people(self, user_id: str, call: Call) -> Reply:
        """All users who may sign in, in the order in which they were added."""
        return {"people": [_row(each) for each in self._workbench.accounts.everybody()]}

    @action("settings", endpoint="add_person", who="administrator in person", noted="account_made")
    async def add_person(self, user_id: str, call: NewPerson) -> Reply:
        """Add a user. The first one becomes an administrator."""
        if not self._workbench.accounts.everybody() and call.role != "administrator":
            raise fail("validation", "accounts.none_yet")
        return {"person": _row(await self._workbench.accounts.create(call.person, call.password, call.role))}

    @action("settings", endpoint="reset_password", who="administrator in person", noted="account_changed")
    async def reset_password(self, user_id: str, call: NewPassword) -> Reply:
        """Set a user's new password. All sessions of the user end."""
        await self._workbench.accounts.reset_password(call.person, call.password)
        return {"changed": call.person}

    @action("settings", endpoint="change_role", who="administrator in person", noted="account_changed")
    async def change_role(self, user_id: str, call: NewRole) -> Reply:
        """Give a user the administrator role, or remove it. The last administrator cannot lose the role."""
        return {"person": _row(await self._workbench.accounts.give_role(call.person, call.role))}

    @action("settings", endpoint="change_group", who="administrator in person", noted="account_changed")
    async def change_group(self, user_id: str, call: NewGroup) -> Reply:
        """Put a user in a group, or in none. Members can read what others share with the group. Documents that the user
        shared with the old group are no longer shared."""
        return {"person": _row(await self._workbench.accounts.give_group(call.person, call.group))}

    @action("settings", endpoint="sign_out_person", who="administrator in person", noted="account_changed")
    async def sign_out_person(self, user_id: str, call: OnePerson) -> Reply:
        """End all sessions of a user."""
        return {"ended": await self._workbench.accounts.sessions.end_all(call.person)}

    @action("settings", endpoint="remove_person", who="administrator in person", noted="account_removed")
    async def remove_person(self, user_id: str, call: OnePerson) -> Reply:
        """Permanently remove a user and all of the user's data."""
        await self._workbench.account_removal.remove(call.person)
        return {"removed": call.person}

    # -- audit trail -------------------------------------------------------------------------

    @action("system", endpoint="list_audit", scope="read")
    async def audit(self, user_id: str, call: SoughtEntries) -> Reply:
        """Entries of the audit trail, newest first: the caller's own; for administrators, those of all users."""
        may = self._identity.is_administrator(user_id)
        before = await self._workbench.audit.get(call.after) if call.after else None
        found = await self._workbench.audit.find(
            (call.person or None) if may else user_id,
            kinds=tuple(call.kinds),
            since=call.since,
            after=before,
            limit=call.limit + 1,
        )
        shown = [each.model_dump(mode="json") for each in found[: call.limit]]
        return {"entries": [*shown], "more": len(found) > len(shown), "everybody": may}


SESSION_SHOWN = {"created_at", "expires_at", "address", "browser"}


def _row(account: Account) -> Reply:
    return {
        "name": account.user_id,
        "role": account.role,
        "group": account.org_id,
        "created_at": account.created_at,
        "last_sign_in_at": account.last_sign_in_at,
        "has_password": bool(account.password),
    }
