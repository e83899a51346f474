"""What went wrong, told so that a person knows what to do."""

from __future__ import annotations

import asyncio
import errno
from typing import Literal

from pydantic import BaseModel, JsonValue, ValidationError

from core.messages import message
from core.words import Language, Words

Category = Literal["timeout", "connection", "not_found", "validation", "rate_limit", "auth", "server", "unknown"]

UNANSWERED: frozenset[Category] = frozenset({"connection", "timeout"})
"""That a store or a service did not answer says nothing of what it was asked about."""


class Problem(BaseModel, frozen=True):
    """An error as people see it: what happened, why, and what to do about it."""

    category: Category
    what: Words
    why: Words
    remedy: Words

    @property
    def words(self) -> Words:
        """All of it, one after the other."""
        return Words.joined([self.what, self.why, self.remedy])

    def to(self, language: Language) -> tuple[str, str, str]:
        """(what, why, what to do) in ``language``."""
        return self.what.to(language), self.why.to(language), self.remedy.to(language)

    def told(self, language: Language) -> dict[str, JsonValue]:
        """The same by name, as replies carry it."""
        return dict(zip(("what", "why", "remedy"), self.to(language), strict=True))


class PalimpsestError(Exception):
    """An error that already knows its words. ``str()`` of it is for the log alone."""

    def __init__(self, problem: Problem, detail: str = "") -> None:
        super().__init__(detail or problem.what.en)
        self.problem = problem


class ReadOnlyError(PalimpsestError):
    """A write was refused because nothing is to be changed now; nobody's fault, and nothing is broken."""


class NoRoomError(PalimpsestError):
    """Refused because the disk is full, or would be. What was written before stays."""


def fail(category: Category, key: str, *, detail: str = "", **values: object) -> PalimpsestError:
    """Build the error to raise: its what, why and remedy stand under ``key`` in the catalogue of messages."""
    return PalimpsestError(problem_of(category, key, **values), detail)


def problem_of(category: Category, key: str, **values: object) -> Problem:
    """What ``key`` says went wrong, the placeholders of its three texts filled."""
    what, why, remedy = (message(f"{key}.{part}", **values) for part in ("what", "why", "remedy"))
    return Problem(category=category, what=what, why=why, remedy=remedy)


def no_room(key: str, *, detail: str = "", **values: object) -> NoRoomError:
    """As ``fail``, where there is no room on the disk."""
    return NoRoomError(problem_of("server", key, **values), detail)


def general_problem(category: Category) -> Problem:
    """The words used when nothing more precise is known of a failure."""
    return problem_of(category, f"errors.{category}")


def is_disk_full(error: BaseException) -> bool:
    """Whether there is no room on the disk, or none that we may use."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return isinstance(error, NoRoomError)


def explain(error: BaseException) -> Problem:
    """Any exception as one of the eight categories; never its raw text.

    A status code decides first, the exception's type second.
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
    import httpx  # here, because a process starts for each file that is read, and few of them meet an error

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
    """Of the HTTP reply that ``error`` is about."""
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if isinstance(status, int):
            return status
    return None


def category_of_status(status: int) -> Category:
    """Of an HTTP reply."""
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
