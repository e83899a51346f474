"""Writes a conversation's title after its first answer."""

from __future__ import annotations

from pydantic import BaseModel, Field

from core.errors import PalimpsestError
from core.models.structured import Prompt, TextModel, ask_json
from core.prompts.templates import Prompts
from core.words import Language

MOST_WORDS = 6
MOST_CHARACTERS = 80
ANSWER_CHARACTERS = 600


class _Title(BaseModel):
    title: str = Field(min_length=1)


async def title(prompts: Prompts, model: TextModel, question: str, answer: str, language: Language) -> str:
    """Returns at most six words in the question's language; empty if the model fails."""
    system = prompts.render("titles", language=language, most=MOST_WORDS)
    user = f"BEGIN QUESTION\n{question}\nEND QUESTION\n\nBEGIN ANSWER\n{answer[:ANSWER_CHARACTERS]}\nEND ANSWER"
    try:
        found, _ = await ask_json(model, Prompt(system, user), _Title)
    except PalimpsestError:
        return ""
    return _tidy(found.title) if found else ""


def _tidy(text: str) -> str:
    words = " ".join(text.split()).strip(" \"'`*#.:;\u201c\u201d").split()[:MOST_WORDS]
    return " ".join(words)[:MOST_CHARACTERS]
