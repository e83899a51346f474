"""Writes a balanced answer: a model first lists arguments for both sides of a question.

The model returns the arguments as data, so that each can be checked against its sources. An argument without a source
is dropped. If a side or the conclusion is missing, there is no debate, and the question is answered in the normal way
(docs/specification.md, "What a model is asked").
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from langchain_core.messages import BaseMessage, HumanMessage
from pydantic import BaseModel, Field

from core.messages import message
from core.models.meter import Usage
from core.models.structured import TextModel, in_form, parse_json
from core.prompts.templates import Prompts
from core.words import Language

MOST = 6
"""Maximum number of arguments on each side."""
MOST_CHARACTERS = 500
LONGEST_CONCLUSION = 1_500
_MARKER = re.compile(r"(?:(?<!\s)\s++)?+\[\d{1,3}(?:\s*+,\s*+\d{1,3})*+\]")
_HEADINGS = {each: message(f"graph.debate.{each}") for each in ("for", "against", "counter", "balance")}


class _Argument(BaseModel):
    text: str
    sources: list[int] = []


class _Debate(BaseModel):
    arguments_for: list[_Argument] = Field(min_length=1)
    arguments_against: list[_Argument] = Field(min_length=1)
    counterarguments: list[_Argument] = []
    conclusion: str = Field(min_length=1)


async def debate(
    prompts: Prompts, model: TextModel, asked: Sequence[BaseMessage], numbers: Collection[int], language: Language
) -> tuple[str, Usage]:
    """Returns Markdown with citation markers, or an empty string if no debate resulted; makes one model call with the
    messages of the answer's prompt. ``numbers`` are the sources in that prompt.

    Raises:
        PalimpsestError: the model failed.
    """
    rules = prompts.render("debate", question=asked[-1].text, language=language)
    written = await in_form(model, _Debate).write([*asked[:-1], HumanMessage(rules)])
    said = parse_json(written.text, _Debate)
    return _balanced(said, numbers, language) if said else "", written.usage


def _balanced(said: _Debate, numbers: Collection[int], language: Language) -> str:
    sides = {
        "for": _held(said.arguments_for, numbers),
        "against": _held(said.arguments_against, numbers),
        "counter": _held(said.counterarguments, numbers),
    }
    conclusion = " ".join(said.conclusion.split())
    if not sides["for"] or not sides["against"] or not conclusion or len(conclusion) > LONGEST_CONCLUSION:
        return ""
    parts = [f"**{_HEADINGS[side].to(language)}**\n\n" + "\n".join(lines) for side, lines in sides.items() if lines]
    return "\n\n".join([*parts, f"**{_HEADINGS['balance'].to(language)}**\n\n{conclusion}"])


def _held(arguments: Sequence[_Argument], numbers: Collection[int]) -> list[str]:
    """Returns as lines only the arguments that cite a source which the model was shown."""
    lines: dict[str, None] = {}
    for each in arguments:
        text = " ".join(_MARKER.sub("", each.text).split())
        known = [number for number in dict.fromkeys(each.sources) if number in numbers]
        if text and known and len(text) <= MOST_CHARACTERS:
            lines.setdefault(f"- {text} {''.join(f'[{number}]' for number in known)}")
    return list(lines)[:MOST]
