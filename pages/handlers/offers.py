"""Suggestions of the memory to remember something, shown as cards under answers."""

from __future__ import annotations

from typing import Annotated, Literal

from core.memory.profile.records import ProfileSuggestion
from core.words import Language
from core.workbench import Workbench
from pages.actions import Blank, Call, Handlers, Id, Reply, action
from pages.run_view import RunView
from viz.offers import made, offer_card


class Decided(Call):
    """A suggestion that the user decides on. ``language``: the language of the answer above the card."""

    offer_id: Id
    language: Language = "en"


class OfConversation(Call):
    """Filters for suggestions: one conversation or one state; by default all."""

    conversation_id: Annotated[Id | None, Blank] = None
    state: Annotated[Literal["offered", "accepted", "declined"] | None, Blank] = None


class OfferCards(Handlers):
    """Actions on suggestion cards. Each decision returns the updated suggestion and its card as HTML."""

    @action(endpoint="list_offers", scope="read")
    async def list_offers(self, user_id: str, call: OfConversation) -> Reply:
        """Offers to remember something, newest first; of one conversation, or in one state."""
        found = await self._workbench.memory.profile.list(user_id, call.conversation_id, call.state)
        return {"offers": [_row(each) for each in found]}

    @action("chat", endpoint="accept_offer", parameters=("offer_id",))
    async def accept_offer(self, user_id: str, call: Decided) -> Reply:
        """Accept an offer to remember something."""
        return _card(await self._workbench.memory.profile.accept(user_id, call.offer_id), call.language)

    @action("chat", endpoint="decline_offer", parameters=("offer_id",))
    async def decline_offer(self, user_id: str, call: Decided) -> Reply:
        """Decline an offer. The same text is not offered again."""
        return _card(await self._workbench.memory.profile.decline(user_id, call.offer_id), call.language)

    @action("chat", endpoint="undo_offer", parameters=("offer_id",))
    async def undo_offer(self, user_id: str, call: Decided) -> Reply:
        """Undo the decision on an offer."""
        return _card(await self._workbench.memory.profile.undo(user_id, call.offer_id), call.language)


async def show_decisions(workbench: Workbench, user_id: str, view: RunView) -> None:
    """Shows the cards of a run as they were decided."""
    if view.offered:
        ids = [each.offer_id for each in view.offered.offers]
        view.decided = await workbench.memory.profile.some(user_id, ids)


def _card(offer: ProfileSuggestion, language: Language) -> Reply:
    return {**_row(offer), "html": str(offer_card(made(offer), offer.state, language))}


def _row(offer: ProfileSuggestion) -> Reply:
    fields = {"id", "conversation_id", "text", "category", "tags", "was", "state", "memory_id"}
    return offer.model_dump(mode="json", include=fields)
