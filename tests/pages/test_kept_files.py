"""Tests how browsers may cache page files: permanently if the address contains the file's hash, otherwise only with
revalidation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from fastapi.testclient import TestClient

from pages import kept_files
from pages.kept_files import ASKING_EACH_TIME, ASSETS, FOR_GOOD, KeptFiles, kept, state, with_kept_addresses
from pages.texts import text_routes
from pages.vendor import vendor_routes

SCRIPT = "/page/shared/ui.js"
BEFORE = "/page/v0123456789ab/shared/ui.js"
"""An address with an older hash, as a page requests it that was opened before an upgrade."""


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    app.include_router(vendor_routes())
    app.include_router(text_routes())
    app.mount("/page", StaticFiles(directory=ASSETS))
    app.mount("/assets", StaticFiles(directory=ASSETS / "shared"))
    app.add_middleware(KeptFiles)
    return TestClient(app)


@pytest.mark.parametrize(
    ("address", "how_long"),
    [
        (kept(SCRIPT), FOR_GOOD),
        (kept("/page/texts.json"), FOR_GOOD),
        ("/assets/ui.js", FOR_GOOD),
        (SCRIPT, ASKING_EACH_TIME),
        (BEFORE, ASKING_EACH_TIME),
        ("/page/texts.json", ASKING_EACH_TIME),
        ("/page/vendor/plotly.js", "public, max-age=86400"),
    ],
)
def test_how_long_a_file_may_be_kept(client: TestClient, address: str, how_long: str) -> None:
    reply = client.get(address)
    assert reply.status_code == 200
    assert reply.headers["cache-control"] == how_long


def test_the_same_is_there_under_each_address(client: TestClient) -> None:
    text = (ASSETS / "shared" / "ui.js").read_bytes()
    assert {client.get(each).content for each in (SCRIPT, kept(SCRIPT), BEFORE, "/assets/ui.js")} == {text}


def test_what_is_not_there_is_not_kept(client: TestClient) -> None:
    for address in (kept("/page/shared/nothing.js"), kept("/page/../app.py"), "/assets/nothing.js"):
        reply = client.get(address)
        assert reply.status_code == 404
        assert "cache-control" not in reply.headers


def test_a_state_is_that_of_all_files_and_texts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kept_files, "ASSETS", tmp_path)

    def now() -> str:
        state.cache_clear()
        return state()

    try:
        states = [now()]
        (tmp_path / "one.js").write_text("1")
        states.append(now())
        (tmp_path / "one.js").write_text("2")
        states.append(now())
        (tmp_path / "one.js").rename(tmp_path / "two.js")
        states += [now(), now()]
        monkeypatch.setattr(kept_files, "page_texts", dict)
        states.append(now())
    finally:
        state.cache_clear()
    assert len(set(states)) == 5
    assert states[3] == states[4]
    assert all(re.fullmatch("v[0-9a-f]{12}", each) for each in states)


def test_scripts_name_their_files_by_where_they_are_themselves() -> None:
    """So that all files of a page come from one version. Files of installed packages have their own versions."""
    for path in ASSETS.rglob("*.js"):
        if path.name != "loader.js":
            assert not re.search(r"[\"'`]/page/(?!vendor/)", path.read_text("utf-8")), path
    assert with_kept_addresses('import("/page/chat/chat.js")') == f'import("/page/{state()}/chat/chat.js")'
