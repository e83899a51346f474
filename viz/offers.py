"""Renders the memory's suggestions to remember something, as small cards under an answer."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from core.events import Offered, OfferMade
from core.memory.profile.records import ProfileSuggestion, State
from core.words import Language
from viz.templating import render

Decisions = Mapping[str, ProfileSuggestion]
"""Maps a suggestion's id to its current state."""


BEGINNING: dict[str, State] = {"": "offered", "remember": "accepted", "forget": "accepted", "known": "declined"}
"""The state of a card before the user decides anything, by what was ordered."""


def offer_cards(offered: Offered, decided: Decisions, language: Language) -> Markup:
    """The suggestion cards of a run; a suggestion that the user has not decided on is open, and an order was carried
    out."""
    states = {offer_id: each.state for offer_id, each in decided.items()}
    cards = [offer_card(each, states.get(each.offer_id, BEGINNING[each.command]), language) for each in offered.offers]
    return render("offers", cards=cards, language=language)


def offer_card(made: OfferMade, state: State, language: Language) -> Markup:
    return render("offer", offer=made, state=state, language=language)


def made(offer: ProfileSuggestion) -> OfferMade:
    """A stored suggestion in its display form."""
    return OfferMade(offer_id=offer.id, text=offer.text, was=offer.was, command=offer.command)
