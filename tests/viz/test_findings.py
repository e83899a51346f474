"""Tests the findings in a document's detail view, in every state and both languages."""

from __future__ import annotations

import pytest

from core.library.intelligence.records import Estimate, Extraction, Piece, SectionContent
from core.library.records import Document, Metadata
from core.messages import message
from core.store.items import Book, ItemSource, Kind, MemoryItem, Timestamps
from core.words import LANGUAGES, Language
from viz.findings import FIRST, findings_section, section_content, status_of

ESTIMATE = Estimate(calls=7, tokens=41_000, model="openai:gpt-4.1-mini")


def document(extraction: Extraction | None = None, scope: str = "library") -> Document:
    return Document(
        _id="doc_1", user_id="u", filename="h.md", mime="text/markdown", size=1, sha256="s", state="completed",
        scope=scope, metadata=Metadata(title="Handbook"), extraction=extraction, added_at=0.0, updated_at=0.0,
    )  # fmt: skip


def item(kind: Kind, text: str, category: str | None = None, page: int | None = 3) -> MemoryItem:
    book = Book(book_id="b", title="t", filename="f", chunk_index=0, page=page)
    return MemoryItem(
        _id="mem_9", user_id="u", tier="books", kind=kind, text=text, tags=[category] if category else [],
        source=ItemSource(type="document", chunk_id="mem_1", book=book),
        timestamps=Timestamps(created_at=0.0, updated_at=0.0),
    )  # fmt: skip


def drawn(
    extraction: Extraction | None = None,
    items: tuple[MemoryItem, ...] = (),
    estimate: Estimate | None = ESTIMATE,
    configured: bool = True,
    language: Language = "en",
) -> str:
    return str(findings_section(document(extraction), items, estimate, configured, language))


def test_before_it_was_read_out_it_is_said_what_that_takes() -> None:
    html = drawn()
    assert "7 model calls, about 41,000 tokens, by gpt-4.1-mini" in html
    assert "data-extract" in html


def test_without_a_model_it_is_said_that_there_is_nothing_and_why() -> None:
    html = drawn(estimate=None, configured=False)
    assert "Add a language model" in html
    assert "data-choose-model" in html
    assert "data-extract" not in html


def test_what_is_not_published_says_where_it_is_done() -> None:
    status = status_of(document(scope="conv_1"), None, True)
    assert "library documents" in status.lines[0].en
    assert status.act == ""


STATES = {
    "waiting": (Extraction(state="waiting"), "stop", "Waiting in the queue."),
    "reading": (Extraction(state="reading", parts=7, done=3), "stop", "3 of 7 parts read."),
    "done": (
        Extraction(state="done", parts=2, of_parts=9, done=2, refused=1, model="openai:m"),
        "again",
        "2 parts read by m. The document has 9 parts. 2 of them, spread evenly, are read. "
        "1 entry was left out because the text does not support it.",
    ),
    "incomplete": (
        Extraction(state="incomplete", parts=7, done=3, problem=message("library.intelligence.too_small")),
        "go_on",
        "The document was only partly read. The model's context window is too small for one part of a document.",
    ),
    "cancelled": (Extraction(state="cancelled", parts=7, done=3), "go_on", "Stopped. The results so far are kept."),
}


@pytest.mark.parametrize("state", STATES)
def test_every_state_is_told_with_what_can_be_done(state: str) -> None:
    extraction, act, words = STATES[state]
    status = status_of(document(extraction), ESTIMATE, True)
    assert (status.act, " ".join(line.en for line in status.lines)) == (act, words)
    for language in LANGUAGES:
        html = drawn(extraction, language=language)
        assert f'data-state="{state}"' in html
        assert " ".join(line.to(language) for line in status.lines).split("'")[0] in html
    assert ("<progress" in drawn(extraction)) == (state == "reading")


def test_what_was_found_names_kind_category_and_the_page_it_opens() -> None:
    items = (
        item("quote", "Fill it <b>now</b>.", "nature"),
        item("mental_model", "Trust the older gauge.", "decision_making", None),
        item("summary", "It is about water.", "nature"),
    )
    html = drawn(STATES["done"][0], items)
    assert '<blockquote dir="auto">Fill it &lt;b&gt;now&lt;/b&gt;.</blockquote>' in html
    assert 'data-jump="mem_1" data-page="3" data-quote="Fill it &lt;b&gt;now&lt;/b&gt;."' in html
    assert 'data-jump="mem_1" data-page="" data-quote=""' in html
    assert 'data-kind="mental_model" data-category="decision_making"' in html
    assert [html.count(f">{word}<") for word in ("Nature", "Decision making")] == [3, 2]
    assert "Quotes <small>1</small>" in html
    hebrew = drawn(STATES["done"][0], items, language="he")
    assert "מודל מחשבתי" in hebrew
    assert "קבלת החלטות" in hebrew


def test_one_category_is_no_choice_and_many_entries_are_shown_in_part() -> None:
    html = drawn(STATES["done"][0], tuple(item("quote", f"Number {n}.", "nature") for n in range(FIRST + 3)))
    assert "data-category>" not in html.replace(" aria-label", ">")
    assert html.count(" hidden>") == 3
    assert "Show all" in html


def test_nothing_found_is_said() -> None:
    assert "found nothing that the text supports" in drawn(STATES["done"][0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_section_says_is_shown_by_kind(language: Language) -> None:
    pieces = [
        Piece(kind="term", text="water <i>", item_id="mem_2"),
        Piece(kind="quote", text="Fill it.", item_id="mem_1", page=4),
        Piece(kind="insight", text="Trust it.", item_id="mem_1", page=4),
    ]
    html = str(section_content(SectionContent(pieces=pieces, refused=2, read=3, of=5), language))
    assert html.index("Fill it.") < html.index("Trust it.") < html.index("water &lt;i&gt;")
    assert 'data-jump="mem_1" data-page="4" data-quote="Fill it."' in html
    assert 'data-jump="mem_1" data-page="4" data-quote=""' in html
    assert html.count("<h5>") == 3
    assert html.count('class="hint"') == 2
    assert 'class="hint"' in str(section_content(SectionContent(), language))
