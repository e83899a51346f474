"""People: on Settings one's own account and, for administrators, everybody's; on System the audit trail."""

from __future__ import annotations

from pydantic import Field

from core.accounts.records import Account, AuditKind, Role
from core.errors import fail
from pages.actions import Call, Handlers, Reply, action

LONGEST_PASSWORD = 1024
MOST_ENTRIES = 200


class Secretive(Call, hide_input_in_errors=True):
    """A request whose passwords stand in no message about what is wrong with it."""


class ChangedPassword(Secretive):
    """The password as it is, and as it shall be."""

    old: str = Field(max_length=LONGEST_PASSWORD, repr=False)
    new: str = Field(max_length=LONGEST_PASSWORD, repr=False)


class OwnPassword(Secretive):
    """One's own, typed once more for what cannot be undone."""

    password: str = Field(max_length=LONGEST_PASSWORD, repr=False)


class OnePerson(Call):
    """Somebody by the name with which they sign in."""

    person: str = Field(max_length=200)


class NewPerson(OnePerson, Secretive):
    """Their first password, which they change themselves."""

    password: str = Field(max_length=LONGEST_PASSWORD, repr=False)
    role: Role = "person"


class NewPassword(OnePerson, Secretive):
    """A password that an administrator gives."""

    password: str = Field(max_length=LONGEST_PASSWORD, repr=False)


class NewRole(OnePerson):
    """What somebody may do from now on."""

    role: Role


class NewGroup(OnePerson):
    """The group that somebody is in from now on; an empty one for none."""

    group: str = Field("", max_length=200)


class SoughtEntries(Call):
    """Entries of these ``kinds`` (none for all), of one ``person`` (none for everybody an asker may see), from the
    time ``since`` on, older than the entry ``after``."""

    kinds: list[AuditKind] = Field([], max_length=20)
    person: str = Field("", max_length=200)
    since: float | None = None
    after: str = Field("", max_length=60)
    limit: int = Field(50, ge=1, le=MOST_ENTRIES)


class PeopleDesk(Handlers):
    """What the script of the tab may call."""

    # -- one's own ---------------------------------------------------------------------------

    @action("settings", endpoint="get_account", who="in person")
    async def account(self, user_id: str, call: Call) -> Reply:
        """Who one is here, and where one is signed in. ``signs_in`` is false where nobody does."""
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
        """One's own; every session ends, and one signs in with the new one."""
        await self._workbench.accounts.change_password(user_id, call.old, call.new)
        return {"changed": user_id}

    @action("settings", endpoint="sign_out_everywhere", who="in person", noted="account_changed")
    async def sign_out_everywhere(self, user_id: str, call: Call) -> Reply:
        """End every session of one's own, this one too."""
        return {"ended": await self._workbench.accounts.sessions.end_all(user_id)}

    @action("settings", endpoint="delete_account", who="in person", noted="account_removed")
    async def delete_account(self, user_id: str, call: OwnPassword) -> Reply:
        """Remove oneself with all that one holds here, for good."""
        await self._workbench.accounts.confirm(user_id, call.password)
        await self._workbench.account_removal.remove(user_id)
        return {"removed": user_id}

    # -- everybody's, for administrators -----------------------------------------------------

    @action("settings", endpoint="list_people", who="administrator in person")
    async def people(self, user_id: str, call: Call) -> Reply:
        """Everybody who may sign in, in the order in which they came."""
        return {"people": [_row(each) for each in self._workbench.accounts.everybody()]}

    @action("settings", endpoint="add_person", who="administrator in person", noted="account_made")
    async def add_person(self, user_id: str, call: NewPerson) -> Reply:
        """Somebody more who may sign in; the first one is an administrator."""
        if not self._workbench.accounts.everybody() and call.role != "administrator":
            raise fail("validation", "accounts.none_yet")
        return {"person": _row(await self._workbench.accounts.create(call.person, call.password, call.role))}

    @action("settings", endpoint="reset_password", who="administrator in person", noted="account_changed")
    async def reset_password(self, user_id: str, call: NewPassword) -> Reply:
        """Give somebody a new password; all their sessions end."""
        await self._workbench.accounts.reset_password(call.person, call.password)
        return {"changed": call.person}

    @action("settings", endpoint="change_role", who="administrator in person", noted="account_changed")
    async def change_role(self, user_id: str, call: NewRole) -> Reply:
        """Somebody is administrator, or no longer; somebody always is."""
        return {"person": _row(await self._workbench.accounts.give_role(call.person, call.role))}

    @action("settings", endpoint="change_group", who="administrator in person", noted="account_changed")
    async def change_group(self, user_id: str, call: NewGroup) -> Reply:
        """Somebody is in this group, or in none: what its people share with it they all read. What somebody shared
        with the group that they leave is theirs alone again."""
        return {"person": _row(await self._workbench.accounts.give_group(call.person, call.group))}

    @action("settings", endpoint="sign_out_person", who="administrator in person", noted="account_changed")
    async def sign_out_person(self, user_id: str, call: OnePerson) -> Reply:
        """End every session of somebody."""
        return {"ended": await self._workbench.accounts.sessions.end_all(call.person)}

    @action("settings", endpoint="remove_person", who="administrator in person", noted="account_removed")
    async def remove_person(self, user_id: str, call: OnePerson) -> Reply:
        """Remove somebody with all that they hold here, for good."""
        await self._workbench.account_removal.remove(call.person)
        return {"removed": call.person}

    # -- what was done -----------------------------------------------------------------------

    @action("system", endpoint="list_audit", scope="read")
    async def audit(self, user_id: str, call: SoughtEntries) -> Reply:
        """Who did what, the newest first: one's own, and everybody's for an administrator."""
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
