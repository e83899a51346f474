"""How many tokens fit a model's window, and its longest answer."""

from __future__ import annotations

from functools import cache
from importlib import resources

from pydantic import BaseModel, ConfigDict

from core.parsed_yaml import parse_yaml


class Limits(BaseModel):
    """Tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    window: int
    answer: int


class LimitTable(BaseModel):
    """``as_of``: when the lists were read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    as_of: str
    limits: dict[str, Limits]


@cache
def limit_table() -> LimitTable:
    text = resources.files("core.models").joinpath("data/limits.yaml").read_text("utf-8")
    return LimitTable.model_validate(parse_yaml(text))


def known_limits(model_id: str) -> Limits | None:
    """Those of ``provider:name``; ``None`` when it is of no known family."""
    families = limit_table().limits
    of = max((family for family in families if model_id.startswith(family)), key=len, default=None)
    return families[of] if of else None
