"""Tests that no other user of the machine can read the data directory, whichever program made a file and whatever the
umask."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import app
from core.store.private_files import keep_private
from tests.service.conftest import Open
from tests.service.house import POLICY, settings


@pytest.fixture(autouse=True)
def _open_to_all() -> Iterator[None]:
    """Sets a umask that gives all users every permission on new files."""
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    return [
        f"{each} {oct(each.stat().st_mode)}" for each in [folder, *folder.rglob("*")] if each.stat().st_mode & 0o077
    ]


async def test_whatever_engines_make_is_the_owners_alone(open_house: Open, tmp_path: Path) -> None:
    home = tmp_path / "home"
    app.create_app(settings(home), with_pages=False)
    house = await open_house()
    document = await house.read("policy.md", POLICY)
    await house.ask("What is reimbursed for a night in a hotel in Haifa?")
    await house.workbench.viewer.reading("ada", document.id)
    assert len(list(home.rglob("*"))) > 10
    assert open_to_others(home) == []


def test_what_lies_there_from_before_is_set_right(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    (home / "files").mkdir(parents=True)
    (home / "files" / "content").write_text("plans", encoding="utf-8")
    elsewhere.write_text("somebody else's", encoding="utf-8")
    (home / "link").symlink_to(elsewhere)
    keep_private(home)
    assert oct((home / "files" / "content").stat().st_mode & 0o777) == "0o600"
    assert oct(home.stat().st_mode & 0o777) == "0o700"
    assert oct(elsewhere.stat().st_mode & 0o777) == "0o666"
    assert "3 files and folders" in caplog.text
    caplog.clear()
    keep_private(home)
    assert caplog.text == ""
