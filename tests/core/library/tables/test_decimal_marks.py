"""Tests that the number format (decimal comma or point) is decided by the column, the file and the language."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.library.extract import extract
from core.library.extract.table import table_block
from core.library.extracted import Block
from core.library.tables.decimal_marks import with_decimal_marks
from core.library.tables.records import Table
from core.settings import Settings


def columns(table: Table) -> list[list[float | None]]:
    return [[row.cells[place].value for row in table.rows] for place in range(len(table.columns))]


def read(tmp_path: Path, text: str) -> list[list[float | None]]:
    file = tmp_path / "table.csv"
    file.write_text(text, "utf-8")
    return columns(extract(file, file.name, Settings()).tables[0])


def test_figures_of_a_column_are_of_one_kind(tmp_path: Path) -> None:
    assert read(tmp_path, "Part,Count\na,1.200\nb,3.500\nc,950\n") == [[1200.0, 3500.0, 950.0]]
    assert read(tmp_path, "Part,Length\na,1.200\nb,3.500\nc,0.950\n") == [[1.2, 3.5, 0.95]]
    assert read(tmp_path, "Part,Length\na,1.234\nb,3.5\nc,950\n") == [[1.234, 3.5, 950.0]]
    assert read(tmp_path, "Part,Length\na,1.234\nb,3500\nc,950\n") == [[1.234, 3500.0, 950.0]]


def test_other_columns_decide_where_one_does_not(tmp_path: Path) -> None:
    assert read(tmp_path, 'Part,Count,Price\na,1.200,"0,15"\nb,3.500,"1.187,50"\n')[0] == [1200.0, 3500.0]
    assert read(tmp_path, "Part;Weight;Price\na;1.200;0.15\nb;3.500;1,187.50\n")[0] == [1.2, 3.5]
    assert read(tmp_path, "Part;Weight;Price\na;1,200;0,15\nb;3,500;0,80\n")[0] == [1.2, 3.5]


def test_delimiter_and_language_decide_where_no_column_does(tmp_path: Path) -> None:
    assert read(tmp_path, "Part;Count\na;1.200\nb;3.500\n") == [[1200.0, 3500.0]]
    assert read(tmp_path, "Part,Count\na,1.200\nb,3.500\n") == [[1.2, 3.5]]
    assert read(tmp_path, "Artikel,Menge\na,1.200\nb,3.500\n") == [[1200.0, 3500.0]]


def test_other_marks_between_thousands(tmp_path: Path) -> None:
    swiss = read(tmp_path, "Part;Price\na;1'200.50\nb;12'000\nc;1’200’300.25\n")
    assert swiss == [[1200.5, 12000.0, 1200300.25]]
    assert read(tmp_path, "Part;Price\na;1 200,50\nb;12\u00a0000\n") == [[1200.5, 12000.0]]
    assert read(tmp_path, 'Part,Price\na,"12,34,567"\nb,"1,00,000.50"\n') == [[1234567.0, 100000.5]]
    assert read(tmp_path, "Part;Price\na;٧٬٠٠٩٬١٠٠\nb;١٢٫٥\n") == [[7009100.0, 12.5]]


def test_numbers_of_a_workbook_are_not_taken_for_thousands() -> None:
    block = table_block([["Teil", "Länge"], ["a", "1.125"], ["b", "950"]], sheet="Blatt")
    assert block is not None
    said = Block(text="Die Länge der Teile ist in Metern angegeben und wurde von uns gemessen.")
    read_again = with_decimal_marks([said, block])[1].table
    assert read_again is not None
    assert columns(read_again) == [[1.125, 950.0]]


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_language_of_a_document_decides_for_its_tables(language: str) -> None:
    said = {"de": "Die Zahl der Mitarbeiter ist nach Standorten angegeben.", "en": "The staff is given by the site."}
    block = table_block([["Ort", "Wert"], ["Nord", "1.200"], ["Süd", "3.500"]])
    assert block is not None
    found = with_decimal_marks([Block(text=said[language]), block])[1].table
    assert found is not None
    assert columns(found) == [[1200.0, 3500.0] if language == "de" else [1.2, 3.5]]
