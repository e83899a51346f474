from __future__ import annotations

import io

import docx

from core.events import Passage, Quote, Response, Source
from viz.files.answer import answer_markdown
from viz.files.word import to_word

SOURCES = [
    Source(
        number=1,
        document_id="doc_1",
        title="Old lease",
        filename="old.pdf",
        score=1.0,
        passages=[Passage(item_id="m1", text="The fee is $30.", page=4)],
    ),
    Source(number=2, document_id="doc_2", title="New lease", filename="new.pdf", score=1.0, passages=[]),
]
TEXT = (
    "**Differences**\n\n| Aspect | Old lease [1] | New lease [2] |\n| --- | --- | --- |\n"
    "| Numbers | The fee is $30. [1] | The fee is $45. [2] |\n\n**Similarities**\n\n- Guests bring boots. [1][2]"
)


def answer(language: str = "en", text: str = TEXT) -> Response:
    quotes = [Quote(number=1, item_id="m1", text="The fee is $30.")]
    return Response(kind="extractive", text=text, language=language, quotes=quotes, action="compare")  # type: ignore[arg-type]


def test_markdown_writes_the_citations_out() -> None:
    text = answer_markdown(answer(), SOURCES)
    assert text.startswith("# Old lease · New lease")
    assert "**[1] Old lease** (old.pdf)" in text
    assert "- “The fee is $30.” (p. 4)" in text
    assert "**[2] New lease** (new.pdf)" in text


def test_word_has_the_table_the_list_and_the_sources() -> None:
    written = docx.Document(io.BytesIO(to_word(answer_markdown(answer(), SOURCES), "en")))
    (table,) = written.tables
    assert [cell.text for cell in table.rows[1].cells] == ["Numbers", "The fee is $30. [1]", "The fee is $45. [2]"]
    texts = [paragraph.text for paragraph in written.paragraphs]
    assert "Guests bring boots. [1][2]" in texts
    assert any("[1] Old lease" in text for text in texts)
    assert written.paragraphs[0].style.name.startswith("Heading")


def test_word_in_hebrew_runs_from_right_to_left() -> None:
    written = docx.Document(io.BytesIO(to_word("**מה שונה**\n\n| במה | ישן |\n| --- | --- |\n| מספרים | 30 |", "he")))
    assert all("w:bidi" in paragraph._p.xml for paragraph in written.paragraphs if paragraph.text)
    assert "w:bidiVisual" in written.tables[0]._tbl.xml


def test_characters_that_xml_does_not_have_are_left_out() -> None:
    written = docx.Document(io.BytesIO(to_word("The fee\x0b is\x01 $30.", "en")))
    assert "$30." in written.paragraphs[0].text
