"""Tests intent likelihoods from the packaged embedding model, and the behaviour when the model is not available."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Sequence
from statistics import mean

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks import strangers_utterances as strangers
from core.graph.records import IntentRequest
from core.graph.understanding.intent.classifier import IntentClassifier
from core.graph.understanding.intent.logistic_regression import shipped
from core.graph.understanding.intent.probabilities import Estimator
from core.models.embeddings import EmbeddingIdentity, Matrix
from core.models.packaged import IDENTITY, PackagedEmbeddings
from core.prompts.templates import Prompts

TABLE_FLOOR = 0.95


class Made:
    """Embeddings that give one vector, fail, or never answer."""

    def __init__(self, identity: EmbeddingIdentity = IDENTITY, failing: bool = False, silent: bool = False) -> None:
        self.identity = identity
        self.asked: list[str] = []
        self._failing, self._silent = failing, silent

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        self.asked.append(text)
        if self._failing:
            raise RuntimeError("no model")
        if self._silent:
            await asyncio.Event().wait()
        return np.full(self.identity.dimension, 0.05, dtype=np.float32)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        raise AssertionError("examples need no vectors here")


@pytest.fixture(scope="module")
def packaged() -> IntentClassifier:
    return IntentClassifier(Prompts(), lambda: 1780000000.0, estimator=Estimator(PackagedEmbeddings(), seconds=60))


async def test_likelihoods_sum_to_one() -> None:
    found = await Estimator(Made()).estimate("cut the lease down to a page")
    assert found is not None
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(
    "embeddings",
    [
        None,
        Made(failing=True),
        Made(silent=True),
        Made(identity=dataclasses.replace(IDENTITY, model="another")),
    ],
)
async def test_rules_go_on_where_there_is_no_vector(embeddings: Made | None) -> None:
    estimator = Estimator(embeddings, seconds=0.01)
    assert await estimator.estimate("cut the lease down to a page") is None
    found = await IntentClassifier(Prompts(), lambda: 0.0, estimator=estimator).classify(
        IntentRequest(text="cut the lease down to a page")
    )
    assert (found.intent.action, found.intent.how) == ("inquire", "rule")


async def test_a_plain_order_costs_no_vector() -> None:
    embeddings = Made()
    classifier = IntentClassifier(Prompts(), lambda: 0.0, estimator=Estimator(embeddings))
    assert (await classifier.classify(IntentRequest(text="Summarize the lease"))).intent.action == "summarize"
    assert embeddings.asked == []


async def test_what_is_mentioned_is_read_by_its_name() -> None:
    embeddings = Made()
    await Estimator(embeddings).estimate("the gist of @[Travel policy](doc-1)")
    assert embeddings.asked == ["the gist of Travel policy"]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("What's the gist of the Harbour lease?", "summarize"),
        ("מה העיקר בדוח השנתי?", "summarize"),
        ("Is their contract basically a copy of ours?", "compare"),
        ("Does my letter square with the travel policy?", "audit"),
        ("How many days' notice does the tenant have to give?", "inquire"),
        ("What do you know about me?", "memory"),
        ("מעכשיו שיהיה לך בראש: אני עובדת ברכש", "memory"),
    ],
)
async def test_what_no_rule_knows_is_understood(text: str, action: str, packaged: IntentClassifier) -> None:
    intent = (await packaged.classify(IntentRequest(text=text))).intent
    assert (intent.action, intent.asks) == (action, False)
    assert (intent.command is not None) is (action == "memory")


async def test_the_table_does_not_fall_when_likelihoods_join_the_rules(
    utterances: Sequence, packaged: IntentClassifier
) -> None:
    right = [(each.action_is_right((await packaged.classify(each.asked)).intent), each.text) for each in utterances]
    assert mean(ok for ok, _ in right) >= TABLE_FLOOR, [text for ok, text in right if not ok]


def test_plain_words_over_filings_are_understood(packaged: IntentClassifier) -> None:
    found = strangers.judged(strangers.utterances(strangers.PLAIN), packaged)
    assert mean(each.right for each in found) >= strangers.PLAIN_GOAL
    assert mean(each.wrong_and_sure for each in found) <= strangers.SURE_GOAL


def test_the_weights_belong_to_the_packaged_model() -> None:
    weights = shipped()
    assert weights is not None
    assert weights.fits(IDENTITY)
