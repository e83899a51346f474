"""What the memory offers to remember: cards under answers."""

from __future__ import annotations

from typing import Annotated, Literal

from core.memory.profile.records import ProfileSuggestion
from core.words import Language
from core.workbench import Workbench
from pages.actions import Blank, Call, Id, Reply, action
from pages.run_view import RunView
from viz.offers import made, offer_card


class Decided(Call):
    """``language`` is that of the answer above the card."""

    offer_id: Id
    language: Language = "en"


class OfConversation(Call):
    """Offers of one conversation or in one state; without, all of them."""

    conversation_id: Annotated[Id | None, Blank] = None
    state: Annotated[Literal["offered", "accepted", "declined"] | None, Blank] = None


class OfferCards:
    """Each decision answers with the offer as it now stands, and its card drawn."""

    def __init__(self, workbench: Workbench) -> None:
        self.profile = workbench.memory.profile

    @action(endpoint="list_offers")
    async def list_offers(self, user_id: str, call: OfConversation) -> Reply:
        """What was offered to be remembered, the newest first; of one conversation, or in one state."""
        found = await self.profile.list(user_id, call.conversation_id, call.state)
        return {"offers": [_row(each) for each in found]}

    @action("chat", endpoint="accept_offer", parameters=("offer_id",))
    async def accept_offer(self, user_id: str, call: Decided) -> Reply:
        """Remember what was offered."""
        return _card(await self.profile.accept(user_id, call.offer_id), call.language)

    @action("chat", endpoint="decline_offer", parameters=("offer_id",))
    async def decline_offer(self, user_id: str, call: Decided) -> Reply:
        """Not now, and not again in these words."""
        return _card(await self.profile.decline(user_id, call.offer_id), call.language)

    @action("chat", endpoint="undo_offer", parameters=("offer_id",))
    async def undo_offer(self, user_id: str, call: Decided) -> Reply:
        """Take the decision back."""
        return _card(await self.profile.undo(user_id, call.offer_id), call.language)


async def show_decisions(workbench: Workbench, user_id: str, view: RunView) -> None:
    """Let the cards of a run stand as they were decided."""
    if view.offered:
        ids = [each.offer_id for each in view.offered.offers]
        view.decided = await workbench.memory.profile.some(user_id, ids)


def _card(offer: ProfileSuggestion, language: Language) -> Reply:
    return {**_row(offer), "html": str(offer_card(made(offer), offer.state, language))}


def _row(offer: ProfileSuggestion) -> Reply:
    fields = {"id", "conversation_id", "text", "category", "tags", "was", "state", "memory_id"}
    return offer.model_dump(mode="json", include=fields)
