"""Splits a mailbox into messages: *lines* → the bytes of each message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

MOST_BYTES = 50_000_000
"""Maximum number of bytes of one message; the rest is left out."""
_FROM_LINE = re.compile(rb"From (?:\S{1,400}[ \t]|[A-Z][a-z]{2} ).{0,200}\d{4}")
_ESCAPED = re.compile(rb">+From ")
_FIELD = re.compile(rb"([!-9;-~]{1,76}):[ \t]")
_OF_HEAD = frozenset((
    b"from", b"to", b"subject", b"date", b"received", b"message-id", b"mime-version", b"return-path", b"delivered-to",
    b"content-type",
))  # fmt: skip
_OF_SENT = frozenset((b"received", b"message-id", b"mime-version", b"return-path", b"delivered-to"))
"""Header fields that no one copies into a text that quotes another message."""
_LEAST_FIELDS = 3
_BOUNDARY = re.compile(rb"boundary=\"?([^\"\r\n;]{1,200})", re.IGNORECASE)


def holds_messages(head: bytes, claimed: bool) -> bool:
    """Whether a file begins like a mailbox; ``claimed``: its name says that it is one."""
    line, _, rest = head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n").partition(b"\n")
    least = 1 if claimed else 2
    return bool(_FROM_LINE.match(line)) and len(_fields(rest.splitlines()[:100]) & _OF_HEAD) >= least


def holds_several(head: bytes) -> bool:
    """Whether another message begins after the first one in ``head``, the start of a file."""
    messages = parted(head.splitlines(keepends=True))
    return next(messages, None) is not None and next(messages, None) is not None


def parted(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Each message, without the "From " lines in between and without the escape signs before such lines in the text."""
    splitter = _Splitter()
    for line in lines:
        if (done := splitter.add(line)) is not None:
            yield done
    if (rest := splitter.rest()).strip():
        yield rest


class _Splitter:
    """Splits the lines of a mailbox, given one by one, into messages."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._lines: list[bytes] = []
        self._size = 0
        self._after_blank = True
        self._by_from = False
        self._pending: list[bytes] = []
        self._boundary: bytes | None = None
        self._in_head = True

    def add(self, line: bytes) -> bytes | None:
        """Add ``line``; returns the message that ends before it, if any."""
        bare = line.rstrip(b"\r\n")
        if self._after_blank and _FROM_LINE.match(bare):
            done = self.rest()
            self._begin()
            self._by_from, self._after_blank = True, False
            return done if done.strip() else None
        if not self._by_from and not self._in_head:
            return self._add_unparted(line, bare)
        self._keep(line, bare)
        return None

    def _add_unparted(self, line: bytes, bare: bytes) -> bytes | None:
        """Handle a header that follows a message that no "From " line started: it is the next message, if no other part
        is open."""
        if self._pending or (self._after_blank and self._boundary is None and _FIELD.match(bare)):
            self._pending.append(line)
            if _FIELD.match(bare) or bare[:1] in (b" ", b"\t"):
                return None
            pending, self._pending = self._pending, []
            fields = _fields(pending)
            if not bare and len(fields & _OF_HEAD) >= _LEAST_FIELDS and fields & _OF_SENT and b"from" in fields:
                done = self.rest()
                self._begin()
                for each in pending:
                    self._keep(each, each.rstrip(b"\r\n"))
                return done
            for each in pending:
                self._keep(each, each.rstrip(b"\r\n"))
            return None
        self._keep(line, bare)
        return None

    def _keep(self, line: bytes, bare: bytes) -> None:
        if self._in_head:
            if found := _BOUNDARY.search(bare):
                self._boundary = b"--" + found.group(1) + b"--"
            self._in_head = bool(bare) or not self._lines
        elif self._boundary is not None and bare.rstrip() == self._boundary:
            self._boundary = None
        self._after_blank = not bare
        self._size += len(line)
        if self._size <= MOST_BYTES:
            self._lines.append(line[1:] if self._by_from and _ESCAPED.match(line) else line)

    def rest(self) -> bytes:
        return b"".join([*self._lines, *self._pending])


def _fields(lines: list[bytes]) -> set[bytes]:
    """Names of the header fields in the first lines, up to an empty line."""
    names: set[bytes] = set()
    for line in lines:
        if not line.strip():
            break
        if found := _FIELD.match(line):
            names.add(found.group(1).lower())
    return names
