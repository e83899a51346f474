"""In which tone a person writes: a message → its tone, by signs, else by a model.

The rules are sure of a message that shows one tone, and of a plain one. Only where tones mix, or a word may be a sign
of one, a model is asked, once the answer is there, so that nobody waits; what it says is for the next answer.
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
"""Of each of them."""
_SHOUTED = re.compile(r"[!?]{2,}")


def _whole_words(entries: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(entries)})(?![^\W_])")


_Sign = Literal["formal", "casual", "urgent", "upset", "perhaps"]
_signs = file_of("graph/tone", dict[_Sign, Annotated[re.Pattern[str], BeforeValidator(_whole_words)]])


class _Inferred(BaseModel):
    tone: Tone
    confidence: Literal["high", "medium", "low"] = "medium"


class RuledTone(NamedTuple):
    """``sure``: nothing in the message speaks for another tone."""

    tone: Tone
    sure: bool


def tone_of(message: str) -> RuledTone:
    """What the signs of ``message`` come to."""
    folded = fold(message)
    shown = [tone for tone in _TONES if _signs()[tone].search(folded)]
    if len(shown) == 1:
        return RuledTone(shown[0], sure=True)
    hint = bool(_signs()["perhaps"].search(folded) or _SHOUTED.search(message))
    return RuledTone("neutral", sure=not shown and not hint)


def tone_for(message: str, before: Tone, *, enabled: bool) -> Tone:
    """In which tone to meet ``message``: that which it shows, else that of the messages ``before`` it."""
    ruled = tone_of(message)
    if not enabled:
        return "neutral"
    return ruled.tone if ruled.tone != "neutral" else before


async def infer(prompts: Prompts, model: TextModel, messages: Sequence[str]) -> Tone | None:
    """What a model makes of what a person wrote, the newest last; ``None`` where it is not sure.

    Raises:
        PalimpsestError: the model failed.
    """
    written = "\n".join(f"- {' '.join(each.split())[:MOST_CHARACTERS]}" for each in messages[-MOST_MESSAGES:])
    system = prompts.render("tone", tones=get_args(Tone))
    said, _ = await ask_json(model, Prompt(system, f"BEGIN MESSAGES\n{written}\nEND MESSAGES"), _Inferred)
    return said.tone if said and said.confidence != "low" else None


_TONES: tuple[Literal["formal", "casual", "urgent", "upset"], ...] = ("formal", "casual", "urgent", "upset")
