"""Tests that everything the documents name exists: repository paths, links, and ``make`` targets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = sorted((ROOT / "docs").glob("*.md"))
TOPS = ("command/", "core/", "pages/", "viz/", "tests/", "docs/", "benchmarks/", "personalities/", "sample_docs/")


@pytest.mark.parametrize("document", DOCS, ids=lambda path: path.name)
def test_paths_in_a_document_exist(document: Path) -> None:
    named = re.findall(r"`([\w./-]+)`", document.read_text(encoding="utf-8"))
    paths = {name for name in named if name.startswith(TOPS) or name in ("app.py", "pyproject.toml")}
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("document", DOCS, ids=lambda path: path.name)
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"]\((?!https?://)([^)#]+)", document.read_text(encoding="utf-8"))
    assert [target for target in targets if not (document.parent / target).exists()] == []


@pytest.mark.parametrize("document", DOCS, ids=lambda path: path.name)
def test_make_targets_exist(document: Path) -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make (\w+)`", document.read_text(encoding="utf-8"))) <= targets


def test_modules_that_the_architecture_names_by_their_last_part_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w/]+\.(?:py|yaml))`", text))
    there = {
        f"/{path.relative_to(ROOT)}"
        for top in ("command", "core", "pages", "viz", "benchmarks")
        for path in (ROOT / top).rglob("*")
    }
    there |= {f"/{path.name}" for path in ROOT.glob("*.py")}
    assert [name for name in sorted(named) if not any(path.endswith(f"/{name}") for path in there)] == []
