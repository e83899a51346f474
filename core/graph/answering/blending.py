"""Combines a document action's answer with web pages: returns statements that relate the two.

A normal question needs none of this: its one prompt contains all sources. An action on whole documents finishes before
the web is searched. So a model is then asked for statements about both, and each is checked against the pages that it
cites. Without a model, the pages appear below the answer as they were found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

from core.events import Source
from core.messages import message
from core.models.meter import Usage
from core.models.structured import Prompt, TextModel, ask_json
from core.prompts.templates import Prompts
from core.search.documents.context import unfenced, without_markers
from core.words import Language

MOST = 6
MOST_CHARACTERS = 500
_MARKER = re.compile(r"(?:(?<!\s)\s++)?+\[M?\d{1,3}(?:\s*+,\s*+\d{1,3})*+\]")

Relation = Literal["agrees", "adds", "differs"]
_ORDER: tuple[Relation, ...] = ("differs", "adds", "agrees")
_LABELS = {each: message(f"graph.blending.{each}") for each in _ORDER}


class _Statement(BaseModel):
    text: str
    pages: list[int]
    relation: Relation = "adds"


class _Statements(BaseModel):
    statements: list[_Statement] = []


@dataclass(frozen=True)
class Kinds:
    """Whether documents are among the sources of a prompt, and the numbers of its web pages and tool results."""

    documents: bool
    web: list[int]


def kinds(sources: Sequence[Source], memory: bool) -> Kinds | None:
    """Groups the sources by kind; returns ``None`` if there is only one kind, and so nothing to combine."""
    documents = any(each.kind == "document" for each in sources)
    web = [each.number for each in sources if each.kind in ("web", "tool")]
    return Kinds(documents, web) if sum(map(bool, (documents, web, memory))) > 1 else None


async def blend(
    prompts: Prompts, model: TextModel, answer: str, memory: str, pages: Sequence[Source], language: Language
) -> tuple[str, Usage]:
    """Returns Markdown lines with citation markers; empty if no statement of the model cites a page.

    Raises:
        PalimpsestError: the model failed.
    """
    shown = "\n\n".join(
        f"[{each.number}] {each.title}\n" + "\n".join(without_markers(passage.text) for passage in each.passages)
        for each in pages
    )
    system = prompts.render(
        "blend", answer=unfenced(answer), memory=unfenced(memory), pages=shown, most=MOST, language=language
    )
    said, usage = await ask_json(model, Prompt(system, message("graph.blending.asked").to(language)), _Statements)
    return _lines(said.statements if said else [], {each.number for each in pages}, language), usage


def _lines(statements: Sequence[_Statement], numbers: set[int], language: Language) -> str:
    """Returns the statements that cite a page; differences come first."""
    lines: dict[str, None] = {}
    for relation in _ORDER:
        for each in statements[:MOST]:
            text = " ".join(_MARKER.sub("", each.text).split())
            known = [number for number in dict.fromkeys(each.pages) if number in numbers]
            if each.relation == relation and text and known and len(text) <= MOST_CHARACTERS:
                markers = "".join(f"[{number}]" for number in known)
                lines.setdefault(f"- **{_LABELS[relation].to(language)}** {text} {markers}")
    return "\n".join(lines)
