"""Tests that scripts of installed packages are served completely, and no other files of these packages."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from pages.vendor import SCRIPTS, script_path, vendor_routes


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    app.include_router(vendor_routes())
    return TestClient(app)


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_scripts_are_served_from_their_packages(client: TestClient, name: str) -> None:
    reply = client.get(f"/page/vendor/{name}")
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("text/javascript")
    assert len(reply.content) > 100_000


@pytest.mark.parametrize("name", ["other.js", "..%2f..%2fapp.py", "vis-network.css"])
def test_nothing_else_is_served(client: TestClient, name: str) -> None:
    assert client.get(f"/page/vendor/{name}").status_code == 404
    assert script_path(name) is None
