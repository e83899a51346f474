"""Tests that benchmarks write data only through the product's public calls. They may read records directly, but not
create or change them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import benchmarks

FOLDER = Path(benchmarks.__file__).parent
MAKERS = {
    "core.memory.items.making": {"item_of"},
    "core.memory.items.transcripts": {"items_of"},
    "core.memory.items.writing": {"MemoryItems"},
    "core.memory.outcomes.answers": {"Answers"},
    "core.memory.outcomes.recording": {"Outcomes"},
    "core.store.edge": {"EdgeIndex"},
    "core.store.index": {"Point"},
    "core.store.items": {"MemoryItem"},
    "core.store.mongo": {"MongoTruth"},
    "core.store.qdrant": {"QdrantIndex"},
    "core.store.sqlite.truth": {"SqliteTruth"},
    "core.store.truth": {"Change", "Update", "Upsert"},
}
"""By module: classes and functions that create an item or a record without the product's public calls. Benchmarks may
use them only in type annotations."""

WRITING = {
    "core.memory.items.writing": {"add", "change", "embed_pending", "revise", "set_vectors"},
    "core.memory.outcomes.action_effectiveness": {"forget_documents", "learn"},
    "core.memory.outcomes.examples": {"put"},
    "core.memory.outcomes.tier_routing": {"learn"},
    "core.store.index": {"set_dense", "set_payload"},
    "core.store.truth": {"bulk", "insert_many", "update_where", "upsert"},
}
"""By the module that defines them: methods that write records, of objects that benchmarks get from the workbench."""
OF_ITEMS = {"add", "change"}
"""Method names so common that they are checked only when they are called on the item store."""

ENGINES = {
    "growth.py": {"EdgeIndex", "MemoryItem", "SqliteTruth", "Upsert", "bulk", "upsert"},
    "knowledge_page.py": {"MemoryItem", "Upsert", "bulk"},
    "speed_flow.py": {"upsert"},
    "speed_index.py": {"EdgeIndex", "Point", "upsert"},
    "writes.py": {"SqliteTruth", "Upsert", "Change", "bulk", "insert_many"},
}
"""Benchmarks that may write records directly: they measure the storage engine itself, or need a graph over passages
that no uploaded document would produce."""


def written(path: Path) -> set[str]:
    """Returns the names in a module that create or write records. An import of a
    whole module that defines such names counts as well."""
    tree = ast.parse(path.read_text("utf-8"))
    found, makers = set[str](), dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            forbidden = MAKERS.get(node.module, set())
            makers |= {each.asname or each.name: each.name for each in node.names if each.name in forbidden}
            found |= {f"{node.module}.{each.name}" for each in node.names} & set(MAKERS)
        elif isinstance(node, ast.Import):
            found |= {each.name for each in node.names} & set(MAKERS)
    types = {id(inner) for outer in ast.walk(tree) for each in _types_of(outer) for inner in ast.walk(each)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in makers and id(node) not in types:
            found.add(makers[node.id])
        elif isinstance(node, ast.Attribute) and _writes(node):
            found.add(node.attr)
    return found


def _types_of(node: ast.AST) -> Iterator[ast.AST]:
    """Returns the parts of a node that are only type annotations."""
    if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
        yield node.annotation
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
        yield node.returns
    elif isinstance(node, ast.Subscript):
        yield node.slice


def _writes(node: ast.Attribute) -> bool:
    if node.attr in OF_ITEMS:
        owner = node.value
        name = owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
        return name.lstrip("_") == "items"
    return node.attr in set().union(*WRITING.values())


def test_no_benchmark_writes_beside_the_product() -> None:
    found = {path.relative_to(FOLDER).as_posix(): written(path) for path in FOLDER.rglob("*.py")}
    assert {name: names for name, names in found.items() if names} == ENGINES


def test_making_and_writing_are_seen_in_any_form(tmp_path: Path) -> None:
    for line in (
        "from core.store.sqlite.truth import SqliteTruth as Truth\nTruth(path, 1.0)",
        "from core.store.items import MemoryItem\nMemoryItem.model_validate(row)",
        "from core.store.items import MemoryItem\nitems = map(MemoryItem, rows)",
        "from core.store.sqlite import truth",
        "import core.store.sqlite.truth",
        "workbench.retrieval.items.add(user, [item.model_copy(update={'tier': 'history'})])",
        "write = truth.collection('items').insert_many",
    ):
        module = tmp_path / "module.py"
        module.write_text(line, "utf-8")
        assert written(module), line


def test_naming_a_type_is_no_writing(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        "from core.store.items import MemoryItem\n"
        "Orders = dict[str, list[MemoryItem]]\n"
        "def first(items: list[MemoryItem]) -> MemoryItem:\n"
        "    one: MemoryItem = items[0]\n"
        "    return one\n"
        "report.add(figure)\n",
        "utf-8",
    )
    assert not written(module)


def test_every_maker_and_every_writing_method_is_there() -> None:
    """Checks that every forbidden name exists, so that this list is updated when one is renamed."""
    for module, names in (MAKERS | WRITING).items():
        tree = ast.parse(FOLDER.parent.joinpath(*module.split(".")).with_suffix(".py").read_text("utf-8"))
        defined = {
            node.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        }
        assert names | MAKERS.get(module, set()) <= defined, module
