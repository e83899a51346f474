"""What the memory bank says when it cannot do as it was asked."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import PalimpsestError, fail, general_problem
from core.memory.items.records import preview
from core.store.items import MemoryItem

NAMED = 5
"""Entries named at most."""


def not_found() -> PalimpsestError:
    return PalimpsestError(general_problem("not_found"))


def conflict() -> PalimpsestError:
    return fail(
        "validation",
        ("This entry was changed meanwhile.", "הרשומה שונתה בינתיים."),
        ("What you saw is no longer its newest state.", "מה שראיתם אינו עוד המצב העדכני שלה."),
        ("Load it again and repeat your change.", "טענו אותה מחדש וחזרו על השינוי."),
    )


def known_already(text: str) -> PalimpsestError:
    return fail(
        "validation",
        ("The same is in the memory bank already.", "אותו הדבר כבר נמצא בבנק הזיכרון."),
        (f"There is an active entry: {text}", f"יש רשומה פעילה: {text}"),
        ("Edit or archive that entry first.", "ערכו קודם את הרשומה ההיא או העבירו אותה לארכיון."),
    )


def no_reference() -> PalimpsestError:
    return fail(
        "validation",
        ("It is not said which entry is meant.", "לא צוין לאיזו רשומה הכוונה."),
        ("There is neither an id nor words to find it by.", "אין מזהה ואין מילים לחפש לפיהן."),
        ("Name the entry or some words of it.", "ציינו את הרשומה או מילים מתוכה."),
    )


def no_match() -> PalimpsestError:
    return fail(
        "not_found",
        ("No entry of the memory bank fits.", "אין בבנק הזיכרון רשומה מתאימה."),
        ("None holds these words or their meaning.", "באף אחת אין המילים האלה או משמעותן."),
        ("Look at the list, or use other words.", "עיינו ברשימה, או השתמשו במילים אחרות."),
    )


def several(found: Sequence[MemoryItem]) -> PalimpsestError:
    named = _named(found)
    return fail(
        "validation",
        ("Several entries fit equally well.", "כמה רשומות מתאימות באותה מידה."),
        (f"They are: {named}", f"אלה הן: {named}"),
        ("Say it more exactly, or choose one by its id.", "דייקו יותר, או בחרו אחת לפי המזהה."),
    )


def only_near(found: Sequence[MemoryItem]) -> PalimpsestError:
    named = _named(found)
    return fail(
        "not_found",
        ("No entry holds these words.", "אין רשומה שבה המילים האלה."),
        (f"These come near in meaning: {named}", f"אלה קרובות במשמעות: {named}"),
        ("Choose one by its id, or use words of the entry.", "בחרו אחת לפי המזהה, או השתמשו במילים מתוך הרשומה."),
    )


def _named(found: Sequence[MemoryItem]) -> str:
    return "; ".join(f"{preview(item, 80)} ({item.id})" for item in found[:NAMED])
