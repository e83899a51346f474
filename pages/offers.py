"""What the memory offers to remember: cards under answers, and the same as named endpoints."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

import gradio as gr
from pydantic import Field

from core.ids import ID_PATTERN
from core.memory.profile.suggestions import ProfileSuggestion, ProfileSuggestions
from core.words import Language
from core.workbench import Workbench
from pages.answers import Call, Handler, Reply, problem_of, user_of
from pages.identity import Identity
from pages.run_view import RunView
from viz.offers import made, offer_card

Endpoint = Callable[..., Awaitable[Reply]]
Id = Annotated[str, Field(pattern=ID_PATTERN.pattern)]


class Decided(Call):
    """``language`` is that of the answer above the card."""

    offer_id: Id
    language: Language = "en"


class OfConversation(Call):
    conversation_id: Id | None = None
    state: Literal["offered", "accepted", "declined"] | None = None


class OfferCards:
    """What the script of the thread may call; each answers with the card as it now stands."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench

    @property
    def handlers(self) -> tuple[Handler, ...]:
        return (self.accept_offer, self.decline_offer, self.undo_offer)

    @property
    def offers(self) -> ProfileSuggestions:
        return self._workbench.memory.profile.offers

    async def accept_offer(self, user_id: str, call: Decided) -> Reply:
        """Remember what was offered."""
        return _card(await self.offers.accept(user_id, call.offer_id), call.language)

    async def decline_offer(self, user_id: str, call: Decided) -> Reply:
        """Not now, and not again in these words."""
        return _card(await self.offers.decline(user_id, call.offer_id), call.language)

    async def undo_offer(self, user_id: str, call: Decided) -> Reply:
        """Take the decision back."""
        return _card(await self.offers.undo(user_id, call.offer_id), call.language)


async def show_decisions(workbench: Workbench, user_id: str, view: RunView) -> None:
    """Let the cards of a run stand as they were decided."""
    if view.offered:
        ids = [each.offer_id for each in view.offered.offers]
        view.decided = await workbench.memory.profile.offers.some(user_id, ids)


def _card(offer: ProfileSuggestion, language: Language) -> Reply:
    return {"state": offer.state, "html": str(offer_card(made(offer), offer.state, language))}


class OffersApi:
    """The endpoints; their names are the methods'."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        self._cards = OfferCards(workbench)
        self._identity = identity

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        return (self.list_offers, self.accept_offer, self.decline_offer, self.undo_offer)

    async def list_offers(
        self,
        conversation_id: str = "",
        state: Literal["", "offered", "accepted", "declined"] = "",
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """What was offered to be remembered, the newest first; of one conversation, or in one state."""
        try:
            wanted = OfConversation(conversation_id=conversation_id or None, state=state or None)
            user_id = user_of(self._identity, request)
            found = await self._cards.offers.list(user_id, wanted.conversation_id, wanted.state)
            return {"offers": [_row(each) for each in found]}
        except Exception as error:
            return problem_of(error, "en")

    async def accept_offer(self, offer_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Remember what was offered; it is in the memory bank then."""
        return await self._decide(self._cards.offers.accept, offer_id, request)

    async def decline_offer(self, offer_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Not now, and not again in these words."""
        return await self._decide(self._cards.offers.decline, offer_id, request)

    async def undo_offer(self, offer_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Take the decision back; what was remembered goes to the archive."""
        return await self._decide(self._cards.offers.undo, offer_id, request)

    async def _decide(
        self, decide: Callable[[str, str], Awaitable[ProfileSuggestion]], offer_id: str, request: gr.Request
    ) -> Reply:
        try:
            user_id = user_of(self._identity, request)
            return _row(await decide(user_id, Decided(offer_id=offer_id).offer_id))
        except Exception as error:
            return problem_of(error, "en")


def _row(offer: ProfileSuggestion) -> Reply:
    fields = {"id", "conversation_id", "text", "category", "tags", "was", "state", "memory_id"}
    return offer.model_dump(mode="json", include=fields)
