"""Effects of settings for the data directory, access, and the stores."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace

import httpx
import langsmith
import uvicorn
from pydantic import SecretStr

import app
import core.store.mongo
import core.traces
from core.accounts.accounts import Accounts
from core.coordination.redis import open_redis
from core.errors import PalimpsestError
from core.library.extract import ocr
from core.memory.recall.records import MemoryQuery
from core.memory.retrieval import Retrieval
from core.store.index import Schema
from core.store.open import open_index, open_truth
from core.store.sqlite.truth import SqliteTruth
from core.tools.definition import Effects
from core.tools.execution import SentCall
from core.tools.tool import Caller
from pages.auth import Identity
from tests.core.tools.made import Made, Server, definition
from tests.service.effects.experiment import AT_ONCE, LONG, Bench, attempt, changes, never, waits
from tests.service.effects.workbench import opened

MONGO, QDRANT = "mongodb://here.test", "http://index.test"


@changes("home", "one", "other")
async def where_the_truth_is_kept(bench: Bench) -> object:
    truth = open_truth(bench.settings)
    await truth.start()
    await truth.stop()
    return [path.relative_to(bench.folder) for path in bench.folder.rglob("truth.sqlite")]


@changes("host", "127.0.0.1", "localhost")
@changes("port", "7860", "7861")
@changes("log_level", "INFO", "DEBUG")
async def how_the_server_is_started(bench: Bench) -> object:
    told: list[object] = []
    bench.patch.setattr(app, "create_app", lambda *_: None)

    def served(server: uvicorn.Server) -> None:
        told.append((server.config.host, server.config.port))
        server.started = True

    bench.patch.setattr(uvicorn.Server, "run", served)
    bench.patch.setattr(logging, "basicConfig", lambda **options: told.append(options))
    assert app.main() == 0
    return told


@changes("allowed_hosts", "[]", '["bench.example"]')
async def who_is_answered_by_a_name_of_its_own(bench: Bench) -> object:
    transport = httpx.ASGITransport(app.create_app(bench.settings))
    async with httpx.AsyncClient(transport=transport, base_url="http://bench.example") as asked:
        return (await asked.get("/login")).status_code


@changes("users", "{}", '{"ada": "a long password"}')
async def who_asks_without_a_session(bench: Bench) -> object:
    async with opened(bench) as house:
        identity = Identity(bench.settings, house.workbench.accounts)
        return identity.user(SimpleNamespace(cookies={}))


@changes("login", "auto", "always")
async def who_asks_where_there_are_no_accounts(bench: Bench) -> object:
    async with opened(bench) as house:
        return Identity(bench.settings, house.workbench.accounts).user(SimpleNamespace(cookies={}))


@changes("session_hours", "1", "24")
async def who_asks_with_a_session_of_two_hours(bench: Bench) -> object:
    truth, now = open_truth(bench.settings), 1_000_000.0
    await truth.start()
    sessions = Accounts(truth, bench.settings, lambda: now).sessions
    token = await sessions.begin("ada")
    now += 2 * 3600
    owner = await sessions.owner_of(token)
    await truth.stop()
    return owner


@changes("profile", "standard", "production")
async def whether_a_tool_of_others_may_write(bench: Bench) -> object:
    async with opened(bench) as house:
        made = definition("write", "notes", effects=Effects())
        await house.workbench.tools.registry.register(Server("notes", [Made(made)]))
        caller = Caller("ada", conversation_id="conv_1")
        (outcome,) = await house.workbench.tools.run([SentCall("c", "write", {"query": "x"})], caller)
        return outcome.problem is None


@changes("tools.off", "[]", '["list_documents"]')
async def whether_documents_are_listed(bench: Bench) -> object:
    async with opened(bench) as house:
        (outcome,) = await house.workbench.tools.run([SentCall("c", "list_documents")], Caller("ada"))
        return outcome.problem is None


@changes("web_enabled", "true", "false", tavily_api_key="k")
async def whether_there_are_tools_for_the_web(bench: Bench) -> object:
    async with opened(bench) as house:
        return house.workbench.tools.searches_web


@changes("knowledge_enabled", "true", "false")
async def whether_the_graph_is_shown(bench: Bench) -> object:
    async with opened(bench) as house:
        try:
            return bool(house.workbench.knowledge)
        except PalimpsestError:
            return False


# -- stores ------------------------------------------------------------------------------------


class RecordingMongo:
    """A fake MongoDB client: records how it was created and which database is requested."""

    def __init__(self, told: list[object], *given: object, **options: object) -> None:
        self._told = told
        told.append((given, options))

    @property
    def admin(self) -> object:
        return SimpleNamespace(command=self._hello)

    async def _hello(self, _: str) -> dict[str, object]:
        return {}

    def get_database(self, name: str, **_: object) -> object:
        self._told.append(name)
        return self

    async def close(self) -> None: ...


@changes("mongodb_uri", f"{MONGO}/one", f"{MONGO}/other")
@changes("mongodb_database", "one", "other", mongodb_uri=MONGO)
async def which_database_is_opened(bench: Bench) -> object:
    told: list[object] = []
    bench.patch.setattr(
        core.store.mongo, "AsyncMongoClient", lambda *given, **more: RecordingMongo(told, *given, **more)
    )
    truth = open_truth(bench.settings)
    await truth.start()
    assert truth.database  # type: ignore[attr-defined]
    await truth.stop()
    return told


@changes("deadlines.truth", AT_ONCE, LONG)
async def whether_a_long_read_of_the_truth_ends(bench: Bench) -> object:
    counting = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000000) SELECT max(x) FROM n"
    truth = open_truth(bench.settings)
    assert isinstance(truth, SqliteTruth)
    ending = await attempt(truth.start())  # If all processors are busy, even this may exceed the timeout.
    if ending == "done":
        ending = await attempt(truth.read(lambda connection: connection.execute(counting).fetchone()))
    await truth.stop()
    return ending


@changes("qdrant_url", QDRANT, "http://other.test", index_collection="one")
@changes("qdrant_api_key", "one", "other", qdrant_url=QDRANT)
@changes("index_collection", "one", "other", qdrant_url=QDRANT)
async def what_an_index_server_is_sent(bench: Bench) -> object:
    aliases = {"result": {"aliases": []}, "status": "ok", "time": 0}
    version = {"title": "qdrant", "version": "1.19.0"}
    bench.wire.reply = lambda request: aliases if request.url.path.endswith("aliases") else version
    await attempt(open_index(bench.settings).start(Schema("letters", 4)))
    assert bench.wire.sent
    return bench.wire.sent


@changes("qdrant.graph", "people", "all", qdrant_url=QDRANT)
@changes("qdrant.links", "16", "32", qdrant_url=QDRANT)
@changes("qdrant.shards", "2", "6", qdrant_url=QDRANT)
@changes("qdrant.replicas", "1", "2", qdrant_url=QDRANT)
@changes("qdrant.write_replicas", "1", "2", qdrant_url=QDRANT, qdrant__replicas="2")
@changes("qdrant.quantization", "none", "scalar", qdrant_url=QDRANT)
async def how_a_collection_is_asked_for(bench: Bench) -> object:
    found = {"aliases": {"aliases": []}, "exists": {"exists": False}}

    def reply(request: httpx.Request) -> object:
        told = found.get(request.url.path.rpartition("/")[2], True)
        return {"result": told, "status": "ok", "time": 0, "title": "qdrant", "version": "1.20.0"}

    bench.wire.reply = reply
    await attempt(open_index(bench.settings).start(Schema("letters", 4)))
    [made] = [each.content for each in bench.wire.requests if each.method == "PUT"]
    return made


@changes("redis.url", "redis://127.0.0.1:1/0", "redis://127.0.0.1:1/1")
async def where_what_processes_share_is_looked_for(bench: Bench) -> object:
    connection = open_redis(bench.settings, lambda _: None)
    return connection and connection.address


@changes("redis.seconds", AT_ONCE, LONG)
async def how_long_redis_may_take(bench: Bench) -> object:
    async with await asyncio.start_server(lambda *_: None, "127.0.0.1", 0) as silent:
        address = f"redis://127.0.0.1:{silent.sockets[0].getsockname()[1]}"
        given = bench.settings.redis.model_copy(update={"url": SecretStr(address)})
        connection = open_redis(bench.settings.model_copy(update={"redis": given}), lambda _: None)
        return await waits(connection.answers())


# -- features ----------------------------------------------------------------------------------


@changes("dense_enabled", "true", "false")
async def why_meaning_is_not_searched(bench: Bench) -> object:
    return Retrieval(bench.settings, open_truth(bench.settings), SimpleNamespace(), lambda: 0.0).dense_off


@changes("ocr_enabled", "true", "false")
async def whether_scans_are_read(bench: Bench) -> object:
    """Runs only if an OCR engine is installed."""
    bench.patch.setattr(ocr, "_languages", lambda: ["eng"])
    return ocr.is_available(bench.settings)


# -- circuit breakers --------------------------------------------------------------------------


@changes("breakers.failures", "1", "3")
@changes("breakers.cooldown", "0", "60", breakers__failures="1")
async def the_breaker_after_one_failure(bench: Bench) -> object:
    retrieval = Retrieval(bench.settings, open_truth(bench.settings), SimpleNamespace(), lambda: 0.0)
    await attempt(retrieval.dependencies.dense.attempt(lambda: never(), seconds=0.0))
    return retrieval.dependencies.dense.breaker.state


@changes("limits.question_characters", "10", "1000")
async def whether_a_question_of_fifty_characters_is_taken(bench: Bench) -> object:
    async with opened(bench) as house:
        return await attempt(house.workbench.ask("ada", "x" * 50))


@changes("deadlines.retrieval", AT_ONCE, LONG)
async def whether_a_search_of_memory_that_hangs_is_waited_for(bench: Bench) -> object:
    bench.patch.setattr("core.memory.retrieval.CurrentPipeline.search", never)
    async with opened(bench) as house:
        return await waits(house.workbench.memory.search(MemoryQuery("ada", "rivers")))


@changes("traces", "http://one.test/v1/traces", "http://other.test/v1/traces")
async def where_spans_are_delivered(bench: Bench) -> object:
    told: list[object] = []
    bench.patch.setattr(core.traces, "_provider", told.append)
    core.traces.Traces(bench.settings)
    return told


@changes("traces_content", "false", "true", traces="http://one.test/v1/traces")
async def what_a_span_tells(bench: Bench) -> object:
    from opentelemetry.sdk.trace import TracerProvider

    bench.patch.setattr(core.traces, "_provider", lambda _: TracerProvider())
    with core.traces.Traces(bench.settings).run("run", None) as run:
        run.note_text("gen_ai.tool.call.result", "rivers")
        return dict(run._span.attributes)


@changes("langsmith", "false", "true")
async def whether_langsmith_may_be_switched_on(bench: Bench) -> object:
    bench.patch.setattr(langsmith, "configure", lambda enabled: told.append(enabled))
    told: list[object] = []
    core.traces.hold_langsmith(bench.settings)
    return told


@changes("metrics_for", "administrators", "nobody")
async def who_reads_what_was_measured(bench: Bench) -> object:
    transport = httpx.ASGITransport(app.create_app(bench.settings, with_pages=False))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as asked:
        return (await asked.get("/metrics")).status_code
