"""Tests that ``docs/tools-checklist.md`` has every checklist item for tools, and that the tests it names exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "tools-checklist.md"
ITEMS = {
    "Server starts without errors": (1, 5),
    "All tools listed": (1, 5),
    "Parameters validated": (1, 5),
    "Hebrew input supported": (1, 5),
    "Error responses structured": (1, 5),
    "Resource mapper created": (2, 5),
    "Schema generator created": (2, 5),
    "Semantic expansions defined": (2, 10),
    "Documentation generated": (2, 5),
    "ToolIntelligence entry added": (3, 10),
    "Parameter aliases defined": (3, 5),
    "Intent patterns added": (3, 5),
    "Fallback chain configured": (3, 5),
    "Tool appears in filtered list": (4, 5),
    "Execution succeeds": (4, 10),
    "Error handling works": (4, 5),
    "Fallback tested": (4, 5),
}
"""The layer and the points of each checklist item."""
NOT_APPLYING = "does not apply"


def _rows() -> list[list[str]]:
    lines = [line for line in DOCUMENT.read_text("utf-8").splitlines() if re.match(r"\| \d", line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _tests_of(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_item_is_there_and_they_make_a_hundred() -> None:
    assert {row[1]: (int(row[0]), int(row[2])) for row in _rows()} == ITEMS
    assert sum(points for _, points in ITEMS.values()) == 100


@pytest.mark.parametrize("row", _rows(), ids=lambda row: row[1])
def test_what_proves_it_exists(row: list[str]) -> None:
    assert row[3]
    for cell in row[4:6]:
        if cell != NOT_APPLYING:
            file, name = cell.strip("`").split("::")
            assert name in _tests_of(file)


def test_every_test_that_it_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", DOCUMENT.read_text("utf-8"))
    assert len(named) > 2 * len(ITEMS) - 2
    assert [(file, name) for file, name in named if name not in _tests_of(file)] == []


def test_the_scores_are_those_of_the_table() -> None:
    said = re.findall(r"\*\*(\d+) of (\d+)\*\*", DOCUMENT.read_text("utf-8"))
    counted = [sum(int(row[2]) for row in _rows() if row[column] != NOT_APPLYING) for column in (4, 5)]
    assert said == [(str(points), str(points)) for points in counted]
