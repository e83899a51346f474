"""Tests which files are unpacked from a ZIP archive, and which are not."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.library.intake import zip_archive
from core.library.intake.members import Member, Refused
from core.library.intake.zip_archive import files_in, is_archive
from core.settings import Settings


def archive(path: Path, files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return path


def given(path: Path, folder: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    """Returns the unpacked files' contents by name, and the reasons why other files were skipped, by name."""
    folder.mkdir()
    found, refused = {}, {}
    for each in files_in(path, path.name, folder, Settings(data_dir=folder)):
        if isinstance(each, Member):
            assert isinstance(each.content, Path)
            assert each.content.parent == folder
            found[each.name] = each.content.read_bytes()
        else:
            assert isinstance(each, Refused)
            refused[each.name] = each.problem.why.en
    return found, refused


def test_each_file_comes_out_under_a_safe_name_and_hidden_ones_do_not(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as packed:
        packed.writestr("deep.txt", "deep")
    files = {
        "../../etc/evil.txt": b"evil",
        "C:\\reports\\plan.md": b"# Plan",
        "2023/report.csv": b"a,b\n1,2\n",
        "2024/report.csv": b"a,b\n3,4\n",
        "README": b"Read me.",
        "2024/": b"",
        "__MACOSX/._plan.md": b"x",
        ".git/config": b"x",
        "film.mp4": b"x",
        "inner.zip": inner.getvalue(),
        "unnamed": inner.getvalue(),
        "nothing.txt": b"",
    }
    path = archive(tmp_path / "all.zip", files)
    assert is_archive(path, "all.zip")
    found, refused = given(path, tmp_path / "out")
    assert found == {
        "evil.txt": b"evil",
        "plan.md": b"# Plan",
        "2023 - report.csv": b"a,b\n1,2\n",
        "2024 - report.csv": b"a,b\n3,4\n",
        "README": b"Read me.",
    }
    assert set(refused) == {"film.mp4", "inner.zip", "unnamed", "nothing.txt"}
    assert "outer archive" in refused["inner.zip"]
    assert "outer archive" in refused["unnamed"]


def test_an_encrypted_or_damaged_file_keeps_back_no_other(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"one.txt": b"one" * 50, "two.txt": b"two" * 50, "three.txt": b"three"}, 0)
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"onethree"[:3])] ^= 0xFF  # makes the checksum of one.txt wrong
    entry = raw.rindex(b"two.txt") - 46
    raw[entry + 8] |= 1
    path.write_bytes(raw)
    found, refused = given(path, tmp_path / "out")
    assert found == {"three.txt": b"three"}
    assert "encrypted" in refused["two.txt"]
    assert "broken" in refused["one.txt"]


def test_hebrew_names_of_old_archives_are_read(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"xxxx.txt": b"text"})
    path.write_bytes(path.read_bytes().replace(b"xxxx", "דוחו".encode("cp862")))
    assert set(given(path, tmp_path / "out")[0]) == {"דוחו.txt"}


def test_what_holds_too_much_is_refused_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = archive(tmp_path / "bomb.zip", {f"{n}.csv": b"0" * 21_000_000 for n in range(2)})
    assert all("use up the memory" in why for why in given(bomb, tmp_path / "a")[1].values())
    many = archive(tmp_path / "many.zip", {f"{n}.txt": b"x" for n in range(501)})
    with pytest.raises(PalimpsestError, match="too many"):
        given(many, tmp_path / "b")
    settings = Settings(data_dir=tmp_path)
    settings = settings.model_copy(
        update={"limits": settings.limits.model_copy(update={"unpacked_bytes": 10, "table_file_bytes": 10})}
    )
    with pytest.raises(PalimpsestError, match="unpacked"):
        next(files_in(archive(tmp_path / "c.zip", {"a.txt": b"x" * 11}), "c.zip", tmp_path, settings))
    with pytest.raises(PalimpsestError, match="no documents"):
        given(archive(tmp_path / "d.zip", {".hidden": b"x"}), tmp_path / "d")
    monkeypatch.setattr(zip_archive, "MOST_DIRECTORY", 1_000)
    with pytest.raises(PalimpsestError, match="too many"):
        is_archive(many, "many.zip")


def test_a_document_that_is_packed_is_no_archive(tmp_path: Path) -> None:
    parts = {"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w/>"}
    assert not is_archive(archive(tmp_path / "a.zip", parts), "a.zip")
    assert not is_archive(archive(tmp_path / "a.docx", {"a.txt": b"x"}), "a.docx")
    text = tmp_path / "text.zip"
    text.write_bytes(b"text")
    assert not is_archive(text, "text.zip")
