"""Adds data to a backup that is not in collections: conversation checkpoints, and settings changed on the pages.

An annex exports rows and restores them. Existing data is not overwritten.
"""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from langchain_core.runnables import RunnableConfig

from core.errors import PalimpsestError
from core.memory.maintenance.archive import damaged
from core.set_outside import what_is_set_outside
from core.store.checkpoints import Checkpointer
from core.store.migrations.upgrade import upgraded
from core.store.overrides import Overrides
from core.store.truth import Json, Truth

PAGE = 64
SETTING, PROMPT = "setting:", "prompt:"
_PROMPT = re.compile(r"(?:[A-Za-z0-9_-]{1,80}/){0,3}[A-Za-z0-9_-]{1,80}\.md\.j2", re.ASCII)


class Annex(Protocol):
    """Data in a backup that is not in a collection. A user id of ``None`` means all users (only for administrators)."""

    @property
    def name(self) -> str:
        """The annex's name, in lower-case letters."""

    def rows(self, user_id: str | None) -> AsyncIterator[Json]: ...

    async def missing(self, rows: Sequence[Json], user_id: str | None, data_format: int) -> list[Json]:
        """The rows that ``restore`` would add for ``user_id``, migrated to the current format.

        Raises:
            PalimpsestError: a row is not valid for this annex.
        """

    async def restore(self, rows: Sequence[Json]) -> None:
        """Restore the rows from ``missing``; this may be repeated."""


class Checkpoints:
    """One row per thread: a conversation's LangGraph checkpoints, oldest first, with the writes after them."""

    name = "checkpoints"

    def __init__(self, truth: Truth, checkpointer: Callable[[], Checkpointer]) -> None:
        self._truth = truth
        self._checkpointer = checkpointer

    async def rows(self, user_id: str | None) -> AsyncIterator[Json]:
        conversations = self._truth.collection("conversations")
        mine: dict[str, object] = {} if user_id is None else {"user_id": user_id}
        after: Json | None = None
        while page := await conversations.find(mine, after=after, limit=PAGE):
            for each in page:
                if kept := await self._of_thread(str(each["_id"])):
                    yield {"_id": each["_id"], "user_id": each["user_id"], "checkpoints": kept}
            after = page[-1]

    async def missing(self, rows: Sequence[Json], user_id: str | None, data_format: int) -> list[Json]:
        """The rows to restore; a state contains its user's id and is never given to another user."""
        found = []
        for row in rows:
            if user_id not in (None, row.get("user_id")):
                continue
            opened = await asyncio.to_thread(self._opened, row, data_format)
            if await self._checkpointer().aget_tuple(_config(str(row["_id"]))) is None:
                found.append(opened)
        return found

    async def restore(self, rows: Sequence[Json]) -> None:
        saver: Any = self._checkpointer()
        for row in rows:
            kept: Any = row["checkpoints"]
            for each in kept:
                below = _config(str(row["_id"]), each["ns"], each["parent"])
                checkpoint, metadata = _loaded(saver, each["checkpoint"]), _loaded(saver, each["metadata"])
                put = await saver.aput(below, checkpoint, metadata, {})
                for task, channel, value in each["writes"]:
                    await saver.aput_writes(put, [(channel, _loaded(saver, value))], task)

    async def _of_thread(self, thread: str) -> list[Any]:
        saver = self._checkpointer()
        kept: list[Any] = []
        async for each in saver.alist(_config(thread)):
            known, parent = each.config["configurable"], each.parent_config or {}
            kept.append(
                {
                    "ns": known.get("checkpoint_ns", ""),
                    "parent": parent.get("configurable", {}).get("checkpoint_id"),
                    "checkpoint": _dumped(saver, each.checkpoint),
                    "metadata": _dumped(saver, each.metadata),
                    "writes": [
                        [task, channel, _dumped(saver, value)] for task, channel, value in each.pending_writes or ()
                    ],
                }
            )
        return kept[::-1]

    def _opened(self, row: Json, data_format: int) -> Json:
        """The row with its values converted to the current format. It is parsed before anything is written, so that
        errors are found first."""
        saver = self._checkpointer()
        try:
            kept: Any = row["checkpoints"]
            for each in kept:
                values = [each["checkpoint"], each["metadata"], *(value for _, _, value in each["writes"])]
                packed = [value for value in values if value[0] == "msgpack"]
                today = upgraded([base64.b64decode(value[1], validate=True) for value in packed], data_format)
                for value, content in zip(packed, today, strict=True):
                    value[1] = base64.b64encode(content).decode()
                for value in values:
                    _loaded(saver, value)
                if not isinstance(each["ns"], str) or not isinstance(each["parent"], str | None):
                    raise TypeError("a checkpoint without its place")
        except Exception as error:
            raise damaged(f"checkpoints of {row.get('_id')!r}: {error}") from error
        return row


class Installation:
    """Settings that administrators changed on the pages (never keys), and custom prompts."""

    name = "installation"

    def __init__(self, overrides: Overrides, prompts: Path) -> None:
        self._overrides = overrides
        self._prompts = prompts

    async def rows(self, user_id: str | None) -> AsyncIterator[Json]:
        if user_id is not None:
            return
        for name, value in sorted((await self._overrides.stored()).items()):
            yield {"_id": f"{SETTING}{name}", "value": value}
        for path in sorted(await asyncio.to_thread(lambda: list(self._prompts.rglob("*.md.j2")))):
            name = path.relative_to(self._prompts).as_posix()
            if _PROMPT.fullmatch(name):
                yield {"_id": f"{PROMPT}{name}", "value": await asyncio.to_thread(path.read_text, "utf-8")}

    async def missing(self, rows: Sequence[Json], user_id: str | None, data_format: int) -> list[Json]:
        stored = await self._overrides.stored()
        found = []
        for row in rows:
            kind, _, name = str(row.get("_id")).partition(":")
            if f"{kind}:" == PROMPT:
                if not _PROMPT.fullmatch(name) or not isinstance(row.get("value"), str):
                    raise damaged(f"a prompt is called {name!r}")
                wanted = not await asyncio.to_thread((self._prompts / name).exists)
            elif f"{kind}:" == SETTING:
                wanted = name not in stored and self._overrides.may_be_told(name) and not what_is_set_outside()(name)
            else:
                raise damaged(f"the installation holds {row.get('_id')!r}")
            if wanted and user_id is None:
                found.append(row)
        return found

    async def restore(self, rows: Sequence[Json]) -> None:
        for row in rows:
            kind, _, name = str(row["_id"]).partition(":")
            if f"{kind}:" == PROMPT:
                await asyncio.to_thread(_write_prompt, self._prompts / name, str(row["value"]))
                continue
            try:
                await self._overrides.change(name, row["value"])
            except PalimpsestError:
                continue  # The stored setting is no longer valid, so the default is used.


def _write_prompt(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f"{path.name}.part")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


def _config(thread: str, ns: str | None = None, checkpoint: str | None = None) -> RunnableConfig:
    known = {"thread_id": thread, "checkpoint_ns": ns, "checkpoint_id": checkpoint}
    return {"configurable": {name: value for name, value in known.items() if value is not None}}


def _dumped(saver: Checkpointer, value: object) -> list[str]:
    kind, content = saver.serde.dumps_typed(value)
    return [kind, base64.b64encode(content).decode()]


def _loaded(saver: Checkpointer, value: Any) -> Any:
    kind, content = value
    return saver.serde.loads_typed((kind, base64.b64decode(content)))
