"""Asks before a tool is used that may change something, or that reads with a server of others for the first time."""

from __future__ import annotations

import json
from typing import get_args

from core.events import Choice, Detail
from core.graph.interrupts import Reply, Request, ask
from core.graph.services import Services
from core.graph.state import State
from core.graph.tools.calling import caller_of
from core.messages import message
from core.tools.records import Decision, WantedConsent
from core.words import Language

LONGEST_ARGUMENT = 300
"""Characters of one argument in the question itself."""
LONGEST_DETAIL = 20_000
"""Characters of one argument that can be read in full."""
ACTING: tuple[Decision, ...] = ("once", "conversation", "never")
READING: tuple[Decision, ...] = ("always", "once", "never")


async def ask_tool(services: Services, state: State) -> State:
    """About the first call that waits; the others wait for their turn. No personality takes this for granted."""
    consultation = state["consultation"]
    assert consultation is not None
    wanted, *others = consultation.wants
    reply = ask(_question(wanted, state["language"]))
    if reply is None:
        return {"cancelled": True}
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
    return {"consultation": consultation.model_copy(update=update)}


def _is_settled_too(wanted: WantedConsent, other: WantedConsent) -> bool:
    """Reading with a server is asked about once, however many calls wait for it."""
    return wanted.scope == other.scope == "server" and wanted.server == other.server


def _question(wanted: WantedConsent, language: Language) -> Request:
    """With tool and arguments as they would be sent: in short below the question, and in full beside it."""
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
    """Which of the choices was taken."""
    return next(each for each in get_args(Decision) if each == reply.choice_ids[0])


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
