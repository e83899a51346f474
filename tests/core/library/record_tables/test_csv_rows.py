"""Tests that a CSV of any size is read row by row, and that a huge or broken cell, row or line does not prevent reading
the others."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.library.extract.csv import extract_csv
from core.library.extract.cuts import LONGEST_CELL, MOST_COLUMNS, Cuts
from core.library.record_tables.csv_rows import csv_rows, dialect_of
from core.settings import Settings


def rows_of(path: Path, content: str | bytes) -> tuple[list[list[str]], Cuts]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    cuts = Cuts()
    return list(csv_rows(path, dialect_of(path), cuts)), cuts


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
        ("sep=;\na;b\n1;2\n", [["a", "b"], ["1", "2"]]),
        ("a\tb\r\n1\t2\r\n", [["a", "b"], ["1", "2"]]),
        ('a,b\n"1, and\nmore",2\n', [["a", "b"], ["1, and\nmore", "2"]]),
        ("\ufeffa,b\n1,2", [["a", "b"], ["1", "2"]]),
        ("שם,סכום\nדנה,12\n".encode("cp1255") * 40, [["שם", "סכום"], ["דנה", "12"]] * 40),
        ("a;b\n1;é\n".encode("utf-16"), [["a", "b"], ["1", "é"]]),
    ],
)
def test_its_beginning_tells_how_it_is_written(tmp_path: Path, content: str | bytes, expected: list[list[str]]) -> None:
    assert rows_of(tmp_path / "a.csv", content)[0] == expected


def test_letters_beyond_the_beginning_tell_the_encoding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.library.extract.encodings._PIECE", 1_000)
    content = ("a,b\n" * 600).encode() + "שלום רב,חברים טובים\n".encode("cp1255")
    rows, _ = rows_of(tmp_path / "a.csv", content)
    assert rows[-1] == ["שלום רב", "חברים טובים"]


@pytest.mark.parametrize("after", [3, 300])
def test_a_quote_that_never_closes_costs_no_row(tmp_path: Path, after: int) -> None:
    lines = ["id,note", '1,"open', *(f"{n},fine" for n in range(2, after))]
    rows, _ = rows_of(tmp_path / "a.csv", "\n".join(lines))
    assert rows == [["id", "note"], ["1", '"open'], *([str(n), "fine"] for n in range(2, after))]


@pytest.mark.parametrize(
    ("content", "cells", "rows"),
    [
        ("a,b\n" + "x" * 20_000_000 + ",2\nlast,3\n", 1, 1),
        ("a,b\n" + ",".join("1" * 100_000) + "\nlast,3\n", 0, 1),
        ("a,b\n" + "1" * 9_000_000 + "\nlast,3\n", 1, 1),
    ],
    ids=["cell", "columns", "line"],
)
def test_what_is_too_long_is_cut_and_counted(tmp_path: Path, content: str, cells: int, rows: int) -> None:
    began = time.process_time()
    found, cuts = rows_of(tmp_path / "a.csv", content)
    assert found[-1] == ["last", "3"]
    assert max(len(cell) for row in found for cell in row) <= LONGEST_CELL
    assert max(map(len, found)) <= MOST_COLUMNS
    assert (cuts.cells, cuts.rows) == (cells, rows)
    assert len(cuts.notes()) == bool(cells) + bool(rows)
    assert time.process_time() - began < 3.0


def test_a_cell_of_a_short_file_is_cut_too(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("name,text\na," + "word " * 1_000_000 + "\nb,short\n")
    extracted = extract_csv(path, "a.csv", Settings(_env_file=None))
    assert max(len(block.text) for block in extracted.blocks) < 2 * LONGEST_CELL
    assert "32,767" in extracted.notes[0][0]
