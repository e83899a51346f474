from __future__ import annotations

import datetime
import struct

import pytest

from core.library.extract.workbooks import ole_properties
from core.library.extract.workbooks.ole_properties import OleProperties

CREATED = (datetime.datetime(2003, 5, 2, 10) - datetime.datetime(1601, 1, 1)) // datetime.timedelta(microseconds=1) * 10


def _stream(*values: tuple[int, bytes]) -> bytes:
    head, contents = b"", b""
    start = 8 + 8 * len(values)
    for number, value in values:
        head += struct.pack("<II", number, start + len(contents))
        contents += value + bytes(-len(value) % 4)
    section = struct.pack("<II", start + len(contents), len(values)) + head + contents
    return bytes(44) + struct.pack("<I", 48) + section


def _text(text: str, encoding: str) -> bytes:
    data = text.encode(encoding) + b"\0"
    return struct.pack("<II", 0x1E, len(data)) + data


class _File:
    stream = b""

    def __init__(self, data: bytes, logfile: object) -> None:
        if data != b"file":
            raise AssertionError("no such container")

    def get_named_stream(self, name: str) -> bytes:
        return self.stream


def test_an_old_file_says_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ole_properties, "CompDoc", _File)
    page = (1, struct.pack("<II", 2, 1255))
    title, author = (2, _text("מחירון", "cp1255")), (4, _text("Dana", "cp1255"))
    _File.stream = _stream(page, title, author, (12, struct.pack("<IQ", 0x40, CREATED)))
    assert ole_properties.ole_properties(b"file") == ("מחירון", "Dana", "2003-05-02")
    _File.stream = _stream((12, struct.pack("<IQ", 0x40, 0)))
    assert ole_properties.ole_properties(b"file") == OleProperties()
    _File.stream = b"\xff" * 60
    assert ole_properties.ole_properties(b"file") == OleProperties()
    assert ole_properties.ole_properties(b"no container") == OleProperties()
