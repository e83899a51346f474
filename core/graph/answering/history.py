"""The conversation so far, as a model is told of it.

Of the last twenty messages the newest eight by rule: questions whole, answers cut and without their markers, so that no
old number is taken for a source of today. Those before them are summarised where a model is configured, a few turns at
a time, and the summary is kept with the thread: a turn is paid for once.
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
"""Never summarised: eight messages."""
BATCH = 3
"""Turns that wait to be summarised until it is done."""
DIGEST_WORDS = 120
OVERHEAD = 4
"""Tokens that a message costs beside its text."""
_MARKER = re.compile(r"[ \t]?\[(?:M?\d{1,3})(?:\s*[,;–-]\s*M?\d{1,3})*\]")


@dataclass(frozen=True)
class History:
    """``digest`` tells of the turns before ``messages``; ``dropped`` counts turns that found no room."""

    messages: list[BaseMessage] = field(default_factory=list)
    digest: str = ""
    tokens: int = 0
    dropped: int = 0


def shortened(answer: str) -> str:
    """An answer as later turns see it: without markers, at most 300 characters."""
    text = " ".join(_MARKER.sub("", answer).split())
    if len(text) <= ANSWER_CHARACTERS:
        return text
    return text[: ANSWER_CHARACTERS - 1].rstrip() + "…"


def fit_history(turns: Sequence[PastTurn], digest: Digest | None, most_tokens: int) -> History:
    """What fits ``most_tokens``, the newest turns first; whole turns are left out, the digest before any of them."""
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
    """The turns that are to be summarised now, if enough of them are waiting."""
    through = digest["through"] if digest else 0
    waiting = [turn for turn in turns[:-RECENT_TURNS] if turn.get("number", 0) > through]
    return waiting if len(waiting) >= BATCH else []


async def summarise(prompts: Prompts, model: TextModel, waiting: Sequence[PastTurn], before: Digest | None) -> Digest:
    """``waiting`` and what ``before`` told, in one digest. Raises ``PalimpsestError`` when the model fails."""
    exchanges = [f"user: {turn['question']}\nassistant: {shortened(turn['answer'])}" for turn in waiting]
    system = prompts.render("history", most=DIGEST_WORDS, before=bool(before))
    earlier = f"BEGIN SUMMARY\n{before['text']}\nEND SUMMARY\n\n" if before else ""
    user = f"{earlier}BEGIN CONVERSATION\n" + "\n".join(exchanges) + "\nEND CONVERSATION"
    written = await ask_text(model, Prompt(system, user))
    text = " ".join(_MARKER.sub("", written.text).split()[: DIGEST_WORDS * 2])
    return Digest(text=text or (before["text"] if before else ""), through=waiting[-1].get("number", 0))
