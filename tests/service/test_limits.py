"""Limits changed on the page: by the administrator, at once, for what is uploaded next."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from core.errors import PalimpsestError
from core.overrides import MEGABYTE
from core.settings import Settings
from pages.answers import Call
from pages.identity import LOCAL, Identity
from pages.limits import ChangedLimit, LimitsPanel
from tests.service.house import House

LARGE = b"A line of a long report.\n" * 60_000
"""More than one megabyte."""
SMALLER = ChangedLimit(name="limits.file_bytes", value=MEGABYTE)


def identity(house: House, *users: str) -> Identity:
    given = {name: SecretStr("a long password") for name in users}
    return Identity(Settings(_env_file=None, home=house.workbench.settings.home, users=given))


async def test_a_limit_holds_for_the_next_upload(house: House) -> None:
    panel = LimitsPanel(house.workbench, identity(house))
    reply = await panel.change_limit(LOCAL, SMALLER)
    assert reply["limits"][0]["value"] == MEGABYTE
    with pytest.raises(PalimpsestError) as caught:
        await house.give("a.txt", LARGE)
    assert "Library > Limits" in caught.value.problem.remedy.en
    assert "PALIMPSEST" not in str(caught.value.problem)
    await panel.change_limit(LOCAL, ChangedLimit(name="limits.file_bytes"))
    assert (await house.give("a.txt", LARGE)).status == "accepted"


async def test_the_first_user_changes_them_and_the_others_see_them(house: House) -> None:
    panel = LimitsPanel(house.workbench, identity(house, "ada", "bob"))
    assert (await panel.limits("ada", Call()))["may_change"]
    assert not (await panel.limits("bob", Call()))["may_change"]
    for other in ("bob", LOCAL):
        with pytest.raises(PalimpsestError) as caught:
            await panel.change_limit(other, SMALLER)
        assert caught.value.problem.category == "auth"
    assert house.workbench.settings.limits.file_bytes == 50 * MEGABYTE
    await panel.change_limit("ada", SMALLER)
    assert house.workbench.settings.limits.file_bytes == MEGABYTE
