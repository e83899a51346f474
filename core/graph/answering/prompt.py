"""The prompt of an answer: layers in their order, each a template of its own, all of them within the window.

Personality → how to use memory → memory → the user → citation rules → sources → how to join them → research mode → form
→ situation → history → question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from core.events import Source
from core.graph.answering.blending import kinds
from core.graph.answering.budget import Shares
from core.graph.answering.history import OVERHEAD, History, fit_history
from core.graph.records import Intent
from core.graph.state import Digest, PastTurn
from core.language.tokens import count_tokens
from core.messages import message
from core.personality.tone import Tone, overlay_of
from core.prompts.templates import Prompts
from core.search.documents.context import Context, fit, unfenced
from core.setting_groups import ModeName
from core.words import Language, Words

MEMORY_SHARE = 0.25
"""Of the share of what was retrieved, the most that memories may take."""
ORDER = (
    "personality",
    "memory_rules",
    "memory",
    "user",
    "citations",
    "sources",
    "blend",
    "mode",
    "format",
    "situation",
    "history",
)
_MEMORY = re.compile(r"\n\n(?=\[M\d{1,3}\] )")
_END_OF_MEMORIES = "</memory_context>"
_BLANK_LINE = re.compile(r"\n\s*\n")


@dataclass(frozen=True)
class PromptInputs:
    """What an answer is asked with. ``today`` as it is to be read; ``tools`` are what is at hand beside the model,
    ``abilities`` what the person can ask for by name."""

    question: str
    language: Language
    mode: ModeName
    voice: str
    today: str
    tone: Tone = "neutral"
    sources: Sequence[Source] = ()
    memory: str = ""
    user: str = ""
    intent: Intent | None = None
    tools: Sequence[str] = ("the documents",)
    abilities: str = ""
    turns: Sequence[PastTurn] = ()
    digest: Digest | None = None
    blending: bool = False


@dataclass(frozen=True)
class AnswerPrompt:
    """``layers``: tokens by layer, in their order. ``numbers`` are the citations the model was shown. ``room``: tokens
    that are left for what tools bring.

    What found no room is counted: ``passages``, ``memories``, ``turns`` of the history.
    """

    messages: list[BaseMessage]
    layers: dict[str, int]
    numbers: frozenset[int]
    room: int
    passages: int = 0
    memories: int = 0
    turns: int = 0

    @property
    def tokens(self) -> int:
        return sum(self.layers.values())

    @property
    def left_out(self) -> list[Words]:
        """For the trace; empty when everything found room."""
        given = {"passages": self.passages, "memories": self.memories, "turns": self.turns}
        return [message(f"graph.prompt.left_out.{what}", count=count) for what, count in given.items() if count]


@dataclass(frozen=True)
class PromptMemories:
    """What the memory tells, as far as there is room; ``dropped`` counts what there is none for."""

    text: str = ""
    tokens: int = 0
    dropped: int = 0


SEAMS = 8
"""Tokens that texts may have more when they are joined than each by itself."""


@dataclass
class _Layers:
    """Rendered layers and their tokens, which are counted once."""

    prompts: Prompts
    texts: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)

    def put(self, name: str, **values: object) -> None:
        text = self.prompts.render(f"answer/{name}", **values)
        self.texts[name], self.tokens[name] = text, count_tokens(f"{text}\n\n")

    @property
    def used(self) -> int:
        return sum(self.tokens.values())

    def room(self, shares: Shares, question: int) -> int:
        """Tokens that are free beside what is there and the ``question``."""
        return shares.prompt - self.used - question - SEAMS

    def system(self) -> str:
        return "\n\n".join(self.texts[name] for name in ORDER if name in self.texts)


def build_prompt(prompts: Prompts, material: PromptInputs, shares: Shares) -> AnswerPrompt:
    """The messages for a model; counting tokens takes milliseconds, so off the event loop.

    What must be there comes first: the rules, the question, one passage of each source. Then, as far as their shares
    and the window reach, memories, the history and the other passages. Nothing is ever cut in the middle.
    """
    layers = _Layers(prompts)
    _put_rules(layers, material, shares)
    question = count_tokens(material.question) + 2 * OVERHEAD
    room = layers.room(shares, question)
    wished = fit_memories(material.memory, min(int(shares.retrieved * MEMORY_SHARE), room))
    context = _put_sources(layers, material, shares.retrieved - wished.tokens, room)
    room = layers.room(shares, question)
    memories = fit_memories(wished.text, room) if wished.text else wished
    dropped = wished.dropped + (memories.dropped if memories is not wished else 0)
    layers.put("memory_rules", remembered=bool(memories.text))
    if memories.text:
        layers.put("memory", memory=unfenced(memories.text))
    room = layers.room(shares, question)
    history = _put_history(layers, material, min(shares.history, room))
    turns = sum(count_tokens(each.text) + OVERHEAD for each in history.messages)
    return AnswerPrompt(
        messages=[SystemMessage(layers.system()), *history.messages, HumanMessage(material.question)],
        layers={
            **{name: layers.tokens[name] for name in ORDER if name in layers.tokens},
            "turns": turns,
            "question": question,
        },
        numbers=context.numbers,
        room=min(shares.retrieved, layers.room(shares, question) - turns),
        passages=context.dropped,
        memories=dropped,
        turns=history.dropped,
    )


def _put_rules(layers: _Layers, material: PromptInputs, shares: Shares) -> None:
    """What is said whatever was found. The rules on memory are counted in their longer form."""
    intent = material.intent
    layers.put("personality", voice=material.voice, tone=overlay_of(material.tone))
    layers.put("memory_rules", remembered=True)
    user = _whole_lines(material.user, shares.user)
    if user:
        layers.put("user", user=user)
    layers.put("citations")
    joined = kinds(material.sources, bool(material.memory)) if material.blending else None
    if joined:
        layers.put("blend", documents=joined.documents, web=joined.web)
    layers.put("mode", mode=material.mode)
    layers.put("format", format=intent.format if intent else "generalist")
    layers.put(
        "situation",
        today=material.today,
        tools=list(material.tools),
        abilities=material.abilities,
        wants_web=bool(intent and intent.wants_web),
        hint=f"{intent.action} ({intent.confidence} confidence)" if intent else "",
        parts=list(intent.parts) if intent else [],
        language=material.language,
    )


def _whole_lines(text: str, most_tokens: int) -> str:
    """The first lines of ``text`` that fit."""
    lines = unfenced(text).strip().splitlines()
    while lines and count_tokens("\n".join(lines)) > most_tokens:
        lines.pop()
    return "\n".join(lines)


def _put_sources(layers: _Layers, material: PromptInputs, share: int, room: int) -> Context:
    layers.put("sources", sources="")
    fence = layers.tokens["sources"]
    context = fit(material.sources, min(share, room - fence), room - fence)
    layers.put("sources", sources=context.text)
    return context


def _put_history(layers: _Layers, material: PromptInputs, most: int) -> History:
    layers.put("history", digest="")
    fence = layers.tokens.pop("history")
    del layers.texts["history"]
    history = fit_history(material.turns, material.digest, most - fence)
    if history.digest:
        layers.put("history", digest=unfenced(history.digest))
    return history


def fit_memories(text: str, most_tokens: int) -> PromptMemories:
    """``text`` without the memories that go beyond ``most_tokens``: the lowest ranked first, each of them whole.

    When the last is gone, whole blocks go (what is known of the user is the first and goes last).
    """
    dropped = 0
    while text:
        tokens = count_tokens(text)
        if tokens <= most_tokens:
            return PromptMemories(text, tokens, dropped)
        text = _without_last(text)
        dropped += 1
    return PromptMemories(dropped=dropped)


def _without_last(text: str) -> str:
    begins = [match.start() for match in _MEMORY.finditer(text)]
    if len(begins) > 1:
        end = text.rfind(_END_OF_MEMORIES)
        return text[: begins[-1]] + (f"\n{text[end:]}" if end > begins[-1] else "")
    if begins:
        start = text.find("<memory_context>")
        return text[: max(start, 0)].rstrip()
    blocks = _BLANK_LINE.split(text)
    return "\n\n".join(blocks[:-1]).rstrip()
