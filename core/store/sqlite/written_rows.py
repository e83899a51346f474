"""Tracks which rows of a collection were written: *a row, a version* → whether it is unchanged since then."""

from __future__ import annotations

from collections.abc import Iterable

MOST = 50_000
"""Maximum number of rows that are tracked separately; with more, all count as written."""


class WrittenRows:
    """One thread writes, any thread may ask. A reader takes ``version`` before it reads a row; the row it read is valid
    as long as ``unchanged`` is true."""

    def __init__(self) -> None:
        self.version = 0
        self._written: dict[str, int] = {}
        self._all_written = 0

    def note(self, ids: Iterable[str] | None) -> None:
        """Record that these rows were written, or that any may have been (``None``); call it after the commit and
        before the write is acknowledged."""
        version = self.version + 1
        if ids is None or len(self._written) >= MOST:
            self._all_written, self._written = version, {}
        else:
            self._written.update(dict.fromkeys(ids, version))
        self.version = version

    def unchanged(self, id: str, version: int) -> bool:
        """Whether the row is unchanged since that version."""
        return version >= self._all_written and self._written.get(id, 0) <= version
