"""Tests user accounts and their sessions on both record stores."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
from pydantic import SecretStr

from core.accounts.accounts import COLLECTION, Accounts
from core.accounts.known_accounts import EVERYTHING_SECONDS, OVERLAP_SECONDS
from core.accounts.names import LONGEST_NAME
from core.accounts.pauses import FREE, LONGEST_SECONDS, PausedError
from core.accounts.records import Identified
from core.errors import PalimpsestError
from core.settings import Settings
from core.store.truth import Truth

ENGINE, LOOM = "analytical engine", "jacquard loom"
NOGA = "נגה בן־דוד"


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def settings(home: Path, **users: str) -> Settings:
    given = {name: SecretStr(password) for name, password in users.items()}
    return Settings(_env_file=None, home=home, users=given)


@pytest.fixture
async def accounts(truth: Truth, tmp_path: Path, clock: Clock) -> Accounts:
    found = Accounts(truth, settings(tmp_path, ada=ENGINE, **{NOGA: LOOM}), clock)
    await found.ensure()
    return found


async def refused(doing: object) -> str:
    with pytest.raises(PalimpsestError) as error:
        await doing  # type: ignore[misc]
    return error.value.problem.what.en


async def test_the_setting_seeds_the_first_start_and_no_other(accounts: Accounts, truth: Truth, tmp_path: Path) -> None:
    assert [(each.user_id, each.role) for each in accounts.everybody()] == [("ada", "administrator"), (NOGA, "person")]
    await accounts.reset_password("ada", "another engine")
    again = Accounts(truth, settings(tmp_path, ada=ENGINE, eve="not asked for"), Clock())
    await again.ensure()
    assert {each.user_id for each in again.everybody()} == {"ada", NOGA}
    assert await again.sign_in("ada", ENGINE, "") is None
    assert await again.sign_in("ada", "another engine", "")


async def test_passwords_are_kept_as_argon2id(accounts: Accounts, truth: Truth) -> None:
    rows = await truth.collection(COLLECTION).find()
    assert all(str(row["password"]).startswith("$argon2id$v=19$m=19456,t=2,p=1$") for row in rows)
    assert ENGINE not in json.dumps(rows)


async def test_a_name_may_be_hebrew_and_is_the_same_however_it_is_composed(accounts: Accounts) -> None:
    found = await accounts.sign_in(f"  {NOGA} ", LOOM, "10.0.0.1")
    assert found
    assert found.user_id == NOGA
    assert await accounts.sign_in("\udcff", LOOM, "10.0.0.1") is None


async def test_only_name_and_password_together_open(accounts: Accounts, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    for name, password in (("ada", LOOM), (NOGA, ENGINE), ("eve", ENGINE), ("ada", ""), ("", ENGINE)):
        assert await accounts.sign_in(name, password, "10.0.0.1") is None, name
    assert len([each for each in caplog.messages if "a sign-in failed, from 10.0.0.1" in each]) == 5
    assert ENGINE not in caplog.text


async def test_an_account_without_a_password_is_opened_by_none(accounts: Accounts, truth: Truth) -> None:
    from core.store.truth import Change

    await truth.collection(COLLECTION).update_where({"user_id": "ada"}, Change(set={"password": ""}))
    for password in ("", ENGINE):
        assert await accounts.sign_in("ada", password, "10.0.0.1") is None


async def test_guessing_is_slowed_down_and_locks_nobody_else_out(accounts: Accounts, clock: Clock) -> None:
    for _ in range(FREE):
        assert await accounts.sign_in("ada", "wrong", "10.0.0.66") is None
    with pytest.raises(PausedError) as paused:
        await accounts.sign_in("ada", ENGINE, "10.0.0.66")
    assert paused.value.seconds >= 1
    assert await accounts.sign_in("ada", ENGINE, "10.0.0.1"), "her own address"
    assert await accounts.sign_in(NOGA, LOOM, "10.0.0.66"), "somebody else there"
    clock.now += 1.5
    assert await accounts.sign_in("ada", "wrong", "10.0.0.66") is None
    waits = []
    for _ in range(12):
        with pytest.raises(PausedError) as paused:
            await accounts.sign_in("ada", ENGINE, "10.0.0.66")
        waits.append(paused.value.seconds)
        clock.now += paused.value.seconds
        await accounts.sign_in("ada", "wrong", "10.0.0.66")
    assert waits == sorted(waits)
    assert waits[0] < 5
    assert waits[-1] >= LONGEST_SECONDS
    clock.now += LONGEST_SECONDS + 1
    assert await accounts.sign_in("ada", ENGINE, "10.0.0.66")
    for _ in range(FREE - 1):
        assert await accounts.sign_in("ada", "wrong", "10.0.0.66") is None
    assert await accounts.sign_in("ada", ENGINE, "10.0.0.66"), "a success begins anew"


async def test_a_changed_password_ends_every_session(accounts: Accounts) -> None:
    tokens = [await accounts.sessions.begin("ada") for _ in range(2)]
    others = await accounts.sessions.begin(NOGA)
    assert await refused(accounts.change_password("ada", LOOM, "difference engine")) == "The password is wrong."
    assert await refused(accounts.change_password("ada", ENGINE, "short")) == "This password is not allowed."
    assert [await accounts.sessions.owner_of(each) for each in tokens] == ["ada", "ada"]
    await accounts.change_password("ada", ENGINE, "difference engine")
    assert [await accounts.sessions.owner_of(each) for each in tokens] == [None, None]
    assert await accounts.sessions.owner_of(others) == NOGA
    assert await accounts.sign_in("ada", ENGINE, "") is None
    assert await accounts.sign_in("ada", "difference engine", "")


async def test_a_session_ends_where_it_is_signed_out_and_by_itself(accounts: Accounts, clock: Clock) -> None:
    first, second = [await accounts.sessions.begin("ada", "10.0.0.1", "Chromium") for _ in range(2)]
    assert first != second
    assert [(each.address, each.browser) for each in await accounts.sessions.all("ada")] == [
        ("10.0.0.1", "Chromium")
    ] * 2
    assert await accounts.sessions.end(first) == "ada"
    assert await accounts.sessions.owner_of(first) is None
    assert await accounts.sessions.owner_of(second) == "ada"
    clock.now += 24 * 3600 + 1
    assert await accounts.sessions.owner_of(second) is None
    assert await accounts.sessions.all("ada") == []
    await accounts.sessions.compact()
    clock.now = 1_000.0
    assert await accounts.sessions.owner_of(second) is None


async def test_the_truth_opens_nothing(accounts: Accounts, truth: Truth) -> None:
    token = await accounts.sessions.begin("ada")
    rows = await truth.collection("sessions").find()
    assert token not in json.dumps(rows)
    assert await accounts.sessions.owner_of(str(rows[0]["_id"])) is None


async def test_somebody_stays_administrator(accounts: Accounts) -> None:
    last = "This is the only administrator."
    assert await refused(accounts.give_role("ada", "person")) == last
    await accounts.give_role(NOGA, "administrator")
    assert (await accounts.give_role("ada", "person")).role == "person"
    assert accounts.administrator == NOGA
    assert await refused(accounts.give_role(NOGA, "person")) == last


@pytest.fixture
async def other(accounts: Accounts, truth: Truth, tmp_path: Path, clock: Clock) -> Accounts:
    """The same accounts, opened a second time as by another process."""
    found = Accounts(truth, settings(tmp_path), clock)
    await found.ensure()
    return found


async def test_what_changed_elsewhere_is_known_at_the_next_look(
    accounts: Accounts, other: Accounts, clock: Clock
) -> None:
    clock.now += OVERLAP_SECONDS - 1.0
    await other.load()
    clock.now -= OVERLAP_SECONDS - 2.0  # as in a process whose clock is slow
    await accounts.give_role(NOGA, "administrator")
    await accounts.give_group("ada", "The Office")
    await accounts.create("Eve", ENGINE)
    await other.load()
    assert [(each.user_id, each.role) for each in other.everybody()] == [
        ("ada", "administrator"),
        (NOGA, "administrator"),
        ("Eve", "person"),
    ]
    assert other.group_of("ada") == "The Office"


async def test_who_was_removed_elsewhere_is_known_no_more(accounts: Accounts, other: Accounts) -> None:
    await accounts.close(NOGA)
    await other.load()
    assert other.of(NOGA) is None
    await accounts.create("Eve", ENGINE)
    await other.load()
    await accounts.close("Eve")
    await accounts.forget("Eve")  # before the other process has checked for changes
    await accounts.create("Dan", ENGINE)
    await other.load()
    assert {each.user_id for each in other.everybody()} == {"ada", "Dan"}


async def test_what_did_not_change_is_not_read_again(
    accounts: Accounts, other: Accounts, truth: Truth, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = truth.collection(COLLECTION)
    read: list[object] = []
    find = type(rows).find

    async def counted(self: object, *given: object, **named: object) -> list[object]:
        found: list[object] = await find(self, *given, **named)  # type: ignore[arg-type]
        read.extend(found)
        return found

    clock.now += OVERLAP_SECONDS + 1.0
    await other.load()
    monkeypatch.setattr(type(rows), "find", counted)
    await other.load()
    assert read == []
    await accounts.sign_in("ada", ENGINE, "")
    await other.load()
    assert [row["user_id"] for row in read] == ["ada"]  # type: ignore[index]
    clock.now += EVERYTHING_SECONDS
    await other.load()
    assert len(read) == 3, "everybody from time to time"


async def test_a_sign_in_is_told_to_nobody_and_a_change_of_a_role_is(truth: Truth, tmp_path: Path) -> None:
    told: list[str] = []
    accounts = Accounts(truth, settings(tmp_path, ada=ENGINE), Clock(), lambda: told.append("changed"))
    await accounts.ensure()
    told.clear()
    assert await accounts.sign_in("ada", ENGINE, "")
    assert told == []
    await accounts.create("Eve", ENGINE)
    await accounts.give_role("Eve", "administrator")
    assert told == ["changed", "changed"]


async def test_names_and_passwords_that_are_none(accounts: Accounts) -> None:
    for name in ("", " ", "a\u202eb", "a\0b", "x" * (LONGEST_NAME + 1)):
        assert await refused(accounts.create(name, ENGINE)) == "This name is not allowed."
    assert await refused(accounts.create("ada", ENGINE)) == "The name “ada” is already in use."
    assert await refused(accounts.create("eve", "1234567")) == "This password is not allowed."
    assert await refused(accounts.reset_password("eve", ENGINE)) == "There is no user called “eve”."
    made = await accounts.create(" Eve  Chen ", ENGINE)
    assert (made.user_id, made.role) == ("Eve Chen", "person")


async def test_somebody_is_in_one_group_or_in_none(accounts: Accounts, truth: Truth, tmp_path: Path) -> None:
    left: list[tuple[str, str | None]] = []

    async def note(name: str) -> None:
        left.append((name, accounts.group_of(name)))

    accounts.before_leaving(note)
    assert (await accounts.give_group("ada", "  The   Office ")).org_id == accounts.group_of("ada") == "The Office"
    left.clear()
    await accounts.give_group("ada", "The Office")
    assert left == [], "nobody left"
    again = Accounts(truth, settings(tmp_path), Clock())
    await again.ensure()
    assert (again.group_of("ada"), again.group_of(NOGA), again.group_of("nobody")) == ("The Office", None, None)
    await accounts.give_group("ada", "")
    assert accounts.group_of("ada") is None
    assert left == [("ada", "The Office"), ("ada", None)], "before, and once more for what was shared meanwhile"
    assert await refused(accounts.give_group("ada", "a\0b")) == "This name is not allowed."
    assert await refused(accounts.give_group("eve", "The Office")) == "There is no user called “eve”."


async def test_a_provider_says_who_is_in_which_group(accounts: Accounts) -> None:
    async def comes(org_id: str | None) -> str | None:
        return (await accounts.admit(Identified(name="dana", subject="there 1", org_id=org_id))).org_id

    assert await comes(None) is None
    assert await comes("Office") == "Office"
    assert await comes(None) == "Office", "it has no say"
    assert await comes("") is None
