"""Tests that packages and modules stay small, and that each module says what it is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOPS = ("command", "core", "pages", "viz")
ROOMS = sorted({path.parent for top in TOPS for path in (ROOT / top).rglob("*.py")})
MODULES = [ROOT / "app.py", *(path for top in (*TOPS, "benchmarks") for path in sorted((ROOT / top).rglob("*.py")))]
MOST = 30
"""Maximum number of modules in one folder, without ``__init__``."""
MOST_LINES, MOST_OF_A_FUNCTION = 400, 50
"""Maximum number of lines of a module, and of a function from its name to its end, including docstring and nested
functions."""


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_a_room_can_be_seen_at_once_and_says_what_it_is(room: Path) -> None:
    modules = [each for each in room.glob("*.py") if each.name != "__init__.py"]
    assert len(modules) <= MOST
    for module in (room / "__init__.py", *modules):
        assert ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))), module.name


def too_long(name: str, source: str) -> list[str]:
    """The too long parts of a module: the module itself, and functions by name."""
    lengths = {name: source.count("\n")} if source.count("\n") > MOST_LINES else {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            lengths |= {f"{name}: {node.name}": length} if length > MOST_OF_A_FUNCTION else {}
    return [f"{each} has {length} lines" for each, length in lengths.items()]


def test_modules_and_functions_can_be_read_at_once() -> None:
    found = (too_long(str(each.relative_to(ROOT)), each.read_text(encoding="utf-8")) for each in MODULES)
    assert [each for long in found for each in long] == []


def test_what_is_too_long_is_found() -> None:
    function = "def long() -> None:\n" + "    pass\n" * 50
    assert too_long("one.py", function) == ["one.py: long has 51 lines"]
    assert too_long("one.py", "x = 1\n" * 401) == ["one.py has 401 lines"]
    assert too_long("one.py", "x = 1\n" * 400) == []
