"""Prepares the conversation history for a model's prompt.

A turn is a question and its answer. Of the last ten turns (twenty messages), the newest four are always included:
questions in full, answers shortened and without citation markers, so that old numbers are not confused with current
sources. Older ones are summarised if a model is configured, a few turns at a time. The summary is stored with the
conversation, so each turn is summarised only once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from core.graph.state import MOST_TURNS, Digest, PastTurn
from core.language.tokens import count_tokens
from core.models.structured import Prompt, TextModel, ask_text
from core.prompts.templates import Prompts

ANSWER_CHARACTERS = 300
RECENT_TURNS = 4
"""Number of newest turns that are never summarised: four turns are eight messages."""
BATCH = 3
"""Minimum number of turns that are due to be summarised before a model summarises them together."""
DIGEST_WORDS = 120
OVERHEAD = 4
"""Tokens that a message costs besides its text."""
_MARKER = re.compile(r"[ \t]?\[(?:M?\d{1,3})(?:\s*[,;–-]\s*M?\d{1,3})*\]")


@dataclass(frozen=True)
class History:
    """The history for a prompt; ``digest`` summarises the turns older than ``messages``; ``dropped`` counts turns that
    did not fit."""

    messages: list[BaseMessage] = field(default_factory=list)
    digest: str = ""
    tokens: int = 0
    dropped: int = 0


def shortened(answer: str) -> str:
    """Shortens an answer for later turns: no citation markers, at most 300 characters."""
    text = " ".join(_MARKER.sub("", answer).split())
    if len(text) <= ANSWER_CHARACTERS:
        return text
    return text[: ANSWER_CHARACTERS - 1].rstrip() + "…"


def fit_history(turns: Sequence[PastTurn], digest: Digest | None, most_tokens: int) -> History:
    """Returns what fits into ``most_tokens``, newest turns first; drops whole turns, and the digest before any turn."""
    shown = [turn for turn in turns[-MOST_TURNS:] if not digest or turn.get("number", 0) > digest["through"]]
    messages: list[BaseMessage] = []
    used = dropped = 0
    for turn in reversed(shown):
        pair = [HumanMessage(turn["question"]), AIMessage(shortened(turn["answer"]))]
        cost = sum(count_tokens(each.text) + OVERHEAD for each in pair)
        if dropped or used + cost > most_tokens:
            dropped += 1
            continue
        messages = [*pair, *messages]
        used += cost
    text = digest["text"] if digest else ""
    cost = count_tokens(text)
    if not text or dropped or used + cost > most_tokens:
        return History(messages, "", used, dropped)
    return History(messages, text, used + cost, dropped)


def turns_to_summarise(turns: Sequence[PastTurn], digest: Digest | None) -> list[PastTurn]:
    """Returns the turns to summarise now; none if too few are due."""
    through = digest["through"] if digest else 0
    waiting = [turn for turn in turns[:-RECENT_TURNS] if turn.get("number", 0) > through]
    return waiting if len(waiting) >= BATCH else []


async def summarise(prompts: Prompts, model: TextModel, waiting: Sequence[PastTurn], before: Digest | None) -> Digest:
    """Summarises the turns ``waiting`` together with the previous digest ``before``. Raises ``PalimpsestError`` if the
    model fails."""
    exchanges = [f"user: {turn['question']}\nassistant: {shortened(turn['answer'])}" for turn in waiting]
    system = prompts.render("history", most=DIGEST_WORDS, before=bool(before))
    earlier = f"BEGIN SUMMARY\n{before['text']}\nEND SUMMARY\n\n" if before else ""
    user = f"{earlier}BEGIN CONVERSATION\n" + "\n".join(exchanges) + "\nEND CONVERSATION"
    written = await ask_text(model, Prompt(system, user))
    text = " ".join(_MARKER.sub("", written.text).split()[: DIGEST_WORDS * 2])
    return Digest(text=text or (before["text"] if before else ""), through=waiting[-1].get("number", 0))
