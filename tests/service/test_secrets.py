"""Tests for leaks: plants secrets wherever a workbench has them, and searches all of its output for them."""

from __future__ import annotations

import logging
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

import app
from core.errors import explain
from core.settings import Settings
from core.workbench import Workbench
from pages.auth import COOKIE, Identity
from pages.backup_files import backup_routes
from pages.documents import document_routes
from pages.sign_in import Entrance, login_routes
from pages.sign_in_elsewhere import PATH, provider_routes
from tests.servers.openid_provider import CLIENT, SECRET, OpenIdProvider
from tests.service.house import House, settings

PASSWORD, MODEL_KEY, DATABASE = "canary-password-7f1", "canary-model-key-7f1", "canary-database-7f1"
ORIGIN = "http://bench.example"


class Searched:
    """All collected output, by where it came from."""

    def __init__(self) -> None:
        self.seen: dict[str, str] = {}

    def holding(self, text: str) -> list[str]:
        return [where for where, said in self.seen.items() if text in said]

    async def ask(self, browser: httpx.AsyncClient, method: str, path: str, **given: object) -> httpx.Response:
        reply = await browser.request(method, path, **given)  # type: ignore[arg-type]
        said = f"{reply.status_code} {reply.text}"
        headers = "\n".join(f"{name}: {value}" for name, value in reply.headers.items() if name != "set-cookie")
        self.seen[f"{method} {path} {len(self.seen)}"] = f"{said}\n{headers}"
        return reply


@pytest.fixture
async def provider() -> AsyncIterator[OpenIdProvider]:
    async with OpenIdProvider.serving() as made:
        yield made


async def test_no_secret_leaves_the_workbench(
    tmp_path: Path, provider: OpenIdProvider, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    given = settings(
        tmp_path / "home",
        users={"ada": SecretStr(PASSWORD)},
        openai_api_key=SecretStr(MODEL_KEY),
        tavily_api_key=SecretStr(MODEL_KEY),
        metrics_for="anyone",
        openid={"issuer": provider.issuer, "client_id": CLIENT, "client_secret": SECRET},
    )
    served = app.create_app(given, with_pages=False)
    workbench: Workbench = served.state.workbench
    identity = Identity(given, workbench.accounts)
    entrance = Entrance(identity, workbench.accounts, workbench.audit)
    for routes in (login_routes(entrance), provider_routes(entrance)):
        served.include_router(routes)
    for routes in (document_routes(workbench, identity), backup_routes(workbench, identity)):
        served.include_router(routes)
    seen = Searched()
    transport = httpx.ASGITransport(served, raise_app_exceptions=False)
    async with served.router.lifespan_context(served), httpx.AsyncClient(transport=transport, base_url=ORIGIN) as ada:
        document = await House(workbench, tmp_path).read("fish.md", "# Fish\n\nThe zebrafish swims at night.\n")
        _, key = await workbench.api_keys.create("ada", "a program")
        await seen.ask(ada, "POST", "/login", data={"name": "ada", "password": f"{PASSWORD}x"})
        await seen.ask(ada, "POST", "/login", data={"name": "ada", "password": PASSWORD})
        cookie = ada.cookies[COOKIE]
        ways = provider.follow((await ada.get(PATH)).headers["location"])
        await seen.ask(ada, "GET", f"{PATH}/back", params={**ways, "state": "another"})
        for path in ("metrics", "health", f"documents/{document.id}/original"):
            assert (await seen.ask(ada, "GET", f"/{path}")).status_code == 200, path
        for name, fields in CALLS.items():
            reply = await seen.ask(ada, "POST", f"/api/{name}", json=fields)
            assert (reply.status_code == 404) == (name == "no_such_thing"), name
        made = (await seen.ask(ada, "POST", "/api/backup", json={"everyone": True})).json()["backup"]["name"]
        downloaded = await ada.get(f"/backups/{made}")
        await seen.ask(ada, "POST", "/api/search", content=b"{", headers={"content-type": "application/json"})
        program = {"authorization": f"Bearer {key}", "cookie": ""}
        await seen.ask(ada, "POST", "/api/list_people", json={}, headers=program)
        await seen.ask(ada, "POST", "/api/search", json={"query": ["x"]}, headers=program)
        await seen.ask(ada, "POST", "/api/search", json={}, headers={"authorization": f"Bearer {key}x"})
        entries = (await seen.ask(ada, "POST", "/api/list_audit", json={})).json()["entries"]
    archive = tmp_path / "downloaded.zip"
    archive.write_bytes(downloaded.content)
    with zipfile.ZipFile(archive) as members:
        for each in members.namelist():
            seen.seen[f"backup {each}"] = members.read(each).decode("utf-8", "replace")
    seen.seen["log"] = caplog.text
    assert any(where.startswith("backup") for where in seen.holding("zebrafish")), "what is looked through is the text"
    assert "a sign-in failed" in seen.seen["log"]
    for secret in (PASSWORD, MODEL_KEY, SECRET, "canary-access", cookie, cookie.rsplit(".", 1)[0], key):
        assert seen.holding(secret) == []
    noted = {(each["action"], each["subject"]) for each in entries if each["kind"] == "exported"}
    assert {("download_original", "fish.md"), ("download_backup", made)} <= noted


CALLS: dict[str, dict[str, object]] = {
    "get_system": {},
    "get_settings": {},
    "list_people": {},
    "get_account": {},
    "list_limits": {},
    "list_api_keys": {},
    "add_person": {"person": "", "password": PASSWORD},
    "change_password": {"old": f"{PASSWORD}x", "new": PASSWORD},
    "reset_password": {"person": ["x"], "password": PASSWORD},
    "export_graph": {"format": "json"},
    "doctor": {},
    "no_such_thing": {"password": PASSWORD},
}


@pytest.mark.parametrize(
    "address",
    [
        {"mongodb_uri": SecretStr(f"mongodb://bench:{DATABASE}@127.0.0.1:1/?serverSelectionTimeoutMS=200")},
        {"qdrant_url": f"http://bench:{DATABASE}@127.0.0.1:1"},
    ],
    ids=["mongodb", "qdrant"],
)
async def test_the_address_of_a_database_is_told_without_its_password(
    tmp_path: Path, address: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    given: Settings = settings(tmp_path / "home", **address)
    said = []
    workbench = Workbench(given)
    try:
        await workbench.start()
        said.append((await workbench.health()).model_dump_json())
        said += [each.model_dump_json() for each in await workbench.operations.examine()]
    except Exception as error:
        said += [" ".join(explain(error).to("en")), str(error)]
    finally:
        await workbench.stop()
    assert said
    assert DATABASE not in "".join(said)
    assert DATABASE not in caplog.text
