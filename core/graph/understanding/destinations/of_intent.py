"""Decides from an intent where the answer to a message comes from (docs/specification.md, "Routes")."""

from __future__ import annotations

from collections.abc import Sequence

from core.events import Action
from core.graph.records import CommandKind, Intent
from core.question.destination import Destination, Place, Wish

_COMMANDS: dict[CommandKind, Place] = {
    "remember": "remember",
    "add_goal": "remember",
    "add_value": "remember",
    "forget": "forget",
    "correct": "correct",
    "remove_goal": "forget",
    "remove_value": "forget",
    "recall": "memory",
    "list_goals": "memory",
    "list_values": "memory",
    "help": "small_talk",
}
_ACTIONS: dict[Action, Place] = {
    "inquire": "documents",
    "summarize": "summarize",
    "compare": "compare",
    "audit": "audit",
    "memory": "memory",
}


def destination_of(intent: Intent, settled: Action | None, beyond: Sequence[Wish]) -> Destination:
    """Returns where the answer comes from. ``settled`` is the action if it was decided after the intent; ``beyond`` are
    wishes for the web or a tool."""
    if intent.command:
        return Destination(wish=Wish(place=_COMMANDS[intent.command.kind], text=intent.command.text))
    action = settled or intent.action
    own = Wish(place=_ACTIONS[action])
    if own.place == "documents" and beyond:
        return Destination(wish=beyond[0], more=tuple(beyond[1:]))
    others = tuple(Wish(place=_ACTIONS[each]) for each in intent.alternatives if each != action) if settled else ()
    unclear = intent.asks and settled is None
    return Destination(wish=own, more=(*others, *beyond), sure=not unclear)
