"""Tests that deleting an account removes all of its data: a word that only its owner wrote is in no file afterwards."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from core.errors import PalimpsestError
from core.store.index import Where
from tests.service.house import POLICY, House

CANARY = "Quetzalberg"
HERS = f"# Plans of {CANARY}\n\nThe bridge of {CANARY} costs 77 thousand ducats.\n"


def holding(folder: Path) -> list[str]:
    """Returns the files that contain the owner's word, in any encoding in which texts are stored."""
    written = [CANARY.encode(each) for each in ("utf-8", "utf-16-le")] + [CANARY.lower().encode()]
    files = [each for each in folder.rglob("*") if each.is_file()]
    return [str(each) for each in files if any(word in each.read_bytes() for word in written) or CANARY in each.name]


async def lived(house: House) -> None:
    """Ada and Bob have accounts, and Ada has used all common functions."""
    bench = house.workbench
    for name, role in (("ada", "person"), ("bob", "administrator")):
        await bench.accounts.create(name, "analytical engine", role)  # type: ignore[arg-type]
    document = await house.read(f"{CANARY}.md", HERS)
    gone = await house.read("gone.md", f"{HERS}\nAnd {CANARY} again.\n")
    await bench.library.delete("ada", gone.id)
    answer = await house.ask(f"What does the bridge of {CANARY} cost?")
    await bench.conversations.rename("ada", answer.asked.conversation.id, f"On {CANARY}")
    await bench.memory.store_data("ada", "place", CANARY)
    await bench.sets.create("ada", f"About {CANARY}", [document.id])
    await bench.api_keys.create("ada", f"Reader of {CANARY}")
    await bench.audit.note("ada", "deleted", subject=f"{CANARY}.md")
    await bench.viewer.reading("ada", document.id)
    await bench.accounts.sessions.begin("ada")
    await house.read("policy.md", POLICY, "bob")


async def names_left(house: House, user: str) -> set[str]:
    truth = house.workbench.truth
    return {name for name in await truth.names() if await truth.collection(name).count({"user_id": user})}


async def test_nothing_of_it_is_in_any_file(house: House) -> None:
    await lived(house)
    home = house.workbench.settings.home
    assert holding(home)
    await house.workbench.account_removal.remove("ada")
    assert await names_left(house, "ada") == set()
    assert await house.workbench.retrieval.index.count(Where("ada")) == 0
    assert holding(home) == []
    assert await house.workbench.accounts.sign_in("ada", "analytical engine", "") is None
    assert {each.user_id for each in house.workbench.accounts.everybody()} == {"bob"}
    assert await house.found("What is reimbursed for a night in a hotel in Haifa?", "bob") == {"policy.md"}
    assert {"documents", "items", "accounts"} <= await names_left(house, "bob")


async def test_the_same_name_finds_nothing(house: House) -> None:
    await lived(house)
    await house.workbench.account_removal.remove("ada")
    await house.workbench.accounts.create("ada", "another engine")
    assert await house.workbench.library.find("ada") == []
    assert await house.found(f"What does the bridge of {CANARY} cost?") == set()


async def test_what_a_crash_left_is_finished_and_the_name_is_free_no_earlier(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await lived(house)
    removal = house.workbench.account_removal
    with monkeypatch.context() as broken:
        broken.setattr(removal, "_unindex", AsyncMock(side_effect=ConnectionError("the power is gone")))
        with pytest.raises(ConnectionError):
            await removal.remove("ada")
    assert await house.workbench.accounts.sign_in("ada", "analytical engine", "") is None
    with pytest.raises(PalimpsestError):
        await house.workbench.accounts.create("ada", "another engine")
    await removal.finish()
    assert await names_left(house, "ada") == set()
    assert holding(house.workbench.settings.home) == []


async def test_somebody_must_stay_to_administer(house: House) -> None:
    await lived(house)
    with pytest.raises(PalimpsestError) as caught:
        await house.workbench.account_removal.remove("bob")
    assert caught.value.problem.what.en == "This is the only administrator."
    assert await house.found("What is reimbursed for a night in a hotel in Haifa?", "bob") == {"policy.md"}
