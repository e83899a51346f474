"""Tests that every documented setting has an effect: the same experiment ends differently with two of its values."""

from __future__ import annotations

import sqlite3
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

import pytest

from core.settings import Settings
from tests.service.effects import (
    accounts,
    answering,
    books,
    documents,
    general,
    memory,
    models,
    operations,
    runs,
    search,
    tool_servers,
    uploads,
)
from tests.service.effects.experiment import EXPERIMENTS, TRANSPORTS, Bench, Experiment, Wire
from tests.test_configuration_docs import settings as documented

NAMES = {".".join(each.path): each for each in documented()}
HELD_BY = (
    accounts,
    books,
    general,
    models,
    search,
    documents,
    runs,
    memory,
    tool_servers,
    answering,
    operations,
    uploads,
)
"""Modules that register their experiments on import."""


def test_every_documented_setting_has_an_experiment_and_nothing_else_has() -> None:
    assert set(EXPERIMENTS) == set(NAMES)


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=EXPERIMENTS)
async def test_a_setting_changes_something(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (name for each in NAMES.values() for name in each.names):
        monkeypatch.delenv(name, raising=False)
    one = await _end(experiment, experiment.values[0], tmp_path, monkeypatch)
    other = await _end(experiment, experiment.values[1], tmp_path, monkeypatch)
    assert one != other


class UnsyncedConnection(sqlite3.Connection):
    """A database connection that does not wait for the disk: two hundred stores are created here, and none has to
    survive a power cut."""

    def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
        return super().execute(sql.replace("synchronous = FULL", "synchronous = OFF"), *values)


async def _end(experiment: Experiment, value: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Returns the experiment's result with the setting at ``value``, which is set in the same way as users set it."""
    wire, folder = Wire(), Path(mkdtemp(dir=folder))
    with monkeypatch.context() as patch:
        patch.chdir(folder)
        for path, given in {"home": str(folder), **experiment.beside, experiment.path: value}.items():
            setting = NAMES[path]
            for sibling, unchanged in setting.needs.items():
                patch.setenv(sibling, unchanged)
            patch.setenv(setting.names[0], given)
        patch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=UnsyncedConnection))
        for transport in TRANSPORTS:
            patch.setattr(transport, "handle_async_request", wire.handle)
        return await experiment.run(Bench(Settings(_env_file=None), folder, wire, patch))  # type: ignore[call-arg]
