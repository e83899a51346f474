"""Tests that a model gets the outline for the document's type, and that it does not have to supply facts that are
already known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.summary_shapes import matter_from, reading_of
from core.library.records import CoveredPeriod, Metadata, Organisation
from core.prompts.templates import Prompts
from core.review.actions.summarize import Summarizer
from core.review.actions.summary.briefing import brief_of
from core.review.actions.summary.document import SummaryDocument
from core.review.actions.summary.opening import opening

REPORT = (
    "# Norvik report\n\n## Item 1. Business\n\nNorvik Ferries plc operates ferries.\n\n"
    "## Consolidated statements of income\n\nIn millions of dollars\n\n"
    "| | 2031 | 2030 |\n|---|---|---|\n| Net sales | $ 1,120 | $ 1,000 |\n| Cost of sales | 700 | 650 |\n"
    "| Gross profit | 420 | 350 |\n| Operating income | 200 | 150 |\n| Income before income taxes | 180 | 130 |\n"
    "| Net income | $ 140 | $ 100 |\n"
)


def report(folder: Path) -> SummaryDocument:
    path = folder / "report.md"
    path.write_text(REPORT, encoding="utf-8")
    about = Metadata(
        title="Norvik report", kind="annual report", organisations=[Organisation(name="Norvik Ferries plc")],
        periods=[CoveredPeriod(key="2031")],
    )  # fmt: skip
    return matter_from(reading_of(path, None).model_copy(update={"metadata": about}), path.name)


async def test_the_model_is_given_the_parts_and_the_figures(tmp_path: Path, prompts: Prompts, scripted: Any) -> None:
    matter = report(tmp_path)
    assert matter.about
    model = scripted("**The business**\n\n- It runs ferries. [1]")
    summarizer = Summarizer(prompts, model)
    result = await summarizer.summarize([matter.source], "en", about={matter.source.document_id: matter.about})
    assert result.generated
    first_line = "**Annual report** · Norvik Ferries plc · FY2031 [1]"
    assert result.text == f"{first_line}\n\n**The business**\n\n- It runs ferries. [1]"
    ((rules, text),) = model.asked
    assert "- Risks: What could harm" in rules.text.replace("  - ", "- ")
    assert "At most 24 lines" in rules.text
    assert "- Revenue in FY2031: $1,120 million, up 12.0 % from $1,000 million in FY2030 [1]" in text.text


async def test_without_anything_known_the_prompt_has_no_shape(tmp_path: Path, prompts: Prompts, scripted: Any) -> None:
    matter = report(tmp_path)
    model = scripted("It runs ferries. [1]")
    result = await Summarizer(prompts, model).summarize([matter.source], "en")
    assert result.text == "It runs ferries. [1]"
    assert "first two or three sentences" in model.asked[-1][0].text


def test_documents_of_several_kinds_have_no_shape_in_common(tmp_path: Path) -> None:
    one = report(tmp_path)
    brief = brief_of([one, SummaryDocument(one.source)], "he")
    assert brief.parts == []
    assert brief.openings == ["**דוח שנתי** · \u2068Norvik Ferries plc\u2069 · 2031 [1]"]
    assert len(brief.figures) == 3


def test_in_hebrew_the_kind_is_bold_and_names_of_another_script_stand_apart(tmp_path: Path) -> None:
    matter = report(tmp_path)
    assert matter.about
    title = "Norvik Ferries plc · Annual report (Form 10-K) · FY2031"
    metadata = matter.about.metadata.model_copy(update={"title": title})
    matter = replace(matter, about=replace(matter.about, metadata=metadata))
    assert opening(matter, "he").startswith(
        "**\u2068דוח שנתי (Form 10-K)\u2069** · \u2068Norvik Ferries plc\u2069 · 2031"
    )
