"""Tests knowledge graphs on both record stores: what they store, who can see it, and the effects of a crash or a
deletion."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from core.errors import PalimpsestError
from core.knowledge.build import Graphs
from core.knowledge.content_store import ContentStore, Stamp
from core.knowledge.extraction.entities import Extracted
from core.knowledge.graph_sync import MentionReader
from core.knowledge.records import CONCEPTS, MENTIONS
from core.lru_cache import LruCache
from core.memory.items.reading import ITEMS
from core.memory.items.records import ActionTaken, AnswerRecord
from core.memory.items.writing import MemoryItems
from core.memory.outcomes.action_effectiveness import ActionEffectiveness
from core.memory.outcomes.answers import ANSWERS
from core.memory.outcomes.tier_routing import Routing, concepts_of
from core.runs.scheduler import Idle
from core.store.items import Book, ItemSource, MemoryItem, Outcome, Quality, Timestamps
from core.store.truth import Change, Truth
from tests.contract.conftest import Stores

pytestmark = [
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect"),
    pytest.mark.filterwarnings("ignore:Local mode performs exact"),
]

ADA, BEN = "ada", "ben"
NOW = 1_700_000_000.0


def fact(number: int, text: str, user_id: str = ADA, at: float = NOW, **more: Any) -> MemoryItem:
    quality = Quality(importance=0.8, confidence=0.5)
    return MemoryItem(
        id=f"mem_{number:032x}",
        user_id=user_id,
        tier="memory_bank",
        text=text,
        source=ItemSource(type="user", conversation_id=more.pop("conversation_id", None)),
        quality=more.pop("quality", quality),
        timestamps=Timestamps(created_at=at, updated_at=at),
        **more,
    )


def passage(number: int, text: str, document: str, scope: str = "library", at: float = NOW) -> MemoryItem:
    book = Book(book_id=document, title="Handbook", filename="h.md", chunk_index=number)
    return MemoryItem(
        id=f"mem_{number:032x}",
        user_id=ADA,
        tier="books",
        text=text,
        scope=scope,
        document_id=document,
        source=ItemSource(type="document", book=book),
        timestamps=Timestamps(created_at=at, updated_at=at),
    )


class House:
    """An item store, and one or more processes that build knowledge graphs from its items."""

    def __init__(self, stores: Stores) -> None:
        self.truth: Truth = stores[0]
        self.items = MemoryItems(self.truth, stores[1], None, lambda: NOW)
        self.graphs = self.process()

    def process(self, reader: MentionReader | None = None, idle: Idle | None = None) -> Graphs:
        return Graphs(self.truth, self.items, ActionEffectiveness(self.truth), lambda: NOW, reader, idle)

    async def store(self, *items: MemoryItem) -> None:
        rows = [item.model_dump(by_alias=True, mode="json") for item in items]
        await self.truth.collection(ITEMS).insert_many(rows)

    async def labels(self, user_id: str = ADA, graphs: Graphs | None = None) -> set[str]:
        view = await (graphs or self.graphs).reading.graph(user_id, top=500)
        return {node.label for node in view.nodes}

    async def answer(
        self,
        number: int,
        question: str,
        used: MemoryItem,
        outcome: Outcome,
        at: float = NOW,
        conversation: str = "conv",
    ) -> AnswerRecord:
        record = AnswerRecord(
            id=f"msg_{number:032x}",
            user_id=ADA,
            conversation_id=conversation,
            question=question,
            concepts=concepts_of(question),
            positions=[used.id],
            used=[used.id],
            tiers={used.id: used.tier},
            actions=[ActionTaken(name="search_memory", tier=used.tier)],
            created_at=at,
            outcome=outcome,
        )
        await self.truth.collection(ANSWERS).insert_many([record.model_dump(by_alias=True, mode="json")])
        await Routing(self.truth).learn(record, outcome, at)
        await ActionEffectiveness(self.truth).learn(record, outcome, at)
        return record


@pytest.fixture
async def house(stores: Stores) -> House:
    house = House(stores)
    await house.items.ensure()
    await house.graphs.ensure()
    await house.truth.collection(ANSWERS).ensure()
    return house


async def test_what_is_stored_is_read_once_and_stands_together(house: House) -> None:
    await house.store(fact(1, "Maya Rosen works for Northwind Logistics in Rotterdam."))
    assert await house.labels() == set()
    assert (await house.graphs.reading.graph(ADA)).pending == 1
    assert await house.graphs.growth.read_in(ADA) == 1
    assert await house.graphs.growth.read_in(ADA) == 0
    view = await house.graphs.reading.graph(ADA)
    by_label = {node.label: node for node in view.nodes}
    assert {"Maya Rosen", "Northwind Logistics", "Rotterdam"} <= by_label.keys()
    maya = by_label["Maya Rosen"]
    assert (maya.kind, maya.colour, maya.mentions, maya.avg_quality) == ("person", "content", 1, pytest.approx(0.4))
    assert any(maya.id in (edge.a, edge.b) and edge.evidence == [f"mem_{1:032x}"] for edge in view.edges)
    assert view.totals.colours["content"] == view.totals.concepts == view.totals.shown


async def test_who_waits_is_told_when_a_text_was_written_and_when_it_was_read(house: House) -> None:
    growth, changes = house.graphs.growth, house.graphs.reading.changes
    await house.store(fact(1, "Maya Rosen works for Northwind Logistics in Rotterdam."))
    growth.touched(ADA)
    assert changes.version_of(ADA) == 1
    before = await house.graphs.reading.state(ADA)
    assert before.pending == 1
    assert await growth.read_in(ADA) == 1
    assert changes.version_of(ADA) == 2
    after = await house.graphs.reading.state(ADA)
    assert after.pending == 0
    assert after.version == (await house.graphs.reading.graph(ADA)).version != before.version


async def test_reading_again_and_in_two_processes_counts_once(house: House) -> None:
    await house.store(*(fact(n, f"Maya Rosen met Daniel Okafor, number {n}.") for n in range(3)))
    other = house.process()
    await house.graphs.growth.read_in(ADA)
    await other.growth.read_in(ADA)
    for graphs in (house.graphs, other, house.process()):
        view = await graphs.reading.graph(ADA)
        assert {node.label: node.mentions for node in view.nodes if node.kind == "person"} == {
            "Maya Rosen": 3,
            "Daniel Okafor": 3,
        }
        assert [edge.count for edge in view.edges if edge.kind == "together"] == [3]
    assert await house.truth.collection(MENTIONS).count() == 3


async def test_what_another_process_reads_is_seen_here(house: House) -> None:
    await house.store(fact(1, "Maya Rosen lives in Rotterdam."))
    assert await house.labels() == set()
    await house.process().growth.read_in(ADA)
    house.graphs.growth.touched(ADA)
    assert "Maya Rosen" in await house.labels()


async def test_texts_wait_for_questions_before_each_batch(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.knowledge.graph_sync.BATCH", 1)
    waited: list[set[str]] = []

    async def idle() -> None:
        waited.append(set(growing.growth._grown[ADA].content.sources) if ADA in growing.growth._grown else set())

    growing = house.process(idle=idle)
    await house.store(fact(1, "Ada Lovelace works at Acme Ltd"), fact(2, "Dana Cohen lives in Haifa"))
    assert await growing.growth.read_in(ADA) == 2
    assert [len(each) for each in waited] == [0, 1]


async def test_nobody_sees_what_others_have(house: House) -> None:
    await house.store(fact(1, "Maya Rosen lives in Rotterdam."), fact(2, "Daniel Okafor lives in Leeds.", BEN))
    for user in (ADA, BEN):
        await house.graphs.growth.read_in(user)
    assert "Daniel Okafor" not in await house.labels(ADA)
    ben = next(node for node in (await house.graphs.reading.graph(BEN)).nodes if node.label == "Daniel Okafor")
    with pytest.raises(PalimpsestError):
        await house.graphs.reading.concept(ADA, ben.id)
    assert await house.graphs.reading.neighbours(ADA, ben.id) == []
    assert not (await house.graphs.reading.path(ADA, ben.id, ben.id)).found


@pytest.mark.parametrize("status", ["archived", "deleted"])
async def test_what_is_put_away_is_gone_for_the_next_reader(house: House, status: str) -> None:
    await house.store(fact(1, "Maya Rosen lives in Rotterdam."), fact(2, "Daniel Okafor lives in Rotterdam."))
    await house.graphs.growth.read_in(ADA)
    await house.truth.collection(ITEMS).update(f"mem_{1:032x}", Change(set={"status": status}))
    labels = await house.labels()
    assert "Maya Rosen" not in labels
    assert {"Daniel Okafor", "Rotterdam"} <= labels
    assert await house.graphs.growth.sweep(ADA) >= 2
    assert await house.truth.collection(MENTIONS).count() == 1
    assert await house.truth.collection(CONCEPTS).count({"label": "Maya Rosen"}) == 0


async def test_a_changed_text_is_not_spoken_for_by_the_old_one(house: House) -> None:
    await house.store(fact(1, "Maya Rosen lives in Rotterdam."))
    await house.graphs.growth.read_in(ADA)
    change = Change(set={"text": "Maya Rosen lives in Leeds.", "timestamps.updated_at": NOW + 1})
    await house.truth.collection(ITEMS).update(f"mem_{1:032x}", change)
    assert await house.labels() == set()
    await house.graphs.growth.read_in(ADA)
    assert {"Maya Rosen", "Leeds"} <= await house.labels()
    assert "Rotterdam" not in await house.labels()


async def test_a_document_goes_and_comes_back_with_all_it_named(house: House) -> None:
    await house.store(passage(1, "Maya Rosen lives in Rotterdam.", "doc_1"), fact(2, "Ada knows Daniel Okafor."))
    await house.graphs.growth.read_in(ADA)
    await house.items.bury_document(ADA, "doc_1")
    assert "Maya Rosen" not in await house.labels()
    await house.truth.collection(ITEMS).update_where({"document_id": "doc_1"}, Change(set={"status": "active"}))
    assert "Maya Rosen" in await house.labels()


async def test_documents_of_one_conversation_are_no_books(house: House) -> None:
    await house.store(passage(1, "Maya Rosen lives in Rotterdam.", "doc_1", scope="conv_1"))
    assert await house.graphs.growth.read_in(ADA) == 0
    change = Change(set={"scope": "library", "timestamps.updated_at": NOW + 1})
    await house.truth.collection(ITEMS).update_where({"document_id": "doc_1"}, change)
    assert await house.graphs.growth.read_in(ADA) == 1
    assert "Maya Rosen" in await house.labels()


async def test_a_process_that_dies_between_write_and_graph_leaves_nothing_lost_and_nothing_double(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.store(*(fact(n, f"Maya Rosen met Daniel Okafor, number {n}.") for n in range(2)))
    store = house.graphs.growth._store

    async def dies(*_: object) -> None:
        raise ConnectionError("killed")

    monkeypatch.setattr(store, "keep", dies)
    with pytest.raises(ConnectionError):
        await house.graphs.growth.read_in(ADA)
    survivor = house.process()
    assert await survivor.growth.read_all() == 2
    people = [node for node in (await survivor.reading.graph(ADA)).nodes if node.kind == "person"]
    assert [node.mentions for node in people] == [2, 2]


async def test_who_wants_the_graph_waits_for_whoever_has_begun_to_read_it(house: House) -> None:
    began, may_go_on = asyncio.Event(), asyncio.Event()

    async def idle() -> None:
        began.set()
        await may_go_on.wait()

    growth = house.process(idle=idle).growth
    await house.store(fact(1, "Maya Rosen met Daniel Okafor."))
    growth.touched(ADA)
    first = asyncio.create_task(growth.read_noticed())
    await began.wait()
    second = asyncio.create_task(growth.read_noticed())
    await asyncio.sleep(0)
    assert not second.done()
    may_go_on.set()
    assert (await first, await second) == (1, 0)


async def test_concepts_without_mentions_of_a_dead_process_are_swept(house: House) -> None:
    await house.store(fact(1, "Maya Rosen lives in Rotterdam."))
    row = {"_id": f"conc_{7:032x}", "user_id": ADA, "version": 0, "keys": ["orphan"], "label": "Orphan", "kind": "term"}
    await house.truth.collection(CONCEPTS).insert_many([row])
    assert "Orphan" not in await house.labels()
    await house.graphs.growth.read_all()
    assert await house.truth.collection(CONCEPTS).count({"label": "Orphan"}) == 0


async def test_all_four_colours_and_the_way_between_two(house: House) -> None:
    maya = fact(1, "Maya Rosen works for Northwind Logistics.")
    await house.store(maya, fact(2, "Northwind Logistics has a depot in Rotterdam."))
    await house.graphs.growth.read_in(ADA)
    await house.answer(1, "What does Maya Rosen think about overtime?", maya, "worked")
    view = await house.graphs.reading.graph(ADA, top=100)
    by_label = {node.label: node for node in view.nodes}
    assert by_label["Maya Rosen"].colour == "both"
    assert by_label["Maya Rosen"].best_tiers == ["memory_bank"]
    assert by_label["Maya Rosen"].outcomes.worked == 1
    assert by_label["Rotterdam"].colour == "content"
    assert by_label["overtime"].colour == "routing"
    assert by_label["search_memory · memory_bank"].colour == "action"
    assert "maya" not in by_label
    assert {edge.kind for edge in view.edges} >= {"together", "asked", "used", "effect"}

    for node in view.nodes:
        detail = await house.graphs.reading.concept(ADA, node.id)
        assert detail.concept == node
        assert detail.related, f"{node.label} stands alone"
        near = await house.graphs.reading.neighbours(ADA, node.id)
        assert [each.concept.id for each in near] == [each.concept.id for each in detail.related]

    way = await house.graphs.reading.path(ADA, by_label["overtime"].id, by_label["Rotterdam"].id)
    assert [node.label for node in way.nodes] == ["overtime", "Maya Rosen", "Northwind Logistics", "Rotterdam"]
    assert [edge.kind for edge in way.edges] == ["asked", "together", "together"]
    assert way.edges[1].evidence == [f"mem_{1:032x}"]


class Causes:
    """A model that reports that the first entity causes the second; fails for texts about Leeds."""

    async def read(self, text: str, by_rules: Extracted) -> Extracted:
        if "Leeds" in text:
            raise ConnectionError("no model")
        return replace(by_rules, relations=((0, 1, "causes"),))


async def test_with_a_model_what_has_proved_itself_is_related(house: House) -> None:
    proven = fact(1, "Maya Rosen met Daniel Okafor in Haifa.").model_copy(update={"tier": "patterns", "quality": None})
    await house.store(proven, fact(2, "Grace Kim lives in Leeds."))
    graphs = house.process(Causes())
    assert await graphs.growth.read_in(ADA) == 2
    view = await graphs.reading.graph(ADA)
    label = {node.id: node.label for node in view.nodes}
    causes = [(label[edge.a], label[edge.b], edge.evidence) for edge in view.edges if edge.kind == "causes"]
    assert causes == [("Maya Rosen", "Daniel Okafor", [proven.id])]
    assert {"Grace Kim", "Leeds"} <= set(label.values())
    assert "Maya Rosen" not in await house.labels()


async def test_filters_orders_and_focus(house: House) -> None:
    day = 86_400.0
    old = fact(1, "Maya Rosen lives in Rotterdam.", at=NOW - 30 * day)
    fresh = fact(2, "Daniel Okafor lives in Leeds.", conversation_id="conv_9")
    await house.store(old, fresh)
    await house.graphs.growth.read_in(ADA)
    reading = house.graphs.reading

    async def labels(**given: Any) -> list[str]:
        return [node.label for node in (await reading.graph(ADA, **given)).nodes]

    assert set(await labels(period="week")) == {"Daniel Okafor", "Leeds"}
    assert set(await labels(period="today")) == {"Daniel Okafor", "Leeds"}
    assert set(await labels(period="session", session="conv_9")) == {"Daniel Okafor", "Leeds"}
    assert await labels(period="session", session="conv_other") == []
    assert await labels(search="ROTTER") == ["Rotterdam"]
    assert await labels(colours=["action"]) == []
    assert (await labels(sort="oldest"))[0] in ("Maya Rosen", "Rotterdam")
    assert (await labels(sort="recent"))[0] in ("Daniel Okafor", "Leeds")
    cut = await reading.graph(ADA, top=1)
    assert (len(cut.nodes), cut.totals.shown, cut.totals.concepts) == (1, 1, 4)
    leeds = next(node for node in (await reading.graph(ADA)).nodes if node.label == "Leeds")
    assert await labels(focus=[leeds.id], search="no such thing") == ["Leeds", "Daniel Okafor"]


async def test_a_company_that_a_later_record_tells_of_is_found_in_what_was_read_before(house: House) -> None:
    await house.store(passage(1, "All the pumps that failed were made by Alder before the spring.", "doc_1"))
    await house.graphs.growth.read_in(ADA)
    assert await house.labels() == set()
    record = {"title": "Contract", "kind": "contract", "organisations": [{"name": "Alder Pumps", "aliases": ["Alder"]}]}
    await house.truth.collection("documents").insert_many([{"_id": "doc_2", "user_id": ADA, "metadata": record}])
    await house.store(passage(2, "Notice is given in writing to both of the parties here.", "doc_2", at=NOW + 1))
    await house.graphs.growth.read_in(ADA)
    assert await house.labels() == {"Alder Pumps"}
    assert await house.labels(graphs=house.process()) == {"Alder Pumps"}


async def test_what_stands_behind_a_concept_and_an_answer(house: House) -> None:
    rent = fact(1, "Maya Rosen is the head of procurement.")
    page = passage(2, "Procurement: Maya Rosen signs every order.", "doc_1")
    await house.store(rent, page)
    await house.graphs.growth.read_in(ADA)
    answer = await house.answer(3, "Who is Maya Rosen?", rent, "partial")
    maya = next(node for node in (await house.graphs.reading.graph(ADA)).nodes if node.label == "Maya Rosen")
    detail = await house.graphs.reading.concept(ADA, maya.id)
    assert detail.definition is not None
    assert detail.definition.text == rent.text
    assert [each.item_id for each in detail.memories] == [rent.id]
    assert [each.item_id for each in detail.passages] == [page.id]
    assert [(each.document_id, each.title, each.passages) for each in detail.documents] == [("doc_1", "Handbook", 1)]
    assert [(each.answer_id, each.outcome) for each in detail.answers] == [(answer.id, "partial")]
    assert maya.id not in {each.concept.id for each in detail.related}
    assert detail.related

    message = {"_id": answer.id, "user_id": ADA, "conversation_id": "conv", "role": "assistant", "run_id": "run_1"}
    await house.truth.collection("messages").insert_many([message])
    for known in (answer.id, "run_1"):
        named = await house.graphs.reading.concepts_of_answer(ADA, known)
        assert named.concepts[0].id == maya.id
    assert (await house.graphs.reading.concept(ADA, maya.id)).answers[0].run_id == "run_1"
    assert (await house.graphs.reading.concepts_of_answer(BEN, answer.id)).concepts == []


async def test_history_by_day(house: House) -> None:
    maya = fact(1, "Maya Rosen works in Leeds.", at=NOW - 2 * 86_400)
    await house.store(maya)
    await house.answer(1, "Where does Maya Rosen work?", maya, "worked")
    event = {
        "_id": "out_1", "user_id": ADA, "version": 0, "answer_id": "msg_1", "outcome": "worked", "authority": "person",
        "timestamp": NOW,
    }  # fmt: skip
    await house.truth.collection("memory_outcomes").insert_many([event])
    history = await house.graphs.reading.history(ADA, days=4)
    assert [each.worked for each in history.outcomes] == [0, 0, 0, 1]
    assert [each.tiers["memory_bank"] for each in history.tiers] == [0, 1, 1, 1]
    assert [(each.tier, each.worked) for each in history.routing] == [("memory_bank", 1)]


async def test_a_graph_that_others_push_out_while_it_is_asked_for_is_there_all_the_same(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    growth = house.graphs.growth
    monkeypatch.setattr(growth, "_grown", LruCache(1))
    await growth.of(ADA)
    stamp, asked, others = growth._store.stamp, asyncio.Event(), asyncio.Event()

    async def late(user_id: str) -> Stamp:
        if user_id == ADA:
            asked.set()
            await others.wait()
        return await stamp(user_id)

    monkeypatch.setattr(growth._store, "stamp", late)
    waiting = asyncio.create_task(growth.of(ADA))
    await asyncio.wait_for(asked.wait(), 30)
    await growth.of("bob")
    others.set()
    assert (await asyncio.wait_for(waiting, 30)).known == set()


@pytest.fixture
def whole_looks(house: House, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that gets one more entry each time all texts of a user are read."""
    looked: list[str] = []
    sources = ContentStore.sources

    async def noted(store: ContentStore, user_id: str, since: Stamp | None = None, *but: Any) -> Any:
        if since is None:
            looked.append(user_id)
        return await sources(store, user_id, since, *but)

    monkeypatch.setattr(ContentStore, "sources", noted)
    return looked


async def test_texts_that_others_write_while_a_graph_is_looked_at_are_no_reason_to_go_through_all(
    house: House, whole_looks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.store(fact(1, "Maya Rosen lives in Rotterdam."))
    await house.graphs.growth.read_in(ADA)
    stamp, late = ContentStore.stamp, [fact(3, "Edsger Dijkstra lives in Austin.", at=NOW + 2)]

    async def and_one_comes(store: ContentStore, user_id: str) -> Stamp:
        found = await stamp(store, user_id)
        if late:
            await house.store(late.pop())
        return found

    whole_looks.clear()
    await house.store(fact(2, "Daniel Okafor lives in Leeds.", at=NOW + 1))
    monkeypatch.setattr(ContentStore, "stamp", and_one_comes)
    assert await house.graphs.growth.read_in(ADA) == 2
    assert {"Daniel Okafor", "Edsger Dijkstra"} <= await house.labels()
    assert whole_looks == []


async def test_a_text_that_went_without_a_word_is_gone_though_others_come(house: House, whole_looks: list[str]) -> None:
    await house.store(fact(1, "Maya Rosen lives in Rotterdam."), fact(2, "Daniel Okafor lives in Leeds."))
    await house.graphs.growth.read_in(ADA)
    whole_looks.clear()
    await house.truth.collection(ITEMS).delete({"_id": f"mem_{1:032x}"})
    await house.store(fact(3, "Edsger Dijkstra lives in Austin.", at=NOW + 1))
    await house.graphs.growth.read_in(ADA)
    labels = await house.labels()
    assert "Maya Rosen" not in labels
    assert {"Daniel Okafor", "Edsger Dijkstra"} <= labels
    assert whole_looks == [ADA]


async def test_a_spelling_that_another_process_met_is_known_here(house: House) -> None:
    await house.store(fact(1, "Maya Rosen works for Northwind Logistics."))
    await house.graphs.growth.read_in(ADA)
    other = house.process()
    await other.growth.read_in(ADA)
    await house.store(fact(2, "Northwind Logistics Ltd (NWL) met Daniel Okafor.", at=NOW + 1))
    await other.growth.read_in(ADA)
    await house.graphs.reading.graph(ADA)
    mine, its = (each.growth._grown[ADA].catalogue.rows for each in (house.graphs, other))
    assert mine == its
    assert len(mine) > 2


async def test_effects_and_entities_for_ranking(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.knowledge.ranking_boosts.PATIENCE", 30.0)
    maya, other = fact(1, "Maya Rosen likes tea."), fact(2, "Daniel Okafor likes tea.")
    await house.store(maya, other)
    await house.graphs.growth.read_in(ADA)
    entities = await house.graphs.entities(ADA, "What does Maya drink?", [maya, other])
    assert entities == {maya.id: pytest.approx(0.4)}
    for number in range(3):
        await house.answer(number, "What does Maya drink?", maya, "worked" if number else "failed")
    effects = await house.graphs.effects(ADA, [maya, other])
    assert effects == {maya.id: pytest.approx(2 / 3)}
