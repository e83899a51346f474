"""Upgrades a data directory of an earlier version after a backup; refuses data of a later version."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from core.clock import Clock, system_clock
from core.errors import PalimpsestError, fail
from core.settings import Settings
from core.store.migrations.stored import FIRST, CheckpointsInMemory, Stored, StoredCheckpoints
from core.store.migrations.type_names import rename_type

log = logging.getLogger(__name__)

Step = Callable[[StoredCheckpoints], None]


def renamed(old: str, new: str) -> Step:
    """A renamed type that checkpoints contain, by module and name."""

    def step(stored: StoredCheckpoints) -> None:
        stored.rewrite_checkpoints(old.rsplit(".", 1)[0].encode(), partial(rename_type, old=old, new=new))

    return step


STEPS: tuple[Step, ...] = (
    renamed("core.graph.intent.records.Intent", "core.graph.understanding.intent.records.Intent"),
    renamed("core.graph.intent.records.Command", "core.graph.understanding.intent.records.Command"),
    renamed("core.search.reach.Reach", "core.search.documents.coverage.Reach"),
    renamed("core.search.documents.coverage.Reach", "core.search.documents.coverage.SearchCoverage"),
    renamed("core.graph.state.Doubt", "core.graph.state.UnclearReference"),
    renamed("core.graph.state.Consulted", "core.graph.state.ToolResults"),
    renamed("core.memory_meta.MemoryMeta", "core.records.memory_meta.MemoryMeta"),
    renamed("core.subject_matter.Completed", "core.records.subject_matter.Completed"),
    renamed("core.graph.understanding.intent.records.Intent", "core.graph.records.Intent"),
    renamed("core.graph.understanding.intent.records.Command", "core.graph.records.Command"),
)
"""Each step leads from one format to the next and is safe to repeat. New ones are added at the end; none is ever
removed."""
FORMAT = FIRST + len(STEPS)


def upgrade(settings: Settings, clock: Clock = system_clock, steps: tuple[Step, ...] = STEPS) -> None:
    """Bring the data of ``settings`` to the current format; call it before anything is read.

    Raises:
        PalimpsestError: a later version wrote the data, or processes of an earlier version still use them
        ("validation"), or they cannot be backed up or changed ("server").
    """
    try:
        with closing(_stored(settings)) as stored:
            _upgrade(stored, settings.folder / "backups", clock, steps)
    except PalimpsestError:
        raise
    except Exception as error:
        backups = settings.folder / "backups"
        raise fail("server", "store.migrations.not_upgraded", detail=str(error), backups=backups) from error


def upgraded(contents: Sequence[bytes], found: int) -> list[bytes]:
    """Values of checkpoints in format ``found`` → in the current format."""
    kept = CheckpointsInMemory(contents)
    for step in STEPS[found - FIRST :]:
        step(kept)
    return kept.contents


def format_of(settings: Settings) -> int | None:
    """The format of the data of ``settings``; ``None`` if there are none. This call blocks."""
    with closing(_stored(settings)) as stored:
        return stored.format()


def begin_format(settings: Settings) -> None:
    """Record the current format before the first data are written. This call blocks."""
    with closing(_stored(settings)) as stored:
        stored.note_format(FORMAT)


def _stored(settings: Settings) -> Stored:
    if settings.mongodb_uri:
        from core.store.migrations.mongo import StoredInMongo

        return StoredInMongo(settings)
    from core.store.migrations.sqlite import StoredInSqlite

    return StoredInSqlite(settings.folder)


def _upgrade(stored: Stored, backups: Path, clock: Clock, steps: tuple[Step, ...]) -> None:
    found, today = stored.format(), FIRST + len(steps)
    if found == today:
        return
    if found is None:
        stored.note_format(today)
        return
    if found > today:
        raise fail("validation", "store.migrations.later", found=found, today=today)
    if processes := stored.in_use(clock()):
        alive = ", ".join(processes)
        raise fail("validation", "store.migrations.in_use", found=found, today=today, processes=alive)
    moment = datetime.fromtimestamp(clock(), UTC).strftime("%Y%m%d-%H%M%S")
    backup = backups / f"format-{found}-{moment}"
    unfinished = backup.with_suffix(".part")
    unfinished.mkdir(parents=True, exist_ok=True, mode=0o700)
    stored.back_up(unfinished)
    unfinished.rename(backup)
    for step in steps[found - FIRST :]:
        step(stored)
    stored.note_format(today)
    log.warning("the data were brought from format %d to %d; as they were before: %s", found, today, backup)
