"""Tests that a process is forked with its modules imported. If an import fails, nothing is reported here; each
workbench then tries the import itself."""

from __future__ import annotations

import gc
import json
import sys
from pathlib import Path

from tests.servers.forked import IMPORTED, forked

NEEDED = (*IMPORTED, "app", "core.workbench", "pages.build", "pages.handlers", "pages.mcp.mounted", "viz.files.word")


def tell(path: Path) -> None:
    path.write_text(json.dumps([gc.get_freeze_count(), *sys.modules]), encoding="utf-8")


def test_what_is_forked_has_its_imports_made_and_does_not_walk_them(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    process = forked(tell, told)
    process.start()
    process.join(180)
    assert process.exitcode == 0
    frozen, *modules = json.loads(told.read_text(encoding="utf-8"))
    assert set(NEEDED) <= set(modules)
    assert frozen > 100_000
