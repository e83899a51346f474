"""Tests tool servers on the Settings tab: set only by administrators, with secrets that are never shown."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from fastapi import FastAPI

from core.tools.execution import SentCall
from core.tools.mcp.records import SIGNED_IN_PATH
from core.tools.tool import Caller
from pages.auth import Identity
from pages.tool_sign_in import sign_in_routes
from tests.people import Named
from tests.servers.signing import Doorkeeper, behind_sign_in
from tests.servers.tools import ours, reference
from tests.service.calling import Endpoints
from tests.service.conftest import Open
from tests.service.house import House, until

CANARY = "canary-52c0e7d1"
OPEN = "http://127.0.0.1:7860"


def identity_of(house: House, user: str) -> Identity:
    """The identity of this user; ada, the first user, is an administrator."""
    identity = Identity(house.workbench.settings, Named("ada", "bob"))
    identity.user = lambda request: user  # type: ignore[method-assign]
    return identity


def page_of(house: House, user: str = "ada") -> Endpoints:
    return Endpoints(house, user, identity_of(house, user))


def files_server(folder: Path) -> dict[str, object]:
    command, arguments = reference("filesystem", str(folder))
    return {"name": "Shared", "command": command, "args": arguments, "env": {"KEY": CANARY}}


async def ready(house: House, name: str) -> None:
    async def condition() -> bool:
        return any(each.name == name and each.condition == "ready" for each in house.workbench.tool_servers)

    await until(condition, f"{name}'s readiness")


async def test_a_server_of_the_page_is_called_through_the_one_registry(house: House, tmp_path: Path) -> None:
    (tmp_path / "minutes.txt").write_text("The board met on Tuesday.", encoding="utf-8")
    page = page_of(house)
    added = await page.add_tool_server(**files_server(tmp_path))
    assert added["servers"][0]["env"] == ["KEY"]
    await ready(house, "Shared")
    asked = SentCall("one", "shared_read_text_file", {"path": str(tmp_path / "minutes.txt")})
    caller = Caller("ada", conversation_id="conv_" + "0" * 32)
    (waiting,) = await house.workbench.tools.run([asked], caller)
    assert waiting.wants
    assert (waiting.wants.scope, waiting.wants.server) == ("server", "Shared"), "reading is agreed to once a server"
    await house.workbench.tools.decide(caller, waiting.wants, "conversation")
    (read,) = await house.workbench.tools.run([asked], caller)
    assert read.result
    assert "The board met on Tuesday." in read.result.text
    write = SentCall("two", "shared_write_file", {"path": str(tmp_path / "new.txt"), "content": "x"})
    (asking,) = await house.workbench.tools.run([write], caller)
    assert asking.wants
    assert asking.wants.scope == "tool"
    assert not (tmp_path / "new.txt").exists()


async def test_only_an_administrator_sees_and_sets_them(house: House, tmp_path: Path) -> None:
    await page_of(house).add_tool_server(**files_server(tmp_path))
    id = (await page_of(house).list_tool_servers())["servers"][0]["id"]
    bob = page_of(house, "bob")
    for refused in (
        await bob.list_tool_servers(),
        await bob.add_tool_server(**files_server(tmp_path)),
        await bob.try_tool_server(**files_server(tmp_path)),
        await bob.edit_tool_server(server_id=id, name="mine"),
        await bob.switch_tool_server(server_id=id, enabled=False),
        await bob.remove_tool_server(server_id=id),
        await bob.restore_tool_server(server_id=id),
        await bob.refresh_tool_server(server_id=id),
        await bob.sign_in_tool_server(server_id=id, origin=OPEN),
    ):
        assert "administrator" in str(refused).lower()
        assert "Shared" not in str(refused)


async def test_secrets_are_told_to_nobody(
    house: House, open_house: Open, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    page = page_of(house)
    replies = [await page.add_tool_server(**files_server(tmp_path)), await page.list_tool_servers()]
    id = replies[0]["id"]
    replies += [
        await page.try_tool_server(**files_server(tmp_path), id=id),
        await page.add_tool_server(name="bad", command="x", env={"no name": CANARY}),
        await page.add_tool_server(name="bad", url="https://example.com/mcp", headers={"X": f"{CANARY}\n"}),
        await page.edit_tool_server(server_id=id, **{**files_server(tmp_path), "env": {"KEY": None}}),
    ]
    assert CANARY not in str(replies)
    assert CANARY not in caplog.text
    await house.workbench.memory.export_backup("ada", tmp_path / "ada.zip")
    await house.workbench.stop()
    files = [path for path in (*house.workbench.settings.folder.rglob("*"), tmp_path / "ada.zip") if path.is_file()]
    assert [path.name for path in files if CANARY.encode() in path.read_bytes()] == []
    again = await open_house()
    await ready(again, "Shared")


async def test_problems_are_told_in_the_readers_language(house: House) -> None:
    page = page_of(house)
    await page.add_tool_server(name="none", command="no-such-program-anywhere")

    async def failed() -> bool:
        return (await page.list_tool_servers())["servers"][0]["state"] == "failing"

    await until(failed, "the failure")
    shown = (await page.list_tool_servers())["servers"][0]
    assert "no-such-program-anywhere" in shown["trouble"]["why"]
    twice = await page.add_tool_server(name="None", command="x")
    assert "already" in twice["problem"]["what"]


async def test_removing_can_be_undone(house: House) -> None:
    page = page_of(house)
    command, arguments = ours("lying")
    id = (await page.add_tool_server(name="lying", command=command, args=arguments))["id"]
    assert (await page.remove_tool_server(server_id=id))["servers"] == []
    assert [each["name"] for each in (await page.restore_tool_server(server_id=id))["servers"]] == ["lying"]


async def test_the_file_of_the_data_directory_is_read_at_the_start(open_house: Open, tmp_path: Path) -> None:
    command, arguments = ours("lying")
    home = tmp_path / "home"
    home.mkdir()
    entry = {"command": command, "args": arguments}
    (home / "mcp.json").write_text(json.dumps({"mcpServers": {"lying": entry}}), encoding="utf-8")
    house = await open_house()
    await ready(house, "lying")
    parts = {part.name.en: part.state for part in (await house.workbench.health()).parts}
    assert parts["Tool servers"] == "green"


@pytest.mark.parametrize(("user", "status"), [("ada", 200), ("bob", 400)])
async def test_who_has_signed_in_comes_back_by_a_route(user: str, status: int, house: House) -> None:
    page = page_of(house)
    door = Doorkeeper()
    async with behind_sign_in(door) as url:
        id = (await page.add_tool_server(name="vault", url=url))["id"]
        address = (await page.sign_in_tool_server(server_id=id, origin=OPEN))["address"]
        async with httpx.AsyncClient() as browser:
            back = urlsplit((await browser.get(address)).headers["location"])
        assert back.path == SIGNED_IN_PATH
        app = FastAPI()
        app.include_router(sign_in_routes(house.workbench, identity_of(house, user)))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=OPEN) as us:
            came = await us.get(f"{back.path}?{back.query}", headers={"accept-language": "he"})
            assert came.status_code == status
            assert 'dir="rtl"' in came.text
            unknown = await us.get(f"{SIGNED_IN_PATH}?state=x&code=<script>")
            assert unknown.status_code == 400
            assert "<script>" not in unknown.text
        if status == 200:
            await ready(house, "vault")
        else:
            assert parse_qs(back.query)["code"][0] in door.codes, "it was taken by nobody"
