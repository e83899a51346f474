"""Tests that ``docs/troubleshooting.md`` has one section for each warning of the doctor and of the health card, and no
others."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from core.operations.doctor.findings import WARNINGS

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "troubleshooting.md"
PARTS = ("Symptom", "Diagnosis", "Cause", "Fix")


def calls(name: str) -> Iterator[ast.Call]:
    """Returns the calls of the function ``name`` in all of core."""
    for path in ROOT.glob("core/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node


def test_every_warning_has_its_part() -> None:
    parts = re.split(r"^## ", DOCUMENT.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    told = {part.splitlines()[0]: part for part in parts}
    assert list(told) == list(WARNINGS)
    for name, part in told.items():
        assert re.findall(r"^- \*\*(\w+)\*\*: \S", part, re.MULTILINE) == list(PARTS), name


def test_every_warning_is_given_by_a_check() -> None:
    spelled = {
        each.value
        for path in (*(ROOT / "core" / "operations").rglob("*.py"), ROOT / "command" / "doctor.py")
        if path.name != "findings.py"
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(each, ast.Constant)
    }
    assert set(WARNINGS) <= spelled


def test_every_part_of_the_health_card_that_may_be_amber_names_its_warning() -> None:
    named = set()
    for node in calls("Part"):
        given = {each.arg: each.value for each in node.keywords}
        state = given["state"]
        if isinstance(state, ast.Constant) and state.value == "green":
            continue
        assert "warning" in given, ast.unparse(node)
        named |= {each.value for each in ast.walk(given["warning"]) if isinstance(each, ast.Constant) and each.value}
    assert named - {"amber", "red", "green"} <= set(WARNINGS)
    assert {"index_away", "meaning_off", "tool_server_away", "truth_unreadable"} <= named
