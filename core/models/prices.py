"""Calculates a model call's approximate cost."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from pydantic import BaseModel

from core.parsed_yaml import parse_yaml

_VERSION = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{2}-\d{4}|\d{8}|\d{4}|latest)$")


class Price(BaseModel, frozen=True, extra="forbid"):
    """US dollars per million tokens."""

    input: float
    output: float


class PriceTable(BaseModel, frozen=True, extra="forbid"):
    """Prices of models; ``as_of`` is the date of the price lists."""

    as_of: str
    prices: dict[str, Price]


@cache
def price_table() -> PriceTable:
    text = resources.files("core.models").joinpath("data/prices.yaml").read_text("utf-8")
    return PriceTable.model_validate(parse_yaml(text))


def cost(model_id: str, tokens_in: int, tokens_out: int) -> float | None:
    """The call's cost in US dollars; ``None`` if the price of ``provider:name`` is unknown. A name that ends in a date
    has the price of the model without the date."""
    prices = price_table().prices
    price = prices.get(model_id) or prices.get(_VERSION.sub("", model_id))
    return (tokens_in * price.input + tokens_out * price.output) / 1e6 if price else None
