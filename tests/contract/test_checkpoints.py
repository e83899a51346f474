"""Tests checkpoints in SQLite and MongoDB: a pause survives a restart, and threads stay small."""

from __future__ import annotations

import builtins
import logging
import operator
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Annotated, Any, TypedDict
from uuid import uuid4

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from pydantic import BaseModel, SecretStr
from pymongo import MongoClient

from core.errors import NoRoomError, Problem, general_problem
from core.events import Choice, Passage, Source
from core.graph.interrupts import Reply, Request, ask, asked, resumption
from core.memory.maintenance.annexes import Checkpoints
from core.settings import Settings
from core.store.checkpoints import Checkpointer, EmbeddedCheckpointer, open_checkpointer, prune, serializer
from core.store.migrations.upgrade import FORMAT
from core.store.mongo import MongoTruth
from core.store.threads.mongo import MongoThreads
from core.store.threads.sqlite import SqliteThreads


class State(TypedDict, total=False):
    question: str
    choice: str
    sources: list[Source]
    problem: Problem
    log: Annotated[list[str], operator.add]


SOURCE = Source(
    number=1,
    document_id="doc_1",
    title="דוח שנתי",
    filename="report.pdf",
    score=0.5,
    passages=[Passage(item_id="mem_1", text="טקסט", page=3)],
)


async def search(state: State) -> State:
    return {"sources": [SOURCE], "problem": general_problem("timeout"), "log": ["search"]}


async def choose(state: State) -> State:
    choice = interrupt({"question": "Which one?", "options": ["a", "ב"]})
    return {"choice": choice, "log": [f"chose {choice}"]}


async def answer(state: State) -> State:
    return {"log": [state["sources"][0].title]}


def graph(checkpointer: Checkpointer, *, asks: bool = True) -> Any:
    builder = StateGraph(State)
    builder.add_node("search", search)
    builder.add_node("choose", choose)
    builder.add_node("answer", answer)
    builder.add_edge(START, "search")
    builder.add_edge("search", "choose" if asks else "answer")
    builder.add_edge("choose", "answer")
    builder.add_edge("answer", END)
    return builder.compile(checkpointer=checkpointer)


Open = Callable[[], AbstractAsyncContextManager[Checkpointer]]


@pytest.fixture(params=["sqlite", "mongo"])
def checkpoints(request: pytest.FixtureRequest, tmp_path: Path):
    """Opens a new checkpointer at each call, as another process would."""
    chosen: dict[str, Any] = {"home": tmp_path / "home"}
    if request.param == "mongo":
        uri, database = request.getfixturevalue("mongodb_uri"), f"test_{uuid4().hex}"
        chosen |= {"mongodb_uri": SecretStr(uri), "mongodb_database": database}
    settings = Settings(_env_file=None, **chosen)
    yield lambda: open_checkpointer(settings)
    if request.param == "mongo":
        with MongoClient(uri) as client:
            client.drop_database(database)


def thread(name: str) -> RunnableConfig:
    return {"configurable": {"thread_id": name}}


async def length(checkpointer: Checkpointer, name: str) -> int:
    return len([checkpoint async for checkpoint in checkpointer.alist(thread(name))])


async def test_a_pause_is_resumed_elsewhere(checkpoints: Open, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "langgraph"):
        async with checkpoints() as checkpointer:
            paused = await graph(checkpointer).ainvoke({"question": "?"}, thread("conv_1"))
            assert paused["__interrupt__"][0].value["options"] == ["a", "ב"]
            assert await prune(checkpointer, "conv_1") > 0
        async with checkpoints() as checkpointer:
            agent = graph(checkpointer)
            assert (await agent.aget_state(thread("conv_1"))).next == ("choose",)
            done = await agent.ainvoke(Command(resume="ב"), thread("conv_1"))
    assert done["log"] == ["search", "chose ב", "דוח שנתי"]
    assert done["sources"] == [SOURCE]
    assert done["problem"] == general_problem("timeout")
    assert caplog.messages == []


async def test_a_question_is_answered_and_another_cancelled_elsewhere(checkpoints: Open) -> None:
    async def choose_asking(state: State) -> State:
        reply = ask(Request(kind="doc_choice", question="איזה?", choices=[Choice(id="doc_1", label="א")]))
        return {"log": [f"chose {reply.choice_ids}" if reply else "cancelled"]}

    def asking(checkpointer: Checkpointer) -> Any:
        builder = StateGraph(State)
        builder.add_node("search", search)
        builder.add_node("choose", choose_asking)
        builder.add_edge(START, "search")
        builder.add_edge("search", "choose")
        return builder.compile(checkpointer=checkpointer)

    for name, reply, last in (("a", Reply(choice_ids=["doc_1"]), "chose ['doc_1']"), ("b", None, "cancelled")):
        async with checkpoints() as checkpointer:
            await asking(checkpointer).ainvoke({"question": "?"}, thread(name))
            await prune(checkpointer, name)
        async with checkpoints() as checkpointer:
            agent = asking(checkpointer)
            question = asked(await agent.aget_state(thread(name)))
            assert question is not None
            assert (question.question, question.choices[0].label) == ("איזה?", "א")
            done = await agent.ainvoke(resumption(question.interrupt_id, reply), thread(name))
            assert done["log"] == ["search", last]
            assert asked(await agent.aget_state(thread(name))) is None


async def test_pruning_keeps_what_the_next_turn_needs(checkpoints: Open) -> None:
    async with checkpoints() as checkpointer:
        agent = graph(checkpointer, asks=False)
        for _ in range(5):
            await agent.ainvoke({"question": "?"}, thread("conv_1"))
        await agent.ainvoke({"question": "?"}, thread("conv_2"))
        before, other = await length(checkpointer, "conv_1"), await length(checkpointer, "conv_2")
        assert before == 5 * other
        assert await prune(checkpointer, "conv_1", keep=2) == before - 2
        assert await length(checkpointer, "conv_1") == 2
        assert await prune(checkpointer, "conv_1", keep=2) == 0
        assert await length(checkpointer, "conv_2") == other
        state = await agent.ainvoke({"question": "?"}, thread("conv_1"))
        assert state["log"] == ["search", "דוח שנתי"] * 6
        assert await prune(checkpointer, "none") == 0
        with pytest.raises(ValueError, match="deleted"):
            await prune(checkpointer, "conv_1", keep=0)


async def test_a_pause_inside_a_subgraph_survives_pruning(checkpoints: Open) -> None:
    async with checkpoints() as checkpointer:
        outer = StateGraph(State)
        outer.add_node("before", search)
        outer.add_node("inner", graph(None))  # type: ignore[arg-type]
        outer.add_edge(START, "before")
        outer.add_edge("before", "inner")
        agent: Any = outer.compile(checkpointer=checkpointer)
        for _ in range(2):
            await agent.ainvoke({"question": "?"}, thread("conv_1"))
            await prune(checkpointer, "conv_1")
            kept = await length(checkpointer, "conv_1")
            done = await agent.ainvoke(Command(resume="a"), thread("conv_1"))
            assert done["choice"] == "a"
            assert done["log"][-2:] == ["chose a", "דוח שנתי"]
            await prune(checkpointer, "conv_1")
            assert await length(checkpointer, "conv_1") <= kept


async def test_a_deleted_thread_is_forgotten(checkpoints: Open) -> None:
    async with checkpoints() as checkpointer:
        agent = graph(checkpointer)
        for name in ("conv_1", "conv_2"):
            await agent.ainvoke({"question": "?"}, thread(name))
        await checkpointer.adelete_thread("conv_1")
        await checkpointer.adelete_thread("none")
        assert await length(checkpointer, "conv_1") == 0
        assert (await agent.aget_state(thread("conv_1"))).values == {}
        assert (await agent.aget_state(thread("conv_2"))).next == ("choose",)


class Unknown(BaseModel):
    text: str


def test_a_checkpoint_names_no_code_of_others() -> None:
    kind, data = serializer([Unknown]).dumps_typed(Unknown(text="x"))
    assert serializer([Unknown]).loads_typed((kind, data)) == Unknown(text="x")
    assert not isinstance(serializer().loads_typed((kind, data)), Unknown)


async def test_only_known_checkpointers_are_pruned() -> None:
    with pytest.raises(TypeError, match="InMemorySaver"):
        await prune(InMemorySaver(), "conv_1")


async def test_a_missing_package_is_named_with_its_install_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without_mongodb(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("langgraph.checkpoint.mongodb"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_mongodb)
    settings = Settings(_env_file=None, home=tmp_path, mongodb_uri=SecretStr("mongodb://127.0.0.1:1"))
    with pytest.raises(ImportError, match=r'pip install "palimpsest\[mongodb\]"'):
        async with open_checkpointer(settings):
            pass


def engines(truth: MongoTruth, home: Path) -> tuple[Settings, Settings]:
    """The settings of the embedded record store, and those of the server that ``truth`` uses."""
    embedded = Settings(_env_file=None, home=home)
    uri = SecretStr(truth._uri)
    return embedded, embedded.model_copy(update={"mongodb_uri": uri, "mongodb_database": truth.database.name})


@pytest.mark.parametrize("way", ["sqlite to mongo", "mongo to sqlite"])
async def test_a_paused_thread_is_carried_to_the_other_engine_and_goes_on_there(
    way: str, mongo_truth: MongoTruth, tmp_path: Path
) -> None:
    """The two record stores number channel versions differently; a thread must not contain both kinds of numbers."""
    embedded, shared = engines(mongo_truth, tmp_path)
    places = [(embedded, SqliteThreads(tmp_path / "checkpoints.sqlite")), (shared, MongoThreads(mongo_truth))]
    (first, source), (second, target) = places if way == "sqlite to mongo" else reversed(places)
    config: RunnableConfig = {"configurable": {"thread_id": "conv_1"}}
    async with open_checkpointer(first) as checkpointer:
        await graph(checkpointer).ainvoke({"question": "?"}, config)
    thread = await source.following("")
    assert thread is not None
    assert thread.writes
    async with open_checkpointer(second) as checkpointer:
        await target.replace(thread)
        await target.replace(thread)
        assert await target.following("") == thread
        assert await target.following("conv_1") is None
        done = await graph(checkpointer).ainvoke(Command(resume="b"), config)
        assert done["log"] == ["search", "chose b", SOURCE.title]
        again = await graph(checkpointer, asks=False).ainvoke({"question": "and?"}, config)
        assert again["log"][-2:] == ["search", SOURCE.title]
        await target.delete("conv_1")
        assert await target.following("") is None


@pytest.mark.parametrize("way", ["sqlite to mongo", "mongo to sqlite"])
async def test_a_paused_thread_of_a_backup_of_the_other_engine_goes_on_where_it_is_restored(
    way: str, mongo_truth: MongoTruth, tmp_path: Path
) -> None:
    """A backup holds channel versions as its record store numbers them; after a restore the numbering must continue."""
    embedded, shared = engines(mongo_truth, tmp_path)
    first, second = (embedded, shared) if way == "sqlite to mongo" else (shared, embedded)
    config: RunnableConfig = {"configurable": {"thread_id": "conv_1"}}
    await mongo_truth.collection("conversations").upsert({"_id": "conv_1", "user_id": "ada"})
    async with open_checkpointer(first) as checkpointer:
        await graph(checkpointer).ainvoke({"question": "?"}, config)
        rows = [row async for row in Checkpoints(mongo_truth, lambda: checkpointer).rows("ada")]
    async with open_checkpointer(second) as checkpointer:
        annex = Checkpoints(mongo_truth, lambda: checkpointer)
        await annex.restore(await annex.missing(rows, "ada", FORMAT))
        assert await annex.missing(rows, "ada", FORMAT) == []
        done = await graph(checkpointer).ainvoke(Command(resume="b"), config)
        assert done["log"] == ["search", "chose b", SOURCE.title]
        again = await graph(checkpointer, asks=False).ainvoke({"question": "and?"}, config)
        assert again["log"][-2:] == ["search", SOURCE.title]


async def test_a_full_disk_is_said_in_words_and_what_was_kept_stays(tmp_path: Path) -> None:
    settings = Settings(_env_file=None, home=tmp_path)  # type: ignore[call-arg]
    async with open_checkpointer(settings) as checkpointer:
        assert isinstance(checkpointer, EmbeddedCheckpointer)
        await graph(checkpointer).ainvoke({"question": "?"}, thread("conv_1"))
        before = await length(checkpointer, "conv_1")
        async with checkpointer.conn.execute("PRAGMA page_count") as pages:
            (count,) = await pages.fetchone() or (0,)
        async with checkpointer.conn.execute(f"PRAGMA max_page_count = {count}"):
            pass
        with pytest.raises(NoRoomError):
            await graph(checkpointer).ainvoke({"question": "?" * 100_000}, thread("conv_2"))
        assert await length(checkpointer, "conv_1") == before
        await checkpointer.adelete_thread("conv_1")
        await graph(checkpointer).ainvoke({"question": "?"}, thread("conv_2"))
