"""Tests that the largest and smallest row are named in the question's language, and never a total row."""

from __future__ import annotations

import pytest

from core.figures.cells.extremes import answer_from_extremes
from core.figures.records import Origin, TableEvidence
from core.figures.tables.grid import table_grid
from core.language.detection import detect
from core.library.extract.table import table_block
from core.question.analysed import AnalysedQuestion
from core.question.operation import read_question

Rows = list[list[str]]

MILLS = [["Mühle", "Mehl (t)", "Preis (€)"], ["Auhof", "40", "310"], ["Steg", "75", "295"], ["Gesamt", "115", ""]]
FARMS = [["Ferme", "Lait (hl)"], ["Bois", "900"], ["Pré", "1 450"], ["Total", "2 350"]]
ESTATES = [["Finca", "Cosecha (kg)"], ["Alta", "800"], ["Baja", "620"], ["Total", "1420"]]
CELLARS = [["Cantina", "Bottiglie"], ["Rossi", "1200"], ["Verdi", "3400"], ["Totale", "4600"]]
SHOPS = [["Цех", "Рабочих"], ["Литейный", "31"], ["Сборка", "54"], ["Итого", "85"]]
GARDENS = [["Tuin", "Bezoekers"], ["Zuid", "310"], ["Noord", "120"], ["Totaal", "430"]]
FIELDS = [["農場", "収穫量"], ["北", "120"], ["南丘", "480"], ["合計", "600"]]
FIRMS = [["Firm", "Guarantee", "Bid"], ["Alm", "30 months", "€8,100"], ["Birk", "2 years", "€7,900"]]
LAKES = [["lake", "depth_m", "temperature_c"], ["Ro", "41", "11.5"], ["Su", "12", "14.0"], ["Ty", "23", "9.0"]]
SALES = [["Shop", "Item", "Sold"], ["A", "Tea", "5"], ["A", "Jam", "9"], ["B", "Tea", "7"]]


def line(question: str, rows: Rows) -> str:
    block = table_block(rows)
    assert block is not None
    assert block.table is not None
    asked = AnalysedQuestion(question, detect(question), question)
    sheet = table_grid(TableEvidence(Origin(1, "doc"), 0, block.table))
    found = answer_from_extremes(asked, read_question(question), [sheet])
    return found[0].answer.line if found else ""


@pytest.mark.parametrize(
    ("question", "rows", "expected"),
    [
        ("Welche Mühle hat am meisten Mehl?", MILLS, "Steg: 75 (Mehl (t), the largest of 2) [1]"),
        ("Welche Mühle hat den niedrigsten Preis?", MILLS, "Steg: €295 (Preis, the smallest of 2) [1]"),
        ("Quelle ferme a le plus de lait ?", FARMS, "Pré: 1,450 hl (Lait, the largest of 2) [1]"),
        ("¿Qué finca tiene la cosecha más grande?", ESTATES, "Alta: 800 kg (Cosecha, the largest of 2) [1]"),
        ("Quale cantina ha più bottiglie?", CELLARS, "Verdi: 3,400 (Bottiglie, the largest of 2) [1]"),
        ("В каком цехе больше всего рабочих?", SHOPS, "Сборка: 54 (Рабочих, the largest of 2) [1]"),
        ("Welke tuin heeft de meeste bezoekers?", GARDENS, "Zuid: 310 (Bezoekers, the largest of 2) [1]"),
        ("収穫量が最も多い農場はどこですか？", FIELDS, "南丘: 480 (収穫量, the largest of 2) [1]"),
        ("Which firm gives the longest guarantee?", FIRMS, "Alm: 30 months (Guarantee, the largest of 2) [1]"),
        ("Which lake is the deepest?", LAKES, "Ro: 41 m (Depth, the largest of 3) [1]"),
        ("What is the lowest temperature?", LAKES, "Ty: 9.0 °C (Temperature, the smallest of 3) [1]"),
        ("Which shop sold the most?", SALES, ""),  # each shop has several rows
        ("Which lake has the highest pressure?", LAKES, ""),
    ],
)
def test_the_extreme_row_is_named(question: str, rows: Rows, expected: str) -> None:
    assert line(question, rows) == expected
