"""Tests that a damaged backup file is either read unchanged or refused with an error message."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import PalimpsestError
from core.memory.maintenance.archive import FORMAT, Manifest, Reader, Writer
from core.store.truth import Json

ROWS: list[Json] = [{"_id": f"mem_{number:032x}", "user_id": "ada", "text": "שלום zebra"} for number in range(20)]


CONTENT = b"original" * 100
ORIGINAL = f"files/{'a' * 32}/{hashlib.sha256(CONTENT).hexdigest()}"


def write(path: Path, original: str = ORIGINAL) -> Path:
    with path.open("wb") as file:
        writer = Writer(file)
        with writer.member("records/items.jsonl") as lines:
            lines.rows(ROWS)
        writer.add_vectors(0, [(str(row["_id"]), "hash") for row in ROWS], np.eye(20, dtype=np.float32))
        writer.add(original, CONTENT, 1)
        known = writer.members
        writer.close(
            Manifest(format=FORMAT, app="0", created_at=1.0, user_id="ada", model="m", dimension=20, members=known)
        )
    return path


def read(path: Path) -> tuple[list[Json], dict[str, list[float]]]:
    reader = Reader(path)
    try:
        reader.verify()
        rows = list(reader.rows("items"))
        return rows, {item_id: reader.vector(place).tolist() for item_id, place in reader.vectors().items()}
    finally:
        reader.close()


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("backup") / "backup.zip")


def test_what_was_written_is_read(backup: Path) -> None:
    rows, vectors = read(backup)
    assert rows == ROWS
    assert list(vectors) == [row["_id"] for row in ROWS]
    assert vectors[str(ROWS[3]["_id"])].index(1.0) == 3


def test_a_file_under_anothers_digest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PalimpsestError):
        read(write(tmp_path / "backup.zip", f"files/{'a' * 32}/{'0' * 64}"))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_bent_bytes_are_harmless_or_refused(backup: Path, tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(backup.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content))) if data.draw(st.booleans()) else len(content)
    bent = tmp_path / "bent.zip"
    bent.write_bytes(content[:cut])
    with contextlib.suppress(PalimpsestError):
        assert read(bent) == read(backup)
