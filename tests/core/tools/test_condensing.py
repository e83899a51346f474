"""Tests long tool results: kept whole if they fit, otherwise shortened by a model, or else reduced to their best parts;
never empty."""

from __future__ import annotations

from core.language.tokens import count_tokens
from core.tools.condensing import LEAST, condensed, parts_of

PARTS = [f"Part {number}. " + "The rate was set by the bank in November. " * 12 for number in range(1, 6)]


async def test_what_fits_is_told_whole() -> None:
    assert await condensed(["a", "b"], 100) == "a\n\nb"


async def test_whole_parts_by_rank_are_told_and_the_others_counted() -> None:
    told = await condensed(PARTS, 300)
    assert count_tokens(told) <= 300
    assert PARTS[0] in told
    assert PARTS[1] in told
    assert "Part 4" not in told
    assert told.endswith("(3 more parts are left out.)")


async def test_of_a_first_part_that_is_too_long_its_beginning_stands() -> None:
    told = await condensed([PARTS[0] * 40], 80)
    assert told.startswith("Part 1. The rate")
    assert LEAST <= 80 >= count_tokens(told) > 40


async def test_however_little_room_there_is_something_is_told() -> None:
    assert (await condensed(PARTS, 0)).startswith("Part 1.")
    assert (await condensed(["x" * 5_000], 0)) != ""


async def test_a_model_says_it_in_short() -> None:
    asked: list[tuple[str, int]] = []

    async def summarise(text: str, most: int) -> str:
        asked.append((text, most))
        return "The bank set the rate in November."

    assert await condensed(PARTS, 200, summarise) == "The bank set the rate in November."
    assert asked[0][1] == 200
    assert await condensed(["short"], 200, summarise) == "short"
    assert len(asked) == 1


async def test_a_summary_that_fails_invents_or_is_too_long_is_not_taken() -> None:
    async def fails(text: str, most: int) -> str:
        raise RuntimeError("no model")

    async def invents(text: str, most: int) -> str:
        return "The rate was 4.25 percent."

    async def babbles(text: str, most: int) -> str:
        return "The bank set the rate. " * 200

    async def silent(text: str, most: int) -> str:
        return " "

    for each in (fails, invents, babbles, silent):
        assert (await condensed(PARTS, 200, each)).startswith("Part 1.")


def test_parts_are_paragraphs() -> None:
    assert parts_of("a\nb\n\n\n c \n\n") == ["a\nb", " c "]
