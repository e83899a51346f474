"""Defines errors with explanations for users: what happened, why, and what to do."""

from __future__ import annotations

import asyncio
import errno
from typing import Literal

from pydantic import BaseModel, JsonValue, ValidationError

from core.messages import message
from core.words import Language, Words

Category = Literal["timeout", "connection", "not_found", "validation", "rate_limit", "auth", "server", "unknown"]

UNANSWERED: frozenset[Category] = frozenset({"connection", "timeout"})
"""Categories that say nothing about the request, because the store or service did not answer."""


class Problem(BaseModel, frozen=True):
    """An error for users: what happened, why, and what they can do about it."""

    category: Category
    what: Words
    why: Words
    remedy: Words

    @property
    def words(self) -> Words:
        """The three texts joined."""
        return Words.joined([self.what, self.why, self.remedy])

    def to(self, language: Language) -> tuple[str, str, str]:
        """(what, why, what to do) in ``language``."""
        return self.what.to(language), self.why.to(language), self.remedy.to(language)

    def told(self, language: Language) -> dict[str, JsonValue]:
        """The same three texts by name, as responses contain them."""
        return dict(zip(("what", "why", "remedy"), self.to(language), strict=True))


class PalimpsestError(Exception):
    """An error with texts for users. Its ``str()`` is only for the log."""

    def __init__(self, problem: Problem, detail: str = "") -> None:
        super().__init__(detail or problem.what.en)
        self.problem = problem


class ReadOnlyError(PalimpsestError):
    """A write was refused because writing is disabled at the moment; nothing is broken."""


class NoRoomError(PalimpsestError):
    """A write was refused because the disk is full, or would be. Earlier writes are kept."""


def fail(category: Category, key: str, *, detail: str = "", **values: object) -> PalimpsestError:
    """Build the error to raise; its what, why and remedy are under ``key`` in the message catalogue."""
    return PalimpsestError(problem_of(category, key, **values), detail)


def problem_of(category: Category, key: str, **values: object) -> Problem:
    """The problem whose texts are under ``key``, with the placeholders of its three texts filled."""
    what, why, remedy = (message(f"{key}.{part}", **values) for part in ("what", "why", "remedy"))
    return Problem(category=category, what=what, why=why, remedy=remedy)


def no_room(key: str, *, detail: str = "", **values: object) -> NoRoomError:
    """Like ``fail``, but for a full disk."""
    return NoRoomError(problem_of("server", key, **values), detail)


def general_problem(category: Category) -> Problem:
    """The texts for a failure of which only the category is known."""
    return problem_of(category, f"errors.{category}")


def is_disk_full(error: BaseException) -> bool:
    """Whether the error means that the disk is full, or that our space on it is used up."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return isinstance(error, NoRoomError)


def explain(error: BaseException) -> Problem:
    """Convert any exception to a problem in one of the eight categories; its raw text is never shown.

    A status code decides the category first, then the exception's type.
    """
    if isinstance(error, PalimpsestError):
        return error.problem
    if is_disk_full(error):
        return problem_of("server", "errors.no_room")
    return general_problem(_category(error))


def _category(error: BaseException) -> Category:
    status = status_code(error)
    if status is not None:
        return category_of_status(status)
    import httpx  # imported here, because each file is read in a new process, and few of these processes need it

    by_type: list[tuple[type[BaseException] | tuple[type[BaseException], ...], Category]] = [
        ((asyncio.TimeoutError, httpx.TimeoutException), "timeout"),
        ((ConnectionError, httpx.TransportError), "connection"),
        ((FileNotFoundError, KeyError), "not_found"),
        (PermissionError, "auth"),
        ((ValidationError, ValueError), "validation"),
    ]
    for kinds, category in by_type:
        if isinstance(error, kinds):
            return category
    name = type(error).__name__.lower()
    if "timeout" in name:
        return "timeout"
    if "connect" in name:
        return "connection"
    return "unknown"


def status_code(error: BaseException) -> int | None:
    """The status of the HTTP response that caused ``error``."""
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if isinstance(status, int):
            return status
    return None


def category_of_status(status: int) -> Category:
    """The category of an HTTP status."""
    exact: dict[int, Category] = {
        401: "auth",
        403: "auth",
        404: "not_found",
        408: "timeout",
        429: "rate_limit",
        504: "timeout",
    }
    if status in exact:
        return exact[status]
    if status >= 500:
        return "server"
    return "validation" if status >= 400 else "unknown"
