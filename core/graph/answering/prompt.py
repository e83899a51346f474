"""Builds the prompt of an answer from layers, each with its own template, all within the context window.

Order: personality → the user → citation rules → research mode → sources → how to use memory → memory → how to combine
sources → form → situation → history → question. The parts that stay the same from question to question come first, so
that a provider can cache them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from core.events import Source
from core.graph.answering.blending import kinds
from core.graph.answering.budget import Shares
from core.graph.answering.dataset_schemas import OfferedDatasets
from core.graph.answering.history import OVERHEAD, History, fit_history
from core.graph.answering.page_pictures import PICTURE_TOKENS, PagePicture
from core.graph.records import Intent, SearchedStep
from core.graph.state import Digest, PastTurn
from core.language.tokens import count_tokens
from core.messages import message
from core.personality.tone import Tone, overlay_of
from core.prompts.templates import Prompts
from core.question.form import Form
from core.search.documents.context import Context, fit, unfenced
from core.search.documents.selection import Width
from core.setting_groups import ModeName
from core.words import Language, Words

MEMORY_SHARE = 0.25
"""Maximum fraction of the passages' share that memories may use."""
MEMORY_TOKENS = 500
"""Maximum tokens of memories next to passages of documents."""
ORDER = (
    "personality",
    "user",
    "citations",
    "mode",
    "correction",
    "sources",
    "library",
    "planned",
    "datasets",
    "steps",
    "memory_rules",
    "memory",
    "blend",
    "format",
    "situation",
    "history",
)
_MEMORY = re.compile(r"\n\n(?=\[M\d{1,3}\] )")
RECOLLECTED = frozenset({"conversation", "memory"})
"""Kinds of sources that are what the user said earlier, and not documents."""
_END_OF_MEMORIES = "</memory_context>"
_BLANK_LINE = re.compile(r"\n\s*\n")


@dataclass(frozen=True)
class PromptInputs:
    """The inputs of a prompt.

    ``today`` is formatted for display. ``tools`` are the tools available to the model, ``abilities`` the commands that
    the user can name, if the message may be about them. ``numbers`` is how many numbers the question asks for;
    ``wishes`` are the user's wishes about the form of all answers. ``planned`` are the tables that a plan found,
    ``datasets`` those that can be queried, ``correction`` the right answer that the user gave before, ``pictures``
    pages for a model that sees images. ``closest``: the sources are only the nearest ones that were found; ``library``
    then describes the likeliest of all ``documents``, a line each.
    """

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
    numbers: Form = "none"
    wishes: Sequence[str] = ()
    planned: Sequence[str] = ()
    datasets: OfferedDatasets = field(default_factory=OfferedDatasets)
    steps: Sequence[SearchedStep] = ()
    correction: Sequence[str] = ()
    pictures: Sequence[PagePicture] = ()
    closest: bool = False
    library: Sequence[str] = ()
    documents: int = 0


@dataclass(frozen=True)
class AnswerPrompt:
    """A finished prompt.

    ``layers``: tokens by layer, in order. ``numbers`` are the citation numbers that the model was shown. ``room``:
    tokens left for tool results.

    ``memory`` is the text of the memories that fit. Items that did not fit are counted: ``passages``, ``memories``,
    ``turns`` of the history.
    """

    messages: list[BaseMessage]
    layers: dict[str, int]
    numbers: frozenset[int]
    room: int
    passages: int = 0
    memories: int = 0
    turns: int = 0
    memory: str = ""

    @property
    def tokens(self) -> int:
        return sum(self.layers.values())

    @property
    def left_out(self) -> list[Words]:
        """Returns texts for the trace about items that did not fit; empty if everything fit."""
        given = {"passages": self.passages, "memories": self.memories, "turns": self.turns}
        return [message(f"graph.prompt.left_out.{what}", count=count) for what, count in given.items() if count]


@dataclass(frozen=True)
class PromptMemories:
    """Memory text that fits; ``dropped`` counts memories that did not."""

    text: str = ""
    tokens: int = 0
    dropped: int = 0


SEAMS = 8
"""Extra tokens that joining texts may add to their separate counts."""


@dataclass
class _Layers:
    """Rendered layers and their token counts, each counted once."""

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
        """Returns the tokens that are free after the current layers and the ``question``."""
        return shares.prompt - self.used - question - SEAMS

    def system(self) -> str:
        return "\n\n".join(self.texts[name] for name in ORDER if name in self.texts)


def build_prompt(prompts: Prompts, material: PromptInputs, shares: Shares) -> AnswerPrompt:
    """Builds the messages for a model; counting tokens takes milliseconds, so call it off the event loop.

    The required parts come first: the rules, the question, and one passage of each source. Then memories, the history
    and the other passages follow, within their shares and the window. No text is ever cut in the middle.
    """
    layers = _Layers(prompts)
    _put_rules(layers, material, shares)
    _put_findings(layers, material)
    pictures = PICTURE_TOKENS * len(material.pictures)
    question = count_tokens(material.question) + 2 * OVERHEAD + pictures
    room = layers.room(shares, question)
    most = int(shares.retrieved * MEMORY_SHARE)
    most = min(most, MEMORY_TOKENS) if material.sources else most
    wished = fit_memories(material.memory, min(most, room))
    width = replace(shares.width, least=0.0) if material.closest and shares.width else shares.width
    context = _put_sources(layers, material, shares.retrieved - wished.tokens, room, width)
    _put_steps(layers, material.steps, context.numbers)
    room = layers.room(shares, question)
    memories = fit_memories(wished.text, room) if wished.text else wished
    dropped = wished.dropped + (memories.dropped if memories is not wished else 0)
    recollected = any(source.kind in RECOLLECTED for source in material.sources)
    layers.put("memory_rules", remembered=bool(memories.text), recollected=recollected)
    if memories.text:
        layers.put("memory", memory=unfenced(memories.text))
    room = layers.room(shares, question)
    history = _put_history(layers, material, min(shares.history, room))
    turns = sum(count_tokens(each.text) + OVERHEAD for each in history.messages)
    return AnswerPrompt(
        messages=[SystemMessage(layers.system()), *history.messages, _question(prompts, material)],
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
        memory=memories.text,
    )


def _question(prompts: Prompts, material: PromptInputs) -> HumanMessage:
    """Returns the question, with the pictures of pages above it."""
    if not material.pictures:
        return HumanMessage(material.question)
    content: list[str | dict[str, object]] = []
    for picture in material.pictures:
        label = prompts.render("answer/picture", page=picture.page.page, number=picture.page.number)
        content.append({"type": "text", "text": label})
        content.append({"type": "image_url", "image_url": {"url": picture.url}})
    return HumanMessage(content=[*content, {"type": "text", "text": material.question}])


def _put_rules(layers: _Layers, material: PromptInputs, shares: Shares) -> None:
    """Adds the rules, which do not depend on the search. The memory rules are counted in their longer form."""
    intent = material.intent
    layers.put("personality", voice=material.voice, tone=overlay_of(material.tone))
    layers.put("memory_rules", remembered=True, recollected=False)
    user = _whole_lines(material.user, shares.user)
    if user:
        layers.put("user", user=user)
    layers.put("citations")
    joined = kinds(material.sources, bool(material.memory)) if material.blending else None
    if joined:
        layers.put("blend", documents=joined.documents, web=joined.web)
    layers.put("mode", mode=material.mode)
    form = intent.format if intent else "generalist"
    if form == "definition" and material.numbers != "none":
        form = "generalist"  # "DPO is defined as A / B" asks for a calculation.
    layers.put("format", format=form, numbers=material.numbers, mode=material.mode, wishes=list(material.wishes))
    layers.put(
        "situation",
        today=material.today,
        tools=list(material.tools),
        abilities=material.abilities,
        wants_web=bool(intent and intent.wants_web),
        hint=f"{intent.action} ({intent.confidence} confidence)" if intent and intent.confidence != "high" else "",
        parts=list(intent.parts) if intent else [],
        language=material.language,
    )


def _put_findings(layers: _Layers, material: PromptInputs) -> None:
    """Adds what was found in addition to the passages. The steps are counted with all their numbers."""
    if material.correction:
        layers.put("correction", lines=[unfenced(line) for line in material.correction])
    if material.planned:
        layers.put("planned", tables=[unfenced(table) for table in material.planned])
    if material.datasets.schemas or material.datasets.names:
        schemas = [unfenced(schema) for schema in material.datasets.schemas]
        layers.put("datasets", datasets=schemas, names=unfenced(material.datasets.names))
    if material.library:
        listed = [unfenced(line) for line in material.library]
        layers.put("library", documents=listed, count=max(material.documents, len(listed)))
    _put_steps(layers, material.steps, {number for step in material.steps for number in step.numbers})


def _put_steps(layers: _Layers, steps: Sequence[SearchedStep], shown: Collection[int]) -> None:
    """Adds the steps; each cites only sources that the prompt has."""
    if steps:
        layers.put("steps", steps=[unfenced(step.line(shown)) for step in steps])


def _whole_lines(text: str, most_tokens: int) -> str:
    """Returns the first lines of ``text`` that fit."""
    lines = unfenced(text).strip().splitlines()
    while lines and count_tokens("\n".join(lines)) > most_tokens:
        lines.pop()
    return "\n".join(lines)


def _put_sources(layers: _Layers, material: PromptInputs, share: int, room: int, width: Width | None) -> Context:
    layers.put("sources", sources="", closest=material.closest)
    fence = layers.tokens["sources"]
    context = fit(material.sources, min(share, room - fence), room - fence, width)
    layers.put("sources", sources=context.text, closest=material.closest)
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
    """Returns ``text`` without the memories that exceed ``most_tokens``; drops whole memories, lowest ranked first.

    When no memories are left, drops whole blocks (the block about the user is first and is dropped last).
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
