"""Tests the stream that reports documents in processing: a row is sent again when its display changes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

import pytest

from core.library.records import Document, DocumentProgress
from core.store.items import LIBRARY
from core.workbench import Workbench
from pages import live
from tests.core.library.test_progress import document

READ = [61.0, 70.4, 119.9, 44.0, 3.0, None]
"""Remaining seconds at each check; ``None`` means that the document is ready."""


class Reading:
    """One document whose remaining seconds change at each check."""

    def __init__(self) -> None:
        self._left = iter(READ)
        self._now: float | None = 0.0
        self.library = self.progress = self
        self.ledger = SimpleNamespace(version_of=lambda user_id: 0, wait_for_user=self._at_once)
        self.books = SimpleNamespace(under_way=self._nothing)

    async def busy(self, user_id: str) -> list[Document]:
        self._now = next(self._left)
        return [] if self._now is None else [document("a", state="processing", mime="text/plain")]

    async def of(self, busy: Sequence[Document]) -> dict[str, DocumentProgress]:
        return {each.id: DocumentProgress(each.id, words=self._now, meaning=self._now) for each in busy}

    async def get(self, user_id: str, document_id: str) -> Document:
        return document("a", state="completed", chunks=1, searchable=1)

    async def _at_once(self, user_id: str, seen: int, *, seconds: float) -> None: ...

    async def _nothing(self, user_id: str) -> list[Document]:
        return []


async def test_a_row_is_told_again_where_it_says_another_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "FEED_SECONDS", 0.0)
    stream = live._library_stream(cast(Workbench, Reading()), "ada", "en", LIBRARY)
    told = [json.loads(part.removeprefix("data: ")) for part in [each async for each in stream]]
    assert [row["standing"] and row["standing"]["words"] for each in told for row in each["documents"]] == [
        120,
        0,
        None,
    ]
    assert [each["idle"] for each in told] == [False, False, True]
