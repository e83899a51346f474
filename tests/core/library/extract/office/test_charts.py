"""Tests charts of every kind as tables, from parts written by the tests."""

from __future__ import annotations

import pytest

from core.library.extract.office.charts import ReadChart, chart_blocks, chart_tables

SPACES = (
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
)


def _points(values: list[str], code: str = "", levels: str = "") -> str:
    inner = "".join(f'<c:pt idx="{at}"><c:v>{value}</c:v></c:pt>' for at, value in enumerate(values) if value)
    inner = f'<c:ptCount val="{len(values)}"/>{inner}'
    return f"<c:numCache><c:formatCode>{code}</c:formatCode>{inner}</c:numCache>" if code else inner


def _texts(values: list[str]) -> str:
    return f"<c:strCache>{_points(values)}</c:strCache>"


def _series(name: str, categories: str, values: list[str], code: str = "General", more: str = "") -> str:
    return (
        f"<c:ser><c:tx>{_texts([name])}</c:tx>{more}<c:cat>{categories}</c:cat>"
        f"<c:val>{_points(values, code)}</c:val></c:ser>"
    )


def _chart(plots: str, title: str = "") -> bytes:
    head = f"<c:title><c:tx><c:rich><a:p><a:r><a:t>{title}</a:t></a:r></a:p></c:rich></c:tx></c:title>" if title else ""
    return f"<c:chartSpace {SPACES}><c:chart>{head}<c:plotArea>{plots}</c:plotArea></c:chart></c:chartSpace>".encode()


def _rows(read: ReadChart) -> list[list[list[str]]]:
    return [table.rows for table in read.tables]


@pytest.mark.parametrize("kind", ["barChart", "bar3DChart", "radarChart", "ofPieChart", "chartOfTheFuture"])
def test_the_type_of_a_chart_is_no_obstacle(kind: str) -> None:
    read = chart_tables(_chart(f"<c:{kind}>{_series('Units', _texts(['North', 'South']), ['310', '420'])}</c:{kind}>"))
    assert _rows(read) == [[["", "Units"], ["North", "310"], ["South", "420"]]]
    assert read.is_whole


@pytest.mark.parametrize(
    ("code", "value", "more", "shown"),
    [
        ("0.0%", "0.4165", "", "41.7%"),
        ("General", "0.1", "", "0.1"),
        ("#,##0", "4512", "", "4,512"),
        ("General", "0.4165", '<c:dLbls><c:numFmt formatCode="0.0%" sourceLinked="0"/></c:dLbls>', "41.7%"),
        ("0.0%", "0.4165", '<c:dLbls><c:numFmt formatCode="0%" sourceLinked="0"/></c:dLbls>', "41.7%"),
        ("0.0%", "0.4165", '<c:dLbls><c:numFmt formatCode="0.00" sourceLinked="1"/></c:dLbls>', "41.7%"),
        ('#,##0.0,,"M"', "1234567", "", "1234567"),
        ("General", "#N/A", "", ""),
    ],
)
def test_figures_are_as_the_chart_shows_them(code: str, value: str, more: str, shown: str) -> None:
    series = _series("Share", _texts(["North", "South"]), [value, "7"], code, more)
    (rows,) = _rows(chart_tables(_chart(f"<c:barChart>{series}</c:barChart>")))
    assert rows[1] == ["North", shown]


def test_categories_keep_their_levels() -> None:
    levels = (
        '<c:multiLvlStrRef><c:multiLvlStrCache><c:ptCount val="4"/>'
        f"<c:lvl>{_points(['Paris', 'Lyon', 'Paris', 'Austin'])}</c:lvl><c:lvl>{_points(['France', '', 'Texas', ''])}"
        "</c:lvl></c:multiLvlStrCache></c:multiLvlStrRef>"
    )
    (rows,) = _rows(
        chart_tables(_chart(f"<c:barChart>{_series('Sales', levels, ['52', '31', '7', '18'])}</c:barChart>"))
    )
    assert [row[0] for row in rows[1:]] == ["Paris, France", "Lyon, France", "Paris, Texas", "Austin, Texas"]


def test_periods_head_the_columns() -> None:
    plot = (
        f"<c:lineChart>{_series('Gross margin', _texts(['2023', '2024']), ['0.384', '0.4165'], '0.0%')}</c:lineChart>"
    )
    assert _rows(chart_tables(_chart(plot))) == [[["", "2023", "2024"], ["Gross margin", "38.4%", "41.7%"]]]


def test_a_pie_has_the_shares_that_its_labels_show() -> None:
    labels = "<c:dLbls><c:showPercent val='1'/></c:dLbls>"
    series = _series("Sales", _texts(["North", "South"]), ["30", "10"], more=labels)
    assert _rows(chart_tables(_chart(f"<c:pieChart>{series}</c:pieChart>"))) == [
        [["", "Sales", "Share"], ["North", "30", "75%"], ["South", "10", "25%"]]
    ]
    assert _rows(chart_tables(_chart(f"<c:barChart>{series}</c:barChart>")))[0][0] == ["", "Sales"]


def test_series_of_two_plots_with_the_same_categories_are_one_table() -> None:
    places = _texts(["North", "South"])
    axes = "".join(
        f'<c:valAx><c:axId val="{number}"/><c:title><a:p><a:r><a:t>{title}</a:t></a:r></a:p></c:title></c:valAx>'
        for number, title in ((1, "USD million"), (2, "Percent"))
    )
    plots = (
        f"<c:barChart>{_series('Sales', places, ['5', '6'])}<c:axId val='1'/></c:barChart>"
        f"<c:lineChart>{_series('Growth', places, ['3', '4'])}<c:axId val='2'/></c:lineChart>{axes}"
    )
    (rows,) = _rows(chart_tables(_chart(plots)))
    assert rows[0] == ["", "Sales (USD million)", "Growth (Percent)"]


def test_a_row_a_point_of_a_scatter_chart() -> None:
    series = (
        f"<c:ser><c:tx>{_texts(['Flats'])}</c:tx><c:xVal>{_points(['2', '5'], 'General')}</c:xVal>"
        f"<c:yVal>{_points(['910', '640'], 'General')}</c:yVal></c:ser>"
    )
    read = chart_tables(_chart(f"<c:scatterChart>{series}</c:scatterChart>"), "Price against distance")
    assert _rows(read) == [[["distance", "Price"], ["2", "910"], ["5", "640"]]]
    assert read.tables[0].series == "Flats"


def test_a_chart_of_a_newer_kind() -> None:
    xml = (
        '<cx:chartSpace xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"><cx:chartData>'
        '<cx:data id="0"><cx:strDim type="cat"><cx:lvl ptCount="2"><cx:pt idx="0">Opening</cx:pt>'
        '<cx:pt idx="1">Sales</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl ptCount="2" formatCode="#,##0">'
        '<cx:pt idx="0">1200</cx:pt><cx:pt idx="1">-300</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData>'
        "<cx:chart><cx:title><cx:tx><cx:txData><cx:v>Cash</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea>"
        '<cx:plotAreaRegion><cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:v>Amount</cx:v></cx:txData></cx:tx>'
        '<cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>'
    )
    read = chart_tables(xml.encode())
    assert (read.title, read.is_whole) == ("Cash", True)
    assert _rows(read) == [[["", "Amount"], ["Opening", "1,200"], ["Sales", "-300"]]]


@pytest.mark.parametrize("xml", [b"", b"<other/>", b"\x00", _chart(""), _chart("<c:barChart><c:ser/></c:barChart>")])
def test_a_chart_that_cannot_be_read_is_said_to_be(xml: bytes) -> None:
    read = chart_tables(xml)
    assert not read.is_whole
    assert not chart_blocks(read)
