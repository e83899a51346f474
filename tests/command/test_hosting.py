from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

import app
from command import hosting
from core.settings import Settings
from core.store.data_directory import try_data_directory


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    health = Route("/health", lambda _: PlainTextResponse("well"))
    monkeypatch.setattr(app, "create_app", lambda *_, **__: Starlette(routes=[health]))
    return Settings(_env_file=None, home=tmp_path)  # type: ignore[call-arg]


async def test_a_command_that_has_ended_stays_for_who_has_come_and_not_asked_yet(settings: Settings) -> None:
    lock = try_data_directory(settings.folder)
    assert lock
    told, ends = asyncio.get_running_loop().create_future(), asyncio.Event()

    async def host() -> None:
        async with hosting.hosted(settings, lock, with_pages=False, passing=True) as address:
            told.set_result(address)
            await ends.wait()

    with lock:
        hosting_it = asyncio.create_task(host())
        async with httpx.AsyncClient(base_url=await told) as other:
            assert (await other.get("/health")).text == "well"
            ends.set()
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(asyncio.shield(hosting_it), 0.5)
            assert (await other.get("/health")).text == "well"
        await asyncio.wait_for(hosting_it, 10)


async def test_it_stays_no_longer_than_that(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "LEAVING", 0.2)
    with try_data_directory(settings.folder) as lock:  # type: ignore[union-attr]
        async with httpx.AsyncClient() as other:
            async with hosting.hosted(settings, lock, with_pages=False, passing=True) as address:
                assert (await other.get(f"{address}/health")).text == "well"
            with pytest.raises(httpx.ConnectError):
                await other.get(f"{address}/health")
