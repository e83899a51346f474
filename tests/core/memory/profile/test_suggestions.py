"""Tests memory suggestions: made once, decided by the user, undone without a trace."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from core.errors import PalimpsestError
from core.memory.bank.bank import MemoryBank
from core.memory.bank.deduplication import Deduplication, SimilarItems
from core.memory.bank.goals import Goals
from core.memory.bank.versions import Versions
from core.memory.bank.write_guard import bank_entry
from core.memory.items.writing import MemoryItems
from core.memory.profile.records import ProfileSuggestion
from core.memory.profile.statements import personal_statements
from core.memory.profile.suggestions import ProfileSuggestions
from core.resilience.dependencies import Dependency
from core.setting_groups import Memory
from core.store.edge import EdgeIndex
from core.store.sqlite.truth import SqliteTruth

ADA, BEN = "ada", "ben"
HERE, THERE = "conv_here", "conv_there"


class World:
    def __init__(self, truth: SqliteTruth, index: EdgeIndex) -> None:
        ticks = itertools.count(1_000.0)
        self._messages = itertools.count()
        settings = Memory()
        self.items = MemoryItems(truth, index, None, lambda: next(ticks))
        versions = Versions(truth, lambda: next(ticks))
        similar = SimilarItems(truth, self.items, index, None, Dependency("embeddings", 2.0))
        dedup = Deduplication(similar, None, settings.dedup_similarity)
        self.bank = MemoryBank(truth, self.items, versions, dedup, lambda: next(ticks), settings)
        self.offers = ProfileSuggestions(truth, self.bank, dedup, lambda: next(ticks))

    async def say(self, message: str, conversation: str = HERE, user: str = ADA) -> list[ProfileSuggestion]:
        return await self.offers.make(user, conversation, f"msg_{next(self._messages)}", personal_statements(message))

    async def order(self, text: str, conversation: str = HERE, user: str = ADA) -> list[ProfileSuggestion]:
        return await self.offers.offered_for(user, conversation, f"msg_{next(self._messages)}", text)

    async def known(self, user: str = ADA) -> list[str]:
        return sorted(item.text for item in await self.bank.list(user))


@pytest.fixture
async def world(truth: SqliteTruth, index: EdgeIndex) -> World:
    made = World(truth, index)
    for service in (made.items, made.bank, made.offers):
        await service.ensure()
    return made


async def test_only_what_is_accepted_enters_the_bank(world: World) -> None:
    [name, place] = await world.say("My name is Dana and I live in Haifa.")
    assert await world.known() == []
    accepted = await world.offers.accept(ADA, place.id)
    assert (accepted.state, accepted.what) == ("accepted", "new")
    assert await world.known() == ["I live in Haifa."]
    assert accepted.memory_id
    item = await world.bank.get(ADA, accepted.memory_id)
    assert item.tags == ["identity"]
    assert item.quality
    assert (item.quality.importance, item.quality.confidence) == (0.9, 0.9)
    assert item.source.message_id == "msg_0"
    assert (await world.offers.get(ADA, name.id)).state == "offered"


async def test_accepting_twice_is_accepting_once(world: World) -> None:
    [offer] = await world.say("I live in Haifa.")
    one, two = await asyncio.gather(world.offers.accept(ADA, offer.id), world.offers.accept(ADA, offer.id))
    assert one == two
    [item] = await world.bank.list(ADA)
    assert item.quality
    assert item.quality.mentioned_count == 1


async def test_a_turn_that_runs_again_offers_nothing_twice(world: World) -> None:
    found = personal_statements("I live in Haifa.")
    first = await world.offers.make(ADA, HERE, "msg_1", found)
    assert await world.offers.make(ADA, HERE, "msg_1", found) == first
    assert await world.offers.list(ADA) == first


@pytest.mark.parametrize("again", ["I live in Haifa.", "Hi, I live in Haifa!"])
async def test_what_waits_is_not_offered_beside_itself(world: World, again: str) -> None:
    assert await world.say("I live in Haifa.")
    assert await world.say(again) == []


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I work at Northwind.", "I work for Northwind."),
        ("The user prefers short answers.", "I prefer short answers."),
        ("אני גרה בחיפה.", "אני גרה בחיפה."),
    ],
)
async def test_what_is_known_is_not_offered(world: World, known: str, said: str) -> None:
    await world.bank.add(ADA, bank_entry(known))
    assert await world.say(said) == []
    assert len(await world.say(said, user=BEN)) == 1


async def test_a_change_is_offered_as_one_and_keeps_the_earlier_text(world: World) -> None:
    stored = (await world.bank.add(ADA, bank_entry("I live in Haifa."))).item
    [offer] = await world.say("I live in Tel Aviv now.")
    assert (offer.was, offer.text) == ("I live in Haifa.", "I live in Tel Aviv.")
    accepted = await world.offers.accept(ADA, offer.id)
    assert (accepted.what, accepted.memory_id) == ("updated", stored.id)
    assert await world.known() == ["I live in Tel Aviv."]
    assert [each.archived_text for each in await world.bank.versions(ADA, stored.id)] == ["I live in Haifa."]


async def test_undoing_an_acceptance_archives_what_came(world: World) -> None:
    [offer] = await world.say("I live in Haifa.")
    accepted = await world.offers.accept(ADA, offer.id)
    assert (await world.offers.undo(ADA, offer.id)).state == "offered"
    assert await world.known() == []
    assert accepted.memory_id
    assert (await world.bank.get(ADA, accepted.memory_id)).status == "archived"
    again = await world.offers.accept(ADA, offer.id)
    assert again.memory_id == accepted.memory_id
    assert await world.known() == ["I live in Haifa."]
    await world.offers.undo(ADA, offer.id)
    assert await world.known() == []


async def test_undoing_a_change_brings_the_earlier_text_back(world: World) -> None:
    await world.bank.add(ADA, bank_entry("I live in Haifa."))
    [offer] = await world.say("I live in Tel Aviv.")
    await world.offers.accept(ADA, offer.id)
    await world.offers.undo(ADA, offer.id)
    assert await world.known() == ["I live in Haifa."]


async def test_undoing_leaves_what_was_known_or_edited_since(world: World) -> None:
    [offer] = await world.say("I live in Haifa.")
    await world.bank.add(ADA, bank_entry("I live in Haifa."))
    await world.offers.accept(ADA, offer.id)
    await world.offers.undo(ADA, offer.id)
    assert await world.known() == ["I live in Haifa."]
    [other] = await world.say("I use Excel for all reports.")
    accepted = await world.offers.accept(ADA, other.id)
    assert accepted.memory_id
    await world.bank.edit(ADA, accepted.memory_id, text="I use LibreOffice for all reports.")
    await world.offers.undo(ADA, other.id)
    assert "I use LibreOffice for all reports." in await world.known()


async def test_a_decline_holds_everywhere_in_these_words(world: World) -> None:
    [offer] = await world.say("I work at Northwind.")
    assert (await world.offers.decline(ADA, offer.id)).state == "declined"
    assert await world.known() == []
    assert await world.say("I work at Northwind.") == []
    assert await world.say("I work for Northwind.") == []
    assert await world.say("I work at Northwind!", THERE) == []
    assert len(await world.say("I work for Northwind.", THERE)) == 1
    assert len(await world.say("I work at Northwind.", user=BEN)) == 1


async def test_a_decline_is_taken_back(world: World) -> None:
    [offer] = await world.say("I work at Northwind.")
    await world.offers.decline(ADA, offer.id)
    assert (await world.offers.undo(ADA, offer.id)).state == "offered"
    await world.offers.accept(ADA, offer.id)
    assert (await world.offers.decline(ADA, offer.id)).state == "declined"
    assert await world.known() == []


async def test_an_order_is_offered_even_after_a_decline_but_not_when_known(world: World) -> None:
    [offer] = await world.order("my manager is Ruth Cohen")
    await world.offers.decline(ADA, offer.id)
    [again] = await world.order("my manager is Ruth Cohen")
    assert again.id != offer.id
    assert (again.text, again.confidence) == ("My manager is Ruth Cohen.", 1.0)
    await world.offers.accept(ADA, again.id)
    assert await world.order("my manager is Ruth Cohen") == []


async def test_an_order_made_twice_is_one_offer(world: World) -> None:
    assert await world.order("my manager is Ruth Cohen") == await world.order("my manager is Ruth Cohen")


async def test_an_order_that_cannot_be_kept_says_why(world: World) -> None:
    with pytest.raises(PalimpsestError):
        await world.order("word " * 500)
    assert await world.offers.list(ADA) == []


async def test_goals_and_values_become_goals_and_values(world: World) -> None:
    offers = await world.say("My goal is to finish the audit by June. I value accuracy over speed.")
    for offer in offers:
        await world.offers.accept(ADA, offer.id)
    goals = Goals(world.bank)
    assert [item.text for item in await goals.list(ADA, "goal")] == ["My goal is to finish the audit by June."]
    assert [item.text for item in await goals.list(ADA, "value")] == ["I value accuracy over speed."]


async def test_nobody_decides_for_another(world: World) -> None:
    [offer] = await world.say("I live in Haifa.")
    for decide in (world.offers.accept, world.offers.decline, world.offers.undo, world.offers.get):
        with pytest.raises(PalimpsestError) as caught:
            await decide(BEN, offer.id)
        assert caught.value.problem.category == "not_found"
    assert await world.offers.list(BEN) == []
    assert await world.offers.some(BEN, [offer.id]) == {}
    assert (await world.offers.get(ADA, offer.id)).state == "offered"


async def test_lists_are_of_a_conversation_and_a_state(world: World) -> None:
    [here] = await world.say("I live in Haifa.")
    [there] = await world.say("I use Excel for reports.", THERE)
    await world.offers.accept(ADA, here.id)
    assert [each.id for each in await world.offers.list(ADA)] == [there.id, here.id]
    assert [each.id for each in await world.offers.list(ADA, HERE)] == [here.id]
    assert [each.id for each in await world.offers.list(ADA, state="offered")] == [there.id]
