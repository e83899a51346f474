"""Creates wrong tool calls as models make them: from a tool's schema and a seed, the right arguments, and the same with
mistakes.

The mistakes are known, so the expected repair is known too: the right arguments, with defaults for omitted ones. The
mistakes are of general kinds, not chosen from those that the repair knows.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from core.tools.definition import Parameter, ToolDefinition

Values = dict[str, JsonValue]

TEXTS = (
    "electric vehicles in Haifa", "interest rate decision", "the lease of the Ashdod warehouse", "budget 2026",
    "בתי חולים בירושלים", "תקציב החינוך לשנת 2026", "מחירי דירות בחיפה", "הסכם האספקה עם אורביט",
)  # fmt: skip
WORDS = ("Orbit", "Dana", "Haifa", "lease", "חולון", "דוחות", "כספים", "חיפה")
EXTRA = {"reasoning": "the user asks for it", "verbose": True, "session": "a1", "הערה": "דחוף"}
NUMBERS = {1: ("one", "אחת"), 2: ("two", "שתיים"), 3: ("three", "שלוש"), 5: ("five", "חמש"), 10: ("ten", "עשר")}


@dataclass
class Deformed:
    """A wrong call. ``expected``: arguments that the tool needs. ``sent``: arguments from the model. ``how``: kinds of
    mistakes. ``aside``: values that belong to no parameter."""

    expected: Values
    sent: Values
    how: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)


def right_arguments(definition: ToolDefinition, dice: random.Random) -> Values:
    """Returns the required arguments, and about half of the others."""
    return {each.name: _value(each, dice) for each in definition.parameters if each.required or dice.random() < 0.5}


def deformed(definition: ToolDefinition, right: Values, dice: random.Random, mistakes: int) -> Deformed:
    """Makes up to ``mistakes`` mistakes, each of another kind and in another argument."""
    made = Deformed(expected=dict(right), sent=dict(right))
    kinds = list(_KINDS.items())
    dice.shuffle(kinds)
    untouched = [each for each in definition.parameters if each.name in right]
    for name, deform in kinds:
        if len(made.how) == mistakes:
            break
        dice.shuffle(untouched)
        for parameter in untouched:
            if deform(parameter, definition, made, dice):
                untouched.remove(parameter)
                made.how.append(name)
                break
    for each in definition.parameters:
        if each.name not in made.expected and each.default is not None:
            made.expected[each.name] = each.default
    if len(made.how) < mistakes or dice.random() < 0.1:
        name = dice.choice(sorted(EXTRA))
        made.sent[name] = EXTRA[name]
        made.aside.append(name)
        made.how.append("an argument too many")
    if dice.random() < 0.1 and len(made.sent) > 1:
        made.sent = {dice.choice(("arguments", "input", "parameters")): dict(made.sent)}
        made.how.append("all in an envelope")
    return made


def _value(parameter: Parameter, dice: random.Random) -> JsonValue:
    if parameter.choices:
        return dice.choice(parameter.choices)
    if parameter.kind in ("integer", "number"):
        return _number(parameter, dice)
    values: Mapping[str, Callable[[], JsonValue]] = {
        "boolean": lambda: dice.random() < 0.5,
        "array": lambda: list(dice.sample(WORDS, 2)),
        "object": lambda: {"city": dice.choice(WORDS)},
    }
    return values.get(parameter.kind, lambda: dice.choice(TEXTS))()


def _number(parameter: Parameter, dice: random.Random) -> int | float:
    least = int(parameter.minimum or 0)
    most = int(parameter.maximum if parameter.maximum is not None else least + 20)
    if parameter.kind == "number" and most - least <= 1:
        return dice.choice((0.25, 0.5, 0.75))
    fitting = [each for each in NUMBERS if least <= each <= most]
    return dice.choice(fitting) if fitting else dice.randint(least, most)


# -- mistakes: each function returns whether it could make the mistake ----------------------


def _alias(parameter: Parameter, definition: ToolDefinition, made: Deformed, dice: random.Random) -> bool:
    taken = {each.name for each in definition.parameters} | set(made.sent)
    names = [each for each in parameter.aliases if each not in taken]
    return bool(names) and _renamed(parameter.name, dice.choice(names), made)


SEED_NAMES: Mapping[str, Sequence[str]] = {
    "path": ("file", "filepath", "file_path", "filename", "dir", "directory"),
    "content": ("data", "text", "body"),
    "query": ("q", "search", "text", "prompt", "input", "question"),
    "message": ("msg",),
    "limit": ("max_results", "n", "count", "rows"),
    "filters": ("filter", "where", "conditions"),
    "resource": ("dataset", "rid"),
}
"""Usual names of any tool's parameters, from tables by another author."""


def _usual_name(parameter: Parameter, definition: ToolDefinition, made: Deformed, dice: random.Random) -> bool:
    """Usual names for tools of others, which declare no other names."""
    taken = {each.name for each in definition.parameters} | set(made.sent)
    names = [each for each in SEED_NAMES.get(parameter.name, ()) if each not in taken]
    ours = definition.category != "tool_server"
    return not ours and bool(names) and _renamed(parameter.name, dice.choice(names), made)


HEBREW_NAMES: Mapping[str, str] = {
    "query": "שאילתה",
    "question": "שאלה",
    "path": "נתיב",
    "limit": "כמות",
    "timezone": "אזור זמן",
    "content": "תוכן",
    "message": "הודעה",
    "document": "מסמך",
    "page": "עמוד",
    "url": "כתובת",
    "name": "שם",
}


def _hebrew_name(parameter: Parameter, _: ToolDefinition, made: Deformed, __: random.Random) -> bool:
    name = HEBREW_NAMES.get(parameter.name)
    return name is not None and _renamed(parameter.name, name, made)


def _other_spelling(parameter: Parameter, _: ToolDefinition, made: Deformed, dice: random.Random) -> bool:
    parts = parameter.name.split("_")
    if len(parameter.name) < 2:
        return False
    spelled = [
        parameter.name.upper(),
        parameter.name.replace("_", "-").title(),
        parts[0] + "".join(map(str.title, parts[1:])),
    ]
    return _renamed(parameter.name, dice.choice([each for each in spelled if each != parameter.name]), made)


def _misspelt_name(parameter: Parameter, definition: ToolDefinition, made: Deformed, dice: random.Random) -> bool:
    taken = {each.name for each in definition.parameters}
    if len(parameter.name) <= 3 or (name := _misspelt(parameter.name, dice)) in taken:
        return False
    return _renamed(parameter.name, name, made)


def _renamed(name: str, other: str, made: Deformed) -> bool:
    made.sent = {other if key == name else key: value for key, value in made.sent.items()}
    return True


def _number_as_text(parameter: Parameter, _: ToolDefinition, made: Deformed, dice: random.Random) -> bool:
    value = made.sent[parameter.name]
    if parameter.kind not in ("integer", "number") or not isinstance(value, int | float):
        return False
    said = [str(value), f" {value} ", *(NUMBERS.get(int(value), ()) if value == int(value) else ())]
    made.sent[parameter.name] = dice.choice(said)
    return True


def _number_beyond(parameter: Parameter, _: ToolDefinition, made: Deformed, __: random.Random) -> bool:
    if parameter.maximum is None or parameter.kind not in ("integer", "number"):
        return False
    made.sent[parameter.name] = int(parameter.maximum) * 10 + 7
    made.expected[parameter.name] = int(parameter.maximum) if parameter.kind == "integer" else parameter.maximum
    return True


def _truth_as_text(parameter: Parameter, _: ToolDefinition, made: Deformed, dice: random.Random) -> bool:
    if parameter.kind != "boolean":
        return False
    said = ("true", "True", "yes", "1", "כן") if made.sent[parameter.name] else ("false", "False", "no", "0", "לא")
    made.sent[parameter.name] = dice.choice(said)
    return True


def _list_as_text(parameter: Parameter, _: ToolDefinition, made: Deformed, dice: random.Random) -> bool:
    value = made.sent[parameter.name]
    if parameter.kind != "array" or not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        return False
    texts = [str(each) for each in value]
    joined = [", ".join(texts), ",".join(texts), "\n".join(texts), json.dumps(texts, ensure_ascii=False)]
    made.sent[parameter.name] = dice.choice(joined)
    return True


def _one_for_a_list(parameter: Parameter, _: ToolDefinition, made: Deformed, __: random.Random) -> bool:
    value = made.sent[parameter.name]
    if parameter.kind != "array" or not isinstance(value, list) or not isinstance(value[0], str):
        return False
    made.sent[parameter.name], made.expected[parameter.name] = value[0], [value[0]]
    return True


def _object_as_text(parameter: Parameter, _: ToolDefinition, made: Deformed, __: random.Random) -> bool:
    if parameter.kind != "object":
        return False
    made.sent[parameter.name] = json.dumps(made.sent[parameter.name], ensure_ascii=False)
    return True


def _text_as_else(parameter: Parameter, _: ToolDefinition, made: Deformed, dice: random.Random) -> bool:
    """Turns a text into a list of one, a message, messages, or adds spaces and invisible characters."""
    value = made.sent[parameter.name]
    if parameter.kind != "string" or parameter.choices or not isinstance(value, str):
        return False
    ways: list[JsonValue] = [[value], {"role": "user", "content": value}, [{"role": "user", "content": value}]]
    made.sent[parameter.name] = dice.choice([*ways, f"  {value}\x00 "])
    return True


def _misspelt_choice(parameter: Parameter, _: ToolDefinition, made: Deformed, dice: random.Random) -> bool:
    value = made.sent[parameter.name]
    if not parameter.choices or not isinstance(value, str):
        return False
    made.sent[parameter.name] = dice.choice(
        (value.upper(), f" {value.title()}", _misspelt(value, dice) if len(value) > 3 else value.upper())
    )
    return True


def _left_out(parameter: Parameter, _: ToolDefinition, made: Deformed, dice: random.Random) -> bool:
    """Replaces a value by null or omits it; the default applies."""
    if parameter.required:
        return False
    del made.expected[parameter.name]
    if dice.random() < 0.5:
        made.sent[parameter.name] = None
    else:
        del made.sent[parameter.name]
    return True


def _misspelt(text: str, dice: random.Random) -> str:
    """Drops or doubles one letter, or swaps it with the next."""
    at = dice.randrange(1, max(2, len(text) - 1))
    swapped = text[:at] + text[at + 1 : at + 2] + text[at] + text[at + 2 :]
    return dice.choice((text[:at] + text[at + 1 :], text[:at] + text[at] + text[at:], swapped))


Mistake = Callable[[Parameter, ToolDefinition, Deformed, random.Random], bool]
_KINDS: Mapping[str, Mistake] = {
    "another name": _alias,
    "a usual name": _usual_name,
    "a Hebrew name": _hebrew_name,
    "another spelling of the name": _other_spelling,
    "a misspelt name": _misspelt_name,
    "a number as text or word": _number_as_text,
    "a number beyond its bounds": _number_beyond,
    "yes or no as text": _truth_as_text,
    "a list as text": _list_as_text,
    "one text for a list": _one_for_a_list,
    "an object as text": _object_as_text,
    "a text as list or message": _text_as_else,
    "a misspelt choice": _misspelt_choice,
    "left out": _left_out,
}


def kinds_of(calls: Sequence[Deformed]) -> list[str]:
    """Returns all kinds of mistakes that were made, each once."""
    return sorted({how for each in calls for how in each.how})
