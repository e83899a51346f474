"""Describes the circumstances of a message as numbers: what rules found in it, and what the person has.

Formulas: docs/specification.md, "Routes".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.graph.records import Intent
from core.graph.understanding.destinations.holdings import Holdings
from core.graph.understanding.destinations.outlook import FITS, MOST_FIT, Outlook
from core.graph.understanding.intent.logistic_regression import Floats
from core.question.destination import Place

ACTIONS = ("inquire", "summarize", "compare", "audit")
ORDERS = ("remember", "forget", "recall", "correct")
WEB_REASONS = ("asked", "facts", "temporal")
RULED = ("open_data", "tool", "web")
SHORT, SHORT_REPLY = 6, 8
"""Maximum words of a short message, and of a short message that follows others."""
NAMES = (
    *("always", "no documents", "several documents", "touches a title", "touches titles", "share of titles"),
    *("touches a sheet", "has sheets", "has only a sheet", "touches editions", "has editions"),
    *("web", "tool", "fit", "fits", "follows", "of talk", "of library"),
    *(f"{how} {each}" for how in ("rules", "examples", "between") for each in ACTIONS),
    *(f"{how} {each}" for how in ("command", "guessed") for each in ORDERS),
    *(f"web: {each}" for each in WEB_REASONS),
    *(f"to {each}" for each in RULED),
    *("settled", "short", "clauses", "short reply"),
)
"""Names of the numbers, in order."""


@dataclass(frozen=True)
class Circumstances:
    """``ruled``: the place by rules. ``settled``: a data file answers. ``clauses``: their number. ``follows``: the
    conversation has earlier turns. ``of_talk`` and ``of_library``: the words ask about earlier conversations, or about
    the library as such."""

    held: Holdings
    outlook: Outlook
    intent: Intent
    ruled: Place = "documents"
    settled: bool = False
    clauses: int = 1
    follows: bool = False
    of_talk: bool = False
    of_library: bool = False

    @property
    def numbers(self) -> Floats:
        """Returns the numbers, shape (len(NAMES),), each between -1 and 1."""
        words = len(self.intent.text.split())
        return np.array(
            [
                *self._of_holdings(words),
                *self._of_outlook(),
                self.follows,
                self.of_talk,
                self.of_library,
                *self._of_intent(),
                *(self.ruled == each for each in RULED),
                self.settled,
                words <= SHORT,
                self.clauses > 1,
                self.follows and words <= SHORT_REPLY,
            ],
            dtype=np.float32,
        )

    def _of_holdings(self, words: int) -> list[float]:
        held = self.held
        return [
            1.0,
            held.documents == 0,
            held.documents > 2,
            len(held.touched) > 0,
            len(held.touched) > 1,
            min(1.0, len(held.touched) / max(3, words)),
            bool(held.sheets),
            held.has_sheets,
            held.has_sheets and held.documents == 1,
            bool(held.editions),
            held.has_editions,
        ]

    def _of_outlook(self) -> list[float]:
        tool = bool(self.outlook.tool)
        return [self.outlook.web, tool, self.outlook.fit / MOST_FIT * tool, tool and self.outlook.fit > FITS]

    def _of_intent(self) -> list[float]:
        intent = self.intent
        by_examples = intent.how == "examples"
        command = intent.command.kind if intent.command else None
        action = intent.action if command is None and not intent.asks else None
        return [
            *(not by_examples and action == each for each in ACTIONS),
            *(by_examples and action == each for each in ACTIONS),
            *(intent.asks and each in intent.alternatives for each in ACTIONS),
            *(not by_examples and command == each for each in ORDERS),
            *(by_examples and command == each for each in ORDERS),
            *(intent.web == each for each in WEB_REASONS),
        ]
