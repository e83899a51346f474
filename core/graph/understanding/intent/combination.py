"""Combines rules and probabilities: takes both results for a message; returns its action, or two to choose between.

A clear command is decided by the rules, since they have made no known error there. A question word is weak evidence if
the user means "compare these", and strong evidence if a real question follows. In questions the probabilities decide,
but need a larger margin to overrule the rules.
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
"""Probability from which a message is answered as a question, since a wrong answer costs the user little."""
AGAINST_QUESTION = 0.05
"""Margin by which another action must be more likely to overrule a question that the rules found."""
AGAINST_FIGURE = 0.40
"""The same margin for a question about a figure or a period without a document: such questions compare facts."""
PLAINLY_OPEN = 0.50
"""Probability below which even a question is too uncertain."""
AGAINST_DOUBT = 0.70
"""Probability from which a message that the rules find unclear is still decided."""
COMMAND = 0.70
"""Probability from which a memory command runs; asking the user to choose between it and an action would not help."""
CERTAIN = 0.85

_ACTIONS: tuple[Action, ...] = ("inquire", "summarize", "compare", "audit")
_COMMANDS: dict[Wish, CommandKind] = {"remember": "remember", "forget": "forget", "recall": "recall"}


def combined_decision(text: str, ruled: RuleDecision, likely: Mapping[Wish, float], doubt: float) -> RuleDecision:
    """Returns the decision for ``text`` if the rules left it uncertain.

    ``doubt``: probability below which the user is asked.
    """
    memory = sum(likely[wish] for wish in _COMMANDS)
    kind = _COMMANDS[max(_COMMANDS, key=lambda wish: likely[wish])]
    # "I work in procurement. What is the limit?" states a fact, and asks for something else.
    if memory >= COMMAND and (kind == "recall" or ruled.confidence != "high"):
        command = Command(kind=kind, text="" if kind == "recall" else text)
        return RuleDecision(("memory",), "high", "examples", command=command)
    ordered = sorted(_ACTIONS, key=lambda action: -likely[_wish(action)])
    best = likely[_wish(ordered[0])]
    if ruled.confidence == "low":
        return _decision_for(ordered[0], best) if best >= AGAINST_DOUBT else ruled
    is_question = ruled.confidence == "high"
    if not _is_asked_plainly(text, ruled) and likely["open"] > max(best, PLAINLY_OPEN if is_question else 0.0):
        return RuleDecision((ordered[0], ordered[1]), "low", "examples")
    if is_question and best - likely["inquire"] < _against_question(text):
        return ruled
    if best < (min(doubt, QUESTION) if ordered[0] == "inquire" else doubt):
        return RuleDecision((ordered[0], ordered[1]), "low", "examples")
    return ruled if ordered[0] == "inquire" else _decision_for(ordered[0], best)


def is_settled(text: str, ruled: RuleDecision) -> bool:
    """Returns whether the rules found a clear command or question."""
    if ruled.how != "rule" or ruled.several:
        return True
    if ruled.parts:
        return all(read(part).certain for part in ruled.parts)
    if ruled.actions != ("inquire",):
        return ruled.confidence == "high"
    return about_image(text) or _is_confined(text, ruled) or _asks_for_a_figure(text, ruled) or _is_figure(text)


def is_agreed(decided: RuleDecision, likely: Mapping[Wish, float]) -> bool:
    """Returns whether the rules' question or command is also by far the most likely intent."""
    if decided.confidence != "high" or decided.several or decided.actions[0] == "memory":
        return False
    return likely[_wish(decided.actions[0])] >= CERTAIN


def _asks_for_a_figure(text: str, ruled: RuleDecision) -> bool:
    """Returns whether a question names a period and a figure or a topic of a field: then it asks for information in any
    wording."""
    is_question = ruled.confidence == "high" and "?" in text
    return is_question and bool(periods_in(text)) and bool(named_figures(text) or topics_in(text))


def _is_figure(text: str) -> bool:
    """Returns whether the message is a figure of a document, named without a verb: "Total assets (report.pdf)"."""
    first = next(iter(named_figures(text)), None)
    return first is not None and first.start == 0 and wording.names_document(fold(text))


def _is_asked_plainly(text: str, ruled: RuleDecision) -> bool:
    """Returns whether a question mark ends a message that the rules read as a question."""
    return ruled.confidence == "high" and ruled.actions == ("inquire",) and text.rstrip(" )").endswith("?")


def _against_question(text: str) -> float:
    """Returns the margin by which another action must be more likely than a question."""
    is_of_facts = bool(named_figures(text) or periods_in(text)) and not wording.names_document(fold(text))
    return AGAINST_FIGURE if is_of_facts else AGAINST_QUESTION


def _is_confined(text: str, ruled: RuleDecision) -> bool:
    """Returns whether a summary is requested on only one subject, which is a question."""
    folded = fold(text)
    if ruled.confidence == "high" and wording.lists().orders["summarize"].search(folded):
        return True
    return format_of(text, "inquire") == "summary" and bool(wording.lists().topic["hard"].search(folded))


def _decision_for(action: Action, share: float) -> RuleDecision:
    return RuleDecision((action,), "high" if share >= CERTAIN else "medium", "examples")


def _wish(action: Action) -> Wish:
    return action if action != "memory" else "remember"
