from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.store.data_directory import open_data_directory

HOLD = """
import sys
from pathlib import Path
from core.store.data_directory import open_data_directory
lock = open_data_directory(Path(sys.argv[1]), "http://127.0.0.1:7860")
print("open", flush=True)
sys.stdin.read()
"""


def refused(folder: Path) -> PalimpsestError:
    with pytest.raises(PalimpsestError) as caught:
        open_data_directory(folder, "http://127.0.0.1:9999")
    return caught.value


def test_the_second_is_told_where_the_first_is(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "בית"
    with open_data_directory(folder, "http://127.0.0.1:7860") as lock:
        assert lock.folder == folder
        problem = refused(folder).problem
        assert all("http://127.0.0.1:7860" in what for what in (problem.what.en, problem.what.he))
        assert str(folder) in problem.why.en
    with open_data_directory(folder, "http://127.0.0.1:9999") as lock:
        lock.release()
        open_data_directory(folder, "again").release()


@pytest.mark.skipif(os.name != "posix", reason="rights of folders are POSIX")
def test_the_folder_is_its_owner_s_alone(tmp_path: Path) -> None:
    with open_data_directory(tmp_path / "home", "here"):
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
    open_data_directory(tmp_path, "http://127.0.0.1:9999").release()
