"""Prepares the conversation history for a model's prompt.

Of the last twenty messages, the newest eight are always included: questions in full, answers without citation markers,
so that old numbers are not confused with current sources. Answers are shortened, and the newest ones are given in full
as far as the tokens allow. Older turns are summarised if a model is configured, a few turns at a time. The summary is
stored with the thread, so each turn is summarised only once.
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
ANSWER_TOKENS = 4_000
"""Maximum length of an answer that is kept in full."""
RECENT_TURNS = 4
"""Number of newest turns that are never summarised: eight messages."""
BATCH = 3
"""Number of waiting turns from which they are summarised."""
DIGEST_WORDS = 120
OVERHEAD = 4
"""Tokens that a message costs besides its text."""
_MARKER = re.compile(r"[ \t]?\[(?:M?\d{1,3})(?:\s*[,;–-]\s*M?\d{1,3})*\]")


@dataclass(frozen=True)
class History:
    """History for a prompt; ``digest`` summarises the turns before ``messages``; ``dropped`` counts turns that did not
    fit."""

    messages: list[BaseMessage] = field(default_factory=list)
    digest: str = ""
    tokens: int = 0
    dropped: int = 0


def uncited(answer: str) -> str:
    """Removes an answer's citation markers and keeps its lines; cuts it at a line after 4,000 tokens."""
    lines, used = list[str](), 0
    for line in _MARKER.sub("", answer).split("\n"):
        used += count_tokens(line) + 1
        if used > ANSWER_TOKENS:
            return "\n".join([*lines, "…"])
        lines.append(line.rstrip())
    return "\n".join(lines).strip()


def shortened(answer: str) -> str:
    """Shortens an answer for later turns: no citation markers, at most 300 characters."""
    text = " ".join(_MARKER.sub("", answer).split())
    if len(text) <= ANSWER_CHARACTERS:
        return text
    return text[: ANSWER_CHARACTERS - 1].rstrip() + "…"


def fit_history(turns: Sequence[PastTurn], digest: Digest | None, most_tokens: int) -> History:
    """Returns what fits into ``most_tokens``, newest turns first; drops whole turns, and the digest before any turn."""
    shown = [turn for turn in turns[-MOST_TURNS:] if not digest or turn.get("number", 0) > digest["through"]]
    pairs: list[tuple[BaseMessage, BaseMessage]] = []
    used = dropped = 0
    for turn in reversed(shown):
        pair = HumanMessage(turn["question"]), AIMessage(shortened(turn["answer"]))
        cost = _cost(pair)
        if dropped or used + cost > most_tokens:
            dropped += 1
            continue
        pairs.append(pair)
        used += cost
    used = _lengthen(pairs, shown[::-1], used, most_tokens)
    messages = [message for pair in reversed(pairs) for message in pair]
    text = digest["text"] if digest else ""
    cost = count_tokens(text)
    if not text or dropped or used + cost > most_tokens:
        return History(messages, "", used, dropped)
    return History(messages, text, used + cost, dropped)


def _cost(pair: Sequence[BaseMessage]) -> int:
    return sum(count_tokens(each.text) + OVERHEAD for each in pair)


def _lengthen(
    pairs: list[tuple[BaseMessage, BaseMessage]], turns: Sequence[PastTurn], used: int, most_tokens: int
) -> int:
    """Replaces shortened answers by full ones, newest first, while they fit; returns the tokens used."""
    for place, (pair, turn) in enumerate(zip(pairs, turns, strict=False)):
        whole = pair[0], AIMessage(uncited(turn["answer"]))
        more = _cost(whole) - _cost(pair)
        if used + more > most_tokens:
            break
        pairs[place], used = whole, used + more
    return used


def turns_to_summarise(turns: Sequence[PastTurn], digest: Digest | None) -> list[PastTurn]:
    """Returns the turns to summarise now, if enough are waiting."""
    through = digest["through"] if digest else 0
    waiting = [turn for turn in turns[:-RECENT_TURNS] if turn.get("number", 0) > through]
    return waiting if len(waiting) >= BATCH else []


async def summarise(prompts: Prompts, model: TextModel, waiting: Sequence[PastTurn], before: Digest | None) -> Digest:
    """Summarises ``waiting`` and the ``before`` digest into one digest. Raises ``PalimpsestError`` if the model
    fails."""
    exchanges = [f"user: {turn['question']}\nassistant: {shortened(turn['answer'])}" for turn in waiting]
    system = prompts.render("history", most=DIGEST_WORDS, before=bool(before))
    earlier = f"BEGIN SUMMARY\n{before['text']}\nEND SUMMARY\n\n" if before else ""
    user = f"{earlier}BEGIN CONVERSATION\n" + "\n".join(exchanges) + "\nEND CONVERSATION"
    written = await ask_text(model, Prompt(system, user))
    text = " ".join(_MARKER.sub("", written.text).split()[: DIGEST_WORDS * 2])
    return Digest(text=text or (before["text"] if before else ""), through=waiting[-1].get("number", 0))
