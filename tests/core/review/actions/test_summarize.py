from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from benchmarks.planted import plant
from benchmarks.summaries import LONGEST, as_source, kept
from core.errors import fail
from core.events import Source
from core.models.meter import Usage
from core.models.structured import Written
from core.prompts.templates import Prompts
from core.review.actions.records import summary_document
from core.review.actions.summarize import Summarizer
from core.store.items import Book, ItemSource, MemoryItem, SectionRole, Timestamps
from core.words import Words

TEXT = """# Report

## Pumps

The pumps are old. Pump 4 failed on 3 May 2025 and cost ILS 12,400. People talk about it.

## Staff

The crew is friendly. Ruth Amir leads 14 technicians. They have tea.
"""


@pytest.mark.parametrize("language", ["en", "he"])
async def test_planted_facts_survive_within_a_quarter_of_the_length(language: Any, prompts: Prompts) -> None:
    shares = []
    for seed in range(100, 105):
        document = plant(language, seed)
        result = await Summarizer(prompts).summarize([as_source(document.text)], language)
        assert len(result.text) <= LONGEST * len(document.text)
        shares.append(kept(document, result.text))
    assert sum(shares) / len(shares) >= 0.9


async def test_every_section_has_its_sentence_word_for_word(prompts: Prompts) -> None:
    source = as_source(TEXT)
    result = await Summarizer(prompts).summarize([source], "en")
    assert "**Pumps**" in result.text
    assert "Pump 4 failed on 3 May 2025 and cost ILS 12,400. [1]" in result.text
    assert "Ruth Amir leads 14 technicians. [1]" in result.text
    assert not result.generated
    texts = {passage.item_id: passage.text for passage in source.passages}
    assert result.quotes
    assert all(quote.text in texts[quote.item_id] for quote in result.quotes)


def paged(text: str, pages: int = 3) -> Source:
    source = as_source("\n\n".join(f"## Section {n}\n\n{text}" for n in range(1, pages + 1)))
    passages = [each.model_copy(update={"page": 10 + place}) for place, each in enumerate(source.passages)]
    return source.model_copy(update={"passages": passages})


async def test_a_document_that_fits_is_summarized_in_one_call_with_its_pages(prompts: Prompts, scripted: Any) -> None:
    source = paged("The pumps are old. Pump 4 failed on 3 May 2025.")
    page = source.passages[0].page
    model = scripted(f"- Pump 4 failed [1, p. {page}].\n- Nothing else [1, p. 999]. Wrong [9].")
    result = await Summarizer(prompts, model).summarize([source], "en", "Summarize it in two bullets for the board")
    assert len(model.asked) == 1
    rules, text = (each.text for each in model.asked[0])
    assert "two bullets for the board" in rules
    assert "exactly 2 points" in rules
    assert all(f"[p. {passage.page}]" in text for passage in source.passages)
    assert f"- Pump 4 failed. (p. {page}) [1]" in result.text or f"- Pump 4 failed (p. {page}) [1]." in result.text
    assert "999" not in result.text
    assert "[9]" not in result.text
    assert result.generated


async def test_parts_are_read_together_and_one_bad_part_is_named(prompts: Prompts) -> None:
    document = plant("en", 1)
    source = paged(document.text, 1)

    class Model:
        def __init__(self) -> None:
            self.asked: list[str] = []

        async def write(self, messages: Sequence[BaseMessage]) -> Written:
            self.asked.append(messages[1].text)
            if messages[1].text.startswith("BEGIN NOTES"):
                return Written("Joined. (p. 10) [1]", Usage(10, 2))
            if "[P1]" in messages[1].text and len(self.asked) == 1:
                raise fail("server", "errors.server")
            points = [{"text": "So it is [P1].", "passages": [1]}, {"text": "Made up.", "passages": [99]}]
            return Written(json.dumps({"points": points}), Usage(10, 2))

    told: list[tuple[int, int]] = []

    def progress(done: int, total: int, words: Words) -> None:
        told.append((done, total))

    model = Model()
    result = await Summarizer(prompts, model, window=1_000).summarize([source], "en", progress=progress)
    read = "".join(each for each in model.asked if not each.startswith("BEGIN NOTES"))
    notes = next(each for each in model.asked if each.startswith("BEGIN NOTES"))
    assert all(passage.text.split("\n")[-1][:40] in read for passage in source.passages)
    assert "- So it is. (p. " in notes
    assert "Made up" not in notes
    assert result.text.startswith("Joined. (p. 10) [1]")
    assert "Not read: " in result.text
    assert "Not read: " in result.notices[0].en
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == sorted(done for done, _ in told)


async def test_notes_that_cannot_be_joined_are_the_summary(prompts: Prompts) -> None:
    source = paged(plant("en", 1).text, 1)

    class Model:
        async def write(self, messages: Sequence[BaseMessage]) -> Written:
            points = [{"text": "So it is.", "passages": [1]}]
            return Written(json.dumps({"points": points}), Usage(10, 2))

    class Failing:
        asked = 0

        async def write(self, messages: Sequence[BaseMessage]) -> Written:
            assert messages[1].text.startswith("BEGIN NOTES")
            self.asked += 1
            raise fail("server", "errors.server")

    final = Failing()
    result = await Summarizer(prompts, Model(), window=1_000, final=final).summarize([source], "en")
    assert final.asked == 1
    assert result.generated
    assert result.text.count("- So it is. (p. ") > 1
    assert result.notices


async def test_a_summary_without_citations_is_asked_for_again_and_then_replaced(
    prompts: Prompts, scripted: Any
) -> None:
    model = scripted("no citation")
    result = await Summarizer(prompts, model).summarize([as_source(TEXT)], "en")
    assert (result.generated, len(result.notices), len(model.asked)) == (False, 1, 2)
    assert "Pump 4" in result.text


@pytest.mark.parametrize(
    ("asked", "lines"), [("Summarize it in two bullets", 2), ("Summarize only the staff", 2), ("סכם בשתי נקודות", 2)]
)
async def test_without_a_model_a_summary_has_what_was_asked(prompts: Prompts, asked: str, lines: int) -> None:
    result = await Summarizer(prompts).summarize([as_source(TEXT)], "en", asked)
    assert len(result.text.split("\n")) == lines
    assert all(line.startswith("- ") and line.endswith("[1]") for line in result.text.split("\n"))
    if "staff" in asked:
        assert "Ruth Amir" in result.text


async def test_a_subject_that_the_document_does_not_have_is_not_found(prompts: Prompts) -> None:
    result = await Summarizer(prompts).summarize(
        [as_source(TEXT, title="Report")], "en", "Summarize only the elevators"
    )
    assert "Not found" in result.text
    assert "elevators" in result.text
    assert not result.quotes


async def test_a_model_that_fails_gives_way_to_the_rules(prompts: Prompts, broken: Any) -> None:
    result = await Summarizer(prompts, broken).summarize([as_source(TEXT)], "he")
    assert result.notices[0].he.startswith("שירות נכשל.")
    assert "Pump 4" in result.text


async def test_nothing_to_summarize_is_said(prompts: Prompts) -> None:
    result = await Summarizer(prompts).summarize([as_source("# Only a title")], "en")
    assert "no sentences" in result.text


async def test_a_table_cannot_break_the_list(prompts: Prompts) -> None:
    text = "## Prices\n\n| Thing | Price |\n|---|---|\n| Pump | ILS 9,400 |\n| Valve | ILS 120 |\n"
    result = await Summarizer(prompts).summarize([as_source(text)], "en")
    assert "- Pump · ILS 9,400 [1]" in result.text


def test_what_is_not_the_matter_of_a_document_is_left_out_while_there_is_any() -> None:
    def passage(role: SectionRole) -> MemoryItem:
        book = Book(book_id="b", title="t", filename="f", chunk_index=0, role=role)
        return MemoryItem(
            _id=f"mem_{role}",
            user_id="u",
            tier="books",
            text=role,
            source=ItemSource(type="document", book=book),
            timestamps=Timestamps(created_at=0.0, updated_at=0.0),
        )

    cover, body, signed = passage("cover"), passage("body"), passage("signatures")
    assert summary_document([cover, body, signed]) == [body]
    assert summary_document([cover, signed]) == [cover, signed]
