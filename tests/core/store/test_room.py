"""Tests the disk space that is reserved for a full disk, and what happens when records are unreadable."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from core.errors import PalimpsestError, explain
from core.setting_groups import Limits
from core.settings import Settings
from core.store.room import (
    DELETION_BYTES,
    RESERVE_BYTES,
    WORK_BYTES,
    Reserve,
    refuse_start_without_room,
    refuse_without_room,
)
from core.store.truth_file import aside, refuse_unreadable, set_aside


def settings(home: Path, **limits: int) -> Settings:
    home.mkdir(exist_ok=True)
    return Settings(_env_file=None, home=home, limits=Limits(**limits))  # type: ignore[call-arg]


def free(bytes_: int, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Makes the disk report this much free space."""
    usage = shutil.disk_usage(folder)
    patch.setattr("shutil.disk_usage", lambda _: usage._replace(free=bytes_))


def test_room_is_laid_by_given_up_once_and_laid_by_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reserve = Reserve(settings(tmp_path))
    reserve.keep()
    assert (tmp_path / "reserve").stat().st_size == RESERVE_BYTES
    free(0, tmp_path, monkeypatch)
    with pytest.raises(PalimpsestError):
        reserve.require(WORK_BYTES)
    assert (tmp_path / "reserve").exists(), "it is for deletions alone"
    with pytest.raises(PalimpsestError):
        reserve.require(DELETION_BYTES)
    assert not (tmp_path / "reserve").exists()
    reserve.keep()
    assert not reserve.give_up(), "nothing is laid by on a full disk"
    monkeypatch.undo()
    reserve.keep()
    refuse_start_without_room(settings(tmp_path))
    assert (tmp_path / "reserve").exists(), "a start with room leaves it"


def test_a_start_without_room_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free(3 * 1024 * 1024, tmp_path, monkeypatch)
    with pytest.raises(PalimpsestError) as refused:
        refuse_start_without_room(settings(tmp_path))
    assert "3.0 MB free; 8 MB are needed" in refused.value.problem.why.en
    assert str(tmp_path) in refused.value.problem.why.to("he")


def test_a_file_that_would_fill_the_disk_is_refused_with_words(tmp_path: Path) -> None:
    refuse_without_room(settings(tmp_path))
    with pytest.raises(PalimpsestError) as refused:
        refuse_without_room(settings(tmp_path, disk_low_bytes=2**60))
    assert "disk space" in refused.value.problem.what.en
    assert "disk" in explain(OSError(28, "No space left on device")).what.en


def test_records_that_cannot_be_read_are_refused_and_kept_aside(tmp_path: Path) -> None:
    known, path = settings(tmp_path), tmp_path / "truth.sqlite"
    refuse_unreadable(known)
    with sqlite3.connect(path) as truth:
        truth.execute("CREATE TABLE documents (id, body)")
        truth.executemany("INSERT INTO documents VALUES (?, ?)", [(str(n), "x" * 500) for n in range(200)])
    truth.close()
    refuse_unreadable(known)
    assert set_aside(known) is None
    whole = path.read_bytes()
    for bent in (whole[: len(whole) // 2], b"scribble" * 4000, whole[:5000] + b"\xff" * 20_000 + whole[25_000:]):
        path.write_bytes(bent)
        with pytest.raises(PalimpsestError) as refused:
            refuse_unreadable(known)
        assert "palimpsest restore" in refused.value.problem.remedy.en
        assert path.read_bytes() == bent, "nothing is changed"
    kept = set_aside(known)
    assert kept
    assert (kept / "truth.sqlite").read_bytes() == bent
    assert aside(tmp_path) == [kept / "truth.sqlite"]
    assert not path.exists()
