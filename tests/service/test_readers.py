"""Tests that each public method of the workbench's services is used by a page, endpoint, the agent or maintenance."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from core.settings import Settings
from core.workbench import Workbench

ROOT = Path(__file__).parents[2]
SOURCES = (*ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py"), ROOT / "app.py")
LIFE = {"ensure", "start", "stop", "drain"}
"""Methods that one loop calls on many services, so that no call names the service."""
AWAITED = {
    ("open_data", "tools"): "the registry of tools, which knows it as one server of many",
    ("responsiveness", "collect"): "the registry of Prometheus, which knows it as a collector",
    ("memory", "settle"): "programs that use the workbench as a library wait for it",
    ("workbench", "ask"): "programs that use the workbench as a library give the options of a question by keyword",
}
"""Methods that no product code calls by name, each with the code or library that uses it."""


def services(workbench: Workbench) -> dict[str, object]:
    """Returns the workbench's services by attribute name."""
    inner = ("overrides", "ledger", "conversations", "personalities", "library", "viewer", "sets", "models", "memory")
    inner += ("books", "sections")
    inner += (
        "mentions",
        "tools",
        "tool_servers",
        "open_data",
        "starters",
        "suggested",
        "accounts",
        "api_keys",
        "audit",
        "program_tools",
        "progress",
        "follow_ups",
        "spending",
        "chosen_models",
        "preferences",
        "operations",
        "sharing",
        "coordination",
        "read_only",
        "responsiveness",
        "uploads",
        "web_pages",
        "figures",
        "datasets",
        "contradictions",
    )
    memory = workbench.memory
    return {
        "workbench": workbench,
        **{name: getattr(workbench, name) for name in inner},
        **{name: getattr(memory, name) for name in ("bank", "goals", "inspection", "knowledge", "profile")},
        "backups": workbench.operations.backups,
        "originals": workbench.operations.originals,
        "rebuilding": workbench.operations.rebuilding,
    }


@cache
def uses(path: Path) -> frozenset[tuple[str, str]]:
    """Returns pairs of a service and the method called: ``self._memory.bank.list`` calls *list* of *bank*."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute | ast.Name):
            asked = node.value.attr if isinstance(node.value, ast.Attribute) else node.value.id
            found.add((asked.lstrip("_"), node.attr))
    return frozenset(found)


def public(kind: type) -> Iterator[str]:
    for name, member in inspect.getmembers(kind):
        if (
            not name.startswith("_")
            and name not in LIFE
            and (inspect.isfunction(member) or isinstance(member, property))
        ):
            yield name


def is_read(name: str, method: str, kind: type) -> bool:
    own = Path(inspect.getsourcefile(kind) or "").parent
    return any(
        (name, method) in uses(path) or (path.parent == own and ("self", method) in uses(path)) for path in SOURCES
    )


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    return Workbench(Settings(_env_file=None, home=tmp_path_factory.mktemp("home")))


def test_every_public_service_has_a_reader(workbench: Workbench) -> None:
    known = services(workbench)
    unread = {
        (name, method)
        for name, each in known.items()
        for method in public(type(each))
        if not is_read(name, method, type(each))
    }
    assert unread == set(AWAITED)


def test_what_nobody_reads_is_found() -> None:
    class Dead:
        def spoken_of_nowhere(self) -> None: ...

    assert not is_read("memory", "spoken_of_nowhere", Dead)
    assert is_read("memory", "search", Dead)


def test_no_service_is_left_out(workbench: Workbench) -> None:
    """The attributes in ``beneath`` are public but not services: settings, the underlying stores, figures of the
    samples."""
    beneath = {"settings", "truth", "retrieval", "samples"}
    assert {name for name in vars(workbench) if not name.startswith("_")} - beneath <= set(services(workbench))
