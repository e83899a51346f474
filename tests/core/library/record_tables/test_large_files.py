"""Tests tables of records: every row is in a passage, only text columns get vectors, memory use is bounded, and no
table is stored partially."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.utils import get_column_letter

from core.library import reader
from core.library.chunking.chunks import Chunk
from core.library.handover import PASSAGES, TABLE, chunks_of, piece_path
from core.library.reading import Reading, ReadOrder, reader_settings
from core.library.record_tables import bounds
from core.setting_groups import Limits
from core.settings import Settings
from tests.core.library.record_tables.orders import HEADINGS, order_file

MEASURED = """
import resource, sys
from pathlib import Path
from core.library import reader
from core.library.handover import piece_path
from core.library.reading import ReadOrder
from core.library.record_tables import sizes

sizes.KEPT_ROWS = 1_000
order = ReadOrder.model_validate_json(Path(sys.argv[1]).read_text())
folder = order.result.parent

def tell(stage, number, total):
    piece_path(folder, number).unlink(missing_ok=True)

reader._tell = tell
reading = reader.read(order)
print(reading.passages, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


@pytest.fixture
def few_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of more than 300 rows are read in pieces, and not kept in memory."""
    for module in ("sizes", "large_files", "keeping"):
        monkeypatch.setattr(f"core.library.record_tables.{module}.KEPT_ROWS", 300)


class Pieces:
    """Collects all pieces that a reader passes on for one file."""

    def __init__(self, path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, **limits: int) -> None:
        settings = Settings(_env_file=None, limits=Limits(**limits))
        order = ReadOrder(
            path=path, filename=path.name, result=folder / "r", settings=reader_settings(settings), in_pieces=True
        )
        self.chunks: list[Chunk] = []
        self.tables: list[dict[str, object]] = []

        def tell(stage: str, number: int, total: int) -> None:
            text = piece_path(folder, number)
            if stage == PASSAGES:
                self.chunks += chunks_of(text.read_text())
            elif stage == TABLE:
                self.tables.append(json.loads(text.read_text()))
            text.unlink(missing_ok=True)

        monkeypatch.setattr(reader, "_tell", tell)
        self.reading: Reading = reader.read(order)
        self.chunks += self.reading.chunks
        self.tables += [table.model_dump() for table in self.reading.tables]

    @property
    def lines(self) -> list[str]:
        return [line for chunk in self.chunks for line in chunk.text.split("\n")]

    @property
    def notes(self) -> str:
        return " ".join(english for english, _ in self.reading.notes)


def test_every_row_of_a_table_that_is_not_held_is_in_a_passage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few_kept: None
) -> None:
    path = tmp_path / "orders.csv"
    path.write_text(order_file(2_000))
    pieces = Pieces(path, tmp_path, monkeypatch)
    assert [line[:11] for line in pieces.lines if line.startswith("ORD")] == [f"ORD-{n:07d}" for n in range(1, 2_001)]
    assert all(chunk.text.startswith(HEADINGS.replace(",", " | ")) for chunk in pieces.chunks)
    assert max(chunk.token_count for chunk in pieces.chunks) <= 500
    assert [chunk.position for chunk in pieces.chunks] == list(range(pieces.reading.passages))
    assert pieces.tables == []
    assert {chunk.table for chunk in pieces.chunks} == {None}
    assert "2,000 rows" in pieces.notes


@pytest.mark.parametrize("held", [True, False])
def test_the_vector_of_a_passage_is_of_its_texts_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, held: bool
) -> None:
    if not held:
        request.getfixturevalue("few_kept")
    path = tmp_path / "orders.csv"
    path.write_text(order_file(1_000))
    pieces = Pieces(path, tmp_path, monkeypatch, table_vectors=3)
    embedded = [chunk for chunk in pieces.chunks if chunk.role == "body"]
    assert len(embedded) == 3
    assert pieces.reading.without_vectors == len(pieces.chunks) - 3 > 0
    said = (embedded[0].embedded or "").split("\n")
    assert said[0] == "Gate was locked all day said driver w1"
    assert not any("ORD" in line or "North" in line for line in said)
    assert len(pieces.tables) == held
    assert "first 3 passages" in pieces.notes


def test_rows_of_numbers_have_no_vector(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "meters.csv"
    path.write_text("Meter,Reading,Site\n" + "".join(f"M-{n},{n * 7},Haifa port\n" for n in range(400)))
    pieces = Pieces(path, tmp_path, monkeypatch)
    assert {chunk.role for chunk in pieces.chunks} == {"records"}
    assert len(pieces.tables) == 1


@pytest.mark.parametrize("headings", ["Item,2021,2022,2023", "Item,Price,Stock,Sold"])
def test_a_small_table_and_one_of_periods_are_read_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, headings: str
) -> None:
    path = tmp_path / "items.csv"
    count = 400 if "2021" in headings else bounds.SMALL_ROWS
    path.write_text(headings + "\n" + "".join(f"Item {n},{n}.5,{n * 2}.5,{n * 7 % 11}.5\n" for n in range(count)))
    pieces = Pieces(path, tmp_path, monkeypatch)
    assert {(chunk.role, chunk.embedded) for chunk in pieces.chunks} == {("body", None)}


def test_a_workbook_keeps_its_short_sheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few_kept: None) -> None:
    book = openpyxl.Workbook()
    rates = book.active
    rates.title = "Rates"
    for row in (["Currency", "Rate"], ["USD", 3.7], ["EUR", 4.1]):
        rates.append(row)
    sheet = book.create_sheet("Orders")
    for line in order_file(400).splitlines():
        sheet.append(line.split(","))
    book.save(tmp_path / "orders.xlsx")
    pieces = Pieces(tmp_path / "orders.xlsx", tmp_path, monkeypatch)
    assert [table["sheet"] for table in pieces.tables] == ["Rates"]
    assert pieces.chunks[0].table == 0
    assert {chunk.table for chunk in pieces.chunks[1:]} == {None}
    assert [section.title for section in pieces.reading.outline.sections] == ["Rates", "Orders"]
    assert pieces.lines[-1].startswith("ORD-0000400")


def test_a_long_workbook_shows_what_people_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few_kept: None) -> None:
    book = openpyxl.Workbook()
    orders = book.active
    orders.title = "Orders"
    for line in order_file(400).splitlines():
        orders.append([*line.split(","), "secret"])
    orders["A3"].comment = Comment("Called back", "Dana")
    for row in (3, 4):
        orders.cell(row, 2, 0.5).number_format = "0%"
    orders.row_dimensions[4].hidden = True
    orders.column_dimensions[get_column_letter(orders.max_column)].hidden = True
    hidden = book.create_sheet("Old")
    hidden.append(["ORD-9", "gone"])
    hidden.sheet_state = "hidden"
    book.save(tmp_path / "orders.xlsx")
    pieces = Pieces(tmp_path / "orders.xlsx", tmp_path, monkeypatch)
    text = "\n".join(chunk.text for chunk in pieces.chunks)
    assert "ORD-0000002" in text
    assert "50%" in text
    assert not any(unseen in text for unseen in ("ORD-0000003", "secret", "gone"))
    assert "Note on A3 (" in pieces.chunks[-1].text
    assert "Called back" in pieces.chunks[-1].text
    assert "rows: 1, columns: 1" in pieces.notes
    assert "Old" in pieces.notes


def test_rows_beyond_the_limit_are_left_out_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few_kept: None
) -> None:
    path = tmp_path / "orders.csv"
    path.write_text(order_file(500))
    pieces = Pieces(path, tmp_path, monkeypatch, table_rows=450)
    assert pieces.lines[-1].startswith("ORD-0000449"), "the headings are a row"
    assert "Only its first 450 rows" in pieces.notes


def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    peaks = []
    for count in (4_000, 40_000):
        path = tmp_path / f"{count}.csv"
        path.write_text(order_file(count))
        settings = reader_settings(Settings(_env_file=None))
        order = ReadOrder(
            path=path, filename=path.name, result=tmp_path / "result.json", settings=settings, in_pieces=True
        )
        (tmp_path / "order.json").write_text(order.model_dump_json())
        told = subprocess.run(
            [sys.executable, "-c", MEASURED, str(tmp_path / "order.json")], capture_output=True, text=True, check=True
        )
        passages, megabytes = map(int, told.stdout.split())
        assert passages > count / 20
        peaks.append(megabytes)
    assert peaks[1] < peaks[0] + 12
