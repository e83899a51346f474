"""What went wrong, told so that a person knows what to do."""

from __future__ import annotations

import asyncio
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from core.words import Language, Words

Category = Literal["timeout", "connection", "not_found", "validation", "rate_limit", "auth", "server", "unknown"]


class Problem(BaseModel):
    """An error as people see it: what happened, why, and what to do about it."""

    model_config = ConfigDict(frozen=True)

    category: Category
    what: Words
    why: Words
    remedy: Words

    def to(self, language: Language) -> tuple[str, str, str]:
        """(what, why, what to do) in ``language``."""
        return self.what.to(language), self.why.to(language), self.remedy.to(language)


class PalimpsestError(Exception):
    """An error that already knows its words. ``str()`` of it is for the log alone."""

    def __init__(self, problem: Problem, detail: str = "") -> None:
        super().__init__(detail or problem.what.en)
        self.problem = problem


def fail(
    category: Category,
    what: Words | tuple[str, str],
    why: Words | tuple[str, str],
    remedy: Words | tuple[str, str],
    detail: str = "",
) -> PalimpsestError:
    """Build the error to raise; each text is ``(english, hebrew)`` or ``Words``."""
    return PalimpsestError(
        Problem(category=category, what=_words(what), why=_words(why), remedy=_words(remedy)), detail
    )


def _words(text: Words | tuple[str, str]) -> Words:
    return text if isinstance(text, Words) else Words(en=text[0], he=text[1])


_GENERAL: dict[Category, tuple[tuple[str, str], tuple[str, str], tuple[str, str]]] = {
    "timeout": (
        ("This took too long and was stopped.", "הפעולה ארכה זמן רב מדי והופסקה."),
        ("A part of the system did not answer in time.", "חלק במערכת לא השיב בזמן."),
        ("Try again; if it happens again, look at System.", "נסו שוב; אם זה חוזר, בדקו בלשונית המערכת."),
    ),
    "connection": (
        ("A service could not be reached.", "לא ניתן היה להגיע לשירות."),
        ("It is not running, or the network between us is down.", "הוא אינו פועל, או שהרשת מנותקת."),
        ("Check its address in the settings and try again.", "בדקו את הכתובת בהגדרות ונסו שוב."),
    ),
    "not_found": (
        ("This no longer exists.", "הפריט כבר אינו קיים."),
        ("It was deleted, or the link is wrong.", "הוא נמחק, או שהקישור שגוי."),
        ("Go back and choose it again from the list.", "חזרו ובחרו שוב מהרשימה."),
    ),
    "validation": (
        ("This input cannot be used.", "לא ניתן להשתמש בקלט הזה."),
        ("Part of it is missing or not allowed.", "חלק ממנו חסר או אינו מותר."),
        ("Correct it and send it again; nothing was lost.", "תקנו ושלחו שוב; דבר לא אבד."),
    ),
    "rate_limit": (
        ("Too many requests at once.", "יותר מדי בקשות בבת אחת."),
        ("The service asks us to slow down.", "השירות מבקש להאט."),
        ("Wait a minute and try again.", "המתינו דקה ונסו שוב."),
    ),
    "auth": (
        ("The service refused our key.", "השירות דחה את המפתח שלנו."),
        ("The key is missing, wrong or expired.", "המפתח חסר, שגוי או שפג תוקפו."),
        ("Check the key in the settings.", "בדקו את המפתח בהגדרות."),
    ),
    "server": (
        ("A service failed.", "שירות נכשל."),
        ("It reported an error of its own.", "הוא דיווח על שגיאה פנימית."),
        ("Try again in a moment.", "נסו שוב בעוד רגע."),
    ),
    "unknown": (
        ("Something unexpected went wrong.", "אירעה תקלה לא צפויה."),
        ("The details are in the log.", "הפרטים נמצאים ביומן."),
        ("Try again; nothing you entered was lost.", "נסו שוב; דבר ממה שהזנתם לא אבד."),
    ),
}


def general_problem(category: Category) -> Problem:
    """The words used when nothing more precise is known of a failure."""
    what, why, remedy = _GENERAL[category]
    return Problem(category=category, what=_words(what), why=_words(why), remedy=_words(remedy))


def explain(error: BaseException) -> Problem:
    """Any exception as one of the eight categories; never its raw text.

    A status code decides first, the exception's type second.
    """
    if isinstance(error, PalimpsestError):
        return error.problem
    return general_problem(_category(error))


def _category(error: BaseException) -> Category:
    status = _status_code(error)
    if status is not None:
        return _category_of_status(status)
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


def _status_code(error: BaseException) -> int | None:
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if isinstance(status, int):
            return status
    return None


def _category_of_status(status: int) -> Category:
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
