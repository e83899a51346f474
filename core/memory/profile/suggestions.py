"""Suggests storing statements; nothing is stored in the memory bank unless the user accepts it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from weakref import WeakValueDictionary

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.ids import id_of
from core.memory.bank.bank import MemoryBank, Stored
from core.memory.bank.deduplication import Deduplication, Match, compare
from core.memory.bank.write_guard import bank_entry, check_text, clean, normalised_entry
from core.memory.profile.records import MemoryCommand, ProfileSuggestion, State
from core.memory.profile.statements import PersonalStatement, ordered_statement
from core.store.items import MemoryItem
from core.store.truth import Change, Filter, Sorted, Truth
from core.store.typed_collection import TypedCollection, records_of

OFFERS = "memory_offers"
MOST = 200
_SAID = {"tags", "importance", "confidence", "conversation_id", "message_id", "kind"}


class ProfileSuggestions:
    """Suggestions to remember something about a user.

    Methods raise ``PalimpsestError`` ("not_found") if a suggestion does not belong to this user.
    """

    def __init__(self, truth: Truth, bank: MemoryBank, dedup: Deduplication, clock: Clock) -> None:
        self._truth = truth
        self._bank = bank
        self._dedup = dedup
        self._clock = clock
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def ensure(self) -> None:
        await self._truth.collection(OFFERS).ensure(sort=[Sorted(("user_id", "conversation_id", "created_at"))])

    # -- suggesting ------------------------------------------------------------------------

    async def make(
        self, user_id: str, conversation_id: str, message_id: str, noticed: Sequence[PersonalStatement]
    ) -> list[ProfileSuggestion]:
        """Suggest statements that are not yet known, declined or suggested; statements that the user asked to remember
        are always suggested.

        A repeated call changes nothing: it returns the suggestions that are still open.
        """
        async with self._lock(user_id):
            made = [await self._suggestion_of(user_id, conversation_id, message_id, each) for each in noticed]
        return [each for each in made if each]

    async def offered_for(
        self, user_id: str, conversation_id: str, message_id: str, text: str
    ) -> list[ProfileSuggestion]:
        """Suggest what the user asked to remember; suggest nothing if the bank already has it.

        Raises:
            PalimpsestError: it cannot be stored ("validation").
        """
        return await self.make(user_id, conversation_id, message_id, [ordered_statement(text)])

    async def carry_out(
        self, user_id: str, conversation_id: str, message_id: str, text: str
    ) -> list[ProfileSuggestion]:
        """Store what the user ordered to remember; a known fact that it changes is updated. Returns nothing if the bank
        already has it.

        Raises:
            PalimpsestError: it cannot be stored ("validation").
        """
        offers = await self.offered_for(user_id, conversation_id, message_id, text)
        ordered = [await self._ordered(user_id, each.id, "remember") for each in offers]
        return [await self.accept(user_id, each.id) for each in ordered]

    async def to_forget(
        self, user_id: str, conversation_id: str, message_id: str, items: Sequence[MemoryItem]
    ) -> list[ProfileSuggestion]:
        """Make a card for each fact with which it can be forgotten; nothing is forgotten yet."""
        cards = [self._forgetting(user_id, conversation_id, message_id, item) for item in items]
        for card in cards:
            await self._of(user_id).put(card)
        return cards

    def _forgetting(self, user_id: str, conversation_id: str, message_id: str, item: MemoryItem) -> ProfileSuggestion:
        return ProfileSuggestion(
            id=offer_id(user_id, conversation_id, message_id, f"forget\0{item.id}"),
            user_id=user_id,
            conversation_id=conversation_id,
            message_id=message_id,
            text=item.text,
            category="other",
            tags=[],
            importance=item.quality.importance if item.quality else 0.5,
            confidence=1.0,
            state="declined",
            memory_id=item.id,
            created_at=self._clock(),
            command="forget",
        )

    async def forget_said(self, user_id: str, conversation_id: str, message_id: str, text: str) -> ProfileSuggestion:
        """Leave out what the user said in a conversation and never had remembered.

        Raises:
            PalimpsestError: the bank refuses the text ("validation").
        """
        item = await self._bank.add_forgotten(user_id, bank_entry(text, conversation_id=conversation_id))
        card = self._forgetting(user_id, conversation_id, message_id, item).model_copy(update={"only_said": True})
        await self._of(user_id).put(card)
        return await self.accept(user_id, card.id)

    async def of_message(self, user_id: str, message_id: str) -> list[ProfileSuggestion]:
        """The suggestions of one message, the oldest first."""
        return await self._of(user_id).find({"message_id": message_id}, sort=[("created_at", 1)], limit=MOST)

    async def _ordered(self, user_id: str, identifier: str, command: MemoryCommand) -> ProfileSuggestion:
        changed = await self._of(user_id).update(identifier, Change(set={"command": command}))
        if changed is None:
            raise _gone()
        return changed

    async def _suggestion_of(
        self, user_id: str, conversation_id: str, message_id: str, each: PersonalStatement
    ) -> ProfileSuggestion | None:
        text = clean(each.text)
        try:
            check_text(text)
        except PalimpsestError:
            if each.explicit:
                raise
            return None
        earlier = await self._earlier(user_id, conversation_id, text)
        words = normalised_entry(text)
        waiting = next((one for one in earlier if one.state == "offered" and normalised_entry(one.text) == words), None)
        if waiting:
            repeated = each.explicit or waiting.message_id == message_id
            return waiting if repeated and waiting.conversation_id == conversation_id else None
        if earlier and not each.explicit:
            return None
        matches = await self._dedup.matches(user_id, text)
        if matches and matches[0].relation == "same":
            return None
        cleaned = each.model_copy(update={"text": text})
        return await self._stored_suggestion(user_id, conversation_id, message_id, cleaned, matches)

    async def _earlier(self, user_id: str, conversation_id: str, text: str) -> list[ProfileSuggestion]:
        """Earlier suggestions that rule out a new one: the same one in this conversation, or one declined with the same
        words anywhere."""
        either: Filter = {"$or": [{"conversation_id": conversation_id}, {"state": "declined"}]}
        return [
            each
            for each in await self._of(user_id).find(either, sort=[("created_at", -1)])
            if each.state != "accepted"
            and each.command != "forget"
            and (
                normalised_entry(each.text) == normalised_entry(text)
                or (each.conversation_id == conversation_id and compare(each.text, text) == "same")
            )
        ]

    async def _stored_suggestion(
        self, user_id: str, conversation_id: str, message_id: str, each: PersonalStatement, matches: Sequence[Match]
    ) -> ProfileSuggestion:
        offer = ProfileSuggestion(
            id=offer_id(user_id, conversation_id, message_id, each.text),
            user_id=user_id,
            conversation_id=conversation_id,
            message_id=message_id,
            was=matches[0].item.text if matches else None,
            created_at=self._clock(),
            **each.model_dump(exclude={"explicit"}),
        )
        await self._of(user_id).put(offer)
        return offer

    # -- deciding --------------------------------------------------------------------------

    async def accept(self, user_id: str, identifier: str) -> ProfileSuggestion:
        """Store the suggested fact. If it changes a known fact, that is updated, and its earlier text is kept. A
        repeated call changes nothing."""
        async with self._lock(user_id):
            offer = await self.get(user_id, identifier)
            if offer.state == "accepted":
                return offer
            if offer.command == "forget":
                again = offer.only_said and offer.decided_at is not None
                put_away = self._bank.undelete if again else self._bank.archive
                await put_away(user_id, offer.memory_id or "")
                return await self._change_state(offer, "accepted")
            matches = await self._dedup.matches(user_id, offer.text)
            said = offer.model_dump(include=_SAID)
            stored = await self._bank.add(user_id, bank_entry(offer.text, **said))
            return await self._change_state(offer, "accepted", stored, matches)

    async def decline(self, user_id: str, identifier: str) -> ProfileSuggestion:
        """Decline the suggestion; it is not made again in these words. If it was accepted before, that is undone
        first."""
        return await self._not_kept(user_id, identifier, "declined")

    async def undo(self, user_id: str, identifier: str) -> ProfileSuggestion:
        """Open the suggestion again. What was stored is archived, and a changed fact gets its earlier text back. An
        order is only undone: it was no question, so it does not become one."""
        ordered = (await self.get(user_id, identifier)).command
        return await self._not_kept(user_id, identifier, "declined" if ordered else "offered")

    async def _not_kept(self, user_id: str, identifier: str, state: State) -> ProfileSuggestion:
        async with self._lock(user_id):
            offer = await self.get(user_id, identifier)
            if offer.state == state:
                return offer
            if offer.state == "accepted" and offer.command == "forget":
                bring_back = self._bank.delete if offer.only_said else self._bank.restore
                await bring_back(user_id, offer.memory_id or "")
            elif offer.state == "accepted":
                await self._take_back(offer)
            return await self._change_state(offer, state)

    async def _take_back(self, offer: ProfileSuggestion) -> None:
        """Undo only what the suggestion added: a fact that was known before stays."""
        if offer.memory_id is None:
            return
        try:
            item = await self._bank.get(offer.user_id, offer.memory_id)
        except PalimpsestError:
            return  # the item has been deleted since then
        if item.status != "active" or normalised_entry(item.text) != normalised_entry(offer.text):
            return  # the user has edited the item since then
        if offer.what == "new":
            await self._bank.archive(offer.user_id, item.id)
        elif offer.joined and normalised_entry(offer.joined) != normalised_entry(item.text):
            await self._bank.edit(offer.user_id, item.id, text=offer.joined)

    async def _change_state(
        self, offer: ProfileSuggestion, state: State, stored: Stored | None = None, matches: Sequence[Match] = ()
    ) -> ProfileSuggestion:
        before = next((each.item.text for each in matches if stored and each.item.id == stored.item.id), None)
        brought_back = stored is not None and stored.what == "merged" and before is None
        change = Change(
            set={
                "state": state,
                "decided_at": None if state == "offered" else self._clock(),
                # An item restored from the archive counts as new: undo archives it again.
                "what": ("new" if brought_back else stored.what) if stored else None,
                "memory_id": stored.item.id if stored else offer.memory_id if offer.command == "forget" else None,
                "joined": before,
            }
        )
        changed = await self._of(offer.user_id).update(offer.id, change)
        if changed is None:
            raise _gone()
        return changed

    # -- reading ---------------------------------------------------------------------------

    async def get(self, user_id: str, identifier: str) -> ProfileSuggestion:
        offer = await self._of(user_id).get(identifier)
        if offer is None:
            raise _gone()
        return offer

    async def list(
        self, user_id: str, conversation_id: str | None = None, state: State | None = None
    ) -> list[ProfileSuggestion]:
        """A user's suggestions to remember something, the newest first."""
        wanted = {"conversation_id": conversation_id, "state": state}
        filter = {field: value for field, value in wanted.items() if value}
        found = await self._of(user_id).find(filter, sort=[("created_at", -1)], limit=MOST)
        return [each for each in found if each.command != "forget"]

    async def some(self, user_id: str, identifiers: Sequence[str]) -> dict[str, ProfileSuggestion]:
        """The suggestions with these ids that exist, by id."""
        if not identifiers:
            return {}
        return {offer.id: offer for offer in await self._of(user_id).find({"_id": {"$in": [*identifiers]}})}

    def _of(self, user_id: str) -> TypedCollection[ProfileSuggestion]:
        return records_of(self._truth, user_id, OFFERS, ProfileSuggestion)

    def _lock(self, user_id: str) -> asyncio.Lock:
        return self._locks.setdefault(user_id, asyncio.Lock())


def offer_id(user_id: str, conversation_id: str, message_id: str, text: str) -> str:
    """The suggestion's id. The same text from the same message has the same id, so processing a message twice suggests
    nothing twice."""
    return id_of("offer", "\0".join((user_id, conversation_id, message_id, normalised_entry(text))))


def _gone() -> PalimpsestError:
    return fail("not_found", "memory.suggestions.gone")
