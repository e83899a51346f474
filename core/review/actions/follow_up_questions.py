"""Lets a model suggest follow-up questions about topics in the used documents that have not been asked about yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from pydantic import RootModel

from core.errors import PalimpsestError
from core.events import Source
from core.language.normalisation import fold
from core.models.structured import Prompt, TextModel, ask_json
from core.prompts.templates import Prompts
from core.search.documents.context import assemble
from core.words import Language

COUNT = 2
CONTEXT_TOKENS = 2_000
LONGEST = 160
MOST_ASKED, LONGEST_ASKED, LONGEST_ANSWER = 20, 500, 6_000
"""Earlier questions, and characters of each and of the answer, that the model reads; the window may be small."""


class _Questions(RootModel[list[str]]):
    pass


async def followups(
    prompts: Prompts, model: TextModel, asked: Sequence[str], answer: str, sources: Sequence[Source], language: Language
) -> list[str]:
    """Returns at most two questions in ``language``; none if the model fails or has nothing new to ask. ``asked`` are
    the questions asked in the conversation, newest last."""
    if not sources:
        return []
    system = prompts.render("suggestions", language=language, count=COUNT)
    history = "\n".join(f"- {question[:LONGEST_ASKED]}" for question in asked[-MOST_ASKED:])
    user = (
        f"BEGIN SOURCES\n{assemble(sources, CONTEXT_TOKENS)}\nEND SOURCES\n\nBEGIN QUESTIONS ASKED\n{history}\n"
        f"END QUESTIONS ASKED\n\nBEGIN ANSWER\n{answer[:LONGEST_ANSWER]}\nEND ANSWER"
    )
    try:
        found, _ = await ask_json(model, Prompt(system, user), _Questions)
    except PalimpsestError:
        return []
    return list(islice(_fresh(found.root, asked), COUNT)) if found else []


def _fresh(questions: Iterable[str], asked: Sequence[str]) -> Iterator[str]:
    seen = {fold(question).rstrip("?") for question in asked}
    for question in questions:
        text = " ".join(question.split()).lstrip("-*0123456789. ")
        key = fold(text).rstrip("?")
        if text and len(text) <= LONGEST and key not in seen:
            seen.add(key)
            yield text
