"""Passes the results of a long reading to the server in pieces: through files that the server reads and removes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel, TypeAdapter

from core.library.chunking.chunks import Chunk
from core.library.tables.packing import pack
from core.library.tables.records import Table
from core.store.truth import Json

PIECE = 256
"""Number of passages in one piece."""
AHEAD = 16
"""Number of pieces that may wait, so that a reader that is faster than the server does not fill the disk."""
_PAUSE = 0.02
BEGIN, PASSAGES, TABLE = "begin", "passages", "table"
"""The kind of a piece, as the server sees it: the document's description, passages, or a table."""
PIECES = frozenset((BEGIN, PASSAGES, TABLE))
_CHUNKS = TypeAdapter(list[Chunk])

Tell = Callable[[str, int, int], None]


class Receiver(Protocol):
    """Receives the pieces of one document in order. If a reader dies, the next reader starts again from the first
    piece."""

    async def begin(self, reading: Any) -> None:
        """``reading`` describes the document; its passages follow."""

    async def passages(self, chunks: list[Chunk]) -> None: ...

    async def table(self, table: Json) -> None:
        """Receive the next table, in the form in which it is stored."""


class Handover:
    """The reader's side of the transfer: writes the pieces."""

    def __init__(self, folder: Path, tell: Tell) -> None:
        self._folder = folder
        self._tell = tell
        self._count = 0
        self._chunks: list[Chunk] = []
        self.passages = self.tables = self.without_vectors = 0

    def begin(self, reading: BaseModel) -> None:
        self._write(BEGIN, reading.model_dump_json())

    def add(self, piece: Chunk | Table) -> None:
        if isinstance(piece, Table):
            self._write(TABLE, pack(piece).model_dump_json(exclude_defaults=True))
            self.tables += 1
            return
        self._chunks.append(piece)
        self.passages += 1
        self.without_vectors += piece.role == "records"
        if len(self._chunks) == PIECE:
            self.flush()

    def flush(self) -> None:
        chunks, self._chunks = self._chunks, []
        if chunks:
            self._write(PASSAGES, _CHUNKS.dump_json(chunks, exclude_defaults=True).decode())

    def _write(self, kind: str, text: str) -> None:
        while piece_path(self._folder, self._count - AHEAD).exists():
            time.sleep(_PAUSE)
        piece_path(self._folder, self._count).write_text(text, encoding="utf-8")
        self._tell(kind, self._count, 0)
        self._count += 1


def piece_path(folder: Path, number: int) -> Path:
    return folder / f"piece-{number}.json"


def taken_text(folder: Path, number: int) -> str:
    """Read a piece and remove its file."""
    path = piece_path(folder, number)
    text = path.read_text(encoding="utf-8")
    path.unlink()
    return text


def chunks_of(text: str) -> list[Chunk]:
    return _CHUNKS.validate_json(text)


def table_of(text: str) -> Json:
    table: Json = json.loads(text)
    return table
