"""Defines the kinds of questions that a run asks the user, and the steps of a plan."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

InterruptKind = Literal[
    "action_choice", "doc_choice", "text_input", "retrieval_low", "tool_choice", "column_choice", "plan"
]
"""``column_choice``: which column of a table is meant; each choice has sample values. ``plan``: the steps to run; the
user chooses ``RUN``, or replies with the steps to keep and their texts."""

RUN = "run"
"""The choice in a ``plan`` that means to run all steps as they are."""


class PlanStep(BaseModel, frozen=True):
    """One step of a plan, as a question. In a reply, an empty ``text`` keeps the step's own."""

    id: str
    text: str = ""
