"""Fills everything that a workbench caches (word lists, patterns, templates, tokens) before workbenches are forked.

For this, it opens a page, reads a file and asks a question. Without it, each workbench takes two more seconds of
processor time.
"""

from __future__ import annotations

import gc
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.testclient import TestClient

import tests.servers.imported  # noqa: F401
from app import create_app
from core.library import reader
from core.library.reading import Readers
from tests.service import reading_here
from tests.service.house import CONTRACT, READ, House, settings

QUESTION = "How much notice must Pelagit give of a price rise?"


async def _a_file_and_a_question(house: House) -> None:
    await house.read("contract.md", CONTRACT)
    await house.ask(QUESTION)


def practise(folder: Path) -> None:
    """Fills the caches. Leaves no Python thread running, because a forked process would not have the thread."""
    app = create_app(settings(folder / "home"))
    (folder / "uploads").mkdir()
    with TestClient(app) as client:
        client.get("/")
        assert client.portal
        client.portal.call(_a_file_and_a_question, House(app.state.workbench, folder / "uploads"))


def _practise_apart() -> None:
    """Fills the caches independently of the environment, so that no external server is used; restores all replaced
    functions."""
    environment, kept = dict(os.environ), (reader._tell, Readers.read_file, Readers.recognise)
    for name in environment:
        if name.upper() in READ:
            del os.environ[name]
    reading_here.arrange(setattr)
    try:
        with TemporaryDirectory() as folder:
            practise(Path(folder))
    finally:
        reader._tell, Readers.read_file, Readers.recognise = kept  # type: ignore[method-assign]
        os.environ.clear()
        os.environ.update(environment)


_practise_apart()
gc.enable()
gc.collect()
gc.freeze()
