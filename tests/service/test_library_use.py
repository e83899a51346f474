"""Tests that the program in ``docs/library-use.md`` does what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "library-use.md"
MOST_LINES = 20


def test_the_program_of_the_page_answers_and_learns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert sum(bool(line.strip()) for line in program.splitlines()) <= MOST_LINES
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PALIMPSEST_DENSE_ENABLED", "false")
    Path("lease.md").write_text(
        "# Lease of a workshop\n\nThe monthly rent of the workshop is 7,250 shekels, due on the third of each month.\n",
        encoding="utf-8",
    )
    names: dict[str, object] = {}
    exec(compile(program, str(PAGE), "exec"), names)
    assert "7,250" in str(names["answer"])
