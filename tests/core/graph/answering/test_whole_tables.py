from __future__ import annotations

from core.events import Passage, Source
from core.graph.answering.whole_tables import completed, whole_text
from core.library.tables.records import Cell, Column, Row, Table
from core.library.tables.rendering import heading, line

TABLE = Table(
    caption="Cash flows",
    units="in millions",
    columns=[Column(header=["2023"]), Column(header=["2022"])],
    rows=[Row(label=f"Row {n}", cells=[Cell(text=f"{n}1"), Cell(text=f"{n}2")]) for n in range(6)],
)
ROWS = [line(row) for row in TABLE.rows]
HEAD = heading(TABLE)


def piece(name: str, rows: list[str], score: float, lead: str = "") -> Passage:
    return Passage(item_id=name, text=f"{lead}{HEAD}\n" + "\n".join(rows), table=0, score=score)


def test_a_divided_table_is_shown_whole_once_with_its_heading() -> None:
    first = piece("a", ROWS[:3], 0.9, lead="The following table shows cash flows.\n\n")
    other = Passage(item_id="c", text="Cash rose.", score=0.5)
    source = Source(
        number=1,
        document_id="d",
        title="t",
        filename="f",
        score=0.9,
        passages=[first, piece("b", ROWS[3:], 0.8), other],
    )
    found = completed(source, [TABLE])
    assert [each.item_id for each in found.passages] == ["a", "c"]
    assert found.passages[0].text == "\n".join(["The following table shows cash flows.", "", HEAD, *ROWS])


def test_a_whole_table_and_one_that_is_too_long_stay_as_they_are() -> None:
    assert whole_text(piece("a", ROWS, 1.0).text, TABLE) == ""
    long = TABLE.model_copy(update={"rows": TABLE.rows * 200})
    assert whole_text(piece("a", ROWS[:3], 1.0).text, long) == ""
    assert whole_text("Another text | 4", TABLE) == ""
