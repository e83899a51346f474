"""Arranges a conversation's messages as turns with versions: an edited question is another version of its turn, and the
turns after it belong to the version that they followed.

Questions after the same turn are versions of each other, so the messages form a tree. The current turns are the path
through it that takes the version asked or chosen last.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.runs.records import Message, Turn, run_of

Children = dict[str, list[Message]]
"""The questions that follow a run's turn; those that begin the conversation follow ""."""


def current_turns(messages: Sequence[Message]) -> list[Turn]:
    """Returns the turns of the versions that were asked or chosen last."""
    children, answers = _children(messages), _answers(messages)
    turns: list[Turn] = []
    at = ""
    while versions := children.get(at):
        asked = max(versions, key=_chosen)
        at = run_of(asked)
        turns.append(Turn(asked, tuple(answers.get(at, ())), tuple(map(run_of, versions))))
    return turns


def current_messages(messages: Sequence[Message]) -> list[Message]:
    """Returns the messages of the current turns, in order."""
    return sorted(
        (message for turn in current_turns(messages) for message in (turn.asked, *turn.answers)),
        key=lambda message: message.order,
    )


def _children(messages: Sequence[Message]) -> Children:
    """A question that does not say which turn it follows comes after the one before it."""
    children: Children = {}
    before = ""
    for message in messages:
        if message.role == "user":
            children.setdefault(before if message.after is None else message.after, []).append(message)
            before = run_of(message)
    return children


def _answers(messages: Sequence[Message]) -> dict[str, list[Message]]:
    """Answers by the run of their question; a full answer follows the run of the partial one."""
    found: dict[str, list[Message]] = {}
    for message in messages:
        if message.role == "assistant":
            found.setdefault(message.follows or run_of(message), []).append(message)
    return found


def _chosen(message: Message) -> tuple[float, int]:
    return message.chosen_at or message.created_at, message.order
