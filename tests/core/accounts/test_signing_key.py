from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from core.accounts.signing_key import LENGTH, signing_key


def test_it_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "home" / "session.key"
    before = os.umask(0)
    try:
        key = signing_key(file)
    finally:
        os.umask(before)
    assert len(key) == LENGTH
    assert signing_key(file) == key
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert [each.name for each in file.parent.iterdir()] == ["session.key"]


@pytest.mark.parametrize("left", [b"", b"short", b"x" * (LENGTH - 1)])
def test_what_a_crash_left_is_never_used(tmp_path: Path, left: bytes, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    file = tmp_path / "session.key"
    file.write_bytes(left)
    key = signing_key(file)
    assert len(key) == LENGTH
    assert not key.startswith(left or b"\0\0\0\0")
    assert signing_key(file) == key
    assert f"held {len(left)} bytes" in caplog.text
