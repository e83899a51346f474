from core.answering.prose.answer import answer_from_text
from core.answering.prose.list_continuation import with_their_lists
from core.models.quotable import quotables
from tests.core.answering.prose.made_texts import evidence, question

PLAN = """The plan has three aims:
• lower costs;
• fewer plants; and
• better service.
It was approved in May."""
VOTES = "The proposal on an independent chair was defeated:\n\nFor | Against\n5 | 6"


def listed(text: str) -> list[str]:
    return [quote.text for quote in with_their_lists(text, quotables(text))]


def test_a_head_has_its_items() -> None:
    head = listed(PLAN)[0]
    assert head in PLAN
    assert head.endswith("better service.")


def test_what_follows_a_list_is_not_of_it() -> None:
    assert "May" not in listed(PLAN)[0]
    assert "It was approved in May." in listed(PLAN)


def test_a_long_paragraph_is_no_item() -> None:
    assert listed("He said this:\n- " + "many words " * 30)[0] == "He said this:"


def test_a_head_without_a_list_is_a_fragment() -> None:
    heads = [quote for quote in with_their_lists(VOTES, quotables(VOTES)) if quote.text.startswith("The proposal")]
    assert [quote.fragment for quote in heads] == [True]


async def test_the_items_of_a_list_on_lines_answer() -> None:
    answer = (await answer_from_text(question("What are the aims of the plan?"), evidence(PLAN), None))[0].answer
    assert answer.value == ["lower costs", "fewer plants", "better service"]


async def test_no_line_ends_in_the_colon_of_a_missing_list() -> None:
    found = await answer_from_text(question("What happened to the proposal on an independent chair?"), evidence(VOTES))
    assert found
    assert all(":" not in each.answer.line for each in found)
