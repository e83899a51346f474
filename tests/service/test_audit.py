"""Tests the audit log of users' actions, and who may read it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from core.accounts.audit import COLLECTION
from core.clock import DAY
from core.errors import PalimpsestError
from pages.actions import Actions
from pages.auth import Caller, Identity
from pages.handlers import all_handlers
from pages.security.auditing import Auditor
from tests.people import Named
from tests.service.house import POLICY, House

FROM = "192.0.2.7"


class Desk:
    """Calls actions as a user, and collects all audit entries."""

    def __init__(self, house: House) -> None:
        identity = Identity(house.workbench.settings, Named("ada", "bob"))
        self.actions = Actions(identity, all_handlers(house.workbench, identity), Auditor(house.workbench))

    async def call(self, user: str, name: str, /, **given: object) -> Any:
        caller = SimpleNamespace(caller=Caller(user, "session"))
        request = SimpleNamespace(cookies={}, headers={}, state=caller, client=SimpleNamespace(host=FROM))
        action = next(each for each in self.actions.all if name in (each.doors.endpoint, each.name))
        return await self.actions.perform(action, given, request)

    async def noted(self, user: str, /, **given: object) -> list[tuple[str, str, str]]:
        entries = (await self.call(user, "list_audit", **given))["entries"]
        return [(each["user_id"], each["kind"], each["subject"]) for each in entries]


@pytest.fixture
def desk(house: House) -> Desk:
    return Desk(house)


async def test_who_deleted_a_document_is_seen_by_them_and_by_administrators(house: House, desk: Desk) -> None:
    document = await house.read("policy.md", POLICY, "bob")
    await desk.call("bob", "delete_document", id=document.id)
    await desk.call("bob", "undo_remove", id=document.id)
    await desk.call("ada", "change_limit", name="limits.file_bytes", value=2 * 1024 * 1024)
    entries = (await desk.call("ada", "list_audit"))["entries"]
    assert {each["address"] for each in entries} == {FROM}
    assert [each["action"] for each in entries] == ["change_limit", "undelete_document", "delete_document"]
    assert await desk.noted("ada") == [
        ("ada", "changed", "limits.file_bytes"),
        ("bob", "restored", document.id),
        ("bob", "deleted", "policy.md"),
    ]
    assert await desk.noted("bob") == [("bob", "restored", document.id), ("bob", "deleted", "policy.md")]
    assert await desk.noted("bob", person="ada") == await desk.noted("bob")
    assert await desk.noted("ada", person="bob", kinds=["deleted"]) == [("bob", "deleted", "policy.md")]
    assert await desk.noted("ada", since=house.workbench._clock() + 60) == []


async def test_what_was_refused_is_not_noted(house: House, desk: Desk) -> None:
    with pytest.raises(PalimpsestError):
        await desk.call("bob", "change_limit", name="limits.file_bytes", value=1)
    with pytest.raises(PalimpsestError):
        await desk.call("bob", "delete_document", id="doc_" + "0" * 32)
    await desk.call("bob", "list_documents")
    assert await desk.noted("ada") == []


async def test_entries_come_a_page_at_a_time_and_go_when_they_are_old(house: House, desk: Desk) -> None:
    audit = house.workbench.audit
    for number in range(5):
        await audit.note("ada", "exported", subject=f"talk {number}\n\x00{'x' * 300}")
    first = await desk.call("ada", "list_audit", limit=3)
    assert first["more"]
    rest = await desk.call("ada", "list_audit", limit=3, after=first["entries"][-1]["id"])
    assert not rest["more"]
    subjects = [each["subject"] for each in (*first["entries"], *rest["entries"])]
    assert sorted(each[:6] for each in subjects) == [f"talk {number}" for number in range(5)]
    assert all(each.isprintable() and len(each) == 200 for each in subjects)
    oldest = house.workbench._clock() - 366 * DAY
    await house.workbench.truth.collection(COLLECTION).insert_many(
        [{"_id": "audit_" + "0" * 32, "at": oldest, "user_id": "ada", "kind": "deleted"}]
    )
    assert await audit.compact() == 1
    assert len(await audit.find(None)) == 5


async def test_no_password_is_noted(house: House, desk: Desk) -> None:
    await house.workbench.accounts.create("ada", "analytical engine", "administrator")
    await desk.call("ada", "add_person", person="נגה", password="jacquard loom")
    await desk.call("ada", "reset_password", person="נגה", password="difference engine")
    await desk.call("ada", "change_password", old="analytical engine", new="another engine")
    rows = str(await house.workbench.truth.collection(COLLECTION).find())
    assert "נגה" in rows
    assert "engine" not in rows
    assert "loom" not in rows
