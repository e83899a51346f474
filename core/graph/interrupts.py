"""Asking the person in the middle of a run, and judging what comes back.

A node that asks runs again from its start when the answer comes, and nothing it wrote before is kept. So a node asks
once, asks first, and does nothing that costs: paid work is another node's.
"""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.types import Command, StateSnapshot, interrupt
from pydantic import BaseModel, ConfigDict

from core.errors import PalimpsestError, fail
from core.events import Answered, Choice, Interrupted, InterruptKind

ALL = "all"
"""The choice of a ``doc_choice`` that means every document it names."""
PREFIX = "ask_"


class Request(BaseModel):
    """A question to the person, in the language of theirs; ``Interrupted`` explains the fields."""

    model_config = ConfigDict(frozen=True)

    kind: InterruptKind
    question: str
    choices: list[Choice] = []
    allows_text: bool = False
    several: bool = False


class Reply(BaseModel):
    """Choices, or typed words, never both."""

    model_config = ConfigDict(frozen=True)

    choice_ids: list[str] = []
    text: str = ""


class _Resumption(BaseModel):
    """What LangGraph hands back to the node: the library takes no bare ``None``."""

    reply: Reply | None


def ask(request: Request) -> Reply | None:
    """Stop the run here until somebody answers; ``None`` when they cancelled. Once a node."""
    return _Resumption.model_validate(interrupt(request.model_dump(mode="json"))).reply


def asked(snapshot: StateSnapshot) -> Interrupted | None:
    """The question a thread has stopped at."""
    if not snapshot.interrupts:
        return None
    pending = snapshot.interrupts[0]
    return Interrupted(interrupt_id=f"{PREFIX}{pending.id}", **Request.model_validate(pending.value).model_dump())


def resumption(interrupt_id: str, reply: Reply | None) -> Command[str]:
    """The input that lets a thread go on from its question."""
    return Command(resume={interrupt_id.removeprefix(PREFIX): _Resumption(reply=reply).model_dump()})


def admit(pending: Interrupted, reply: Reply | None, most_characters: int) -> Answered:
    """The answer as the trail shows it.

    Raises:
        PalimpsestError: the reply does not fit the question, which then still waits.
    """
    if reply is None:
        return Answered(interrupt_id=pending.interrupt_id)
    if bool(reply.choice_ids) == bool(reply.text):
        raise _neither_or_both()
    if reply.text:
        if not pending.allows_text:
            raise _choose()
        if len(reply.text) > most_characters:
            raise _too_long(len(reply.text), most_characters)
        return Answered(interrupt_id=pending.interrupt_id, text=reply.text)
    labels = {choice.id: choice.label for choice in pending.choices}
    unknown = [each for each in reply.choice_ids if each not in labels]
    if unknown:
        raise _no_such_choice(list(labels.values()))
    if len(set(reply.choice_ids)) > 1 and not pending.several:
        raise _only_one()
    chosen = list(dict.fromkeys(reply.choice_ids))
    return Answered(interrupt_id=pending.interrupt_id, labels=[labels[each] for each in chosen])


_STILL = ("It still waits: answer it, or cancel it.", "היא עדיין ממתינה: השיבו עליה, או בטלו אותה.")


def nothing_pending() -> PalimpsestError:
    return fail(
        "validation",
        ("There is nothing to answer here.", "אין כאן שאלה שממתינה לתשובה."),
        ("This run has not asked anything, or it has ended.", "ההרצה הזו לא שאלה דבר, או שהיא הסתיימה."),
        ("Send a new question.", "שלחו שאלה חדשה."),
    )


def answered_already() -> PalimpsestError:
    return fail(
        "validation",
        ("This question has already been answered.", "השאלה הזו כבר נענתה."),
        ("It was answered a moment ago, or in another window.", "היא נענתה לפני רגע, או בחלון אחר."),
        ("Look at the conversation: it has gone on.", "הביטו בשיחה: היא המשיכה."),
    )


def waits_for_answer() -> PalimpsestError:
    """Why a second question is not taken."""
    return fail(
        "validation",
        ("This conversation is waiting for your answer.", "השיחה הזו ממתינה לתשובה שלכם."),
        ("Your last question cannot go on without it.", "השאלה האחרונה אינה יכולה להמשיך בלעדיה."),
        ("Answer above the input, or cancel, then ask.", "השיבו מעל תיבת השאלה, או בטלו, ואז שאלו."),
    )


def gone(titles: Sequence[str]) -> PalimpsestError:
    """What was chosen has been deleted since the question was asked."""
    named = ", ".join(titles)
    return fail(
        "not_found",
        (f"{named}: no longer in your library.", f"{named}: כבר אינו בספרייה שלכם."),
        ("It was deleted after the question was asked.", "הוא נמחק אחרי שהשאלה נשאלה."),
        ("Choose another, or cancel.", "בחרו אחר, או בטלו."),
    )


def lost_place() -> PalimpsestError:
    return fail(
        "server",
        ("This run cannot go on.", "ההרצה הזו אינה יכולה להמשיך."),
        ("The place where it stopped is no longer kept.", "המקום שבו היא נעצרה אינו שמור עוד."),
        ("Ask again; your question is kept above.", "שאלו שוב; השאלה נשמרה למעלה."),
    )


def _neither_or_both() -> PalimpsestError:
    return fail(
        "validation",
        ("This is not an answer to the question.", "זו אינה תשובה לשאלה."),
        ("It needs a choice or words, one of the two.", "נדרשת בחירה או טקסט, אחד מן השניים."),
        _STILL,
    )


def _choose() -> PalimpsestError:
    return fail(
        "validation",
        ("This question is answered by choosing.", "על השאלה הזו משיבים בבחירה."),
        ("Words alone would leave it open.", "טקסט בלבד ישאיר אותה פתוחה."),
        _STILL,
    )


def _no_such_choice(labels: Sequence[str]) -> PalimpsestError:
    named = ", ".join(labels)
    return fail(
        "validation",
        ("There is no such choice.", "אין אפשרות כזו."),
        (f"The choices are: {named}.", f"האפשרויות הן: {named}.")
        if labels
        else ("This question is answered with words.", "על השאלה הזו משיבים במילים."),
        _STILL,
    )


def _only_one() -> PalimpsestError:
    return fail(
        "validation",
        ("Only one can be chosen here.", "כאן ניתן לבחור רק אחת."),
        ("More than one choice was sent.", "נשלחה יותר מבחירה אחת."),
        _STILL,
    )


def _too_long(characters: int, most: int) -> PalimpsestError:
    return fail(
        "validation",
        ("The answer is too long.", "התשובה ארוכה מדי."),
        (
            f"It has {characters:,} characters; the limit is {most:,}.",
            f"יש בה {characters:,} תווים; המגבלה היא {most:,}.",
        ),
        (
            "Put long material into the Library as a document. The question still waits.",
            "העלו חומר ארוך לספרייה כמסמך. השאלה עדיין ממתינה.",
        ),
    )
