"""Benchmarks feed their data through the product's public calls: what writes memories or records is not imported."""

from __future__ import annotations

import ast
from pathlib import Path

import benchmarks

FOLDER = Path(benchmarks.__file__).parent
WRITERS = {
    "core.memory.items.making": {"item_of"},
    "core.memory.items.writing": {"MemoryItems"},
    "core.memory.outcomes.action_effectiveness": {"ActionEffectiveness"},
    "core.memory.outcomes.answers": {"Answers"},
    "core.memory.outcomes.examples": {"OutcomeExamples"},
    "core.memory.outcomes.recording": {"Outcomes"},
    "core.memory.outcomes.solutions": {"Solutions"},
    "core.store.edge": {"EdgeIndex"},
    "core.store.index": {"Point"},
    "core.store.items": {"MemoryItem"},
    "core.store.mongo": {"MongoTruth"},
    "core.store.qdrant": {"QdrantIndex"},
    "core.store.sqlite": {"SqliteTruth"},
    "core.store.truth": {"Change", "Upsert"},
}
"""Classes and functions by which an item or a record comes to be beside the product's own way, by module."""

ENGINES = {
    "speed_index.py": {"EdgeIndex", "Point"},
    "writes.py": {"Change", "SqliteTruth", "Upsert"},
}
"""What is measured here is the engine itself."""

LEFT = {
    "conversations.py": {"MemoryItem"},
    "graph_things.py": {"MemoryItem", "SqliteTruth"},
    "graphs.py": {"ActionEffectiveness", "MemoryItem", "SqliteTruth"},
    "graphs_speed.py": {"ActionEffectiveness", "EdgeIndex", "MemoryItem", "MemoryItems", "SqliteTruth"},
    "graphs_world.py": {
        "ActionEffectiveness", "Answers", "MemoryItem", "MemoryItems", "OutcomeExamples", "Outcomes", "Solutions",
    },
    "outcomes_adversarial.py": {"MemoryItem"},
    "outcomes_guard.py": {"MemoryItem"},
    "outcomes_world.py": {
        "Answers", "MemoryItem", "MemoryItems", "OutcomeExamples", "Outcomes", "Solutions",
    },
    "shelf.py": {"EdgeIndex", "MemoryItem", "MemoryItems", "SqliteTruth"},
}  # fmt: skip
"""Still to be mended; the list may only become shorter."""


def imported(path: Path) -> set[str]:
    """Names of writers that a module takes, also where it takes the whole module."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = {each.name for each in node.names}
            found |= names & WRITERS.get(node.module, set())
            found |= {f"{node.module}.{name}" for name in names} & set(WRITERS)
        elif isinstance(node, ast.Import):
            found |= {each.name for each in node.names} & set(WRITERS)
    return found


def test_no_benchmark_writes_beside_the_product() -> None:
    found = {path.relative_to(FOLDER).as_posix(): imported(path) for path in FOLDER.rglob("*.py")}
    assert {name: names for name, names in found.items() if names} == ENGINES | LEFT


def test_an_import_of_a_writer_is_seen_in_any_form(tmp_path: Path) -> None:
    for line in (
        "from core.store.sqlite import SqliteTruth as Truth",
        "from core.store import sqlite",
        "import core.store.sqlite",
    ):
        module = tmp_path / "module.py"
        module.write_text(line, "utf-8")
        assert imported(module), line


def test_every_writer_is_there() -> None:
    """A writer that is renamed is still forbidden."""
    for module, names in WRITERS.items():
        tree = ast.parse(FOLDER.parent.joinpath(*module.split(".")).with_suffix(".py").read_text("utf-8"))
        assert names <= {node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}, module
