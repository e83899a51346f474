"""Rooms stay small enough to be seen at once, and each says what it is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = sorted({path.parent for top in ("command", "core", "pages", "viz") for path in (ROOT / top).rglob("*.py")})
MOST = 30
"""Modules in one folder, ``__init__`` left out."""


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_a_room_can_be_seen_at_once_and_says_what_it_is(room: Path) -> None:
    modules = [each for each in room.glob("*.py") if each.name != "__init__.py"]
    assert len(modules) <= MOST
    for module in (room / "__init__.py", *modules):
        assert ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))), module.name
