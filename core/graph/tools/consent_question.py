"""What a person is asked before a tool is used: *a call that waits* → the question and its choices, and back."""

from __future__ import annotations

import json
from typing import get_args

from core.events import Choice
from core.graph.interrupts import Reply, Request
from core.messages import message
from core.tools.records import Decision, WantedConsent
from core.words import Language

LONGEST_ARGUMENT = 300
"""Characters of one argument that are shown."""
ACTING: tuple[Decision, ...] = ("once", "conversation", "never")
READING: tuple[Decision, ...] = ("always", "once", "never")


def question_of(wanted: WantedConsent, language: Language) -> Request:
    """With tool and arguments as they would be sent."""
    key = "acting" if wanted.scope == "tool" else "reading"
    question = message(f"graph.ask_tool.{key}.question", tool=wanted.title, server=wanted.server).to(language)
    lines = [f"{name}: {_shown(value)}" for name, value in wanted.arguments.items()]
    return Request(
        kind="tool_choice",
        question="\n".join([question, *lines]),
        choices=[
            Choice(
                id=each,
                label=message(f"graph.ask_tool.{key}.{each}").to(language),
                hint=message(f"graph.ask_tool.{key}.{each}_how").to(language),
            )
            for each in (ACTING if wanted.scope == "tool" else READING)
        ],
    )


def decision_of(reply: Reply) -> Decision:
    """Which of the choices was taken."""
    return next(each for each in get_args(Decision) if each == reply.choice_ids[0])


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_ARGUMENT else f"{text[:LONGEST_ARGUMENT]}…"
