from __future__ import annotations

from pathlib import Path

from core.settings import Settings
from core.store.storage import storage_of

KILOBYTE = 1024


def test_room_is_counted_by_kind(tmp_path: Path) -> None:
    settings = Settings(_env_file=None, home=tmp_path)
    sizes = {"files/a/content": 9, "truth.sqlite": 5, "truth.sqlite-wal": 3, "index/segment/0": 7, "prompts/mine.j2": 1}
    for name, kilobytes in sizes.items():
        path = settings.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * kilobytes * 4 * KILOBYTE)
    (settings.folder / "files" / "again").symlink_to(settings.folder / "truth.sqlite")
    found = storage_of(settings)
    assert found.kinds == {
        "originals": 36 * KILOBYTE, "records": 32 * KILOBYTE, "index": 28 * KILOBYTE, "other": 4 * KILOBYTE
    }  # fmt: skip
    assert found.free > 0
    assert found.servers == []


def test_what_lies_on_servers_is_named(tmp_path: Path) -> None:
    settings = Settings(_env_file=None, home=tmp_path, mongodb_uri="mongodb://db", qdrant_url="http://qdrant:6333")
    settings.folder.mkdir(parents=True, exist_ok=True)
    assert storage_of(settings).servers == ["MongoDB", "Qdrant"]
