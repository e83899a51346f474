"""Tests that a data directory of an earlier version opens with all its data."""

from __future__ import annotations

import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

import app
from core.settings import Settings
from core.workbench import Workbench

EARLIER = Path(__file__).parents[1] / "data" / "home_of_0_1_0.zip"
"""Data written by version 0.1.0: three documents, four conversations, three rated answers."""
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
        conversations = await workbench.conversations.search(USER, "")
        assert len(conversations) == 4
        asked = await workbench.ask(USER, "What is the monthly rent of the warehouse?")
        async for entry in workbench.ledger.tail(USER, asked.run_id):
            if entry.event.type == "response":
                assert "9,800" in entry.event.text
                break
    finally:
        await workbench.stop()


async def test_every_conversation_goes_on_from_its_checkpoint(home: Path) -> None:
    workbench = Workbench(Settings(_env_file=None, home=home, dense_enabled=False))
    await workbench.start()
    try:
        for earlier in await workbench.conversations.search(USER, ""):
            before = len(await workbench.conversations.messages(USER, earlier.conversation.id))
            asked = await workbench.ask(USER, "And in the second year?", conversation_id=earlier.conversation.id)
            kinds = [entry.event.type async for entry in workbench.ledger.tail(USER, asked.run_id)]
            assert "response" in kinds
            assert "error" not in kinds
            messages = await workbench.conversations.messages(USER, earlier.conversation.id)
            assert len(messages) == before + 2
    finally:
        await workbench.stop()


def test_a_later_version_s_directory_is_refused_on_the_console(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(home / "truth.sqlite")) as truth:
        truth.execute("PRAGMA user_version = 999")
    monkeypatch.setenv("PALIMPSEST_HOME", str(home))
    monkeypatch.setattr(app, "create_app", lambda *_: pytest.fail("it was opened"))
    assert app.main() == 1
    printed = capsys.readouterr().err
    assert "later version" in printed
    assert "999" in printed
    assert "Traceback" not in printed
