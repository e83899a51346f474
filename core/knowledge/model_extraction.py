"""Extracts entities and their relations from a text with a language model."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

from pydantic import BaseModel

from core.knowledge.extraction.entities import MOST_CONCEPTS, Extracted, keyed, paired, prepared
from core.knowledge.extraction.patterns import Span
from core.knowledge.records import EntityKind, RelationKind
from core.language.normalisation import fold
from core.language.terms import is_stop_word
from core.models.structured import Prompt, TextModel, ask_json
from core.prompts.templates import Prompts

CHARACTERS = 4_000
_FIXED: tuple[EntityKind, ...] = ("date", "sum", "identifier")
"""Kinds of entities with a fixed form (such as dates), which only the rules find, in one spelling."""


class _Named(BaseModel):
    name: str
    kind: EntityKind


class _Related(BaseModel):
    a: str
    b: str
    kind: RelationKind


class _Read(BaseModel):
    concepts: list[_Named] = []
    relations: list[_Related] = []


@dataclass
class ModelReader:
    """Reads a text with the model. Names that are not in the text are discarded, and their relations too."""

    _model: TextModel
    _prompts: Prompts
    _configured: Callable[[], bool] = lambda: True

    async def read(self, text: str, by_rules: Extracted) -> Extracted:
        """What the model found; the rules' result if there is no model or its answer is unreadable.

        Raises:
            PalimpsestError: the model is not available.
        """
        if not self._configured():
            return by_rules
        asked = self._prompts.render(
            "knowledge", text=text[:CHARACTERS], most=MOST_CONCEPTS, kinds=list(get_args(RelationKind))
        )
        read, _ = await ask_json(self._model, Prompt("", asked), _Read)
        if read is None:
            return by_rules
        source = prepared(text)
        spans = [span for span in by_rules.found if span.kind in _FIXED]
        spans += [span for each in read.concepts if (span := _span_in_text(source, each))]
        found = paired(source, sorted(spans, key=lambda span: span.start))
        return Extracted(found.found, found.pairs, _relations(found.found, read.relations))


def _span_in_text(source: str, named: _Named) -> Span | None:
    """The name's position in the text; ``None`` if the text does not contain it, or it is a word without content."""
    words = fold(named.name).split()
    if not words or named.kind in _FIXED or all(is_stop_word(word) for word in words):
        return None
    match = re.search(r"\s+".join(map(re.escape, named.name.split())), source, re.IGNORECASE)
    if match is None:
        return None
    span = Span(match.start(), match.end(), named.kind, match.group(), fold(match.group()))
    return keyed(span)


def _relations(found: tuple[Span, ...], read: list[_Related]) -> tuple[tuple[int, int, RelationKind], ...]:
    places = {fold(span.label): place for place, span in enumerate(found)}
    known = [(places.get(fold(each.a)), places.get(fold(each.b)), each.kind) for each in read]
    return tuple((a, b, kind) for a, b, kind in known if a is not None and b is not None and a != b)
