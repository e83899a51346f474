from __future__ import annotations

import io

import docx

from core.events import Passage, Quote, Response, Sentence, Source
from core.records.answer import Answer, CellReference
from core.words import Words
from viz.answer import ToldRun, finished_answer
from viz.files.answer import answer_markdown
from viz.files.rich_text import to_rich_text
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


def run(response: Response) -> ToldRun:
    return ToldRun("run_1", response=response, sources=SOURCES)


def answer(language: str = "en", text: str = TEXT) -> Response:
    quotes = [Quote(number=1, item_id="m1", text="The fee is $30.")]
    return Response(kind="extractive", text=text, language=language, quotes=quotes, action="compare")  # type: ignore[arg-type]


def test_markdown_writes_the_citations_out() -> None:
    text = answer_markdown(run(answer()))
    assert text.startswith("# Old lease · New lease")
    assert "**[1] Old lease** (old.pdf, p. 4)" in text
    assert "- “The fee is $30.” (p. 4)" in text
    assert "**[2] New lease** (new.pdf)" in text


def test_word_has_the_table_the_list_and_the_sources() -> None:
    written = docx.Document(io.BytesIO(to_word(answer_markdown(run(answer())), "en")))
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


STATEMENT = "Cash flows\n2022 | 2021\nNet cash | $4,862 | $4,317\nDividends | (912) | (888)"
REPORT = Source(
    number=1,
    document_id="doc_1",
    title="Annual report",
    filename="report.pdf",
    score=1.0,
    passages=[Passage(item_id="m1", text=STATEMENT, page=1)],
)
CELL = CellReference(
    number=1, document_id="doc_1", item_id="m1", table=0, row=1, column=1, label="Net cash", header="2022",
    text="$4,862", page=2,
)  # fmt: skip


def figure() -> ToldRun:
    """A row that is on the second page, in a passage that begins on the first."""
    line = "Net cash in 2022 was $4,862 million [1]."
    quotes = [Quote(number=1, item_id="m1", text="Net cash | $4,862 | $4,317")]
    response = Response(
        kind="extractive",
        text=f"{line}\n\n> Net cash | $4,862 | $4,317 [1]",
        language="en",
        answer=Answer(kind="figure", line=line, value=4862.0, cells=[CELL]),
        confidence="high",
        quotes=quotes,
    )
    return ToldRun("run_1", response=response, sources=[REPORT])


def test_a_quoted_row_keeps_its_headings_and_the_page_is_that_of_the_cell() -> None:
    text = answer_markdown(figure(), "What was net cash?")
    assert text.startswith("# What was net cash?\n\n**Net cash in 2022 was $4,862 million [1].**")
    assert "|  | 2022 | 2021 |\n| --- | --- | --- |\n| Net cash | $4,862 | $4,317 |\n\nAnnual report, p. 2 [1]" in text
    assert "**[1] Annual report** (report.pdf, p. 2)\n\n- Net cash · 2022: $4,862 (p. 2)" in text
    assert "p. 1" not in text
    page = str(finished_answer(figure(), None, None))
    assert '<bdi dir="ltr">2</bdi></figcaption>' in page


def test_rich_text_has_the_table_and_the_writing_direction() -> None:
    html = to_rich_text(answer_markdown(figure()), "he")
    assert html.startswith('<div lang="he" dir="rtl"><p><strong>Net cash in 2022')
    assert "<th>2022</th>" in html
    assert "<script" not in to_rich_text("<script>alert(1)</script>", "en")


def test_an_answer_that_found_nothing_says_so_before_the_closest_passages() -> None:
    quotes = [Quote(number=1, item_id="m1", text="Cash flows")]
    response = Response(
        kind="nothing_found", text="Nothing says it.\n\n> Cash flows [1]", opening="Nothing says it.", language="en",
        quotes=quotes,
    )  # fmt: skip
    text = answer_markdown(ToldRun("run_1", response=response, sources=[REPORT]))
    order = [
        "*Not found*",
        "Nothing says it.",
        "**Closest passages**",
        "> Cash flows [1] (p. 1)",
        "**[1] Annual report**",
    ]
    assert sorted(order, key=text.index) == order


def test_what_a_source_contradicts_is_named_in_the_copy() -> None:
    text = "Net cash was $5,000 [1]."
    why = Words(en="The source says $4,862.", he="במקור כתוב $4,862.")
    marks = [Sentence(start=0, end=len(text), verdict="contradicted", why=why)]
    response = Response(kind="generated", text=text, language="en", support=marks)
    written = answer_markdown(ToldRun("run_1", response=response, sources=[REPORT]))
    assert "**Contradicted by a source**\n\n- Net cash was $5,000 [1].: The source says $4,862." in written


def test_a_run_without_an_answer_says_what_happened() -> None:
    assert "Stopped." in answer_markdown(ToldRun("run_1", text="Half a", outcome="cancelled"), "Why?")


def test_word_keeps_quotations_numbered_lists_and_code() -> None:
    written = docx.Document(io.BytesIO(to_word("> Quoted.\n\n1. First\n\n```\nx = 1\n```\n\nLast.", "en")))
    styles = {paragraph.text: paragraph.style.name for paragraph in written.paragraphs}
    assert styles == {"Quoted.": "Quote", "First": "List Number", "x = 1": "Normal", "Last.": "Normal"}
