from __future__ import annotations

import base64

import numpy as np
import pytest
from pydantic import SecretStr

from core.errors import PalimpsestError, explain
from core.models.embedding_endpoint import EndpointEmbeddings, Shape, known_model
from core.models.embeddings import EmbeddingsUnavailableError
from tests.servers.local import LocalServer, Reply, Request, hang_up, json_reply, silence, text_reply

KEY = "sk-very-secret"
PATHS: dict[Shape, str] = {"openai": "/v1/embeddings", "tei": "/embed", "dicta": "/embed/batch"}


def speak(shape: Shape, count: int, dimension: int = 3) -> Reply:
    """Replies with vectors (1, 0, 0), (2, 1, 0), (3, 1, 0) … in the format of ``shape``; OpenAI's out of order."""
    vectors = [([number + 1.0, min(number, 1)] + [0.0] * dimension)[:dimension] for number in range(count)]
    if shape == "tei":
        return json_reply(vectors)
    if shape == "dicta":
        return json_reply({"embeddings": vectors})
    data = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    return json_reply({"object": "list", "data": data[::-1], "model": "m"})


def answering(shape: Shape) -> LocalServer:
    return LocalServer(responder=lambda request: speak(shape, len(_texts(request))))


def _texts(request: Request) -> list[str]:
    body = request.body
    texts: list[str] = body.get("input") or body.get("inputs") or body.get("texts")
    return texts


def client(
    server: LocalServer, shape: Shape = "openai", seconds: float = 5.0, dimension: int = 3
) -> EndpointEmbeddings:
    url = f"{server.url}/v1" if shape == "openai" else server.url
    return EndpointEmbeddings(url, shape, "some-model", dimension, SecretStr(KEY), seconds, sleep=no_sleep)


async def no_sleep(seconds: float) -> None:
    assert seconds == 1.0


@pytest.mark.parametrize("shape", ["openai", "tei", "dicta"])
async def test_each_shape_is_spoken(shape: Shape) -> None:
    async with answering(shape) as server:
        rows = await client(server, shape).embed_passages(["א", "ב", "ג"])
    request = server.requests[0]
    assert (request.method, request.path) == ("POST", PATHS[shape])
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert _texts(request) == ["א", "ב", "ג"]
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)
    np.testing.assert_allclose(rows[2], np.array([3, 1, 0]) / np.sqrt(10), atol=1e-6)


async def test_dicta_has_a_call_of_its_own_for_one_text() -> None:
    async with LocalServer(json_reply({"embedding": [0.0, 3.0, 4.0]})) as server:
        vector = await EndpointEmbeddings(f"{server.url}/embed", "dicta", "m", 3).embed_query("q")
    assert (server.requests[0].path, server.requests[0].body) == ("/embed", {"text": "q"})
    np.testing.assert_allclose(vector, [0, 0.6, 0.8], atol=1e-6)


@pytest.mark.parametrize("given", ["/v1", "/v1/", "/v1/embeddings"])
async def test_the_address_may_hold_the_path_already(given: str) -> None:
    async with answering("openai") as server:
        await EndpointEmbeddings(server.url + given, "openai", "m", 3).embed_query("q")
    assert server.requests[0].path == "/v1/embeddings"


async def test_base64_vectors_are_read() -> None:
    packed = base64.b64encode(np.array([3, 4, 0], dtype="<f4").tobytes()).decode()
    async with LocalServer(json_reply({"data": [{"index": 0, "embedding": packed}]})) as server:
        np.testing.assert_allclose(await client(server).embed_query("q"), [0.6, 0.8, 0], atol=1e-6)


async def test_a_batch_has_32_texts() -> None:
    async with answering("tei") as server:
        assert (await client(server, "tei").embed_passages(["x"] * 70)).shape == (70, 3)
    assert [len(_texts(request)) for request in server.requests] == [32, 32, 6]


async def test_nothing_is_not_sent() -> None:
    async with answering("tei") as server:
        assert (await client(server, "tei").embed_passages([])).shape == (0, 3)
    assert server.requests == []


async def test_prefixes_of_the_models_card_are_set() -> None:
    async with answering("openai") as server:
        embeddings = EndpointEmbeddings(server.url, "openai", "intfloat/multilingual-e5-large", 3)
        await embeddings.embed_query("q")
        await embeddings.embed_passages(["p"])
    assert [_texts(request) for request in server.requests] == [["query: q"], ["passage: p"]]


@pytest.mark.parametrize(
    ("model", "languages"),
    [
        ("BAAI/bge-m3", {"en", "he"}),
        ("BAAI/bge-small-en-v1.5", {"en"}),
        ("all-MiniLM-L6-v2", {"en"}),
        ("new", {"en", "he"}),
    ],
)
def test_an_english_model_is_not_listened_to_on_hebrew(model: str, languages: set[str]) -> None:
    assert known_model(model).languages == languages


@pytest.mark.parametrize(
    "first", [json_reply({}, 500), json_reply({}, 503), json_reply({}, 429), hang_up(), text_reply("<html>")]
)
async def test_what_may_pass_is_tried_once_more(first: Reply) -> None:
    async with LocalServer([first, speak("openai", 1)]) as server:
        assert (await client(server).embed_query("q")).shape == (3,)
    assert len(server.requests) == 2


async def test_a_batch_has_its_time_and_no_more() -> None:
    async with LocalServer(silence()) as server:
        with pytest.raises(PalimpsestError) as caught:
            await client(server, seconds=0.5).embed_query("q")
    assert caught.value.problem.category == "timeout"
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("reply", "category", "attempts"),
    [
        (json_reply({"error": f"bad key {KEY}"}, 401), "auth", 1),
        (json_reply({"error": "no such model"}, 404), "not_found", 1),
        (json_reply({"error": "too long"}, 422), "validation", 1),
        (json_reply({}, 500), "server", 2),
        (json_reply({}, 429), "rate_limit", 2),
        (hang_up(), "connection", 2),
        (json_reply({"data": "nonsense"}), "server", 1),
        (json_reply({"data": [{"index": 0}]}), "server", 1),
        (json_reply({"data": [{"index": 0, "embedding": [None, "x", 2]}]}), "server", 1),
        (json_reply({"data": []}), "server", 1),
        (speak("openai", 2), "server", 1),
        (json_reply({"data": [{"index": 0, "embedding": [0.0, 0.0, 0.0]}]}), "server", 1),
        (text_reply('{"data": [{"index": 0, "embedding": [NaN, 1.0, 0.0]}]}'), "server", 1),
        (text_reply("[" * 5000), "server", 2),
    ],
)
async def test_what_goes_wrong_is_told_without_the_key(reply: Reply, category: str, attempts: int) -> None:
    async with LocalServer(reply) as server:
        with pytest.raises(PalimpsestError) as caught:
            await client(server).embed_query("q")
    assert caught.value.problem.category == category
    assert "embedding service" in caught.value.problem.what.en
    assert KEY not in f"{caught.value} {caught.value!r} {caught.value.problem}"
    assert len(server.requests) == attempts


async def test_nobody_there_is_a_connection_problem() -> None:
    async with LocalServer(silence()) as server:
        embeddings = client(server)
    with pytest.raises(PalimpsestError) as caught:
        await embeddings.embed_query("q")
    assert caught.value.problem.category == "connection"


async def test_another_dimension_is_refused_with_both_numbers() -> None:
    async with answering("tei") as server:
        with pytest.raises(EmbeddingsUnavailableError, match="dimension 3, expected 768") as caught:
            await client(server, "tei", dimension=768).embed_passages(["a", "b"])
    for words in (explain(caught.value).why.en, explain(caught.value).why.he):
        assert "768" in words
        assert "3" in words
