"""Tests questions in one language over a document in the other, and the states of answers from prose."""

from __future__ import annotations

from tests.service.conftest import Open
from tests.service.house import House

BAKERY = (
    "# Handbook of the bakery\n\nThe bakery opens at 5:30 on weekdays and closes at noon. "
    "A baker earns 18 euros an hour. Bread that is left over goes to the shelter on Elm Street.\n\n"
    "New ovens were bought because the old ones used too much gas. Aprons are washed on Fridays."
)


async def test_a_hebrew_question_over_english_text(open_house: Open) -> None:
    house = await open_house(dense_enabled=True)
    await house.read("bakery.md", BAKERY)
    response = (await house.ask("כמה מרוויח אופה לשעה?", mode="quick")).view.response
    assert response is not None
    assert response.answer is not None
    assert "18 אירו" in response.answer.line
    assert response.quotes[0].text == "A baker earns 18 euros an hour."


async def test_what_no_document_tells_is_not_found(open_house: Open) -> None:
    house = await open_house(dense_enabled=True)
    await house.read("bakery.md", BAKERY)
    response = (await house.ask("How many Olympic medals did the swimmers win?", mode="quick")).view.response
    assert response is not None
    assert (response.kind, response.answer) == ("nothing_found", None)
    assert 0 < len(response.quotes) <= 3


async def test_the_first_line_is_found_or_the_closest_match(open_house: Open) -> None:
    house: House = await open_house(dense_enabled=True)
    await house.read("bakery.md", BAKERY)
    sure = (await house.ask("When does the bakery open on weekdays?", mode="quick")).view.response
    open_question = (await house.ask("Analyse how the ovens relate to the gas bill", mode="quick")).view.response
    assert sure is not None
    assert sure.answer is not None
    assert (sure.confidence, sure.answer.doubt) == ("high", None)
    assert open_question is None or open_question.confidence != "high"
