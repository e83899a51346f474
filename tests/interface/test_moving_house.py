"""Tests moving a running workbench to MongoDB: reads work during the move, writes are refused until it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from core.store.data_directory import find_holder
from tests.interface.commands import Commands
from tests.interface.conftest import Served
from tests.mongodb import running_mongodb

pytestmark = pytest.mark.interface

SAMPLES = Path(__file__).parents[2] / "sample_docs"
POLICY = SAMPLES / "travel-and-expense-policy-2024.md"
QUESTION = "What is the lodging limit in Israel?"


@pytest.fixture(scope="module")
def mongodb_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_mongodb(tmp_path_factory.mktemp("mongodb")) as uri:
        yield uri


def door(served: Served, language: str = "en") -> httpx.Client:
    """Returns an API client that is signed in as the owner of the data directory."""
    holder = find_holder(served.home)
    assert holder
    headers = {"Authorization": f"Bearer {holder.token}", "Accept-Language": language}
    return httpx.Client(base_url=holder.address, headers=headers, timeout=60)


def test_a_server_holds_still_is_carried_and_goes_on_at_the_other_place(
    serve: Callable[..., Served], mongodb_uri: str, tmp_path: Path
) -> None:
    served = serve(PALIMPSEST_DENSE_ENABLED="false")
    commands = Commands.beside(served)
    assert commands("add", str(POLICY)).code == 0
    asked = commands("ask", QUESTION, "--json")
    assert asked.code == 0
    notes = tmp_path / "pumps.md"
    notes.write_text("# Pumps\n\nThe pumps are serviced in April.\n")

    with door(served) as api, door(served, "he") as hebrew:
        assert api.post("/api/hold_for_move", json={"seconds": 600}).status_code == 200
        assert "policy" in api.post("/api/list_documents", json={}).text.lower()
        refused = api.post("/api/create_set", json={"name": "Pumps"})
        assert refused.status_code == 503
        assert "is read-only for now" in refused.json()["problem"]["what"]
        assert "לקרוא" in hebrew.post("/api/create_set", json={"name": "Pumps"}).json()["problem"]["what"]
        parts = api.get("/health").json()["parts"]
        assert [each["state"] for each in parts if each["warning"] == "read_only"] == ["amber"]
        assert api.get("/ready").status_code == 200
        for reading in ("get_figures", "list_errors", "get_system", "list_conversations", "get_settings"):
            assert api.post(f"/api/{reading}", json={}).status_code == 200, reading
        added = commands("add", str(notes))
        assert added.code == 1
        assert "is read-only for now" in added.err + added.out
        assert commands("search", "lodging limit in Israel").code == 0

        assert api.post("/api/release_after_move", json={}).status_code == 200
        assert commands("add", str(notes)).code == 0

        moved = commands("migrate", "--to", mongodb_uri, "--json")
        assert moved.code == 0, moved.err
        assert {each["name"]: each["count"] for each in moved.json["parts"]}["files"] == 2
        refused = api.post("/api/create_set", json={"name": "Pumps"})
        assert refused.status_code == 503
        assert "was moved" in refused.json()["problem"]["what"]
    assert (served.home / "moved.json").exists()

    there = serve(PALIMPSEST_DENSE_ENABLED="false", MONGODB_URI=mongodb_uri)
    elsewhere = Commands.beside(there, MONGODB_URI=mongodb_uri)
    assert "April" in elsewhere("search", "when are the pumps serviced").out
    again = elsewhere("ask", QUESTION, "--conversation", asked.json["conversation_id"], "--json")
    assert again.code == 0
    assert again.json["conversation_id"] == asked.json["conversation_id"]
