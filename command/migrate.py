"""Implements ``palimpsest migrate``: moves all data to MongoDB and Qdrant servers, or back to the data directory."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from functools import partial

from command.progress import show_progress
from command.stillness import holding_still
from command.words import word
from core.errors import fail
from core.operations.moving.records import Comparison, MoveReport
from core.settings import Settings
from core.words import Language

SHOWN = 12
"""Hexadecimal digits of a digest that are printed; ``--json`` prints them all."""


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    ways = parser.add_mutually_exclusive_group(required=True)
    ways.add_argument("--to", nargs="?", const="", metavar="MONGODB", help=word("migrate.to", language))
    ways.add_argument(
        "--from", dest="source", nargs="?", const="", metavar="MONGODB", help=word("migrate.from", language)
    )
    parser.add_argument("--qdrant", metavar="URL", help=word("migrate.qdrant", language))
    parser.add_argument("--check", action="store_true", help=word("migrate.check", language))
    parser.add_argument("--json", action="store_true", help=word("json", language))


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Returns 1 if source and target differ afterwards. Raises ``PalimpsestError`` if there is nothing to move."""
    report = asyncio.run(_moved(given, settings, language))
    if given.json:
        print(json.dumps(report.model_dump(), ensure_ascii=False))
    else:
        _tell(report, language, checked=given.check)
    return 0 if report.alike else 1


async def _moved(given: argparse.Namespace, settings: Settings, language: Language) -> MoveReport:
    from core.operations.moving.moved import Moved, note_moved
    from core.operations.moving.places import embedded, on_servers

    back = given.to is None
    here, there = embedded(settings), on_servers(settings, given.source if back else given.to, given.qdrant)
    if not back:
        await asyncio.to_thread(_refuse_nothing, here)
    async with holding_still(settings, language, may_be_served=not back) as still:
        source, target = (there, here) if back else (here, there)
        report = await still.while_it_lasts(_carried(given, source, target, language, served=still.served))
        if report.alike and not back and not given.check:
            await asyncio.to_thread(note_moved, settings.folder, Moved(to=report.target, at=time.time()))
            still.moved_to = report.target
    return report


async def _carried(
    given: argparse.Namespace, source: Settings, target: Settings, language: Language, *, served: bool
) -> MoveReport:
    from core.operations.moving.move import Move
    from core.operations.moving.places import opened
    from core.operations.moving.room import refuse_without_room

    with_index = given.qdrant is not None
    async with (
        opened(source, with_index=with_index, served=served) as here,
        opened(target, with_index=with_index) as there,
    ):
        move = Move(here, there, partial(_show, language))
        if given.check:
            return await move.check()
        await refuse_without_room(here, there)
        return await move.run()


def _refuse_nothing(settings: Settings) -> None:
    """Raises ``PalimpsestError`` if the records cannot be read, or there are none."""
    from core.store.open import TRUTH
    from core.store.truth_file import refuse_unreadable

    refuse_unreadable(settings)
    if not (settings.folder / TRUTH).exists():
        raise fail("not_found", "moving.nothing_here", place=settings.folder)


def _show(language: Language, name: str, walked: int) -> None:
    show_progress(word("migrate.under_way", language, name=name, count=walked))


def _tell(report: MoveReport, language: Language, *, checked: bool) -> None:
    show_progress()
    for each in report.parts:
        print(_line(each, language))
    print(word(f"migrate.index.{report.index}", language))
    if report.mended:
        print(word("migrate.mended", language, count=report.mended))
    if report.unowned:
        print(word("migrate.unowned", language, count=report.unowned))
    if not report.alike:
        print(word("migrate.differs", language, target=report.target), file=sys.stderr)
    elif checked:
        print(word("migrate.alike", language))
    else:
        print(word("migrate.done", language, source=report.source, target=report.target))
        if report.left_here:
            print(word("migrate.left_here", language, names=", ".join(report.left_here)))


def _line(part: Comparison, language: Language) -> str:
    if part.alike:
        return f"[ok] {part.name:28} {part.count:>12,}  {part.digest[:SHOWN]}"
    differing = word("migrate.differing", language, count=part.differing, first=part.first)
    return f"[!!] {part.name:28} {part.count:>12,} / {part.count_there:,}  {differing}"
