from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.planted import plant
from benchmarks.summaries import LONGEST, as_source, kept
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


async def test_a_model_reads_every_part_and_joins_them_in_a_tree(prompts: Prompts, scripted: Any) -> None:
    document = plant("en", 1)
    source = as_source(document.text)
    point = json.dumps(
        {"points": [{"text": "Something is so [P1].", "passages": [1]}, {"text": "Made up.", "passages": [99]}]}
    )
    parts = len(source.passages)
    model = scripted(*[point] * parts, "Joined. [1] Wrong. [9]")
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int, words: Words) -> None:
        told.append((done, total))

    summarizer = Summarizer(prompts, model, map_tokens=1, reduce_tokens=20)
    result = await summarizer.summarize([source], "en", progress=progress)
    assert result.generated
    assert result.text == "Joined. [1] Wrong."
    asked = [messages[1].text for messages in model.asked]
    assert all(passage.text.split("\n")[-1][:40] in "".join(asked[:parts]) for passage in source.passages)
    assert len(asked) > parts + 1
    assert "Made up" not in "".join(asked[parts:])
    assert told[-1] == (parts + 1, parts + 1)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert result.usage.tokens_in == 10 * len(asked)


async def test_a_model_that_cannot_be_read_twice_gives_way_to_the_rules(prompts: Prompts, scripted: Any) -> None:
    model = scripted("no json")
    result = await Summarizer(prompts, model).summarize([as_source(TEXT)], "en")
    assert (result.generated, len(result.notices), len(model.asked)) == (False, 1, 2)
    assert "Pump 4" in result.text


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
