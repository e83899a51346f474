"""Measures where messages are sent, without a model: the place that ``understand`` decides, or a question to the user.

Each library of the set is a user with stubs: valid files whose text is their title. Each message is asked in a new
conversation that already has the history of the item. The item's tools are served with one text argument and the
description that the set gives, or else their name; the web is on if the item says so. A question for consent to a tool
call counts as the call. A message is asked back if the run asks the user anything else.

*Without doubt*: the run neither asks back nor marks its destination as unsure. The time of analysis and route is that
of the nodes up to ``understand``; today's time is that of all nodes before the search, measured by asking some of the
messages again as if all places but the documents were unknown.
"""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from pydantic import BaseModel

from benchmarks.messages.figures import Figure
from benchmarks.messages.stubs import ServedTool, StubServer, served_tool, web_search, write_stub
from benchmarks.temporary_workbench import open_workbench, upload
from core.events import Interrupted
from core.graph import build
from core.graph.services import Services
from core.graph.state import Asked, State
from core.graph.understanding.documents.records import Reference, VisibleDocument
from core.graph.understanding.documents.resolver import DocumentResolver
from core.graph.understanding.intent import features
from core.parsed_yaml import parse_yaml
from core.question.destination import Destination, Wish
from core.workbench import Workbench

ROUTES = {"open_data": "datagov", "correct": "remember"}
"""Names of places in the set, where they differ."""
BEFORE_SEARCH = ("listen", "understand", "complete", "read_links", "compute", "documents", "validate", "recall", "gate")
ANALYSIS = ("listen", "understand")
EVERY = 4
"""One of this many messages is asked again to measure today's time."""


class Turn(BaseModel):
    who: Literal["user", "assistant"]
    text: str


class Item(BaseModel):
    """A message of the set."""

    id: str
    lang: Literal["en", "he"]
    library: list[str] = []
    history: list[Turn] = []
    web: bool = False
    tools: list[ServedTool | str] = []
    message: str
    route: str
    accept: list[str] = []
    also: list[str] = []
    candidates: list[str] = []
    looks_like_ask: bool = False


class Routed(BaseModel):
    """What became of a message. ``choices``: labels of the question to the user, if one was asked."""

    id: str
    lang: str
    message: str
    wanted: str
    place: str
    also: list[str]
    sure: bool
    asked: bool
    choices: list[str]
    right: bool
    served_too: bool | None
    looks_like_ask: bool
    seconds: float

    @property
    def wrong_without_doubt(self) -> bool:
        return not (self.right or self.asked) and self.sure


async def run(data: Path, only: Sequence[str], details: Path | None) -> list[Figure]:
    """Measures all items, or those whose id is in ``only`` (or ``odd`` or ``even``, by its last digit)."""
    rows: Any = parse_yaml((data / "messages" / "routes.yaml").read_text(encoding="utf-8"))
    items = [item for item in map(Item.model_validate, rows["items"]) if _selected(item.id, only)]
    kept = os.environ.get("ROUTES_CACHE")
    found, today, now = [], 0.0, 0.0
    with WatchedGraph() as watch:
        async with open_workbench(Path(kept) if kept else None) as workbench:
            bench = MessageBench(workbench, watch)
            await bench.fill({tuple(each.library) for each in items})
            for number, item in enumerate(items):
                routed = await bench.ask(item)
                found.append(routed)
                if details:
                    with details.open("a", encoding="utf-8") as file:
                        file.write(routed.model_dump_json() + "\n")
                if number % EVERY == 0 and routed.seconds:
                    today += await bench.todays_time(item)
                    now += routed.seconds
    return figures_of(found, now / today if today else 0.0)


def figures_of(found: Sequence[Routed], time_share: float) -> list[Figure]:
    english = [each for each in found if each.lang == "en"]
    hebrew = [each for each in found if each.lang == "he"]
    back = [each for each in found if each.wanted == "ask_back"]
    others = [each for each in found if each.wanted != "ask_back"]
    second = [each.served_too for each in found if each.served_too is not None]
    figures = [
        Figure(name=f"routes: right, {len(found)}", value=_share(each.right for each in found)),
        Figure(name=f"routes: right, English, {len(english)}", value=_share(e.right for e in english), goal=0.92),
        Figure(name=f"routes: right, Hebrew, {len(hebrew)}", value=_share(e.right for e in hebrew), goal=0.88),
        Figure(
            name="routes: wrong without doubt",
            value=_share(each.wrong_without_doubt for each in found),
            goal=0.04,
            at_most=True,
        ),
        Figure(
            name=f"routes: needless asking, {len(others)}",
            value=_share(e.asked for e in others),
            goal=0.03,
            at_most=True,
        ),
        Figure(
            name="routes: needless asking, looks like it", value=_share(e.asked for e in others if e.looks_like_ask)
        ),
        Figure(name=f"routes: right asking, {len(back)}", value=_share(each.right for each in back), goal=0.85),
        Figure(name=f"routes: second wish served, {len(second)}", value=_share(bool(each) for each in second)),
        Figure(name="routes: time of today's", value=time_share, goal=0.4, at_most=True),
        Figure(name="routes: seconds a message", value=sum(e.seconds for e in found) / max(1, len(found))),
    ]
    for route in sorted({_kind(each.wanted) for each in found}):
        own = [each for each in found if _kind(each.wanted) == route]
        figures.append(Figure(name=f"routes: right, {route}, {len(own)}", value=_share(e.right for e in own)))
    return figures


def route_of(wish: Wish) -> str:
    """Returns the set's name of a place."""
    return f"tool:{wish.tool}" if wish.place == "tool" else ROUTES.get(wish.place, wish.place)


def _kind(route: str) -> str:
    return route.partition(":")[0]


def _share(values: Any) -> float:
    counted = Counter(map(bool, values))
    return counted[True] / max(1, counted.total())


def _selected(id: str, only: Sequence[str]) -> bool:
    half = "odd" if int(id[-1]) % 2 else "even"
    return not only or id in only or half in only


# -- the graph, watched ---------------------------------------------------------------------


class _Watch:
    """Records the destination and the time of each node. ``blind``: messages are sent to the documents."""

    def __init__(self) -> None:
        self.blind = False
        self.clear()

    def clear(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.destination: Destination | None = None

    def around(self, name: str, node: build.Node) -> build.Node:
        async def watched(services: Services, state: State) -> State:
            began = time.perf_counter()
            try:
                changes = await node(services, state)
            finally:
                self.seconds[name] += time.perf_counter() - began
            question = changes["asked"].question if "asked" in changes else None
            if question is not None and name in ANALYSIS and "question" in changes["asked"].model_fields_set:
                if self.blind and name == "understand" and question.route == "inquire":
                    return {**changes, "asked": changes["asked"] | Asked(question=question.sent_to(Destination()))}
                self.destination = question.destination
            return changes

        return watched


class WatchedGraph:
    """Replaces the nodes of the graph by watched ones."""

    def __enter__(self) -> _Watch:
        watch = _Watch()
        self._nodes = dict(build.NODES)
        build.NODES.update({name: watch.around(name, node) for name, node in self._nodes.items()})
        return watch

    def __exit__(self, *_: object) -> None:
        build.NODES.update(self._nodes)


class MessageBench:
    """A workbench with a user for each library."""

    def __init__(self, workbench: Workbench, watch: _Watch) -> None:
        self._workbench = workbench
        self._watch = watch
        self._users: dict[tuple[str, ...], str] = {}

    async def fill(self, libraries: set[tuple[str, ...]]) -> None:
        with TemporaryDirectory() as folder:
            for number, library in enumerate(sorted(libraries)):
                user = self._users[library] = f"user{number}"
                for title in library:
                    path = Path(folder) / title
                    write_stub(path)
                    await upload(self._workbench, user, path)

    async def ask(self, item: Item) -> Routed:
        user = self._users[tuple(item.library)]
        async with self._served(item):
            conversation = await self._with_history(user, item)
            self._watch.clear()
            asked = await self._workbench.ask(user, item.message, conversation_id=conversation)
            interrupt = None
            async for entry in self._workbench.ledger.tail(user, asked.run_id):
                if isinstance(entry.event, Interrupted):
                    interrupt = entry.event
                    await self._workbench.cancel(user, asked.run_id)
        return self._judged(item, interrupt)

    async def todays_time(self, item: Item) -> float:
        self._watch.blind = True
        # The same message must be analysed from the start, as if it had not been asked before.
        self._workbench._turns._agent.services.estimator.forget()
        features.terms.cache_clear()
        features.evidence.cache_clear()
        await self.ask(item)
        self._watch.blind = False
        return sum(self._watch.seconds[name] for name in BEFORE_SEARCH)

    def _judged(self, item: Item, interrupt: Interrupted | None) -> Routed:
        destination = self._watch.destination or Destination()
        asked = interrupt is not None and interrupt.kind != "tool_choice"
        wish = destination.wish
        place = (
            "ask_back" if asked else f"tool:{wish.tool}" if wish.place == "tool" else ROUTES.get(wish.place, wish.place)
        )
        labels = [each.label for each in interrupt.choices] if interrupt and asked else []
        more = [route_of(each) for each in destination.more]
        wanted = item.route.replace(" ", "_")  # A registered tool has no spaces in its name.
        right = place == wanted or place in item.accept
        if place == item.route == "ask_back":
            right = all(any(_stem(title) in label or label in title for label in labels) for title in item.candidates)
        more = [
            f"tool:{each.tool}" if each.place == "tool" else ROUTES.get(each.place, each.place)
            for each in destination.more
        ]
        return Routed(
            id=item.id,
            lang=item.lang,
            message=item.message,
            wanted=item.route,
            place=place,
            also=more,
            sure=destination.sure,
            asked=asked,
            choices=labels,
            right=right,
            served_too=set(item.also) <= {*more} if item.also else None,
            looks_like_ask=item.looks_like_ask,
            seconds=sum(self._watch.seconds[name] for name in ANALYSIS),
        )

    async def _with_history(self, user: str, item: Item) -> str | None:
        """Returns a conversation whose thread has the item's history, with the documents that it names."""
        if not item.history:
            return None
        turns, question = [], ""
        for turn in item.history:
            if turn.who == "user":
                question = turn.text
            else:
                turns.append({"question": question, "answer": turn.text, "number": len(turns) + 1})
        conversation = await self._workbench.conversations.start(user, question)
        agent = self._workbench._turns._agent
        recent = await self._named(user, [turn.text for turn in item.history])
        changes: Any = {"turns": turns, "recent_docs": recent}
        config: Any = {"configurable": {"thread_id": conversation.id}}
        await agent.graph.aupdate_state(config, changes, as_node="learn")
        return conversation.id

    async def _named(self, user: str, texts: Sequence[str]) -> list[str]:
        """Returns the documents that the latest of these texts names."""
        documents = await self._workbench.library.find(user)
        listed = tuple(VisibleDocument.of(each) for each in documents)
        resolver = DocumentResolver(self._workbench._turns._agent.services.prompts, None)
        for text in reversed(texts):
            found = await resolver.resolve(Reference(text=text, action="inquire", documents=listed))
            if found.resolution.document_ids:
                return list(found.resolution.document_ids)
        return []

    @asynccontextmanager
    async def _served(self, item: Item) -> AsyncIterator[None]:
        """Serves the tools and the web of an item."""
        tools = [ServedTool(name=each) if isinstance(each, str) else each for each in item.tools]
        servers = [StubServer(each.name, [served_tool(each)]) for each in tools]
        registry = self._workbench.tools.registry
        for server in servers:
            await registry.register(server)
        if item.web:
            await registry.register(StubServer("stub_web", [web_search()]), own=True)
        try:
            yield
        finally:
            for name in [*(server.name for server in servers), "stub_web"]:
                await registry.unregister(name)


def _stem(title: str) -> str:
    return Path(title).stem
