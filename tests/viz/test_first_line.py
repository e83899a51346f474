from __future__ import annotations

import re

from core.events import Passage, Source
from core.records.answer import Answer, CellReference
from core.words import Words
from viz.first_line import answer_line

PASSAGE = Passage(item_id="mem_1", text="Net cash | $4,862 | $4,317", page=7)
SOURCE = Source(number=1, document_id="doc_1", title="Report", filename="r.pdf", score=1, passages=[PASSAGE])


def cell(text: str, column: int, **given: object) -> CellReference:
    place = {"number": 1, "document_id": "doc_1", "item_id": "mem_1", "table": 2, "row": 0, "column": column, "page": 7}
    return CellReference.model_validate(
        {**place, "label": "Net cash", "header": str(2022 - column), "text": text, **given}
    )


def drawn(answer: Answer, **labels: str) -> str:
    return str(answer_line(answer, [SOURCE], labels, "en"))


def links(html: str) -> list[tuple[str, str]]:
    return re.findall(r'class="cell".*?data-column="(\d)".*?>([^<]*)</button>', html)


def test_the_figure_opens_its_cell_and_the_citation_its_passage() -> None:
    answer = Answer(kind="figure", line="Net cash was $4,862 million [1].", cells=[cell("$4,862", 0)])
    html = drawn(answer, mem_1="1a")
    assert links(html) == [("0", "$4,862")]
    assert 'data-document-id="doc_1"' in html
    assert 'data-page="7"' in html
    assert re.search(
        r'data-cite="1" data-item="mem_1" data-in-table="2" data-row="0" data-column="0".*?>1a</button>', html
    )


def test_a_calculation_shows_every_time_a_cell_is_used() -> None:
    answer = Answer(
        kind="calculation",
        line="It rose by 12.6% [1].",
        cells=[cell("$4,862", 0), cell("$4,317", 1)],
        calculation="($4,862 − $4,317) ÷ $4,317 = 12.6%",
    )
    assert links(drawn(answer)) == [("0", "$4,862"), ("1", "$4,317"), ("1", "$4,317")]


def test_a_cell_is_not_found_inside_another_number_and_is_then_listed() -> None:
    answer = Answer(kind="figure", line="It was 14,862 in all [1].", cells=[cell("4,862", 0)])
    html = drawn(answer)
    assert "14,862" in html
    assert links(html) == [("0", "4,862")]
    assert html.index("14,862") < html.index('class="cells"') < html.index(">4,862<")


def test_a_bare_number_in_the_line_is_the_cell_with_its_currency() -> None:
    answer = Answer(kind="figure", line="It was 1,577 million dollars [1].", cells=[cell("$(1,577)", 0)])
    assert links(drawn(answer)) == [("0", "1,577")]


def test_doubt_and_indecision_are_said_beside_it() -> None:
    doubt = Words(en="Another filing says otherwise.", he="דוח אחר אומר אחרת.")
    html = drawn(Answer(kind="undecided", line="It bears on it [1].", doubt=doubt, decided=False))
    assert "Closest match, please check" in html
    assert "Another filing says otherwise." in html
    again = Words(en="Closest match, please check: one sentence.", he="הכי קרוב, כדאי לבדוק: משפט אחד.")
    line = drawn(Answer(kind="undecided", line="It bears on it [1].", doubt=again, decided=False))
    assert line.count("Closest match") == 1
    assert "first-line undecided" in html


def test_what_a_document_says_is_no_markup_and_an_unknown_citation_no_button() -> None:
    html = drawn(Answer(kind="span", line="<img src=x> [7]", value="<img>"))
    assert "<img" not in html
    assert "data-cite" not in html


def test_the_same_figure_stated_otherwise_is_shown_with_its_source() -> None:
    html = drawn(Answer(kind="figure", line="x [1]", cells=[], others=[cell("$4,318", 1)]))
    assert "Other values found" in html
    assert links(html) == [("1", "$4,318")]


def test_the_calculation_is_not_said_twice_and_a_minus_belongs_to_its_figure() -> None:
    answer = Answer(
        kind="calculation",
        line="It changed by −94 (−442 − (−348) = −94) [1].",
        cells=[cell("(442)", 0, value=-442.0), cell("(348)", 1, value=-348.0)],
        calculation="−442 − (−348) = −94",
    )
    html = drawn(answer)
    assert links(html) == [("0", "−442"), ("1", "−348")]
    assert html.count("−94") == 2


SENTENCE = "Invoices of 2022 are paid within 45 days of receipt."


def of_text(line: str, value: object) -> str:
    place = CellReference(number=1, document_id="doc_1", item_id="mem_1", text=SENTENCE, page=3)
    return drawn(Answer(kind="span", line=line, value=value, cells=[place]))


def test_of_a_sentence_the_value_is_the_link_and_opens_the_sentence() -> None:
    for value in ("45 days", 45.0):
        html = of_text("Payment term: 45 days [1]", value)
        linked = re.findall(r'class="cell".*?data-quote="([^"]*)".*?>([^<]*)</button>', html)
        assert linked == [(SENTENCE, "45 days" if isinstance(value, str) else "45")]
        assert 'class="cells"' not in html


def test_a_whole_sentence_is_no_link() -> None:
    html = of_text(f"{SENTENCE} [1]", SENTENCE * 2)
    assert 'class="cell"' not in html
    assert f'data-quote="{SENTENCE}"' in html


def test_the_sign_of_a_currency_belongs_to_its_figure() -> None:
    answer = Answer(kind="figure", line="Net cash: $4,862 million [1]", cells=[cell("4,862", 0)])
    assert links(drawn(answer)) == [("0", "$4,862")]


def test_a_year_that_is_part_of_a_word_is_not_torn_from_it() -> None:
    html = drawn(Answer(kind="span", line="רווח נקי של Adobe ב-FY2022 ו-2021: (12)"))
    assert "FY2022" in html
    assert "<bdi dir=ltr class=number>2021</bdi>" in html
    assert "<bdi dir=ltr class=number>(12)</bdi>" in html


def test_a_sentence_runs_in_its_own_direction_on_either_page() -> None:
    english = Answer(kind="sentence", line="3M is defending lawsuits [1].", decided=False)
    hebrew = Answer(kind="figure", line="הכנסות של PepsiCo ב-2022: $86,392 מיליון [1]")
    assert 'class="says" dir="ltr"' in str(answer_line(english, [SOURCE], {}, "he"))
    assert 'class="says" dir="rtl"' in str(answer_line(hebrew, [SOURCE], {}, "he"))


def test_a_number_that_begins_a_name_stays_with_it_and_a_figure_is_whole() -> None:
    html = drawn(
        Answer(kind="figure", line="מספר העובדים של 4K (31.12.2031): כ־92,000, פי 2.05x, 12.6% [1]", value="92,000")
    )
    assert re.findall(r"class=number>([^<]*)</bdi>", html) == ["(31.12.2031)", "92,000", "2.05x", "12.6%"]
