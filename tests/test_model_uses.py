"""Tests that ``docs/specification.md`` lists the model's tasks: every prompt template, each with two existing tests."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from core.prompts.templates import OURS, SUFFIX

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "specification.md").read_text(encoding="utf-8")
ROWS = [
    line for line in TEXT.partition("## What a model is asked")[2].partition("\n## ")[0].splitlines() if "| `" in line
]
BLOCKS = {"contextual_memory", "known_context", "memory_context"}
"""Templates for the memory part of an answer's prompt; they are never a whole prompt."""


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_every_template_that_a_model_is_asked_with_has_its_row() -> None:
    there = {path.name.removesuffix(SUFFIX) for path in OURS.glob(f"*{SUFFIX}")} - BLOCKS | {"tools/summary"}
    assert sorted(_cells(row)[0].strip("`") for row in ROWS) == sorted(there)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: _cells(row)[0].strip("`"))
def test_its_two_tests_are_there(row: str) -> None:
    file, *tests = re.findall(r"`([^`]+)`", _cells(row)[-1])
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    functions = {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
    assert len(tests) == 2
    assert set(tests) <= functions


def test_a_switch_is_a_setting() -> None:
    named = {name for row in ROWS for name in re.findall(r"PALIMPSEST_\w+", _cells(row)[-2])}
    known = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert {name for name in named if f"`{name}`" not in known} == set()
