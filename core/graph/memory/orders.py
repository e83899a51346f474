"""Reads what is to be remembered or forgotten from a message that is no command of a fixed form."""

from __future__ import annotations

import re

from core.graph.records import Command
from core.graph.state import State
from core.language.bounded_text import in_full
from core.language.normalisation import fold
from core.language.vocabulary import pattern_of
from core.memory.profile.statements import personal_statements

_CLAUSE = re.compile(r"[,;]\s+|[.!?]\s+|\n")
_KEY = "graph/memory.order"


def command_of(state: State) -> Command | None:
    """Returns the memory command of a message: the one that was recognised, or else the one of its destination."""
    asked = state["asked"]
    if asked.intent is not None and asked.intent.command is not None:
        command = asked.intent.command
        text = in_full(command.text, asked.ask.question)
        if command.kind == "forget":
            text = text_to_forget(text, state)
        elif command.kind == "remember":
            text = text_to_remember(text)
        return command.model_copy(update={"text": text})
    wish = asked.question.destination.wish
    text = wish.text or asked.text
    if wish.place in ("remember", "correct"):
        return Command(kind="remember", text=text_to_remember(text))
    return Command(kind="forget", text=text_to_forget(text, state)) if wish.place == "forget" else None


def forgets(state: State) -> bool:
    """Returns whether the message orders to forget something."""
    asked = state["asked"]
    command = asked.intent.command if asked.intent is not None else None
    return asked.question.destination.wish.place == "forget" or (command is not None and command.kind == "forget")


def text_to_remember(message: str) -> str:
    """Returns a message without the words that only order to remember it.

    >>> text_to_remember("fyi i never fly, always take the train. keep that in mind")
    'i never fly, always take the train'
    """
    bare, before = message.strip(), pattern_of(f"{_KEY}.before")
    while (match := before.match(bare)) and match.end():
        bare = bare[match.end() :]
    return pattern_of(f"{_KEY}.after").sub("", bare).strip() or message


def text_to_forget(message: str, state: State) -> str:
    """Returns what a message orders to forget; "forget that" means what the user stated last."""
    orders, folded = pattern_of(f"{_KEY}.forgets"), fold(message)
    clauses = [each for each in _CLAUSE.split(folded) if orders.search(each)]
    bare = " ".join(orders.sub(" ", clauses[0] if clauses else folded).split()).strip(" .,!")
    if not pattern_of(f"{_KEY}.pronoun").match(bare):
        return bare if clauses else message
    for turn in reversed(state.get("turns", [])):
        if stated := personal_statements(turn["question"]):
            return stated[0].text
    return message
