"""Tests that numbers of an answer are checked against the tables of its sources, with scale, unit and period."""

from __future__ import annotations

import pytest

from core.events import Passage, Source
from core.prompts.templates import Prompts
from core.review.figure_support import amounts_in
from core.review.support import SupportCheck, SupportedSentence

TABLE = """(in millions, except per share amounts)
Three Months Ended June 30, 2024 | Three Months Ended June 30, 2023
Net sales:
Kitchens | $1,204 | $1,100
Bathrooms | 396 | 440
Total net sales | 1,600 | 1,540
Earnings per share | $0.45 | $0.41"""


async def marks(answer: str, text: str = TABLE, question: str = "") -> list[SupportedSentence]:
    passage = Passage(item_id="itm_1", text=text, page=3, section="Statements of operations")
    title = "Harbour Fittings Ltd · Quarterly report · Q2 FY2024"
    source = Source(number=1, document_id="doc_1", title=title, filename="q2.pdf", score=1.0, passages=[passage])
    return (await SupportCheck(Prompts()).check(answer, [source], question)).sentences


@pytest.mark.parametrize(
    "sentence",
    [
        "Kitchens had net sales of $1,204 million [1].",
        "Kitchens had net sales of about $1.2 billion [1].",
        "In the three months ended June 30, 2023, Bathrooms net sales were $440 million [1].",
        "Bathrooms net sales fell 10% [1].",
        "Kitchens were 75.25% of total net sales in the three months ended June 30, 2024 [1].",
        "Earnings per share were $0.45 [1].",
        "| Net sales (millions) | 2024 |\n|---|---|\n| Kitchens | $1,204 [1] |",
    ],
)
async def test_a_number_that_the_table_gives_is_supported(sentence: str) -> None:
    assert [mark.verdict for mark in await marks(sentence)] == ["supported"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Kitchens had net sales of $1,204 thousand [1].",
        "Kitchens had net sales of $1,204 billion [1].",
        "Bathrooms net sales rose 10% [1].",
        "Bathrooms had net sales of $1,204 million [1].",
        "Kitchens had no net sales of $1,204 million [1].",
        "Marlowe Doors had net sales of $1,204 million in Kitchens [1].",
        "Kitchens were 71.25% of total net sales in the three months ended June 30, 2024 [1].",
    ],
)
async def test_a_false_number_is_not_supported(sentence: str) -> None:
    assert all(mark.verdict != "supported" for mark in await marks(sentence))


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("In the three months ended June 30, 2024, Kitchens net sales were $1,304 million [1].", "$1,204"),
        ("In the three months ended June 30, 2019, Kitchens net sales were $1,204 million [1].", "$1,204"),
    ],
)
async def test_a_contradiction_shows_the_row_that_says_otherwise(sentence: str, shown: str) -> None:
    (mark,) = await marks(sentence)
    assert mark.verdict == "contradicted"
    assert shown in mark.evidence


@pytest.mark.parametrize(
    "before", ["### Orders of the group\n\n", "Doors are made in Leeds and sold abroad [1]. ", "| Found |\n|---|\n| "]
)
async def test_a_sentence_is_contradicted_wherever_it_is_in_an_answer(before: str) -> None:
    sentence = "Kitchens net sales were $1,304 million in 2024 [1]."
    mark = (await marks(before + sentence))[-1]
    assert mark.verdict == "contradicted"
    assert "$1,204" in mark.evidence


@pytest.mark.parametrize(
    "answer",
    [
        "| Measure | Group |\n|---|---|\n| Debt | $21,300 million [1] |",
        "| Segment | Orders on hand at June 30, 2024 |\n|---|---|\n| Kitchens | $1,304 million [1] |",
        "$1,304 million [1].",
    ],
)
async def test_a_bare_number_is_not_contradicted_by_a_figure_for_something_else(answer: str) -> None:
    (mark,) = await marks(answer, f"Kitchens had net sales of $1,204 million in the quarter.\n{TABLE}")
    assert mark.verdict == "not_checked"


BALANCE = """(in millions)
 | February 2, 2024 | February 3, 2023
Inventories | 5,409 | 5,209"""


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("Inventories were $5,209 million at the end of fiscal 2024 [1].", "contradicted"),
        ("Inventories were $5,409 million at the end of fiscal 2024 [1].", "supported"),
        ("Inventories were $5,209 million at the end of fiscal 2023 [1].", "supported"),
        ("Inventories were $5,409 million at the end of fiscal 2023 [1].", "contradicted"),
        ("Inventories rose from $5,209 million to $5,409 million in fiscal 2024 [1].", "supported"),
        (
            "At the end of fiscal 2024 inventories were $5,409 million, and $5,209 million a year earlier [1].",
            "supported",
        ),
    ],
)
async def test_a_fiscal_year_is_not_the_column_of_the_year_before(sentence: str, verdict: str) -> None:
    assert [mark.verdict for mark in await marks(sentence, BALANCE)] == [verdict]


SUMMER = """(in millions)
 | Three Months Ended July 29, 2023 | Three Months Ended July 30, 2022
Revenue | $9,583 | $10,329"""


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("Revenue in Q2 FY2024: $9,583 million, down 7.2 % from $10,329 million in Q2 FY2023 [1].", "supported"),
        ("Revenue in Q2 FY2024 was $9,583 million, down from $10,329 million a year earlier [1].", "supported"),
        ("Revenue in Q2 FY2024 was $10,329 million [1].", "contradicted"),
        ("Revenue in Q2 FY2024: $9,583 million, up 7.2 % from $10,329 million in Q2 FY2023 [1].", "not_checked"),
    ],
)
async def test_both_years_of_a_comparison_are_fiscal(sentence: str, verdict: str) -> None:
    assert [mark.verdict for mark in await marks(sentence, SUMMER)] == [verdict]


async def test_a_fiscal_year_may_begin_in_the_year_before() -> None:
    quarter = BALANCE.replace("February 2, 2024 | February 3, 2023", "December 30, 2023 | December 31, 2022")
    (mark,) = await marks("Inventories were $5,409 million in the first quarter of fiscal 2024 [1].", quarter)
    assert mark.verdict == "supported"


async def test_a_lead_without_a_citation_is_checked_against_the_cited_sources() -> None:
    lead, _ = await marks("**Kitchens net sales were $1,204 million.**\n\nBathrooms net sales were $396 million [1].")
    assert lead.verdict == "supported"


async def test_a_computed_value_shows_its_operands() -> None:
    (mark,) = await marks("Kitchens were 75.25% of total net sales in the three months ended June 30, 2024 [1].")
    assert mark.evidence == "1,204 ÷ 1,600"


async def test_a_short_answer_word_claims_nothing() -> None:
    assert [mark.text for mark in await marks("Yes. Bathrooms net sales fell 10% [1].")] == [
        "Bathrooms net sales fell 10%."
    ]


async def test_a_subtotal_without_a_label_is_no_heading_of_columns() -> None:
    text = TABLE.replace("Bathrooms |", "1,204 | 1,100\nBathrooms |")
    (mark,) = await marks("In the three months ended June 30, 2023, Bathrooms net sales were $440 million [1].", text)
    assert (mark.verdict, mark.reason) == ("supported", "found")


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        (
            "Kitchens net sales were $1,204 million in the three months ended June 30, 2024, 9.5% more than the $1,100 "
            "million of the three months ended June 30, 2023 [1].",
            "Harbour Fittings: kitchens net sales increased 4% in 2023 compared to 2022.",
        ),
        (
            "The recipient returns the documents on either of two events, completion or request [1].",
            "On completion or request the recipient returns the documents and may keep one copy for either event.",
        ),
    ],
)
async def test_a_sentence_about_another_period_or_thing_contradicts_nothing(sentence: str, text: str) -> None:
    assert [mark.verdict for mark in await marks(sentence, f"{TABLE}\n\n{text}")] != ["contradicted"]


def test_a_year_before_an_amount_in_brackets_is_no_amount() -> None:
    (amount,) = amounts_in("Total net sales were the highest in 2020 ($1,600 million).")
    assert amount.value == 1_600_000_000


SHARES = """| Period | Value | Calculation | Source |
|---|---|---|---|
| Three Months Ended June 30, 2024 | 75.3 % | 1,204 ÷ 1,600 | [1] p. 3 |
| Three Months Ended June 30, 2023 | 81.4 % | 1,100 ÷ 1,540 | [1] p. 3 |"""


async def test_a_cell_of_citations_is_the_source_of_its_row() -> None:
    found = await marks(SHARES, question="What share of total net sales were kitchens in each quarter?")
    assert [(mark.text, mark.verdict) for mark in found] == [
        ("75.3 %", "supported"),
        ("1,204 ÷ 1,600", "supported"),
        ("81.4 %", "not_checked"),
        ("1,100 ÷ 1,540", "supported"),
    ]
    assert found[0].evidence == "1,204 ÷ 1,600"


async def test_each_value_of_a_row_is_checked_in_its_own_period() -> None:
    answer = """| Company | Period | Kitchens net sales | Source |
|---|---|---|---|
| Harbour Fittings | Three Months Ended June 30, 2024 | $1,204 million | [1] page 3 |
| Harbour Fittings | Three Months Ended June 30, 2023 | $1,304 million | [1] page 3 |"""
    assert [mark.verdict for mark in await marks(answer)] == ["supported", "contradicted"]


SEGMENTS = """(in millions)
 | Three Months Ended June 30, 2023 | Three Months Ended June 30, 2024
Kitchens
Net sales | $1,100 | $1,204
Operating income | 90 | 110
Bathrooms
Net sales | $440 | $396
Operating income | 61 | 58
Doors
Net sales | $300 | $310
Operating income | 20 | 25
Consolidated
Net sales | $1,840 | $1,910
Operating income | 171 | 193"""


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("Of the three segments, Kitchens had the highest net sales in 2024, $1,204 million [1].", "supported"),
        ("Of the three segments, Doors had the lowest net sales in 2024, $310 million [1].", "supported"),
        ("Kitchens had the largest net sales in 2024, $1,204 million [1].", "supported"),
        ("Of the three segments, Bathrooms had the highest net sales in 2024, $396 million [1].", "contradicted"),
        ("Bathrooms had the largest net sales in 2024, $396 million [1].", "not_checked"),
        ("Of the five segments, Kitchens had the highest net sales in 2024, $1,204 million [1].", "not_checked"),
    ],
)
async def test_a_superlative_is_checked_against_the_cells_that_it_compares(sentence: str, verdict: str) -> None:
    (mark,) = await marks(sentence, SEGMENTS)
    assert mark.verdict == verdict
    assert verdict != "contradicted" or "1,204" in mark.evidence


async def test_a_superlative_shows_the_cells_and_leaves_out_their_total() -> None:
    (mark,) = await marks("Kitchens had the largest net sales in 2024, $1,204 million [1].", SEGMENTS)
    assert ("396" in mark.evidence, "310" in mark.evidence, "1,910" in mark.evidence) == (True, True, False)


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("הרווח התפעולי של Kitchens ברבעון השני של 2024 היה 110 מיליון דולר [1].", "supported"),
        ("הרווח התפעולי של Kitchens עלה ל-110 מיליון דולר ברבעון השני של 2024 [1].", "supported"),
        ("הרווח התפעולי של Kitchens ברבעון השני של 2024 היה 120 מיליון דולר [1].", "contradicted"),
        ("הרווח התפעולי של Kitchens ברבעון השני של 2023 היה 110 מיליון דולר [1].", "contradicted"),
        ("הרווח התפעולי של Kitchens ירד ל-110 מיליון דולר ברבעון השני של 2024 [1].", "not_checked"),
        ("הרווח התפעולי של Marlowe ברבעון השני של 2024 היה 110 מיליון דולר [1].", "not_checked"),
        ("הרווח התפעולי של מרלוב ברבעון השני של 2024 היה 110 מיליון דולר [1].", "not_checked"),
    ],
)
async def test_numbers_of_a_sentence_in_another_language_are_checked(sentence: str, verdict: str) -> None:
    assert [mark.verdict for mark in await marks(sentence, SEGMENTS)] == [verdict]


async def test_a_count_of_things_is_not_contradicted_by_an_amount_in_millions() -> None:
    assert [mark.verdict for mark in await marks("All three report total net sales [1].")] == ["not_checked"]
