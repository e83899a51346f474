"""Finds out why a model did not answer: from the client's exception, a category and a reason for the user.

Services often distinguish reasons only in the error's text: a prompt that is too long and an unknown option both give
status 400; a rate limit and an empty account both give 429.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, get_args

from pydantic import SecretStr

from core.errors import Category, PalimpsestError, Problem, explain, general_problem, status_code
from core.messages import message
from core.resilience.dependencies import Deadline

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

Reason = Literal["too_long", "out_of_credit", "busy", "not_found", "refused", "filtered", "no_tools"]
Late = Literal["late", "stalled", "unfinished"]

DETAIL_CHARACTERS = 300
_TOO_LONG = re.compile(
    r"context[ _](?:length|limit|size|window)|ContextOverflow|maximum context|prompt is too long|too many tokens"
    r"|too large for model|exceed_context_size|context the overflows",
    re.IGNORECASE,
)
_OUT_OF_CREDIT = re.compile(r"insufficient_quota|current quota|credit balance|\bbilling\b", re.IGNORECASE)
_TOOLS = re.compile(r"\btools?\b|tool_choice|\bfunctions?\b", re.IGNORECASE)
_FILTERED = re.compile(r"content[_ ]filter|content management policy|content policy", re.IGNORECASE)
_PAYMENT_REQUIRED = 402
_BUSY = (503, 529)
_BROKE_OFF = message("models.stream.broke_off")
_SILENT = message("models.stream.silent")
_WORDS = {
    reason: (message(f"models.stream.reasons.{reason}.why"), message(f"models.stream.reasons.{reason}.remedy"))
    for reason in get_args(Reason)
}


@dataclass(frozen=True)
class Waits:
    """Timeouts for a model, in seconds: ``total`` for the whole answer, ``first_token``, and the longest ``silence``
    between two pieces."""

    total: Deadline
    first_token: float
    silence: float

    def over(self, *, given: bool) -> tuple[Late, float]:
        """Which of the timeouts was exceeded, and its length."""
        if self.total.expired():
            return "unfinished" if given else "late", self.total.seconds
        return ("stalled", self.silence) if given else ("late", self.first_token)


@dataclass(frozen=True)
class Failure:
    """Why a call failed. ``given``: part of the answer had already been shown. If ``reason`` and ``late`` are empty,
    only the category is known."""

    category: Category
    given: bool
    reason: Reason | None = None
    late: tuple[Late, float] | None = None

    def problem(self) -> Problem:
        general = general_problem(self.category)
        why, remedy = _WORDS[self.reason] if self.reason else (general.why, general.remedy)
        if self.late:
            name, seconds = self.late
            why = message(f"models.stream.waits.{name}.why", seconds=f"{seconds:g}")
            remedy = message(f"models.stream.waits.{name}.remedy")
        return Problem(category=self.category, what=_BROKE_OFF if self.given else _SILENT, why=why, remedy=remedy)


class FilteredError(Exception):
    """The provider's content filter stopped the answer, or the model declined to give one."""


class ToolsRefusedError(PalimpsestError):
    """The service refused the request because of the tools in it; it may accept the same request without them."""


class FormRefusedError(PalimpsestError):
    """The service refused a request for an answer of a given form; it may accept the same request without the form."""


def failure(error: Exception, *, given: bool, waits: Waits, with_tools: bool = False) -> Failure:
    """The failure behind an exception of a provider's client; each client has its own exception types.

    ``with_tools``: the request offered tools, so the service may have refused them.
    """
    told = partial(Failure, given=given)
    category, status = _category(error), status_code(error)
    text = f"{type(error).__name__} {error} {getattr(error, 'body', None)}"
    if category == "timeout":
        return told(category, late=waits.over(given=given))
    if isinstance(error, PalimpsestError) or category == "connection":
        return told(category)
    if status == _PAYMENT_REQUIRED or (category != "server" and _OUT_OF_CREDIT.search(text)):
        return told("auth", reason="out_of_credit")
    if isinstance(error, FilteredError) or (category == "validation" and _FILTERED.search(text)):
        return told("validation", reason="filtered")
    if category in ("validation", "server") and _TOO_LONG.search(text):
        return told("validation", reason="too_long")
    if with_tools and category == "validation" and _TOOLS.search(text):
        return told("validation", reason="no_tools")
    if status in _BUSY:
        return told(category, reason="busy")
    reasons: dict[Category, Reason] = {"not_found": "not_found", "validation": "refused"}
    return told(category, reason=reasons.get(category))


def _category(error: Exception) -> Category:
    """The error's category; an error without a known status or name counts as the service's failure."""
    category = explain(error).category
    if any(kind.__name__ == "TransportError" for kind in type(error).__mro__) and category == "unknown":
        return "connection"  # from whichever HTTP library the provider's client uses
    by_status = hasattr(error, "status_code") or hasattr(error, "response")
    return category if by_status or category in ("timeout", "connection", "rate_limit") else "server"


def detail(error: Exception, model: BaseChatModel) -> str:
    """The error for the log, without the key, which some services repeat when they refuse."""
    text = f"{type(error).__name__}: {error}"
    for value in vars(model).values():
        if isinstance(value, SecretStr) and value.get_secret_value():
            text = text.replace(value.get_secret_value(), "[key]")
    return text[:DETAIL_CHARACTERS]
