"""Moves all data from one place (a set of stores) to an empty one, and verifies the result.

An interrupted move can be continued: the target stores which source it is copied from and which kinds of data are
finished. At the end every kind is compared, and rows that differ are copied again before the move counts as done.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

from core.accounts.accounts import people_by_folder
from core.clock import Clock, system_clock
from core.errors import fail
from core.operations.moving.carrying import Shelf, carry, compare
from core.operations.moving.originals import OriginalFiles
from core.operations.moving.places import Place, is_index_empty
from core.operations.moving.records import BegunMove, Comparison, IndexMove, MoveReport
from core.operations.moving.shelves import Documents, Points, Threads
from core.store.migrations.stored import ALIVE_SECONDS, FORMAT_NOTED, PROCESSES
from core.store.migrations.upgrade import FORMAT, begin_format, format_of
from core.store.typed_collection import TypedCollection

log = logging.getLogger(__name__)

MOVES = "moves"
BESIDE = frozenset({MOVES, FORMAT_NOTED, "file_owners", PROCESSES})
"""Collections that describe a place itself (such as its processes) and are not moved."""
TAKEN_ALONG = ("session.key", "secret.key", "prompts", "mcp.json", "tools")
"""Parts of the data directory that each server reads from its own directory."""
MOST_SHOWN = 5

Told = Callable[[str, int], None]
"""A progress callback: the current kind of data, and how many of its rows were processed."""


class Move:
    """A move from ``source`` to ``target``; both are open, and no other process writes to either."""

    def __init__(self, source: Place, target: Place, told: Told, clock: Clock = system_clock) -> None:
        self._source = source
        self._target = target
        self._told = told
        self._clock = clock
        self._begun = TypedCollection(target.truth.collection(MOVES), BegunMove)
        self._files: OriginalFiles | None = None

    async def run(self) -> MoveReport:
        """Start the move, or continue it.

        Raises:
            PalimpsestError: the target is not empty, a data format is not current, or the comparison failed.
        """
        move = await self._admitted()
        mended = 0
        parts: list[Comparison] = []
        async for source, target in self._shelves():
            if source.name not in move.carried:
                count = await carry(source, target, partial(self._told, source.name))
                move.carried[source.name] = count
                await self._begun.put(move)
            found = await self._compared(source, target)
            if not found.alike:
                log.warning(
                    "%s: %d rows differ, from %r on; carried once more", found.name, found.differing, found.first
                )
                mended += await carry(source, target, _silent)
                found = await self._compared(source, target)
            parts.append(found)
        report = await self._report(parts, mended)
        if report.alike:
            move.ended_at = self._clock()
            await self._begun.put(move)
        return report

    async def check(self) -> MoveReport:
        """Only compare source and target; nothing is changed."""
        return await self._report([await self._compared(*each) async for each in self._shelves()], 0)

    async def _admitted(self) -> BegunMove:
        for place in (self._source, self._target):
            await self._refuse_in_use(place)
        if not await _holds_anything(self._source):
            raise fail("not_found", "moving.nothing_here", place=self._source.address)
        _refuse_other_format(self._source, await asyncio.to_thread(format_of, self._source.settings))
        begun = await self._begun.get("move")
        if begun is not None and begun.ended_at is None and begun.source == self._source.address:
            _refuse_other_format(self._target, begun.format)
            return begun
        if begun is not None or await _holds_anything(self._target):
            raise fail("validation", "moving.not_empty", target=self._target.address)
        await asyncio.to_thread(begin_format, self._target.settings)
        move = BegunMove(source=self._source.address, format=FORMAT, begun_at=self._clock())
        await self._begun.put(move)
        return move

    async def _refuse_in_use(self, place: Place) -> None:
        lately = {"seen_at": {"$gte": self._clock() - ALIVE_SECONDS}}
        if alive := await place.truth.collection(PROCESSES).find(lately, limit=MOST_SHOWN):
            processes = ", ".join(f"{each['host']}:{each['pid']}" for each in alive)
            raise fail("validation", "moving.in_use", place=place.address, processes=processes)

    async def _shelves(self) -> AsyncIterator[tuple[Shelf[Any], Shelf[Any]]]:
        """The source's and the target's shelf for each kind of data. Records come first, because they say which user
        owns a file."""
        source, target = self._source, self._target
        for name in sorted({*await source.truth.names(), *await target.truth.names()} - BESIDE):
            yield Documents(name, source.truth.collection(name)), Documents(name, target.truth.collection(name))
        owners = await people_by_folder(source.truth, source.settings)
        self._files = OriginalFiles(source.files, owners)
        yield self._files, OriginalFiles(target.files, owners)
        yield Threads(source.threads), Threads(target.threads)
        if self._index_move == "carried" and source.index is not None and target.index is not None:
            yield Points(source.index), Points(target.index)

    @property
    def _index_move(self) -> IndexMove:
        if self._source.index is None or self._target.index is None:
            return "rebuilt"
        return "carried" if self._source.fits and self._target.fits else "another_model"

    async def _compared(self, source: Shelf[Any], target: Shelf[Any]) -> Comparison:
        return await compare(source, target, partial(self._told, source.name))

    async def _report(self, parts: list[Comparison], mended: int) -> MoveReport:
        return MoveReport(
            source=self._source.address,
            target=self._target.address,
            parts=parts,
            index=self._index_move,
            mended=mended,
            unowned=self._files.unowned if self._files else 0,
            left_here=await asyncio.to_thread(self._left_here),
        )

    def _left_here(self) -> list[str]:
        return [name for name in TAKEN_ALONG if (self._source.settings.folder / name).exists()]


def _refuse_other_format(place: Place, found: int | None) -> None:
    if found not in (None, FORMAT):
        raise fail("validation", "moving.other_format", place=place.address, found=found, today=FORMAT)


async def _holds_anything(place: Place) -> bool:
    for name in await place.truth.names():
        if name not in BESIDE and await place.truth.collection(name).find(limit=1, fields=[]):
            return True
    if await anext(aiter(place.files.kept()), None) or await place.threads.following(""):
        return True
    return place.index is not None and not await is_index_empty(place.index)


def _silent(_: int) -> None:
    return None
