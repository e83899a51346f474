"""Rules and likelihoods together: what both make of a message -> its action, or the two to choose between.

A plain order is a rule's: it was never seen to be wrong. A question word says little in the mouth of someone who means
"compare these", and much where the words of a question follow; there the likelihoods decide, and have to be surer to
speak against the rules.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.events import Action
from core.graph.records import Command, CommandKind
from core.graph.understanding import wording
from core.graph.understanding.intent.examples import Wish
from core.graph.understanding.intent.rule_decision import RuleDecision
from core.graph.understanding.intent.rules import format_of, read
from core.graph.understanding.intent.web_need import about_image
from core.language.entities.periods import periods_in
from core.language.fields import named_figures, topics_in
from core.language.normalisation import fold

QUESTION = 0.40
"""From here on a message that is likeliest a question is answered as one: that costs the reader little."""
AGAINST_QUESTION = 0.05
"""By so much something else must be likelier than what the rules take for a question to speak against it."""
AGAINST_FIGURE = 0.40
"""And by so much where it is about a figure or a period and speaks of no document: it is facts that are compared."""
PLAINLY_OPEN = 0.50
"""From here on even a question is too little to know."""
AGAINST_DOUBT = 0.70
"""From here on a message that the rules would ask about is taken as it seems."""
COMMAND = 0.70
"""From here on something is done with the memory; choosing between that and an action would help nobody."""
CERTAIN = 0.85

_ACTIONS: tuple[Action, ...] = ("inquire", "summarize", "compare", "audit")
_COMMANDS: dict[Wish, CommandKind] = {"remember": "remember", "forget": "forget", "recall": "recall"}


def combined_decision(text: str, ruled: RuleDecision, likely: Mapping[Wish, float], doubt: float) -> RuleDecision:
    """What ``text`` asks for, whose rules left something to guess.

    ``doubt``: the probability below which a person is asked.
    """
    memory = sum(likely[wish] for wish in _COMMANDS)
    kind = _COMMANDS[max(_COMMANDS, key=lambda wish: likely[wish])]
    # "I work in procurement. What is the limit?" states something, and asks for something else.
    if memory >= COMMAND and (kind == "recall" or ruled.confidence != "high"):
        command = Command(kind=kind, text="" if kind == "recall" else text)
        return RuleDecision(("memory",), "high", "examples", command=command)
    ordered = sorted(_ACTIONS, key=lambda action: -likely[_wish(action)])
    best = likely[_wish(ordered[0])]
    if ruled.confidence == "low":
        return _decision_for(ordered[0], best) if best >= AGAINST_DOUBT else ruled
    is_question = ruled.confidence == "high"
    if likely["open"] > max(best, PLAINLY_OPEN if is_question else 0.0):
        return RuleDecision((ordered[0], ordered[1]), "low", "examples")
    if is_question and best - likely["inquire"] < _against_question(text):
        return ruled
    if best < (min(doubt, QUESTION) if ordered[0] == "inquire" else doubt):
        return RuleDecision((ordered[0], ordered[1]), "low", "examples")
    return ruled if ordered[0] == "inquire" else _decision_for(ordered[0], best)


def is_settled(text: str, ruled: RuleDecision) -> bool:
    """Whether the rules have seen an order or question that leaves nothing to guess."""
    if ruled.how != "rule" or ruled.several:
        return True
    if ruled.parts:
        return all(read(part).certain for part in ruled.parts)
    if ruled.actions != ("inquire",):
        return ruled.confidence == "high"
    return about_image(text) or _is_confined(text, ruled) or _asks_for_a_figure(text, ruled)


def is_agreed(decided: RuleDecision, likely: Mapping[Wish, float]) -> bool:
    """Whether the rules' question or order is by far the likeliest wish, too."""
    if decided.confidence != "high" or decided.several or decided.actions[0] == "memory":
        return False
    return likely[_wish(decided.actions[0])] >= CERTAIN


def _asks_for_a_figure(text: str, ruled: RuleDecision) -> bool:
    """Whether a question names a figure or a topic of a field and a period: whatever frames it, it wants to know."""
    is_question = ruled.confidence == "high" and "?" in text
    return is_question and bool(periods_in(text)) and bool(named_figures(text) or topics_in(text))


def _against_question(text: str) -> float:
    """How much likelier something else must be than a question."""
    is_of_facts = bool(named_figures(text) or periods_in(text)) and not wording.names_document(fold(text))
    return AGAINST_FIGURE if is_of_facts else AGAINST_QUESTION


def _is_confined(text: str, ruled: RuleDecision) -> bool:
    """Whether a summary is asked for that is confined to a subject, which is a question."""
    folded = fold(text)
    if ruled.confidence == "high" and wording.lists().orders["summarize"].search(folded):
        return True
    return format_of(text, "inquire") == "summary" and bool(wording.lists().topic["hard"].search(folded))


def _decision_for(action: Action, share: float) -> RuleDecision:
    return RuleDecision((action,), "high" if share >= CERTAIN else "medium", "examples")


def _wish(action: Action) -> Wish:
    return action if action != "memory" else "remember"
