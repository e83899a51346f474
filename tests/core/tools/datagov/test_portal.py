"""Tests the client of the open data portal over real sockets: user agent, retries, and how a refusal is reported."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.errors import PalimpsestError
from core.tools.datagov import portal as portal_module
from core.tools.datagov.ckan import Package, PackagePage, StorePage
from core.tools.datagov.portal import USER_AGENT, Portal
from tests.servers.ckan import CkanServer, blocked, challenged, failing, reply, slow
from tests.servers.ckan_catalogue import made_datasets
from tests.servers.local import Reply, hang_up

PortalAt = Callable[..., Portal]
HOSPITALS = next(each for each in made_datasets() if each.name == "hospitals")


async def category(call: object) -> str:
    with pytest.raises(PalimpsestError) as caught:
        await call  # type: ignore[misc]
    return caught.value.problem.category


async def test_it_says_who_it_is_and_takes_no_browsers_name(portal_at: PortalAt) -> None:
    async with CkanServer() as server:
        await portal_at(server.url).action("package_search", PackagePage, rows=1)
    said = server.requests[0].headers["user-agent"]
    assert said == USER_AGENT
    assert not any(browser in said for browser in ("Mozilla", "Chrome", "Safari", "AppleWebKit"))


@pytest.mark.parametrize(
    ("mood", "expected", "asked"),
    [
        (blocked(), "connection", 3),
        (challenged(), "connection", 3),
        (failing(429), "rate_limit", 3),
        (failing(503), "server", 3),
        (failing(504), "timeout", 3),
        (reply(b"<html>proxy</html>"), "server", 3),
        (reply(b'{"success": false, "error": {}}'), "server", 3),
        (hang_up(), "connection", 3),
        (reply(b'{"success": false, "error": {"__type": "Validation Error"}}', 409), "validation", 1),
        (reply(b'{"success": false, "error": {"__type": "Not Found Error"}}', 404), "not_found", 1),
    ],
)
async def test_what_goes_wrong_is_told_in_its_category_and_passing_faults_are_tried_again(
    portal_at: PortalAt, pauses: list[float], mood: Reply, expected: str, asked: int
) -> None:
    async with CkanServer(moods=[mood] * 3) as server:
        assert await category(portal_at(server.url).action("package_search", PackagePage)) == expected
        assert len(server.requests) == asked
    assert pauses == [0.5, 1.0][: asked - 1]


async def test_who_is_blocked_is_told_so_in_both_languages(portal_at: PortalAt) -> None:
    async with CkanServer(moods=[blocked()] * 3) as server:
        with pytest.raises(PalimpsestError) as caught:
            await portal_at(server.url).action("package_search", PackagePage)
    what, why, remedy = caught.value.problem.to("he")
    assert "דחה את הבקשה" in what
    assert why
    assert remedy
    assert "rejected the request" in caught.value.problem.what.en


@pytest.mark.parametrize("mood", [blocked(), challenged(), failing(500), hang_up()])
async def test_what_passes_is_forgotten(portal_at: PortalAt, mood: Reply) -> None:
    async with CkanServer(moods=[mood]) as server:
        found = await portal_at(server.url).action("package_show", Package, id=HOSPITALS.slug)
    assert found.title == HOSPITALS.title


async def test_a_slow_portal_is_a_timeout(portal_at: PortalAt) -> None:
    async with CkanServer(moods=[slow()] * 3) as server:
        assert await category(portal_at(server.url, seconds=0.2).action("package_search", PackagePage)) == "timeout"


async def test_a_pause_that_is_asked_for_is_kept_and_a_long_one_is_not_waited_for(
    portal_at: PortalAt, pauses: list[float]
) -> None:
    async with CkanServer(moods=[failing(429, Retry_After="3")]) as server:
        await portal_at(server.url).action("package_search", PackagePage)
        assert pauses == [3.0]
        server.moods = [failing(429, Retry_After="60")]
        assert await category(portal_at(server.url).action("package_search", PackagePage)) == "rate_limit"
        assert pauses == [3.0]


async def test_a_portal_that_fails_again_and_again_is_left_alone(portal_at: PortalAt) -> None:
    async with CkanServer(moods=[failing(503)] * 6) as server:
        portal = portal_at(server.url, failures=2)
        for _ in range(2):
            await category(portal.action("package_search", PackagePage))
        assert await category(portal.action("package_search", PackagePage)) == "connection"
        assert len(server.requests) == 6


async def test_a_file_of_the_portal_is_read_and_one_elsewhere_is_not(portal_at: PortalAt) -> None:
    async with CkanServer() as server:
        portal = portal_at(server.url)
        url = HOSPITALS.package(server.url)["resources"][0]["url"]
        assert "שערי צדק" in (await portal.download(url)).decode("utf-8-sig")
        for strange in ("http://169.254.169.254/latest", "file:///etc/passwd", "http://127.0.0.1:1/x"):
            assert await category(portal.download(strange)) == "validation"
        server.moods = [reply(b"", 302, Location="http://169.254.169.254/latest")]
        assert await category(portal.download(url)) == "validation"


async def test_a_file_without_end_is_not_read_to_its_end(portal_at: PortalAt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portal_module, "MOST_BYTES", 100)
    async with CkanServer(moods=[reply(b"x" * 101)]) as server:
        assert await category(portal_at(server.url).download(f"{server.url}/a.csv")) == "validation"


async def test_an_action_that_answers_something_else_is_unreadable(portal_at: PortalAt) -> None:
    async with CkanServer(moods=[reply(b'{"success": true, "result": {"records": 7}}')]) as server:
        assert await category(portal_at(server.url).action("datastore_search", StorePage)) == "server"
