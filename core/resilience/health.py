"""Defines the health report: each part, its state, and the effect on answers."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from core.messages import message
from core.words import Words

HealthState = Literal["green", "amber", "red"]
DISK_FULL = "disk_full"


class Part(BaseModel):
    """A part's health. ``warning``, if it is not green, is the heading in docs/troubleshooting.md that describes the
    problem."""

    name: Words
    state: HealthState
    meaning: Words
    warning: str | None = None


class Health(BaseModel):
    parts: list[Part]

    @property
    def state(self) -> HealthState:
        """The worst state of the parts."""
        states = {part.state for part in self.parts}
        return "red" if "red" in states else "amber" if "amber" in states else "green"

    @property
    def readable(self) -> bool:
        """Whether questions can be answered and records deleted: a full disk only prevents adding."""
        return all(part.state != "red" or part.warning == DISK_FULL for part in self.parts)

    @property
    def summary(self) -> Words:
        if self.state == "red" and self.readable:
            return message("health.nothing_is_added")
        return {
            "green": message("health.everything_works"),
            "amber": message("health.answers_given_without_some_stages"),
            "red": message("health.workbench_cannot_read_data"),
        }[self.state]
