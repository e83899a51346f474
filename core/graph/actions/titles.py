"""Titles of conversations, written once the first answer is there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, Field

from core.errors import PalimpsestError
from core.models.meter import Usage
from core.models.structured import Prompt, TextModel, ask_json
from core.prompts.templates import Prompts
from core.runs.conversations import first_title
from core.words import Language

MOST_WORDS = 6
MOST_CHARACTERS = 80
ANSWER_CHARACTERS = 600


class _Title(BaseModel):
    title: str = Field(min_length=1)


@dataclass(frozen=True)
class GivenTitle:
    """``by`` says who wrote it, as ``core.runs.conversations`` records it."""

    text: str
    by: Literal["first_words", "model"]
    usage: Usage = field(default_factory=Usage)


async def title(
    prompts: Prompts, model: TextModel | None, question: str, answer: str, language: Language
) -> GivenTitle:
    """At most six words in the question's language; without a model, or when it fails, the question's first words."""
    if model is None:
        return GivenTitle(first_title(question), "first_words")
    system = prompts.render("titles", language=language, most=MOST_WORDS)
    user = f"BEGIN QUESTION\n{question}\nEND QUESTION\n\nBEGIN ANSWER\n{answer[:ANSWER_CHARACTERS]}\nEND ANSWER"
    try:
        found, usage = await ask_json(model, Prompt(system, user), _Title)
    except PalimpsestError:
        return GivenTitle(first_title(question), "first_words")
    text = _tidy(found.title) if found else ""
    return GivenTitle(text, "model", usage) if text else GivenTitle(first_title(question), "first_words", usage)


def _tidy(text: str) -> str:
    words = " ".join(text.split()).strip(" \"'`*#.:;\u201c\u201d").split()[:MOST_WORDS]
    return " ".join(words)[:MOST_CHARACTERS]
