"""Why a model did not answer: *the client's exception* → a category, and the reader's words for it.

Services tell reasons apart in their text alone: a prompt that is too long and an unknown option are both refused with
400, a limit a minute and an empty account both with 429.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pydantic import SecretStr

from core.errors import Category, PalimpsestError, Problem, explain, general_problem, status_code
from core.messages import message

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

Reason = Literal["too_long", "out_of_credit", "busy", "not_found", "refused"]

DETAIL_CHARACTERS = 300
_TOO_LONG = re.compile(
    r"context[ _](?:length|limit|size|window)|ContextOverflow|maximum context|prompt is too long|too many tokens"
    r"|too large for model|exceed_context_size|context the overflows",
    re.IGNORECASE,
)
_OUT_OF_CREDIT = re.compile(r"insufficient_quota|current quota|credit balance|\bbilling\b", re.IGNORECASE)
_PAYMENT_REQUIRED = 402
_BUSY = (503, 529)
_BROKE_OFF = message("models.stream.broke_off")
_SILENT = message("models.stream.silent")
_WORDS = {
    reason: (message(f"models.stream.reasons.{reason}.why"), message(f"models.stream.reasons.{reason}.remedy"))
    for reason in ("too_long", "out_of_credit", "busy", "not_found", "refused")
}


@dataclass(frozen=True)
class Failure:
    """``reason`` is ``None`` where the words of the category say all that is known."""

    category: Category
    reason: Reason | None = None

    def problem(self, *, given: bool) -> Problem:
        """``given``: whether a part of the answer came before."""
        general = general_problem(self.category)
        why, remedy = _WORDS[self.reason] if self.reason else (general.why, general.remedy)
        return Problem(category=self.category, what=_BROKE_OFF if given else _SILENT, why=why, remedy=remedy)


def failure(error: Exception) -> Failure:
    """Of a provider's client, whose exceptions are types of its own."""
    category, status = _category(error), status_code(error)
    text = f"{type(error).__name__} {error} {getattr(error, 'body', None)}"
    if isinstance(error, PalimpsestError) or category in ("timeout", "connection"):
        return Failure(category)
    if status == _PAYMENT_REQUIRED or (category != "server" and _OUT_OF_CREDIT.search(text)):
        return Failure("auth", "out_of_credit")
    if category in ("validation", "server") and _TOO_LONG.search(text):
        return Failure("validation", "too_long")
    if status in _BUSY:
        return Failure(category, "busy")
    reasons: dict[Category, Reason] = {"not_found": "not_found", "validation": "refused"}
    return Failure(category, reasons.get(category))


def _category(error: Exception) -> Category:
    """What is not told by a status or a name is the service's failure."""
    category = explain(error).category
    if any(kind.__name__ == "TransportError" for kind in type(error).__mro__) and category == "unknown":
        return "connection"  # of whichever HTTP library the provider's client brings
    by_status = hasattr(error, "status_code") or hasattr(error, "response")
    return category if by_status or category in ("timeout", "connection", "rate_limit") else "server"


def detail(error: Exception, model: BaseChatModel) -> str:
    """For the log: without the key, which some services repeat in their refusal."""
    text = f"{type(error).__name__}: {error}"
    for value in vars(model).values():
        if isinstance(value, SecretStr) and value.get_secret_value():
            text = text.replace(value.get_secret_value(), "[key]")
    return text[:DETAIL_CHARACTERS]
