"""Tests each user's API keys on both record stores."""

from __future__ import annotations

import hashlib
import json

import pytest

from core.accounts.api_keys import COLLECTION, MOST, PREFIX, SHOWN, USED_SECONDS, ApiKeys
from core.errors import PalimpsestError
from core.store.truth import Truth

ADA, BEN = "ada", "ben"


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def keys(truth: Truth, clock: Clock) -> ApiKeys:
    found = ApiKeys(truth, clock)
    await found.ensure()
    return found


async def owner(keys: ApiKeys, text: str) -> str | None:
    key = await keys.presented(text)
    return key.user_id if key else None


async def refused(doing: object) -> str:
    with pytest.raises(PalimpsestError) as error:
        await doing  # type: ignore[misc]
    return error.value.problem.what.en


async def test_a_key_opens_until_it_is_revoked(keys: ApiKeys) -> None:
    key, text = await keys.create(ADA, "Claude  Desktop")
    assert (key.name, key.prefix, key.user_id) == ("Claude Desktop", text[:SHOWN], ADA)
    assert text.startswith(PREFIX)
    assert await owner(keys, text) == ADA
    assert await owner(keys, text[:-1]) is None
    assert await owner(keys, "") is None
    await keys.revoke(ADA, key.id)
    assert await owner(keys, text) is None
    assert await refused(keys.revoke(ADA, key.id)) == "This key does not exist."


async def test_only_its_sha_256_is_kept(keys: ApiKeys, truth: Truth) -> None:
    _, text = await keys.create(ADA, "VS Code")
    rows = await truth.collection(COLLECTION).find()
    assert [row["digest"] for row in rows] == [hashlib.sha256(text.encode()).hexdigest()]
    assert text not in json.dumps(rows)
    assert text[SHOWN:] not in json.dumps(rows)


async def test_everybody_has_their_own(keys: ApiKeys) -> None:
    ada, of_ada = await keys.create(ADA, "one")
    _, of_ben = await keys.create(BEN, "two")
    assert [each.name for each in await keys.all(ADA)] == ["one"]
    assert [each.name for each in await keys.all(BEN)] == ["two"]
    assert await refused(keys.revoke(BEN, ada.id)) == "This key does not exist."
    assert (await owner(keys, of_ada), await owner(keys, of_ben)) == (ADA, BEN)


async def test_its_last_use_is_noted_once_a_minute(keys: ApiKeys, clock: Clock) -> None:
    _, text = await keys.create(ADA, "Cursor")
    assert [each.last_used_at for each in await keys.all(ADA)] == [None]
    used = []
    for seconds in (0.0, 1.0, USED_SECONDS):
        clock.now += seconds
        await owner(keys, text)
        used += [each.last_used_at for each in await keys.all(ADA)]
    assert used == [1_000.0, 1_000.0, 1_001.0 + USED_SECONDS]


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "a\x00b", "export\u202etxt"])
async def test_a_name_that_is_none_is_refused(keys: ApiKeys, name: str) -> None:
    assert await refused(keys.create(ADA, name)) == "The key needs a name."
    assert await keys.all(ADA) == []


async def test_one_person_has_so_many_and_no_more(keys: ApiKeys) -> None:
    for number in range(MOST):
        await keys.create(ADA, f"key {number}")
    assert await refused(keys.create(ADA, "one more")) == "You have too many keys."
    await keys.create(BEN, "of another")


async def test_a_key_ends_by_itself_and_says_so(keys: ApiKeys, clock: Clock) -> None:
    _, text = await keys.create(ADA, "Report", ["read"], days=2)
    found = await keys.presented(text)
    assert found
    assert found.scopes == ("read",)
    clock.now += 2 * 86_400
    assert await refused(keys.presented(text)) == "The key “Report” has expired."


async def test_a_key_may_what_was_chosen(keys: ApiKeys) -> None:
    usual, _ = await keys.create(ADA, "one")
    assert usual.scopes == ("read", "ask", "write")
    all_of_them, _ = await keys.create(ADA, "two", ["administer", "read"])
    assert all_of_them.scopes == ("read", "administer")
    assert await refused(keys.create(ADA, "three", [])) == "This key would have no permissions."
