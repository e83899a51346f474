"""Tests the reply to a question that nothing answers: it lists the statements that are nearest in meaning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.graph.memory.recollection.records import Exchange, Recollected, Utterance
from core.graph.memory.recollection.reply import reply_of
from core.graph.memory.recollection.search import RecollectionSearch


class _Calibration:
    def strength(self, cosine: float) -> float:
        return cosine


class _Identity:
    calibration = _Calibration()


class _Embeddings:
    """Places texts on one line: a text that speaks of eyes or sight is near the question, any other is not."""

    identity = _Identity()

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return np.asarray([1.0], dtype=np.float32)

    async def embed_passages(self, texts: list[str]) -> NDArray[np.float32]:
        return np.asarray([[0.5 if "blind" in text else 0.1] for text in texts], dtype=np.float32)


def _said(number: int, text: str) -> Exchange:
    said = Utterance(f"u{number}", f"c{number}", "", f"r{number}", "user", text, float(number))
    return Exchange(said.run_id, said.conversation_id, "", said.at, (said,))


async def _found(question: str) -> Recollected:
    exchanges = [_said(1, "Mrs Abbott is nearly blind, so print large."), _said(2, "The oven is repaired.")]
    return await RecollectionSearch(_Embeddings()).find(question, exchanges, 1e9)  # type: ignore[arg-type]


async def test_the_nearest_statement_is_listed_as_uncertain() -> None:
    question = "Which resident has poor sight?"
    reply = reply_of(await _found(question), question, "en")
    assert reply is not None
    opening, *_, listed = reply.response.text.split("\n\n")
    assert opening.startswith("Nothing in our conversations")
    assert "Mrs Abbott" in listed
    assert "oven" not in listed
    assert reply.response.confidence == "low"
    assert [each.number for each in reply.sources] == [1]


async def test_whether_something_was_said_is_answered_with_no_only() -> None:
    question = "Did I ever tell you about poor sight?"
    assert reply_of(await _found(question), question, "en") is None
