"""Tests an answer's first line, from the record store to the response: it shows a table cell or a ratio, and never
another user's figures."""

from __future__ import annotations

import pytest

from core.events import Response, Source
from core.graph.answering.extractive import with_cited
from core.records.answer import Answer as Line
from core.records.answer import CellReference
from tests.service.conftest import Open
from tests.service.house import Answer, House


def report(company: str, revenue: int, income: int, earlier: int) -> str:
    return f"""<html><head><title>{company} annual report 2022</title></head><body>
<h1>{company} Annual Report for the fiscal year ended December 31, 2022</h1>
<p>{company} makes pumps and sells them in many countries.</p>
<h2>Consolidated Statements of Income</h2>
<p>Years ended December 31 (in millions)</p>
<table><tr><th></th><th>2022</th><th>2021</th></tr>
<tr><td>Net sales</td><td>$ {revenue:,}</td><td>$ {earlier:,}</td></tr>
<tr><td>Cost of sales</td><td>{revenue - income - 40:,}</td><td>{earlier - 80:,}</td></tr>
<tr><td>Operating income</td><td>{income}</td><td>70</td></tr>
<tr><td>Net income</td><td>{income - 20}</td><td>50</td></tr></table>
</body></html>"""


@pytest.fixture
async def house(open_house: Open) -> House:
    house = await open_house()
    await house.read("NORDVIK_2022_10K.html", report("Nordvik Corporation", 2400, 300, 2000))
    await house.read("TALMOR_2022_10K.html", report("Talmor Industries Inc.", 5100, 510, 4700))
    return house


def response_of(answer: Answer) -> Response:
    response = answer.view.response
    assert response is not None
    return response


def cell_of(response: Response) -> CellReference:
    assert response.answer is not None
    return response.answer.cells[0]


async def test_a_cell_is_said_first_with_its_unit_and_place(house: House) -> None:
    response = response_of(await house.ask("What were Nordvik's net sales in 2022?"))
    assert response.answer is not None
    assert (response.answer.value, response.answer.scale, response.answer.currency) == (2400.0, 1e6, "USD")
    assert "2,400" in response.answer.line
    assert response.text.startswith(response.answer.line)
    cell = cell_of(response)
    assert (cell.label, cell.period, cell.text) == ("Net sales", "2022", "$2,400")
    assert any("Net sales" in quote.text for quote in response.quotes)


async def test_a_ratio_is_worked_out_of_cited_cells(house: House) -> None:
    response = response_of(await house.ask("What was Talmor's operating margin in 2022?"))
    assert response.answer is not None
    assert response.answer.unit == "%"
    assert response.answer.value == pytest.approx(10.0)
    assert "510" in response.answer.calculation
    assert {cell.label for cell in response.answer.cells} == {"Operating income", "Net sales"}


async def test_nobody_is_answered_with_the_figures_of_another(house: House) -> None:
    asked = {"Nordvik": 2400.0, "Talmor": 5100.0}
    for company, revenue in asked.items():
        response = response_of(await house.ask(f"Net sales of {company} in 2022?"))
        assert response.answer is not None
        assert response.answer.value == revenue


async def test_what_no_table_holds_is_not_said_first(house: House) -> None:
    answer = await house.ask("What was Nordvik's research and development expense in 2022?")
    if answer.view.pending:
        answer = await house.reply(answer, "continue")
    response = response_of(answer)
    assert response.answer is None or not response.answer.decided or response.answer.doubt is not None
    assert response.confidence != "high"


async def test_a_fact_that_no_search_found_is_quoted_from_where_it_stands(house: House) -> None:
    chapters = "".join(
        f"<h2>Quarry {n}</h2><p>Who is the CFO of Ostrel is asked in quarry {n}: the CFO of Ostrel comes there.</p>"
        for n in range(60)
    )
    await house.read(
        "OSTREL_2022_10K.html",
        f"""<html><head><title>Ostrel Slate annual report 2022</title></head><body>
<h1>Ostrel Slate Corporation Annual Report for the fiscal year ended December 31, 2022</h1>{chapters}
<h2>Signatures</h2><p>/s/ MIRA TAL</p><p>Mira Tal, Chief Financial Officer (Principal Financial Officer)</p>
</body></html>""",
    )
    answer = await house.ask("Who is the CFO of Ostrel?")
    response = response_of(answer)
    assert response.answer is not None
    assert response.answer.value == "Mira Tal"
    cell = cell_of(response)
    shown = {passage.item_id: passage.text for source in answer.view.sources for passage in source.passages}
    assert "Mira Tal" in shown[cell.item_id]
    assert any("Mira Tal" in quote.text and quote.item_id == cell.item_id for quote in response.quotes)


async def test_a_line_whose_document_is_gone_stands_without_its_quotation(house: House) -> None:
    gone = Source(number=1, document_id="doc_gone", title="Gone", filename="gone.pdf", score=1.0, passages=[])
    cell = CellReference(number=1, document_id="doc_gone", item_id="mem_gone")
    line = Line(kind="figure", line="2,400 [1]", cells=[cell])
    assert await with_cited(house.workbench.library, "ada", [gone], line) == [gone]


async def test_a_line_brings_the_passage_that_no_search_had_found(house: House) -> None:
    document = await house.read("SELVEN_2022_10K.html", report("Selven Corporation", 900, 100, 800))
    passage = (await house.workbench.library.chunks("ada", document.id))[0]
    source = Source(number=1, document_id=document.id, title="", filename="", score=1.0, passages=[])
    line = Line(kind="figure", line="[1]", cells=[CellReference(number=1, document_id=document.id, item_id=passage.id)])
    (shown,) = await with_cited(house.workbench.library, "ada", [source], line)
    assert [each.item_id for each in shown.passages] == [passage.id]
