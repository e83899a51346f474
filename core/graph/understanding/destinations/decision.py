"""Decides where the answer to a message comes from: probabilities of its words, and what the person has.

Formulas and constants: docs/specification.md, "Routes".
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from core.graph.understanding.destinations import trained_circumstances
from core.graph.understanding.destinations.circumstances import Circumstances
from core.graph.understanding.destinations.examples import KINDS, Kind
from core.graph.understanding.destinations.holdings import Holdings
from core.graph.understanding.destinations.outlook import FITS, Outlook
from core.question.destination import Destination, Place, Wish

OF_DOCUMENTS: tuple[Kind, ...] = ("documents", "data", "series", "summarize", "compare", "audit")
BESIDE: tuple[Kind, ...] = ("current", "world", "web", "open_data", "small_talk", "tool")
"""Kinds that have nothing to do with the documents; the memory may be about them."""
TOUCHED, UNTOUCHED = -1.2, 0.7
"""Log odds of these kinds if the message touches a title, and if it touches none."""
NAMED_TITLE = 2
"""Content words of titles from which a message is surely about the documents."""
SHEET, NO_SHEET = 1.2, -2.5
"""Log odds of data if the message touches a spreadsheet, and if there is none."""
EDITIONS, NO_EDITIONS = 0.8, -1.2
"""Log odds of a series if the message touches editions of one document, and if there are none."""
SHORT_OF_DATA = -0.5
"""Log odds of data if there are spreadsheets, but the message touches none."""
_NOTED: tuple[Place, ...] = ("remember", "correct")
NOW = 1.0
"""Log odds of a current fact if rules found a word for the present."""
LEAST = 1e-5
"""Least probability of a kind."""
SURE, MARGIN = 0.60, 0.25
"""Probability, and distance from the next place, from which a destination is sure."""
SURE_UNTOUCHED = 0.92
"""The same probability for documents of which the message touches no title."""


def weighed(
    kinds: Mapping[Kind, float], held: Holdings, outlook: Outlook, seen: Circumstances | None = None
) -> dict[Kind, float]:
    """Returns the probabilities after what the person has, and the circumstances of a whole message, were taken into
    account."""
    trained = trained_circumstances.shipped() if seen else None
    shift = trained.scores(seen) if trained and seen else dict.fromkeys(kinds, 0.0)
    trust = trained.trust if trained else 1.0
    for kind, log_odds in by_holdings(held, outlook).items():
        shift[kind] += log_odds
    scores = {kind: trust * math.log(max(share, LEAST)) + shift[kind] for kind, share in kinds.items()}
    top = max(scores.values())
    shares = {kind: math.exp(score - top) for kind, score in scores.items()}
    total = sum(shares.values())
    return {kind: share / total for kind, share in shares.items()}


def by_holdings(held: Holdings, outlook: Outlook) -> dict[Kind, float]:
    """Returns the log odds that what the person has adds to each kind."""
    shift: dict[Kind, float] = dict.fromkeys(KINDS, 0.0)
    about = TOUCHED if held.touched else UNTOUCHED
    if len(held.touched) >= NAMED_TITLE:
        about *= 1.5
    for kind in BESIDE:
        shift[kind] += about
    shift["data"] += SHEET if held.sheets else SHORT_OF_DATA if held.has_sheets else NO_SHEET
    shift["series"] += EDITIONS if held.editions else 0.0 if held.has_editions else NO_EDITIONS
    shift["current"] += NOW * outlook.now
    if outlook.tool:
        shift["tool"] += outlook.fit
    return shift


def destination_by_kinds(
    kinds: Mapping[Kind, float], held: Holdings, outlook: Outlook, seen: Circumstances | None = None
) -> tuple[Destination, float]:
    """Returns the likeliest destination, which is sure if no other comes close, and its probability."""
    places: dict[Place, float] = {}
    for kind, share in weighed(kinds, held, outlook, seen).items():
        place = _place(kind, held, outlook)
        places[place] = places.get(place, 0.0) + share
    ordered = sorted(places, key=lambda place: -places[place])
    best, share = ordered[0], places[ordered[0]]
    if best in _NOTED:  # What is corrected is remembered.
        ordered = [best, *(place for place in ordered if place not in _NOTED)]
        share = sum(places[place] for place in _NOTED)
    least = SURE_UNTOUCHED if best in OF_DOCUMENTS and not held.touched else SURE
    sure = share >= least and share - places[ordered[1]] >= MARGIN
    return Destination(wish=Wish(place=best, tool=outlook.tool if best == "tool" else ""), sure=sure), share


def _place(kind: Kind, held: Holdings, outlook: Outlook) -> Place:
    outside: Place = "web" if outlook.web else "not_here"
    if kind == "tool":
        return "tool" if outlook.tool and outlook.fit > -FITS else outside
    if kind == "current":
        return "tool" if outlook.tool and outlook.fit > FITS else outside
    if kind == "world" or kind == "web":
        return outside
    if kind in OF_DOCUMENTS and not held.documents:
        return "not_here"
    return kind
