"""Classifies a message with rules: takes the message and earlier ones; returns its action, its parts, or choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.events import Action
from core.graph.records import Command, Confidence, How, Message
from core.graph.understanding.intent.router import split_parts
from core.graph.understanding.intent.rules import Reading, depends_on_previous, is_bare_name, points_at_document, read

LIKELIEST: tuple[Action, ...] = ("inquire", "summarize")
"""The actions to choose from if the message was not understood."""


@dataclass(frozen=True)
class RuleDecision:
    """A rule-based decision. ``actions``: the action to run, or the actions to choose from; ``several``: the message
    requested all of them; ``command``: the memory command."""

    actions: tuple[Action, ...]
    confidence: Confidence
    how: How
    several: bool = False
    parts: tuple[str, ...] = ()
    command: Command | None = None


def by_rules(text: str, past: Sequence[Message] = ()) -> RuleDecision:
    """Classifies the message without earlier ones first, and with them if it refers to them."""
    parts = _several_questions(text)
    if parts:
        return parts
    reading = read(text)
    leaning = depends_on_previous(text)
    if past and len(reading.wanted) < 2 and (leaning != "no" or (not reading.certain and is_bare_name(text))):
        before = _action_before(past)
        inherits = leaning == "same" or points_at_document(text)
        ordered = any(each not in ("inquire",) for each in reading.wanted)
        if before and inherits and not ordered:
            return RuleDecision((before,), "medium", "follow-up")
        if leaning == "other" and not ordered:
            return RuleDecision(("inquire",), "medium", "follow-up")
    return _reading_decision(reading)


def _reading_decision(reading: Reading) -> RuleDecision:
    if not reading.wanted:
        return RuleDecision(reading.alternatives or LIKELIEST, "low", "rule")
    several = len(reading.wanted) > 1
    return RuleDecision(reading.wanted, "high" if reading.certain else "medium", "rule", several=several)


def _several_questions(text: str) -> RuleDecision | None:
    """Returns the questions of a message that asks several; a command followed by a list counts as one request."""
    divided = split_parts(text)
    if not divided.parts or any(each not in ("inquire",) for each in read(divided.lead).wanted):
        return None
    readings = [read(part) for part in divided.parts]
    if readings[0].wanted == ("audit",):
        return None
    wanted = tuple(dict.fromkeys(action for each in readings for action in each.wanted or ("inquire",)))
    several = len(wanted) > 1
    return RuleDecision(wanted, "high", "rule", several=several, parts=() if several else tuple(divided.parts))


def _action_before(past: Sequence[Message]) -> Action | None:
    """Returns the action of the user's most recent message that names an action without needing earlier messages."""
    for message in reversed(past):
        if message.role == "user":
            reading = read(message.text)
            if len(reading.wanted) == 1 and depends_on_previous(message.text) == "no":
                return reading.wanted[0]
    return None
