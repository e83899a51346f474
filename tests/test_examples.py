"""Runs the examples in docstrings, and requires an example in the main class of each room (a top-level package).

An example may use ``workbench`` (a started one: Ada's library holds one lease, and she has asked one question about it:
``run_id``, ``answer_id``), ``home`` (an empty folder) and ``run``, which awaits a coroutine.
"""

from __future__ import annotations

import asyncio
import doctest
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.settings import Settings
from core.workbench import Workbench

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for top in ("core", "pages", "viz", "command")
    for path in (ROOT / top).rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)
WITHOUT_EXAMPLE = {"messages", "records"}
"""Packages without a main class: a catalogue of sentences, and plain records."""
ROOMS = sorted(path.parent.name for path in (ROOT / "core").glob("*/__init__.py"))


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, object]]:
    folder = tmp_path_factory.mktemp("examples")
    loop = asyncio.new_event_loop()
    run = loop.run_until_complete
    workbench = Workbench(Settings(home=folder / "served", dense_enabled=False))
    run(workbench.start())
    lease = folder / "lease.md"
    lease.write_text(
        "# Lease of a workshop\n\nThe monthly rent of the workshop is 7,250 shekels, due on the third of each month.\n",
        encoding="utf-8",
    )
    run(workbench.library.submit("ada", lease, lease.name))
    asked = run(workbench.ask("ada", "What is the monthly rent?"))

    async def finish() -> None:
        async for _ in workbench.ledger.tail("ada", asked.run_id):
            pass

    run(finish())
    (folder / "home").mkdir()
    yield {
        "workbench": workbench, "home": folder / "home", "run": run, "run_id": asked.run_id,
        "answer_id": asked.message_id,
    }  # fmt: skip
    run(workbench.stop())
    loop.close()


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module_give_what_they_show(name: str, names: dict[str, object]) -> None:
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner()
    for example in doctest.DocTestFinder(exclude_empty=True).find(module, extraglobs=names):
        said: list[str] = []
        runner.run(example, out=said.append)
        assert runner.failures == 0, "".join(said)


@pytest.mark.parametrize("room", [room for room in ROOMS if room not in WITHOUT_EXAMPLE])
def test_each_room_has_an_example(room: str) -> None:
    assert [name for name in MODULES if name.startswith(f"core.{room}.")]
