"""Tests questions in one language over texts in the other: words are matched by the lexicon, names by their sound."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.answering.prose.answer import answer_from_text
from core.answering.prose.cross_language import cross_language_similarity
from core.answering.prose.tokens import term, term_match, tokens
from tests.core.answering.prose.made_texts import ENGLISH, HEBREW, evidence, question


@pytest.mark.parametrize(
    ("asked", "said", "alike"),
    [
        ("לנורת'רופ", "Northrop", True),
        ("להפסיק", "discontinue", True),
        ("המבקרים", "auditor", True),
        ("employees", "העובדים", True),
        ("Larkin", "לרקין", True),
        ("מכר", "maker", False),
        ("עובדים", "dividend", False),
        ("מס", "tax", True),
    ],
)
def test_words_across_languages(asked: str, said: str, alike: bool) -> None:
    assert (term_match(term(tokens(asked)[0]), tokens(said)[0]) > 0) is alike


def test_short_words_of_one_language_stay_alike() -> None:
    assert term_match(term(tokens("מס")[0]), tokens("מס")[0]) == 1.0


def test_a_name_needs_its_capital() -> None:
    assert cross_language_similarity("מכר", "maker", is_name=True) > cross_language_similarity(
        "מכר", "maker", is_name=False
    )


@pytest.mark.parametrize(
    ("text", "held_in_line"),
    [
        ("מתי אישר הדירקטוריון את המכירה של לרקין?", "March 14, 2020"),
        ("כמה עובדים מועסקים בחברה?", "1,240"),
        ("מדוע ירד שיעור הרווח ב-2021?", "higher freight rates"),
    ],
)
async def test_hebrew_questions_on_english_text(text: str, held_in_line: str) -> None:
    found = await answer_from_text(question(text, "he"), evidence(*ENGLISH), None)
    assert held_in_line in found[0].answer.line


async def test_an_english_question_on_hebrew_text() -> None:
    found = await answer_from_text(question("How many employees does the plant in Nahariya have?"), evidence(*HEBREW))
    assert "310" in found[0].answer.line


async def test_more_sentences_are_compared_where_the_language_is_another() -> None:
    compared: list[int] = []

    async def similar(phrase: str, texts: Sequence[str]) -> list[float]:
        compared.append(len(texts))
        return [0.2] * len(texts)

    many = evidence(*(f"{text} {text}" for text in ENGLISH * 2))
    await answer_from_text(question("Why did margins fall?"), many, similar)
    await answer_from_text(question("מדוע ירד הרווח?", "he"), many, similar)
    assert compared[0] < compared[1] <= 24


async def test_an_answer_in_another_language_is_a_whole_sentence_with_a_doubt() -> None:
    text = "Founded in 1982, Larkin is one of the largest mills. Its offices are in Basel."
    found = await answer_from_text(question("באיזו שנה נוסדה לרקין?", "he"), evidence(text))
    assert found[0].answer.line == "Founded in 1982, Larkin is one of the largest mills. [1]"
    assert found[0].answer.doubt is not None
    assert 0.15 < found[0].sureness < 0.6


async def test_meaning_speaks_where_words_cannot() -> None:
    texts = ("The mills were shut in May. The kiln was lit in June. The looms were sold in July.",)

    async def similar(phrase: str, compared: Sequence[str]) -> list[float]:
        return [0.7 if "kiln" in text else 0.1 for text in compared]

    found = await answer_from_text(question("מתי הודלק התנור?", "he"), evidence(*texts), similar)
    assert "June" in found[0].answer.line
