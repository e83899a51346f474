"""Tests summaries of invented documents of each type, read from a file like an upload."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.summary_shapes import matter_from, reading_of, sum_up
from core.library.records import CoveredPeriod, Metadata, Organisation
from core.parsed_yaml import parse_yaml
from core.review.actions.summary.document import SummaryDocument
from core.review.actions.summary.extractive import extractive_summary, lines_for
from core.review.actions.summary.shapes import MOST_LINES

DOCUMENTS: Any = parse_yaml((Path(__file__).parent / "data" / "documents.yaml").read_text(encoding="utf-8"))


def matter_of(row: dict[str, Any], folder: Path) -> SummaryDocument:
    """Returns the document of a table row, with the details that the row states."""
    path = folder / "document.md"
    path.write_text(row["text"], encoding="utf-8")
    reading = reading_of(path, None)
    periods = [CoveredPeriod(key=row["period"])] if "period" in row else []
    organisations = [Organisation(name=row["organisation"])]
    title = reading.metadata.title
    about = Metadata(title=title, kind=row["kind"], organisations=organisations, periods=periods)
    return matter_from(reading.model_copy(update={"metadata": about, "pages": 3}), "document.md")


def parts_of(text: str) -> dict[str, str]:
    """The lines under each label of a summary."""
    found = re.findall(r"^\*\*([^*\n]+)\*\*\n\n((?:- .*\n?)+)", text, flags=re.MULTILINE)
    return dict(found)


@pytest.mark.parametrize("row", DOCUMENTS, ids=[f"{row['kind']}, {row['language']}" for row in DOCUMENTS])
async def test_each_kind_is_told_in_its_shape(row: dict[str, Any], tmp_path: Path) -> None:
    matter = matter_of(row, tmp_path)
    text = await sum_up(matter, row["language"])
    parts = parts_of(text)
    for label, said in row["says"].items():
        assert said in parts.get(label, ""), f"{label}\n{text}"
    for said in row["never"]:
        assert said not in text
    lines = [line for line in text.split("\n") if line]
    assert len(lines) <= MOST_LINES
    assert all(line.endswith("[1]") for line in lines if line.startswith("- "))
    assert row["organisation"] in lines[0]


async def test_labels_are_in_the_language_of_the_reader_and_quotations_in_that_of_the_document(tmp_path: Path) -> None:
    row = next(each for each in DOCUMENTS if each["kind"] == "annual report")
    text = await sum_up(matter_of(row, tmp_path), "he")
    assert text.startswith("**דוח שנתי** · \u2068Norvik Ferries plc\u2069 · 2031 · 3 עמודים [1]")
    assert "**סיכונים**" in text
    assert "Ice on the rivers could disrupt" in text
    assert "הכנסות ב-2031: $1,120 מיליון, עלייה של 12.0 % לעומת $1,000" in text


async def test_a_part_of_which_nothing_is_said_is_left_out(tmp_path: Path) -> None:
    row = next(each for each in DOCUMENTS if each["kind"] == "annual report")
    without = dict(row, text=row["text"].split("## Item 1A")[0] + "## Item 7" + row["text"].split("## Item 7")[1])
    parts = parts_of(await sum_up(matter_of(without, tmp_path), "en"))
    assert "Risks" not in parts
    assert "The business" in parts


async def test_a_shorter_one_keeps_something_of_each_part(tmp_path: Path) -> None:
    row = next(each for each in DOCUMENTS if each["kind"] == "annual report")
    matter = matter_of(row, tmp_path)
    told = await extractive_summary(matter, "en", "concise", lines_for("concise", 1), None)
    lines = [line for line in "\n".join(told.blocks).split("\n") if line]
    assert len(lines) <= 13
    assert {"Figures", "Risks"} <= set(parts_of("\n\n".join(told.blocks)))


def test_several_documents_share_the_lines() -> None:
    assert lines_for("balanced", 1) == MOST_LINES
    assert lines_for("balanced", 2) == 20
    assert lines_for("balanced", 9) == 13


async def test_a_document_of_another_kind_is_told_by_its_sections(tmp_path: Path) -> None:
    row = dict(next(each for each in DOCUMENTS if each["kind"] == "memo"), kind="other")
    text = await sum_up(matter_of(row, tmp_path), "en")
    assert text.startswith("**Document** · Memo: the leak in ferry North · Norvik Ferries plc")
    assert {"Background", "Findings", "Recommendations"} <= set(parts_of(text))


async def test_nothing_is_made_up_where_nothing_of_the_shape_is_said(tmp_path: Path) -> None:
    row = dict(DOCUMENTS[0], text="# Ferries\n\n## Colours\n\nThe ferries are painted in a light shade of blue.\n")
    text = await sum_up(matter_of(row, tmp_path), "en")
    assert "painted in a light shade of blue" in text
    assert "Risks" not in text


async def test_figures_without_a_currency_or_in_doubt_are_left_out(tmp_path: Path) -> None:
    row = DOCUMENTS[0]
    bare = dict(row, text=row["text"].replace("In millions of dollars, except per share\n", "").replace("$ ", ""))
    assert "Figures" not in parts_of(await sum_up(matter_of(bare, tmp_path), "en"))


async def test_a_loss_before_has_no_share(tmp_path: Path) -> None:
    row = DOCUMENTS[0]
    loss = dict(row, text=row["text"].replace("| Net income | $ 140 | $ 100 |", "| Net income | $ 140 | $ (35) |"))
    text = await sum_up(matter_of(loss, tmp_path), "en")
    assert "Net income in FY2031: $140 million, after −$35 million in FY2030" in text


async def test_two_years_set_beside_each_other_again_and_again_are_paired(tmp_path: Path) -> None:
    row = DOCUMENTS[0]
    matter = matter_of(row, tmp_path)
    assert matter.about
    wide = []
    for each in matter.about.tables:
        columns = [each.table.columns[number] for number in (1, 0, 1, 0)]
        rows = [
            one.model_copy(
                update={
                    "cells": [
                        *(cell.model_copy(update={"value": (cell.value or 0) / 4}) for cell in one.cells[::-1]),
                        *one.cells[::-1],
                    ]
                }
            )
            for one in each.table.rows
        ]
        quarter = columns[1].model_copy(update={"period": "2031-Q4"})
        columns[1] = quarter
        wide.append(replace(each, table=each.table.model_copy(update={"columns": columns, "rows": rows})))
    text = await sum_up(SummaryDocument(matter.source, replace(matter.about, tables=tuple(wide))), "en")
    assert "Revenue in FY2031: $1,120 million, up 12.0 % from $1,000 million" in text


async def test_a_year_that_ends_in_the_next_is_found_under_the_day_on_which_it_ended(tmp_path: Path) -> None:
    row = DOCUMENTS[0]
    matter = matter_of(row, tmp_path)
    assert matter.about
    period = CoveredPeriod(key="2030", names=["2030", "2031"], end="2031-01-28")
    metadata = matter.about.metadata.model_copy(update={"periods": [period]})
    text = await sum_up(SummaryDocument(matter.source, replace(matter.about, metadata=metadata)), "en")
    assert "Revenue in FY2030: $1,120 million, up 12.0 % from $1,000 million in FY2029" in text


async def test_a_figure_rests_on_the_row_it_was_read_from(tmp_path: Path) -> None:
    matter = matter_of(DOCUMENTS[0], tmp_path)
    told = await extractive_summary(matter, "en", "balanced", MOST_LINES, None)
    texts = {passage.item_id: passage.text for passage in matter.source.passages}
    rows = [quote for quote in told.quotes if quote.text.startswith("Net sales")]
    assert rows
    assert all(quote.text in texts[quote.item_id] for quote in told.quotes)
