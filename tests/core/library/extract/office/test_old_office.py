"""Tests DOC and PPT through LibreOffice, which is replaced by a script of the tests."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import docx
import pytest

from core.errors import PalimpsestError
from core.library.extract.office import libreoffice
from core.library.extracted import Extracted

Read = Callable[[str, bytes | str], Extracted]
OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le")


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Replaces LibreOffice with a shell script that the test writes; the result of the conversion is ``made.docx``."""
    document: Any = docx.Document()
    document.add_paragraph("The rent is 12,000.")
    out = io.BytesIO()
    document.save(out)
    (tmp_path / "made.docx").write_bytes(out.getvalue())
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    libreoffice.program.cache_clear()

    def put(script: str) -> None:
        (folder / "soffice").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "soffice").chmod(0o755)

    yield put
    libreoffice.program.cache_clear()


def test_an_old_file_is_read_as_its_conversion(read: Read, program: Callable[[str], None], tmp_path: Path) -> None:
    # $11 is the output folder; the first start only creates the profile.
    program(
        f'test -e "$HOME/started" || {{ touch "$HOME/started"; exit 81; }}\n'
        f'grep -q DisableMacrosExecution "$HOME/profile/user/registrymodifications.xcu" || exit 1\n'
        f'test "${{12##*.}}" = doc || exit 1\nmkdir -p "${{11}}" && cp {tmp_path}/made.docx "${{11}}/document.docx"'
    )
    extracted = read("lease.doc", OLD)
    assert (extracted.text, extracted.mime) == ("The rent is 12,000.", "application/msword")


def test_what_cannot_be_converted_is_damaged(read: Read, program: Callable[[str], None]) -> None:
    program("exit 0")
    with pytest.raises(PalimpsestError) as caught:
        read("lease.doc", OLD)
    assert "damaged" in caught.value.problem.what.en


def test_without_the_program_the_refusal_names_it(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libreoffice, "program", lambda: None)
    with pytest.raises(PalimpsestError) as caught:
        read("lease.doc", OLD)
    assert "an old Word file" in caught.value.problem.why.en
    assert "LibreOffice" in caught.value.problem.remedy.en
