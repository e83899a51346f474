from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from core.library.tables.cells import cell
from core.library.tables.records import Column, Row, Table
from viz.table import MOST_ROWS, head_levels, table_html

COLUMNS = [
    Column(header=["Domestic", "2019"]),
    Column(header=["Domestic", "2018"], unit="%"),
    Column(header=["Abroad", "2019"]),
    Column(header=["Change"]),
]
TABLE = Table(
    caption="Sales <b>by area</b>",
    units="in millions",
    columns=COLUMNS,
    rows=[
        Row(label="Goods:"),
        Row(label="Cars", parents=["Goods"], cells=[cell("(12)"), cell("3%"), cell("4"), cell("<script>", False)]),
    ],
    notes=["(1) A note"],
    page=7,
    page_end=8,
)


def test_headings_over_several_columns_are_one() -> None:
    upper, lower = head_levels(COLUMNS)
    assert [(head.text, head.span) for head in upper] == [("Domestic", 2), ("Abroad", 1), ("", 1)]
    assert [(head.text, head.column) for head in lower] == [("2019", 0), ("2018", 1), ("2019", 2), ("Change", 3)]


def test_a_table_is_drawn_for_eyes_and_readers() -> None:
    page = LexborHTMLParser(table_html(TABLE, "en", "/documents/doc_1/tables/3"))
    assert [node.attributes.get("scope") for node in page.css("tbody th")] == ["row", "row"]
    assert {node.attributes.get("scope") for node in page.css("thead th")} == {"col", "colgroup"}
    assert page.css_first("tbody tr.section th").text() == "Goods:"
    figure = page.css_first("td.figure")
    assert (figure.text(), figure.attributes["data-value"], figure.attributes["dir"]) == ("(12)", "-12.0", "ltr")
    assert page.css_first("tbody th[data-depth='1']").attributes["title"] == "Goods"
    assert [link.attributes["href"] for link in page.css("a")] == [
        "/documents/doc_1/tables/3.csv",
        "/documents/doc_1/tables/3.xlsx",
    ]
    assert "7–8" in page.css_first("figcaption").text()


def test_nothing_of_a_document_runs() -> None:
    html = str(table_html(TABLE, "he"))
    assert "<script" not in html
    assert "<b>by area" not in html
    assert 'dir="rtl"' in html
    assert "<a " not in html


def test_a_long_table_is_cut_and_says_so() -> None:
    table = Table(columns=[Column(header=["n"])], rows=[Row(label=str(n)) for n in range(MOST_ROWS + 5)])
    html = str(table_html(table, "en"))
    assert html.count("<tr") == MOST_ROWS + 1
    assert "download" in html
