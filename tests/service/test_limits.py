"""Tests limits changed on the page: by the administrator, effective immediately for the next upload."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import PalimpsestError, fail
from core.store.overrides import MEGABYTE
from pages.actions import Call
from pages.auth import LOCAL, Identity
from pages.handlers.settings import ChangedLimit, SettingsPage
from tests.people import Named
from tests.service.calling import Endpoints
from tests.service.house import House

LARGE = b"A line of a long report.\n" * 60_000
"""More than one megabyte."""
SMALLER = ChangedLimit(name="limits.file_bytes", value=MEGABYTE)


def identity(house: House, *users: str) -> Identity:
    return Identity(house.workbench.settings, Named(*users))


def endpoint(house: House, user: str) -> Any:
    """``/change_limit``, called by ``user``; Ada and Bob have logins."""
    asked = identity(house, "ada", "bob")
    asked.user = lambda request: user  # type: ignore[method-assign]
    return Endpoints(house, identity=asked).change_limit


async def test_a_limit_holds_for_the_next_upload(house: House) -> None:
    panel = SettingsPage(house.workbench, identity(house))
    reply = await panel.change_limit(LOCAL, SMALLER)
    assert reply["limits"][0]["value"] == MEGABYTE
    with pytest.raises(PalimpsestError) as caught:
        await house.give("a.txt", LARGE)
    assert "Library > Limits" in caught.value.problem.remedy.en
    assert "PALIMPSEST" not in str(caught.value.problem)
    await panel.change_limit(LOCAL, ChangedLimit(name="limits.file_bytes"))
    assert (await house.give("a.txt", LARGE)).status == "accepted"


async def test_the_first_user_changes_them_and_the_others_see_them(house: House) -> None:
    panel = SettingsPage(house.workbench, identity(house, "ada", "bob"))
    assert (await panel.limits("ada", Call()))["may_change"]
    assert not (await panel.limits("bob", Call()))["may_change"]
    for other in ("bob", LOCAL):
        refused = await endpoint(house, other)("limits.file_bytes", MEGABYTE)
        assert refused["problem"]["what"] == fail("auth", "overrides.not_yours").problem.what.en
    assert house.workbench.settings.limits.file_bytes == 50 * MEGABYTE
    assert "limits" in await endpoint(house, "ada")("limits.file_bytes", MEGABYTE)
    assert house.workbench.settings.limits.file_bytes == MEGABYTE
