"""Converts a sent value to its parameter's type, or raises an error."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from functools import cache

from pydantic import JsonValue
from rapidfuzz import fuzz

from core.language.entities.numerals import VALUES
from core.language.vocabulary import words_of
from core.tools.definition import Kind, Parameter
from core.tools.spelling import NEARLY, is_misspelt

_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")


class UnreadableError(ValueError):
    """The value cannot be converted to the parameter's type."""


def coerced(parameter: Parameter, value: JsonValue) -> JsonValue:
    """``value`` as a value of ``parameter``, one of its choices and within its bounds.

    Raises:
        UnreadableError: it cannot be converted.
    """
    read = _READERS[parameter.kind](value)
    if parameter.choices:
        return _choice(parameter, read)
    if isinstance(read, int | float) and not isinstance(read, bool):
        return _within(parameter, read)
    return read


def _choice(parameter: Parameter, value: JsonValue) -> JsonValue:
    if value in parameter.choices:
        return value
    said = str(value).strip().lower()
    likeness = {index: fuzz.ratio(said, str(each).lower()) for index, each in enumerate(parameter.choices)}
    best = max(likeness, key=lambda index: likeness[index])
    if likeness[best] < NEARLY and not is_misspelt(said, str(parameter.choices[best]).lower()):
        raise UnreadableError(value)
    return parameter.choices[best]


def _within(parameter: Parameter, value: int | float) -> int | float:
    least = -math.inf if parameter.minimum is None else parameter.minimum
    most = math.inf if parameter.maximum is None else parameter.maximum
    bounded = min(max(value, least), most)
    return int(bounded) if parameter.kind == "integer" else bounded


def _text(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if isinstance(value, list):
        return _text_of_list(value)
    spoken = _spoken(value)
    if spoken is None:
        raise UnreadableError(value)
    return spoken


def _text_of_list(value: list[JsonValue]) -> str:
    """The last user text in a list of messages; for another list, all texts joined."""
    users = [each for each in value if isinstance(each, dict) and each.get("role") == "user"]
    texts = [spoken for each in users[-1:] or value if (spoken := _spoken(each)) is not None]
    if not texts:
        raise UnreadableError(value)
    return " ".join(texts)


def _spoken(value: JsonValue) -> str | None:
    """The text in a message or a text block, or the value itself if it is text."""
    if isinstance(value, dict):
        held = [value[key] for key in ("content", "text", "value", "query") if key in value]
        return _text(held[0]) if held else None
    return None if value is None or isinstance(value, list) else _text(value)


def _number(value: JsonValue) -> float:
    if isinstance(value, bool):
        raise UnreadableError(value)
    if isinstance(value, int | float):
        return value
    if isinstance(value, list) and len(value) == 1:
        return _number(value[0])
    if not isinstance(value, str):
        raise UnreadableError(value)
    found = _NUMBER.findall(value)
    if len(found) == 1:
        return float(found[0].replace(",", ""))
    named = [VALUES[word] for word in value.lower().split() if word in VALUES]
    if found or len(named) != 1:
        raise UnreadableError(value)
    return float(named[0])


def _whole_number(value: JsonValue) -> int:
    number = _number(value)
    if not math.isfinite(number):
        raise UnreadableError(value)
    return round(number)


def _decimal(value: JsonValue) -> float:
    number = _number(value)
    if not math.isfinite(number):
        raise UnreadableError(value)
    return int(number) if number == int(number) else number


def _truth_value(value: JsonValue) -> bool:
    if isinstance(value, bool):
        return value
    said = str(value).strip().lower()
    if said in _said("affirmative") or value == 1:
        return True
    if said in _said("negative") or value == 0:
        return False
    raise UnreadableError(value)


@cache
def _said(way: str) -> frozenset[str]:
    return frozenset(words_of(f"tools.{way}"))


def _list(value: JsonValue) -> list[JsonValue]:
    if isinstance(value, list):
        return value
    if isinstance(value, str):
        read = _json(value)
        if isinstance(read, list):
            return read
        parts = re.split(r"[,\n;]", value) if read is None else [value]
        return [each.strip() for each in parts if each.strip()]
    return [value]


def _object(value: JsonValue) -> dict[str, JsonValue]:
    read = _json(value) if isinstance(value, str) else value
    if isinstance(read, dict):
        return read
    raise UnreadableError(value)


def _json(text: str) -> JsonValue:
    try:
        read: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return read


def _anything(value: JsonValue) -> JsonValue:
    return value


_READERS: Mapping[Kind, Callable[[JsonValue], JsonValue]] = {
    "string": _text,
    "integer": _whole_number,
    "number": _decimal,
    "boolean": _truth_value,
    "array": _list,
    "object": _object,
    "any": _anything,
}
