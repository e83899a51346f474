"""Detects the user's writing tone from signs in a message, or with a model.

If the signs show exactly one tone, or none, the rules decide. A model is asked only if the signs are mixed or
uncertain. It runs after the answer, so that users do not wait, and its result applies to the next answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple, get_args

from pydantic import BaseModel, BeforeValidator

from core.language.normalisation import fold
from core.language.vocabulary import file_of
from core.models.structured import Prompt, TextModel, ask_json
from core.personality.tone import Tone
from core.prompts.templates import Prompts

MOST_MESSAGES = 4
MOST_CHARACTERS = 400
"""Maximum characters of each message."""
_SHOUTED = re.compile(r"[!?]{2,}")


def _whole_words(entries: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(entries)})(?![^\W_])")


_Sign = Literal["formal", "casual", "urgent", "upset", "perhaps"]
_signs = file_of("graph/tone", dict[_Sign, Annotated[re.Pattern[str], BeforeValidator(_whole_words)]])


class _Inferred(BaseModel):
    tone: Tone
    confidence: Literal["high", "medium", "low"] = "medium"


class RuledTone(NamedTuple):
    """The tone that the rules found; ``sure``: there is no sign of another tone."""

    tone: Tone
    sure: bool


def tone_of(message: str) -> RuledTone:
    """Returns the tone that the signs in ``message`` show."""
    folded = fold(message)
    shown = [tone for tone in _TONES if _signs()[tone].search(folded)]
    if len(shown) == 1:
        return RuledTone(shown[0], sure=True)
    hint = bool(_signs()["perhaps"].search(folded) or _SHOUTED.search(message))
    return RuledTone("neutral", sure=not shown and not hint)


def tone_for(message: str, before: Tone, *, enabled: bool) -> Tone:
    """Returns the tone for the answer: that of ``message`` if it shows one, otherwise ``before``, that of earlier
    messages."""
    ruled = tone_of(message)
    if not enabled:
        return "neutral"
    return ruled.tone if ruled.tone != "neutral" else before


async def infer(prompts: Prompts, model: TextModel, messages: Sequence[str]) -> Tone | None:
    """Asks a model for the tone of the user's messages, newest last; returns ``None`` if it is not certain.

    Raises:
        PalimpsestError: the model failed.
    """
    written = "\n".join(f"- {' '.join(each.split())[:MOST_CHARACTERS]}" for each in messages[-MOST_MESSAGES:])
    system = prompts.render("tone", tones=get_args(Tone))
    said, _ = await ask_json(model, Prompt(system, f"BEGIN MESSAGES\n{written}\nEND MESSAGES"), _Inferred)
    return said.tone if said and said.confidence != "low" else None


_TONES: tuple[Literal["formal", "casual", "urgent", "upset"], ...] = ("formal", "casual", "urgent", "upset")
