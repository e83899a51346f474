from __future__ import annotations

import math

import pytest
from pydantic import SecretStr

from core.errors import PalimpsestError
from core.models.rerank_endpoint import EndpointReranker, Shape
from tests.servers.local import LocalServer, Reply, hang_up, json_reply, silence

KEY = "sk-very-secret"


def speak(shape: Shape, scores: list[float]) -> Reply:
    """Replies with the best result first, as re-ranking services do."""
    name = "score" if shape == "tei" else "relevance_score"
    entries = [{"index": index, name: score} for index, score in enumerate(scores)]
    entries.sort(key=lambda entry: -entry[name])
    return json_reply(entries if shape == "tei" else {"results": entries, "id": "x"})


@pytest.mark.parametrize("shape", ["tei", "cohere", "jina"])
async def test_each_shape_is_spoken_and_order_restored(shape: Shape) -> None:
    async with LocalServer(speak(shape, [0.1, 0.9, 0.5])) as server:
        reranker = EndpointReranker(f"{server.url}/v2", shape, "ranker", SecretStr(KEY))
        assert await reranker.scores("מה?", ["a", "b", "c"]) == [0.1, 0.9, 0.5]
    request = server.requests[0]
    assert (request.path, request.headers["authorization"]) == ("/v2/rerank", f"Bearer {KEY}")
    assert request.body["query"] == "מה?"
    assert request.body["texts" if shape == "tei" else "documents"] == ["a", "b", "c"]
    if shape != "tei":
        assert (request.body["model"], request.body["top_n"]) == ("ranker", 3)


async def test_a_service_that_speaks_logits_is_mapped_from_then_on() -> None:
    async with LocalServer([speak("tei", [0.5, 0.25]), speak("tei", [-800.0, 4.0]), speak("tei", [0.5])]) as server:
        reranker = EndpointReranker(server.url, "tei")
        assert await reranker.scores("q", ["a", "b"]) == [0.5, 0.25]
        assert await reranker.scores("q", ["a", "b"]) == pytest.approx([0.0, 1 / (1 + math.exp(-4))])
        assert await reranker.scores("q", ["a"]) == pytest.approx([1 / (1 + math.exp(-0.5))])


async def test_more_than_a_batch_is_sent_in_several() -> None:
    def respond(request: object) -> Reply:
        return speak("tei", [float(text) for text in request.body["texts"]])  # type: ignore[attr-defined]

    async with LocalServer(responder=respond) as server:
        scores = await EndpointReranker(server.url, "tei").scores("q", [str(number / 100) for number in range(70)])
    assert scores == [number / 100 for number in range(70)]
    assert [len(request.body["texts"]) for request in server.requests] == [32, 32, 6]


async def test_nothing_is_not_sent() -> None:
    async with LocalServer(silence()) as server:
        assert await EndpointReranker(server.url, "tei").scores("q", []) == []
    assert server.requests == []


@pytest.mark.parametrize(
    ("reply", "category"),
    [
        (json_reply({"error": KEY}, 401), "auth"),
        (json_reply({}, 500), "server"),
        (hang_up(), "connection"),
        (silence(), "timeout"),
        (json_reply([{"index": 0, "score": 0.5}]), "server"),
        (json_reply([{"index": 0, "score": None}, {"index": 1, "score": 0.5}]), "server"),
        (json_reply({"results": 7}), "server"),
        (json_reply([{"index": 0, "score": float("nan")}, {"index": 1, "score": 0.5}]), "server"),
    ],
)
async def test_what_goes_wrong_is_told_at_once_and_without_the_key(reply: Reply, category: str) -> None:
    patience = 0.3 if category == "timeout" else 30.0  # long, because a busy machine may be slow
    async with LocalServer(reply) as server:
        with pytest.raises(PalimpsestError) as caught:
            await EndpointReranker(server.url, "tei", "", SecretStr(KEY), seconds=patience).scores("q", ["a", "b"])
    assert caught.value.problem.category == category
    assert KEY not in f"{caught.value!r} {caught.value.problem}"
    assert len(server.requests) == 1
