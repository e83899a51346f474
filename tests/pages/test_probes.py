"""Tests who may read the metrics, and how much detail the health check endpoints return."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families

from core.accounts.records import ApiKey
from core.resilience.health import Health, Part
from core.settings import Settings
from core.words import Words
from core.workbench import Workbench
from pages.auth import COOKIE, Identity
from pages.probes import probe_routes
from tests.people import Named


class Presented:
    """API keys of the user ada, one for each scope."""

    async def presented(self, text: str) -> ApiKey | None:
        known = {"id": "key_1", "user_id": "ada", "name": "", "prefix": "", "digest": "", "created_at": 0.0}
        return ApiKey(**known, scopes=(text.removeprefix("pal_"),))


class Sessions:
    """Fake sessions, in which a session's token is the user's name."""

    async def owner_of(self, text: str) -> str | None:
        return text


class Served:
    def __init__(self, home: Path, **given: str) -> None:
        settings = Settings(_env_file=None, home=home, **given)
        self.workbench = Workbench(settings)
        people = Named("ada", "bob")
        people.sessions = Sessions()  # type: ignore[assignment]
        self.identity = Identity(settings, people, Presented())  # type: ignore[arg-type]
        app = FastAPI()
        app.include_router(probe_routes(self.workbench, self.identity, settings))
        self._client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1")

    async def get(self, path: str, person: str = "", key: str = "") -> httpx.Response:
        headers = {"authorization": f"Bearer pal_{key}"} if key else {}
        if person:
            headers["cookie"] = f"{COOKIE}={self.identity.cookie_of(person)}"
        return await self._client.get(path, headers=headers)


async def test_administrators_and_their_programs_read_what_was_measured(tmp_path: Path) -> None:
    served = Served(tmp_path)
    read = await served.get("/metrics", "ada")
    assert "palimpsest_events" in {each.name for each in text_string_to_metric_families(read.text)}
    assert (await served.get("/metrics", key="administer")).status_code == 200
    refused = [
        await served.get("/metrics", "bob"),
        await served.get("/metrics", key="read"),
        await served.get("/metrics"),
    ]
    assert [each.status_code for each in refused] == [401, 401, 401]


@pytest.mark.parametrize(("who", "status"), [("anyone", 200), ("nobody", 404)])
async def test_a_setting_says_who_reads_it(tmp_path: Path, who: str, status: int) -> None:
    served = Served(tmp_path, metrics_for=who)
    assert [(await served.get("/metrics", person)).status_code for person in ("", "ada")] == [status, status]


@pytest.mark.parametrize(
    ("state", "warning", "status"),
    [("green", None, 200), ("amber", None, 200), ("red", "truth_unreadable", 503), ("red", "disk_full", 200)],
)
async def test_a_server_is_ready_as_long_as_it_can_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: Any, warning: str | None, status: int
) -> None:
    served, words = Served(tmp_path), Words.alike("part")

    async def health() -> Health:
        return Health(parts=[Part(name=words, state=state, meaning=words, warning=warning)])

    monkeypatch.setattr(served.workbench, "health", health)
    assert (await served.get("/ready")).status_code == status
    assert (await served.get("/health")).status_code == 200
