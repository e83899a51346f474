from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.settings import Settings
from core.store.overrides import MEGABYTE, Overrides
from core.store.sqlite.truth import SqliteTruth

FILE = "limits.file_bytes"


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PALIMPSEST_LIMITS__FILE_BYTES", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def open_overrides(truth: SqliteTruth):
    async def start() -> tuple[Settings, Overrides]:
        settings = Settings(_env_file=None)
        overrides = Overrides(truth, settings, lambda: 1.0)
        await overrides.ensure()
        await overrides.load()
        return settings, overrides

    return start


def test_the_default_fits_reports() -> None:
    assert Settings(_env_file=None).limits.file_bytes == 50 * MEGABYTE
    assert Settings(_env_file=None).limits.document_pages == 5_000


async def test_a_change_holds_at_once_and_after_the_next_start(open_overrides) -> None:
    settings, overrides = await open_overrides()
    seen: list[int] = []
    overrides.watch(lambda: seen.append(settings.limits.file_bytes))
    await overrides.change(FILE, 80 * MEGABYTE)
    assert seen == [50 * MEGABYTE, 80 * MEGABYTE]
    later, again = await open_overrides()
    assert later.limits.file_bytes == 80 * MEGABYTE
    await again.change(FILE, None)
    assert later.limits.file_bytes == 50 * MEGABYTE
    await overrides.load()
    assert settings.limits.file_bytes == 50 * MEGABYTE


@pytest.mark.parametrize("value", [0, -1, MEGABYTE - 1, 501 * MEGABYTE, "many", 1.5, [1]])
async def test_what_does_not_fit_changes_nothing(open_overrides, value) -> None:
    settings, overrides = await open_overrides()
    with pytest.raises(PalimpsestError) as caught:
        await overrides.change(FILE, value)
    assert caught.value.problem.category == "validation"
    assert settings.limits.file_bytes == 50 * MEGABYTE
    assert (await open_overrides())[0].limits.file_bytes == 50 * MEGABYTE


@pytest.mark.parametrize("name", ["limits.nothing", "users", "openai_api_key", "__class__.x"])
async def test_only_what_is_listed_is_changed(open_overrides, name: str) -> None:
    _, overrides = await open_overrides()
    with pytest.raises(PalimpsestError):
        await overrides.change(name, 1)


async def test_the_environment_wins(open_overrides, monkeypatch: pytest.MonkeyPatch) -> None:
    _, overrides = await open_overrides()
    await overrides.change(FILE, 80 * MEGABYTE)
    monkeypatch.setenv("PALIMPSEST_LIMITS__FILE_BYTES", str(20 * MEGABYTE))
    settings, later = await open_overrides()
    assert settings.limits.file_bytes == 20 * MEGABYTE
    assert {each.name: each.fixed for each in later.all()} == {FILE: True, "limits.document_pages": False}
    with pytest.raises(PalimpsestError) as caught:
        await later.change(FILE, 30 * MEGABYTE)
    assert "environment" in caught.value.problem.why.en


async def test_a_stored_value_that_no_longer_fits_is_left_out(open_overrides, truth: SqliteTruth) -> None:
    await (await open_overrides())[1].change("limits.document_pages", 100)
    await truth.collection("settings_overrides").upsert({"_id": FILE, "value": "broken"})
    settings, _ = await open_overrides()
    assert (settings.limits.file_bytes, settings.limits.document_pages) == (50 * MEGABYTE, 100)


async def test_a_change_that_cannot_be_stored_is_not_applied(open_overrides, truth: SqliteTruth) -> None:
    settings, overrides = await open_overrides()
    await truth.stop()
    with pytest.raises(RuntimeError):
        await overrides.change(FILE, 80 * MEGABYTE)
    assert settings.limits.file_bytes == 50 * MEGABYTE
    await truth.start()


async def test_a_look_at_the_store_never_undoes_a_change(open_overrides, truth: SqliteTruth, monkeypatch) -> None:
    """Maintenance reads the stored value, and a user changes it before maintenance applies the value."""
    settings, overrides = await open_overrides()
    stored = truth.collection("settings_overrides")
    find, read, go_on = stored.find, asyncio.Event(), asyncio.Event()

    async def slow(*given: object) -> object:
        rows = await find(*given)
        read.set()
        await go_on.wait()
        return rows

    monkeypatch.setattr(stored, "find", slow)
    load = asyncio.create_task(overrides.load())
    await read.wait()
    change = asyncio.create_task(overrides.change(FILE, 80 * MEGABYTE))
    go_on.set()
    await asyncio.gather(load, change)
    assert settings.limits.file_bytes == 80 * MEGABYTE
