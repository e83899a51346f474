"""Tests the ranking of sentences of both languages, and the state of the first one."""

from __future__ import annotations

import numpy as np
import pytest

from core.answering.prose.closeness import CloseSentence, Floats, closest_sentences, similarities
from core.answering.prose.closest_state import state_of
from core.answering.prose.question import ProseQuestion, read_question
from core.answering.prose.sentences import all_statements
from core.language.detection import detect
from core.models.packaged import PackagedEmbeddings
from tests.core.answering.prose.made_texts import evidence

BAKERY = (
    "The bakery opens at 5:30 on weekdays and closes at noon. Bread that is left over goes to the shelter.",
    "A baker earns 18 euros an hour, and 24 euros at night. New ovens were bought because the old ones used much gas.",
)
GYM = (
    "חדר הכושר פתוח בין 6:00 ל-22:00. מנוי שנתי עולה 1,900 שקלים, וסטודנטים משלמים 1,400 שקלים.",
    "אסור להכניס כלבים למתחם. את הלוקרים מנקים בכל יום שישי.",
    "כללי הבריכה אושרו על ידי רינה כהן. ילד רשאי להיכנס לבריכה באישור המציל.",
)


async def ranked(
    text: str, embeddings: PackagedEmbeddings, *texts: str
) -> tuple[ProseQuestion, list[CloseSentence], Floats]:
    question = read_question(text, detect(text))
    found, weights = all_statements(question, evidence(*texts).texts)
    vectors = await embeddings.embed_passages([each.text for each in found])
    meanings = similarities(
        vectors, [each.language for each in found], await embeddings.embed_query(text), question.language
    )
    return question, closest_sentences(question, found, weights, meanings), weights


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("כמה מרוויח אופה בלילה?", "24 euros at night"),
        ("למה קנו תנורים חדשים?", "used much gas"),
        ("What does an annual subscription for students cost?", "1,400"),
        ("Are dogs allowed?", "כלבים"),
        ("Who approved the rules of the swimming pool?", "רינה כהן"),
    ],
)
async def test_a_question_finds_the_sentence_in_the_other_language(
    packaged: PackagedEmbeddings, text: str, held: str
) -> None:
    assert held in (await ranked(text, packaged, *BAKERY, *GYM))[1][0].statement.text


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("When does the bakery open on weekdays?", "found"),
        ("How many Olympic medals did the swimmers win?", "not_found"),
        ("How much does a baker in Oslo earn at night?", "not_found"),
        ("Analyse why new ovens were bought", "closest"),
    ],
)
async def test_the_state_of_the_closest_sentence(packaged: PackagedEmbeddings, text: str, state: str) -> None:
    assert state_of(*await ranked(text, packaged, *BAKERY, *GYM)) == state


def test_the_language_of_a_text_says_nothing_about_what_it_says() -> None:
    english, hebrew, same = np.eye(3, dtype=np.float32) * 0.9
    vectors = np.array([english + same * 0.1, english - same * 0.1, hebrew + same * 0.1, hebrew - same * 0.1])
    likeness = similarities(vectors, ["en", "en", "he", "he"], hebrew + same, "he")
    assert likeness[0] == pytest.approx(likeness[2], abs=1e-3)
    assert likeness[0] > likeness[1]
