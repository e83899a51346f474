"""Defines the records of templates and user preferences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from core.personality.quick import QuickSettings
from core.personality.reading import YamlProblem
from core.setting_groups import ModeName
from core.words import Language


class Template(BaseModel, frozen=True):
    """A template; ``slug`` is its id among the user's templates, ``name`` its display name, in any script."""

    slug: str
    name: str
    kind: Literal["preset", "custom"]
    text: str
    updated_at: float = 0.0


class Saved(BaseModel):
    """A saved template; ``replaced`` is the earlier one with this name, so that it can be restored."""

    template: Template
    replaced: Template | None = None


@dataclass(frozen=True)
class Preview:
    """A preview; ``prompt`` and ``assistant`` are ``None`` while there are errors, ``quick`` if
    nothing can be parsed."""

    text: str
    quick: QuickSettings | None
    prompt: str | None
    assistant: str | None
    errors: Sequence[YamlProblem]
    warnings: Sequence[YamlProblem]


class Preferences(BaseModel):
    """A user's preferences; ``None``: not set, so the device decides.

    ``industry`` and ``country`` are the user's own words; they are added to web queries if ``tell_web`` is set.
    """

    language: Language | None = None
    theme: Literal["light", "dark"] | None = None
    mode: ModeName | None = None
    industry: str | None = Field(None, max_length=80)
    country: str | None = Field(None, max_length=60)
    tell_web: bool | None = None
