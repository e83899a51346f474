"""Tests that a plain question for one cell is answered only when row and column are certain."""

from __future__ import annotations

import pytest

from core.figures.cells.answers import answer_from_named_cells
from core.figures.records import Origin, TableEvidence
from core.figures.tables.grid import TableGrid, table_grid
from core.language.detection import detect
from core.library.extract.table import table_block
from core.question.analysed import AnalysedQuestion
from core.question.operation import read_question

Rows = list[list[str]]

HENS = [
    ["Breed", "Eggs a week", "Weight (kg)", "Keeper", "Feed (€)", "Bought"],
    ["Marans", "4", "3.2", "Ida Holm", "12.50", "2025-03-09"],
    ["Leghorn", "6", "2.1", "Per Wik", "9.80", "2024-11-02"],
    ["Leghorn, dwarf", "5", "1.4", "Ada Rask", "7.10", "2023-01-15"],
]
DEAL = [
    ["Term", "Value"],
    ["Margin over base", "310 bps"],
    ["Cover ratio", "1.6x"],
    ["Agency fee", "£9,400"],
    ["Legal fee", "€3,100"],
    ["Loss carried forward", "(54,200)"],
    ["Cancellation", "12%"],
]
WELLS = [
    ["well_name", "depth_m", "water.level_pct", "lastInspected", "operator.name", "operator.phone"],
    ["Alder", "118.5", "62", "2026-04-03", "Rune Falk", "555-011"],
    ["Birch", "96", "48", "2026-05-11", "Sif Dahl", "555-012"],
]
READINGS = [
    ["date", "hall", "noise_db"],
    ["2026-02-03", "Hall 1", "61"],
    ["2026-02-03", "Hall 2", "72"],
    ["2026-02-04", "Hall 1", "66"],
    ["2026-02-04", "Hall 2", "58"],
]
YARDS = [["船坞", "长度（米）", "起重机"], ["东坞", "240", "3"], ["西坞", "185", "2"]]
HALLS = [["Csarnok", "Gépek száma", "Felelős"], ["Öntöde", "31", "Kis Örs"], ["Festőműhely", "12", "Nagy Ilka"]]
SHIPS = [["", "2024", "2025"], ["Cargo (kt)", "61", "74"], ["Crew", "310", "322"]]
SALES = [["(in millions)", "2021", "2020"], ["Kitchens", "$120.5", "$100.0"], ["Bathrooms", "40.0", "50.0"]]
TICKETS = [["Gruppe", "Preis", "Gäste"], ["Kinder", "3,20 €", "410"], ["Senioren", "5,80 €", "95"]]
LOTS = [["lot", "title", "sold.currency", "sold"], ["7", "Oak chest, carved", "CHF", "830"]]


def sheet(rows: Rows) -> TableGrid:
    block = table_block(rows)
    assert block is not None
    assert block.table is not None
    return table_grid(TableEvidence(Origin(1, "doc"), 0, block.table))


def line(question: str, *tables: Rows) -> str:
    asked = AnalysedQuestion(question, detect(question), question)
    found = answer_from_named_cells(asked, read_question(question), [sheet(rows) for rows in tables])
    return found[0].answer.line if found else ""


@pytest.mark.parametrize(
    ("question", "rows", "expected"),
    [
        ("What is the weight of the Marans?", HENS, "Weight (Marans): 3.2 kg [1]"),
        ("Who is the keeper of the Leghorn?", HENS, "Keeper (Leghorn): Per Wik [1]"),
        ("When was the Marans bought?", HENS, "Bought (Marans): 2025-03-09 [1]"),
        ("What is the feed of Ida Holm?", HENS, "Feed (Ida Holm): €12.50 [1]"),
        ("What is the margin over base?", DEAL, "Margin over base: 310 bps [1]"),
        ("What is the cover ratio?", DEAL, "Cover ratio: 1.6x [1]"),
        ("What is the agency fee?", DEAL, "Agency fee: £9,400 [1]"),
        ("What was the loss carried forward?", DEAL, "Loss carried forward: −54,200 [1]"),
        ("What is the depth of Alder?", WELLS, "Depth (Alder): 118.5 m [1]"),
        ("What is the water level of Birch?", WELLS, "Water level (Birch): 48 % [1]"),
        ("Who is the operator of Birch?", WELLS, "Operator name (Birch): Sif Dahl [1]"),
        ("When was Birch last inspected?", WELLS, "Last inspected (Birch): 2026-05-11 [1]"),
        ("How much noise was there in Hall 2 on 4 February 2026?", READINGS, "Noise (2026-02-04, Hall 2): 58 dB [1]"),
        ("西坞的长度是多少？", YARDS, "长度 (西坞): 185 米 [1]"),
        ("Ki a Festőműhely felelőse?", HALLS, "Felelős (Festőműhely): Nagy Ilka [1]"),
        ("What was the cargo in 2025?", SHIPS, "Cargo (kt), 2025: 74 kt [1]"),
        ("What were kitchens in 2020?", SALES, "Kitchens, 2020: $100.0 million [1]"),
        ("Was kostet es für Senioren?", TICKETS, "Preis (Senioren): 5,80 € [1]"),
        ("For how much was the oak chest sold?", LOTS, "Sold (Oak chest, carved): CHF 830 [1]"),
    ],
)
def test_row_and_column_are_named_by_words_of_the_question(question: str, rows: Rows, expected: str) -> None:
    assert line(question, rows) == expected


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What is the weight of the Marans in 2019?", HENS),  # the table has no 2019
        ("What is the weight of Marans and Leghorn?", HENS),
        ("Why is the weight of the Marans so high?", HENS),
        ("Is the weight of the Marans 3.2 kg?", HENS),
        ("What is the fee?", DEAL),  # two cells match
        ("What is the late agency fee?", DEAL),
        ("What is the eggs weight of the Marans?", HENS),  # "eggs" and "weight" are two columns
        ("What is the noise in Hall 2?", READINGS),  # measured on two days
        ("What was the crew?", SHIPS),  # the table has two years
        ("What was the change in cargo from 2024 to 2025?", SHIPS),
    ],
)
def test_what_is_not_certain_is_left_to_the_ranking(question: str, rows: Rows) -> None:
    assert line(question, rows) == ""


def test_two_tables_that_differ_are_no_answer() -> None:
    other = [["Breed", "Weight (kg)"], ["Marans", "2.9"], ["Sussex", "3.9"]]
    assert line("What is the weight of the Marans?", HENS, other) == ""
    assert line("What is the weight of the Sussex?", HENS, other) == "Weight (Sussex): 3.9 kg [1]"


def test_a_measure_that_is_nowhere_is_said_to_be_absent() -> None:
    expected = "“dry weight” does not appear in what was found. The closest match is Weight (Marans): 3.2 kg [1]"
    assert line("What is the dry weight of the Marans?", HENS) == expected
    assert line("What is the dry weight of the Marans?", HENS, [["Dry weight", "Scale"], ["of wool", "3"]]) == ""
