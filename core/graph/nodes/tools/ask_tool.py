"""Asks for consent before a tool that may change something, or before the first read from an external server."""

from __future__ import annotations

import json
from typing import get_args

from core.events import Choice, Detail
from core.graph.interrupts import Reply, Request, ask
from core.graph.services import Services
from core.graph.state import State, TurnAnswer, Waiting
from core.graph.tools.calling import caller_of
from core.messages import message
from core.tools.records import Decision, WantedConsent
from core.words import Language

LONGEST_ARGUMENT = 300
"""Maximum characters of one argument shown in the question itself."""
LONGEST_DETAIL = 20_000
"""Maximum characters of one argument shown in the details."""
ACTING: tuple[Decision, ...] = ("once", "conversation", "never")
READING: tuple[Decision, ...] = ("always", "once", "never")


async def ask_tool(services: Services, state: State) -> State:
    """Asks about the first waiting call; the others wait. No personality skips this question."""
    consultation = state["waiting"].consultation
    assert consultation is not None
    wanted, *others = consultation.wants
    reply = ask(_question(wanted, state["asked"].language))
    if reply is None:
        return {"answer": TurnAnswer(cancelled=True)}
    decision = _decision(reply)
    await services.tools.decide(caller_of(state), wanted, decision)
    about = [wanted, *(each for each in others if _is_settled_too(wanted, each))]
    ids = tuple(each.call_id for each in about)
    agreed = decision != "never"
    update = {
        "agreed": (*consultation.agreed, *(ids if agreed else ())),
        "declined": (*consultation.declined, *(() if agreed else ids)),
        "wants": tuple(each for each in others if each not in about),
    }
    return {"waiting": Waiting(consultation=consultation.model_copy(update=update))}


def _is_settled_too(wanted: WantedConsent, other: WantedConsent) -> bool:
    """Returns whether the user's consent also covers another waiting call: consent to read from a server covers all
    waiting reads from it."""
    return wanted.scope == other.scope == "server" and wanted.server == other.server


def _question(wanted: WantedConsent, language: Language) -> Request:
    """Builds the question with the tool and its arguments as they would be sent: shortened in the question, in full in
    the details."""
    key = "acting" if wanted.scope == "tool" else "reading"
    question = message(f"graph.ask_tool.{key}.question", tool=wanted.title, server=wanted.server).to(language)
    texts = {name: _text(value) for name, value in wanted.arguments.items()}
    lines = [f"{name}: {_short(text, LONGEST_ARGUMENT)}" for name, text in texts.items()]
    return Request(
        kind="tool_choice",
        question="\n".join([question, *lines]),
        details=[Detail(name=name, text=_short(text, LONGEST_DETAIL)) for name, text in texts.items()],
        choices=[
            Choice(
                id=each,
                label=message(f"graph.ask_tool.{key}.{each}").to(language),
                hint=message(f"graph.ask_tool.{key}.{each}_how").to(language),
            )
            for each in (ACTING if wanted.scope == "tool" else READING)
        ],
    )


def _decision(reply: Reply) -> Decision:
    """Returns the user's choice."""
    return next(each for each in get_args(Decision) if each == reply.choice_ids[0])


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
