"""Tests sign-in to a remote tool server: the user is sent to the server's page and comes back; the token is stored
encrypted."""

from __future__ import annotations

import asyncio
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from core.errors import PalimpsestError
from core.tools.mcp.records import SIGNED_IN_PATH
from tests.core.tools.mcp.conftest import PATIENCE, Open, Running, until
from tests.servers.signing import Doorkeeper, behind_sign_in

ORIGIN = "http://127.0.0.1:7860"


async def let_in(house: Running, name: str = "vault") -> None:
    """Signs in as a user does: on the server's page, and back through the workbench's own route."""
    address = await house.servers.sign_in(house.one(name).configured.id, f"{ORIGIN}/?tab=settings")
    assert address
    async with httpx.AsyncClient() as browser:
        sent = await browser.get(address)
    back = urlsplit(sent.headers["location"])
    assert f"{back.scheme}://{back.netloc}{back.path}" == ORIGIN + SIGNED_IN_PATH
    brought = {key: values[0] for key, values in parse_qs(back.query).items()}
    await house.servers.came_back(brought["state"], brought["code"], brought.get("iss"))
    await until(lambda: house.one(name).condition == "ready")


async def test_a_person_signs_in_and_stays_so_after_the_next_start(running: Open) -> None:
    door = Doorkeeper()
    async with behind_sign_in(door) as url:
        house = await running(vault={"url": url})
        server = await house.settled("vault")
        assert server.problem
        assert (server.condition, server.problem.category) == ("sign_in", "auth")
        assert door.registered == {}, "nobody is registered before a person asks for it"
        await let_in(house)
        assert "let in" in (await house.call("vault", "whoami")).text
        await house.servers.stop()
        files = [path for path in house.home.rglob("*") if path.is_file()]
        assert [path.name for path in files if b"canary-" in path.read_bytes()] == []
        again = await running(vault={"url": url})
        await again.ready("vault")
        assert len(door.registered) == 1


async def test_what_has_expired_is_renewed_without_anybody(running: Open) -> None:
    door = Doorkeeper(hold=1)
    async with behind_sign_in(door) as url:
        house = await running(vault={"url": url})
        await house.settled("vault")
        await let_in(house)
        door.hold = 3600
        async with asyncio.timeout(PATIENCE):
            while not door.refreshed:
                assert "let in" in (await house.call("vault", "whoami")).text
        assert "let in" in (await house.call("vault", "whoami")).text


async def test_one_that_is_no_longer_let_in_waits_for_a_person(running: Open) -> None:
    door = Doorkeeper()
    async with behind_sign_in(door) as url:
        house = await running(vault={"url": url})
        await house.settled("vault")
        await let_in(house)
        door.forget_everybody()
        with pytest.raises(PalimpsestError):
            await house.call("vault", "whoami")
        await until(lambda: house.one("vault").condition == "sign_in", "its wish")
        await let_in(house)
        assert "let in" in (await house.call("vault", "whoami")).text


async def test_nobody_comes_back_who_was_not_sent(running: Open) -> None:
    door = Doorkeeper()
    async with behind_sign_in(door) as url:
        house = await running(vault={"url": url})
        await house.settled("vault")
        with pytest.raises(PalimpsestError) as unknown:
            await house.servers.came_back("of somebody else", "a code", None)
        assert unknown.value.problem.category == "auth"
        address = await house.servers.sign_in(house.one("vault").configured.id, ORIGIN)
        state = parse_qs(urlsplit(address or "").query)["state"][0]
        with pytest.raises(PalimpsestError):
            await house.servers.came_back(state, "", None)  # the user refuses on the server's page
        await until(lambda: house.one("vault").condition in ("sign_in", "failing"), "its refusal")


async def test_a_sign_in_elsewhere_in_our_network_is_not_followed(running: Open) -> None:
    """The server sends the sign-in to another host in our network, which no setting allows."""
    door, other = Doorkeeper(), Doorkeeper()
    async with (
        behind_sign_in(other) as elsewhere,
        behind_sign_in(door, issuer=elsewhere.removesuffix("/mcp")) as url,
    ):
        house = await running(vault={"url": url})
        await house.settled("vault")
        with pytest.raises(PalimpsestError) as refused:
            await house.servers.sign_in(house.one("vault").configured.id, ORIGIN)
        assert "private network" in refused.value.problem.why.en
        assert other.registered == {}
        named = urlsplit(elsewhere).netloc
        house.write(vault={"url": url, "hosts": [named]})
        await house.servers.reload()
        await house.settled("vault")
        assert await house.servers.sign_in(house.one("vault").configured.id, ORIGIN)
        assert len(other.registered) == 1


async def test_tokens_do_not_follow_to_another_address(running: Open) -> None:
    door, other = Doorkeeper(), Doorkeeper()
    async with behind_sign_in(door) as url, behind_sign_in(other) as elsewhere:
        house = await running(vault={"url": url})
        await house.settled("vault")
        await let_in(house)
        house.write(vault={"url": elsewhere})
        await house.servers.reload()
        server = await house.settled("vault")
        assert server.condition == "sign_in"
