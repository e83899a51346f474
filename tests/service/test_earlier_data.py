"""A data directory that an earlier version has written opens with everything in it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from core.graph.state import STATE_TYPES
from core.settings import Settings
from core.store.checkpoints import open_checkpointer
from core.workbench import Workbench

EARLIER = Path(__file__).parents[1] / "data" / "home_of_0_1_0.zip"
"""Written before the modules got their rooms: three documents, four conversations, three judged answers."""
USER = "local"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with zipfile.ZipFile(EARLIER) as archive:
        archive.extractall(tmp_path)
    return tmp_path


async def test_documents_conversations_and_what_was_learned_are_there(home: Path) -> None:
    workbench = Workbench(Settings(_env_file=None, home=home, dense_enabled=False))
    await workbench.start()
    try:
        documents = await workbench.library.find(USER)
        assert {each.filename for each in documents} == {
            "cleaning-agreement.md",
            "warehouse-lease.md",
            "heskem-shirut.md",
        }
        conversations = await workbench.conversations.find(USER)
        assert len(conversations) == 4
        asked = await workbench.ask(USER, "What is the monthly rent of the warehouse?")
        async for entry in workbench.ledger.tail(USER, asked.run_id):
            if entry.event.type == "response":
                assert "9,800" in entry.event.text
                break
    finally:
        await workbench.stop()


async def test_the_threads_of_conversations_come_back_as_models(home: Path) -> None:
    async with open_checkpointer(Settings(_env_file=None, home=home), STATE_TYPES) as checkpointer:
        found: set[str] = set()
        async for each in checkpointer.alist(None):
            for value in each.checkpoint["channel_values"].values():
                found |= {type(one).__name__ for one in (value if isinstance(value, list) else [value])}
    assert {"Intent", "Reach", "Source"} <= found
