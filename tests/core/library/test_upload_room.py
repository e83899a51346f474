"""Tests the limits of the uploads folder: by free disk space, by bytes per user, and by time."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from core.clock import HOUR
from core.errors import NoRoomError, PalimpsestError
from core.library.intake.uploads import Uploads, upload_folder
from core.setting_groups import Limits
from core.settings import Settings
from core.upload_settings import Uploads as Bounds

MEGABYTE = 1024 * 1024


class Disk:
    """A disk of ``size`` bytes with the data directory on it and other programs' files."""

    def __init__(self, folder: Path, size: int, patch: pytest.MonkeyPatch) -> None:
        self.others = 0
        usage = shutil.disk_usage(folder)

        def told(_: object) -> object:
            used = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            return usage._replace(free=size - used - self.others)

        patch.setattr("shutil.disk_usage", told)


def uploads(home: Path, low: int = 20 * MEGABYTE, most: int = 500 * MEGABYTE, now: float = 0.0) -> Uploads:
    bounds = {"limits": Limits(disk_low_bytes=low), "uploads": Bounds(unsubmitted_bytes=most)}
    return Uploads(Settings(_env_file=None, home=home, **bounds), lambda: now)  # type: ignore[arg-type]


async def send(taking: Uploads, size: int, user: str = "ada", declared: bool = True) -> Path:
    async with taking.arriving(user, size if declared else 0) as arrival:
        with (arrival.place / "file").open("wb") as file:
            for _ in range(size // MEGABYTE):
                arrival.take(MEGABYTE)
                file.write(b"x" * MEGABYTE)
                file.flush()
                await asyncio.sleep(0)
        return arrival.place / "file"


def sent(home: Path) -> int:
    return sum(path.stat().st_size for path in home.rglob("*") if path.is_file())


@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize("together", [True, False])
async def test_uploads_leave_the_least_room_and_those_that_are_refused_leave_nothing(
    declared: bool, together: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Disk(tmp_path, 50 * MEGABYTE, monkeypatch)
    taking = uploads(tmp_path)
    sending = [send(taking, 6 * MEGABYTE, f"person {number}", declared) for number in range(9)]
    if together:
        done = await asyncio.gather(*sending, return_exceptions=True)
    else:
        done = [(await asyncio.gather(each, return_exceptions=True))[0] for each in sending]
    refused = [each for each in done if isinstance(each, NoRoomError)]
    taken = [each for each in done if isinstance(each, Path)]
    assert len(refused) + len(taken) == 9
    assert sent(tmp_path) == len(taken) * 6 * MEGABYTE <= 40 * MEGABYTE
    assert declared is False or len(taken) == 6, "what is promised to one is not promised to another"


async def test_an_upload_stops_when_another_program_fills_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, taking = Disk(tmp_path, 50 * MEGABYTE, monkeypatch), uploads(tmp_path)

    async def fill_while(sending: Uploads) -> None:
        async with sending.arriving("ada", 10 * MEGABYTE) as arrival:
            arrival.take(MEGABYTE)
            disk.others = 35 * MEGABYTE
            arrival.take(MEGABYTE)

    with pytest.raises(NoRoomError):
        await fill_while(taking)
    assert not [*upload_folder(Settings(_env_file=None, home=tmp_path)).glob("*/*")]  # type: ignore[call-arg]


@pytest.mark.parametrize("declared", [True, False])
async def test_one_person_has_a_budget_of_what_was_not_added_and_one_file_is_always_taken(
    declared: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Disk(tmp_path, 500 * MEGABYTE, monkeypatch)
    taking = uploads(tmp_path, most=10 * MEGABYTE)
    first = await send(taking, 12 * MEGABYTE, declared=declared)
    with pytest.raises(PalimpsestError) as refused:
        await send(taking, MEGABYTE, declared=declared)
    assert "12 MB" in refused.value.problem.why.en
    assert "60" in refused.value.problem.remedy.to("he")
    await send(taking, MEGABYTE, "bob", declared)
    first.unlink()  # as the library does when it takes over a file
    done = await asyncio.gather(
        *(send(taking, 4 * MEGABYTE, declared=declared) for _ in range(5)), return_exceptions=True
    )
    assert sum(isinstance(each, Path) for each in done) <= 2
    assert sent(tmp_path) <= 11 * MEGABYTE


async def test_an_upload_that_is_given_up_counts_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Disk(tmp_path, 50 * MEGABYTE, monkeypatch)
    taking = uploads(tmp_path)

    async def give_up() -> None:
        async with taking.arriving("ada", 35 * MEGABYTE) as arrival:
            arrival.take(MEGABYTE)
            raise ConnectionError

    with pytest.raises(ConnectionError):
        await give_up()
    assert (await send(taking, 35 * MEGABYTE)).exists()


async def test_what_is_not_added_within_an_hour_goes_but_for_what_still_arrives(tmp_path: Path) -> None:
    path = await send(uploads(tmp_path, low=0), MEGABYTE)
    began = path.parent.stat().st_mtime
    uploads(tmp_path, now=began + 0.9 * HOUR).remove_abandoned()
    assert path.exists()
    os.utime(path.parent, (began - 2 * HOUR, began - 2 * HOUR))
    uploads(tmp_path, now=began + 0.9 * HOUR).remove_abandoned()
    assert path.exists(), "it took two hours to arrive"
    late = uploads(tmp_path, low=0, now=began + 1.1 * HOUR)
    async with late.arriving("bob") as arrival:
        late.remove_abandoned()
        assert arrival.place.exists()
    assert not path.exists()
    assert sent(upload_folder(Settings(_env_file=None, home=tmp_path))) == 0  # type: ignore[call-arg]
