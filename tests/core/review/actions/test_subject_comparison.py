"""Tests comparisons that are restricted to a subject."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.summaries import as_source
from core.figures.records import Origin, TableEvidence
from core.figures.stored.records import StoredFigure
from core.library.tables.records import Table
from core.prompts.templates import Prompts
from core.review.actions.compare import Comparer
from core.review.actions.parts import room_in, split_document, whole_text
from core.review.actions.subject import Subject
from core.review.actions.subject_figures import subject_rows

ONE = "# Q2\n\n## Results\n\nServices sales grew by 4 per cent in the quarter. The lift was repaired in May.\n"
TWO = "# Q3\n\n## Results\n\nServices sales grew by 9 per cent in the quarter. The lift was repaired in June.\n"


def figure(document: str, label: str, value: float, **more: Any) -> StoredFigure:
    return StoredFigure(document_id=document, label=label, value=value, scale=1e6, currency="USD", text=f"{value:,.0f}",
                        page=4, **more)  # fmt: skip


QUARTERS = {
    "doc_1": ("2023-Q1", "Three Months Ended April 1, 2023", "2023-H1"),
    "doc_2": ("2023-Q2", "Three Months Ended July 1, 2023", "2023-9M"),
}


async def two_topics(document_id: str, measure: str) -> Sequence[StoredFigure]:
    """The quarter and the months so far, by calendar; the row of the second document has a note mark."""
    quarter, header, longer = QUARTERS[document_id]
    mark = "® (1)" if document_id == "doc_2" else ""
    return [
        figure(document_id, f"{label}{mark}", value + factor, period=period, header=printed)
        for label, value in (("Services", 20_907.0), ("Mac", 7_168.0))
        for period, printed, factor in ((longer, "", 30_000.0), (quarter, header, 0.0))
    ]


async def test_a_comparison_leads_with_each_requested_topic_or_says_not_found(prompts: Prompts) -> None:
    sources = [as_source(text, number, f"Report {number}") for number, text in enumerate((ONE, TWO), 1)]
    sources = [each.model_copy(update={"document_id": f"doc_{each.number}"}) for each in sources]
    origins = [Origin(number=n, document_id=each, periods=QUARTERS[each][:1]) for n, each in enumerate(QUARTERS, 1)]
    tables = [TableEvidence(origin, 0, Table()) for origin in origins]
    asked = "Compare the reports on Mac, Services and zebras"
    result = await Comparer(prompts, look_up=two_topics).compare(sources, "en", asked, tables=tables)
    assert [row.theme for row in result.figures] == ["Mac", "Services"]
    assert "$7,168 million (Three Months Ended April 1, 2023) (p. 4) [1]" in result.text
    figures, missing, rest = (result.text.index(each) for each in ("| Services |", "about “zebras”", "4 per cent"))
    assert figures < missing < rest
    assert "lift" not in result.text


async def look_up(document_id: str, measure: str) -> Sequence[StoredFigure]:
    value = 20_907.0 if document_id.endswith("1") else 21_213.0
    return [
        StoredFigure(
            document_id=document_id, label="Services", parents=("Net sales:",), value=value, scale=1e6, currency="USD",
            text=f"{value:,.0f}", page=4, period="2023-Q2" if value < 21_000 else "2023-Q3",
        ),
        StoredFigure(document_id=document_id, label="Products", value=1.0, text="1", page=4),
    ]  # fmt: skip


async def test_only_the_subject_is_compared_with_its_stored_figures(prompts: Prompts) -> None:
    sources = [as_source(text, number) for number, text in enumerate((ONE, TWO), 1)]
    sources = [each.model_copy(update={"document_id": f"doc_{each.number}"}) for each in sources]
    result = await Comparer(prompts, look_up=look_up).compare(sources, "en", "Compare Services in Q2 and Q3")
    assert [row.theme for row in result.figures] == ["Net sales · Services"]
    assert "$20,907 million (Q2 FY2023) (p. 4) [1] | $21,213 million (Q3 FY2023) (p. 4) [2] | +1.5 %" in result.text
    assert "4 per cent" in result.text
    assert "lift" not in result.text


@pytest.mark.parametrize(
    ("periods", "change"),
    [
        (("2022", "2023"), "+100.0 %"),
        (("2023-H1", "2023"), ""),
        (("2023-Q1", "2023-H1"), ""),
        (("2022-12-31", "2023-09-30"), "+100.0 %"),
    ],
)
def test_a_change_is_shown_only_between_periods_of_one_length(periods: Sequence[str], change: str) -> None:
    sources = [as_source(text, number) for number, text in enumerate((ONE, TWO), 1)]
    found = {
        number: [
            StoredFigure(
                document_id=f"doc_{number}", label="Services", value=value, text=str(value), period=period, page=1
            )
        ]
        for number, (period, value) in enumerate(zip(periods, (10.0, 20.0), strict=True), 1)
    }
    rows = subject_rows(sources, found, {}, Subject("Services"), "en").rows
    assert [row.change for row in rows] == [change]


def test_only_figures_of_the_same_part_share_a_row() -> None:
    sources = [as_source(text, number) for number, text in enumerate((ONE, TWO), 1)]
    parts = {1: ("Asia", "Europe"), 2: ("Europe", "Africa")}
    found = {
        number: [
            StoredFigure(
                document_id=f"doc_{number}", label="Sales", segment=part, value=1.0, text=f"{number} {part}", page=1
            )
            for part in names
        ]
        for number, names in parts.items()
    }
    rows = subject_rows(sources, found, {}, Subject("Sales"), "en").rows
    assert [[cell.text for cell in row.cells] for row in rows] == [["1 Europe", "2 Europe"]]


@pytest.mark.parametrize(
    "asked", ["Compare the cafeteria menu in Q2 and Q3", "What differs regarding the parking fees?"]
)
async def test_a_subject_in_neither_document_is_not_found(prompts: Prompts, asked: str) -> None:
    sources = [as_source(text, number, f"Report {number}") for number, text in enumerate((ONE, TWO), 1)]
    result = await Comparer(prompts).compare(sources, "en", asked)
    assert result.text.startswith("**Not found.**")
    assert "Report 1, Report 2" in result.text


def test_a_document_is_split_at_sections_and_keeps_all_its_passages() -> None:
    text = "\n\n".join(f"## Part {n}\n\n" + "The pump of the mill works well today. " * 40 for n in range(6))
    source = as_source(text)
    source = source.model_copy(
        update={"passages": [each.model_copy(update={"page": n}) for n, each in enumerate(source.passages, 1)]}
    )
    parts = split_document(source, 700)
    assert [passage for part in parts for passage in part.passages] == source.passages
    assert len(parts) > 2
    assert all(part.pages for part in parts)
    assert "[p. 1]" in whole_text(source)
    assert room_in(1_000) < room_in(131_072) < 131_072
