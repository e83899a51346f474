"""Tests that a user's rating of a source changes the order of sources for the same question, and nothing else."""

from __future__ import annotations

import pytest

from core.events import Interrupted, Response
from core.memory.items.reasons import FailureReason
from core.search.documents.acceptance import firmly_accepted
from tests.service.conftest import Open
from tests.service.house import Answer, House

QUESTION = "How do I descale the kettle in the kitchen?"
IN_OTHER_WORDS = "How do I descale the kitchen's kettle?"
BESIDE = "How do I descale the kettle in the workshop?"
WORDED = "Descale the kettle in the kitchen with the brush from the drawer.\n"
HELPFUL = "Vinegar left over night loosens what sticks to a kettle in the kitchen.\n"
OTHER = "The kettle in the workshop belongs to the night shift, and descale tablets lie beside it.\n"


@pytest.fixture
async def kitchen(house: House) -> House:
    await house.read("brush.txt", WORDED)
    await house.read("vinegar.txt", HELPFUL)
    await house.read("workshop.txt", OTHER)
    return house


async def asked(house: House, question: str = QUESTION) -> Answer:
    answer = await house.ask(question, action="inquire")
    await house.workbench.memory.settle()
    return answer


def response_of(answer: Answer) -> Response:
    assert answer.view.response is not None
    return answer.view.response


def names(answer: Answer) -> dict[int, str]:
    return {source.number: source.filename for source in answer.view.sources}


def quoted(answer: Answer) -> list[str]:
    """Filenames, in the order in which they are quoted."""
    return list(dict.fromkeys(names(answer)[quote.number] for quote in response_of(answer).quotes))


async def say(house: House, answer: Answer, outcome: str, filename: str) -> None:
    number = next(number for number, name in names(answer).items() if name == filename)
    await house.workbench.memory.record_feedback("ada", answer.asked.message_id, outcome, [number])  # type: ignore[arg-type]


async def test_what_helped_comes_first_and_is_quoted_first(kitchen: House) -> None:
    first = await asked(kitchen)
    assert quoted(first)[0] == "brush.txt"
    assert "vinegar.txt" in quoted(first)
    await say(kitchen, first, "worked", "vinegar.txt")
    for question in (QUESTION, IN_OTHER_WORDS):
        again = await asked(kitchen, question)
        assert quoted(again)[0] == "vinegar.txt"
        assert names(again)[1] == "vinegar.txt"
        line = response_of(again).answer
        assert line is not None
        assert line.cells == [] or line.cells[0].document_id == again.view.sources[0].document_id
        assert "Vinegar" in line.line


async def test_what_failed_stands_behind_what_else_was_found(kitchen: House) -> None:
    first = await asked(kitchen)
    await say(kitchen, first, "failed", "brush.txt")
    again = await asked(kitchen)
    assert quoted(again)[0] != "brush.txt"
    assert [source.filename for source in firmly_accepted(again.view.sources)][-1] == "brush.txt"
    line = response_of(again).answer
    assert line is None or "brush" not in line.line


async def test_another_question_is_answered_as_before(kitchen: House) -> None:
    before = await asked(kitchen, BESIDE)
    for outcome, filename in (("failed", "brush.txt"), ("worked", "vinegar.txt")):
        await say(kitchen, await asked(kitchen), outcome, filename)
    after = await asked(kitchen, BESIDE)
    assert response_of(after).text == response_of(before).text
    assert [(each.filename, each.score) for each in after.view.sources] == [
        (each.filename, each.score) for each in before.view.sources
    ]


async def test_where_everything_failed_the_nearest_is_shown_and_can_be_said_to_help(open_house: Open) -> None:
    house = await open_house()
    await house.read("brush.txt", WORDED)
    await house.read("vinegar.txt", "Vinegar loosens what sticks to metal in a kettle, whoever left it there.\n")
    first = await asked(house)
    assert quoted(first) == ["brush.txt"]
    await say(house, first, "failed", "brush.txt")
    again = await asked(house)
    assert response_of(again).kind == "nothing_found"
    assert "other than those you marked as not helpful" in response_of(again).text
    assert quoted(again) == ["vinegar.txt", "brush.txt"]
    await say(house, again, "worked", "vinegar.txt")
    last = await asked(house)
    assert response_of(last).kind == "extractive"
    assert quoted(last)[0] == "vinegar.txt"
    assert last.view.sources[0].passages[0].accepted_by == "outcome"


async def test_a_word_about_an_answer_that_found_nothing_says_nothing_of_what_it_showed(open_house: Open) -> None:
    house = await open_house()
    await house.read("brush.txt", WORDED)
    await house.read("vinegar.txt", "Vinegar loosens what sticks to metal in a kettle, whoever left it there.\n")
    await say(house, await asked(house), "failed", "brush.txt")
    again = await asked(house)
    effect = await house.workbench.memory.record_feedback("ada", again.asked.message_id, "failed")
    assert [each for each in effect.ranking_previews if each.tier == "books"] == []
    assert quoted(await asked(house)) == ["vinegar.txt", "brush.txt"]


async def test_the_only_passage_that_there_is_stays_and_says_that_it_failed(open_house: Open) -> None:
    house = await open_house()
    await house.read("brush.txt", WORDED)
    first = await asked(house)
    await house.workbench.memory.record_feedback(
        "ada", first.asked.message_id, "failed", why=FailureReason(reason="outdated")
    )
    again = await asked(house)
    assert quoted(again) == ["brush.txt"]
    line = response_of(again).answer
    assert line is not None
    assert line.doubt is not None
    assert line.doubt.en == "From a passage that you marked as not helpful for this question."
    assert response_of(again).confidence != "high"


SALES = """<html><head><title>{company} annual report 2022</title></head><body>
<h1>{company} Annual Report for the fiscal year ended December 31, 2022</h1>
<h2>Consolidated Statements of Income</h2>
<p>Years ended December 31 (in millions)</p>
<table><tr><th></th><th>2022</th><th>2021</th></tr>
<tr><td>Net sales</td><td>{sales}</td><td>1,900</td></tr>
<tr><td>Operating income</td><td>300</td><td>70</td></tr></table></body></html>"""


async def test_a_figure_follows_from_its_table_whatever_was_said(house: House) -> None:
    await house.read("larkspur.html", SALES.format(company="Larkspur Corporation", sales="2,400"))
    await house.read("larkspur_notes.txt", "Larkspur Corporation: net sales in 2022 are told in the report.\n")
    question = "What were Larkspur's net sales in 2022?"
    first = await asked(house, question)
    line = response_of(first).answer
    assert line is not None
    assert (line.value, line.doubt) == (2400.0, None)
    await say(house, first, "failed", "larkspur.html")
    again = response_of(await asked(house, question)).answer
    assert again is not None
    assert again.value == 2400.0
    assert again.doubt is not None


async def test_learning_makes_nobody_ask_which_document_is_meant(house: House) -> None:
    """After one document is ranked lower, the remaining ones have similar scores; this must not cause a clarification,
    because there was none before."""
    await house.read("keypad.txt", "Open the gate of the yard with the keypad and the yellow code.\n")
    for colour in ("red", "blue"):
        await house.read(f"{colour}.txt", f"A {colour} card opens the gate of the yard on working days until nine.\n")
    question = "How do I open the gate of the yard with the yellow code?"
    first = await asked(house, question)
    await say(house, first, "failed", "keypad.txt")
    again = await asked(house, question)
    assert not any(isinstance(entry.event, Interrupted) for entry in again.entries)
    assert quoted(again)[0] in ("red.txt", "blue.txt")
