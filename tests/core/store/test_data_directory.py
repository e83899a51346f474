from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.store.data_directory import LOCK, TOKEN, DataDirectoryLock, find_holder, taken, try_data_directory

HOLD = """
import sys
from pathlib import Path
from core.store.data_directory import try_data_directory
lock = try_data_directory(Path(sys.argv[1]))
lock.announce("http://127.0.0.1:7860")
print("open", flush=True)
sys.stdin.read()
"""


def opened(folder: Path, address: str = "") -> DataDirectoryLock:
    lock = try_data_directory(folder)
    if lock is None:
        raise taken(folder)
    if address:
        lock.announce(address)
    return lock


def refused(folder: Path) -> PalimpsestError:
    with pytest.raises(PalimpsestError) as caught:
        opened(folder, "http://127.0.0.1:9999")
    return caught.value


def test_the_second_is_told_where_the_first_is(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "בית"
    with opened(folder, "http://127.0.0.1:7860") as lock:
        assert lock.folder == folder
        problem = refused(folder).problem
        assert all("http://127.0.0.1:7860" in what for what in (problem.what.en, problem.what.he))
        assert str(folder) in problem.why.en
    with opened(folder, "http://127.0.0.1:9999") as lock:
        lock.release()
        opened(folder, "again").release()


@pytest.mark.skipif(os.name != "posix", reason="rights of folders are POSIX")
def test_the_folder_is_its_owner_s_alone(tmp_path: Path) -> None:
    with opened(tmp_path / "home", "here"):
        assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    assert refused(tmp_path / "file" / "home").problem.category == "auth"


@pytest.mark.faults
def test_the_lock_dies_with_its_process(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        assert "7860" in refused(tmp_path).problem.what.en
        process.kill()
        process.wait()
    opened(tmp_path, "http://127.0.0.1:9999").release()


def test_an_address_comes_with_a_token_of_its_own_that_goes_with_the_lock(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    tokens = set()
    for number in range(2):
        with opened(folder) as lock:
            assert find_holder(folder) is None
            lock.announce(f"http://127.0.0.1:{number}", passing=bool(number))
            holder = find_holder(folder)
            assert holder == (f"http://127.0.0.1:{number}", lock.token, bool(number))
            assert (folder / TOKEN).read_text() == lock.token
            tokens.add(lock.token)
        assert not (folder / TOKEN).exists()
        assert find_holder(folder) is None
    assert len(tokens) == 2


@pytest.mark.skipif(os.name != "posix", reason="rights of files are POSIX")
def test_the_token_is_its_owner_s_alone_whatever_a_dead_process_left(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        (tmp_path / TOKEN).write_text("of somebody who is gone")
        (tmp_path / TOKEN).chmod(0o666)
        with opened(tmp_path, "here"):
            assert stat.S_IMODE((tmp_path / TOKEN).stat().st_mode) == 0o600
            assert stat.S_IMODE((tmp_path / LOCK).stat().st_mode) == 0o600
    finally:
        os.umask(before)


def test_who_comes_second_and_does_not_insist_is_told_nothing(tmp_path: Path) -> None:
    with opened(tmp_path, "http://127.0.0.1:7860") as lock:
        assert try_data_directory(tmp_path) is None
        holder = find_holder(tmp_path)
        assert holder
        assert holder.token == lock.token
    released = try_data_directory(tmp_path)
    assert released
    released.release()
