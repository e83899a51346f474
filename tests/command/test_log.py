"""Tests that log files are rotated when full and are readable only by their owner."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from command.log import log_to
from core.settings import Settings


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    before = list(root.handlers)
    yield
    for handler in [each for each in root.handlers if each not in before]:
        root.removeHandler(handler)
        handler.close()


def logged(home: Path, **log: object) -> list[Path]:
    log_to(sys.stderr, Settings(_env_file=None, home=home, log=log))  # type: ignore[call-arg, arg-type]
    for number in range(200):
        logging.getLogger("test").error("the line %s of many", number)
    return sorted(home.glob("server.log*"))


def test_a_full_file_is_set_aside_and_so_many_are_kept(tmp_path: Path) -> None:
    files = logged(tmp_path, file="server.log", megabytes=0.002, kept=2)
    assert [each.name for each in files] == ["server.log", "server.log.1", "server.log.2"]
    assert all(each.stat().st_size <= 2_000 and each.stat().st_mode & 0o777 == 0o600 for each in files)
    assert "the line 199 of many" in files[0].read_text(encoding="utf-8")


def test_without_a_name_there_is_no_file(tmp_path: Path) -> None:
    assert logged(tmp_path) == []
