"""Templates of the assistant's voice, and what a person prefers, as they are kept and shown."""

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
    """``slug`` is its id among the user's templates, ``name`` what people call it, in any script."""

    slug: str
    name: str
    kind: Literal["preset", "custom"]
    text: str
    updated_at: float = 0.0


class Saved(BaseModel):
    """``replaced`` is what stood under this name before, so that it can be brought back."""

    template: Template
    replaced: Template | None = None


@dataclass(frozen=True)
class Preview:
    """``prompt`` and ``assistant`` are ``None`` while there are errors, ``quick`` where nothing can be read."""

    text: str
    quick: QuickSettings | None
    prompt: str | None
    assistant: str | None
    errors: Sequence[YamlProblem]
    warnings: Sequence[YamlProblem]


class Preferences(BaseModel):
    """``None``: never said; the device decides.

    ``industry`` and ``country`` are the person's own words; they go into queries of the web where ``tell_web``.
    """

    language: Language | None = None
    theme: Literal["light", "dark"] | None = None
    mode: ModeName | None = None
    industry: str | None = Field(None, max_length=80)
    country: str | None = Field(None, max_length=60)
    tell_web: bool | None = None
