"""Tests that code refers only to documents of this repository, and to sections that they have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
KINDS = {".py", ".yaml", ".j2", ".js", ".css", ".html"}
ELSEWHERE = re.compile(r"\[(?:spec\b|design\b|\d{3} (?:§|Phase))[^\[\]]{0,90}\]")
SECTION = re.compile(r'specification\.md`*,\s+"([^"\n]+)"')


def sources() -> Iterator[tuple[Path, str]]:
    for folder in ("command", "core", "pages", "viz", "tests", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in KINDS and path != Path(__file__):
                yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def test_nothing_refers_to_a_document_that_is_not_here() -> None:
    found = [f"{path}: {each}" for path, text in sources() for each in ELSEWHERE.findall(text)]
    assert found == []


def test_references_to_the_specification_name_a_section_of_it() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "docs" / "specification.md").read_text(encoding="utf-8"), re.MULTILINE)
    named = {(str(path), name) for path, text in sources() for name in SECTION.findall(text)}
    assert named
    assert sorted((path, name) for path, name in named if name not in headings) == []


@pytest.mark.parametrize("text", ["[spec M5]", "[001 §6.4.1]", "[003 Phase 2.3; spec A4]", "[design: store]"])
def test_such_a_reference_is_known(text: str) -> None:
    assert ELSEWHERE.search(text)
