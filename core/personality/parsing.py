"""Reads a personality from YAML: what is wrong with it is said with its line and column [spec V1]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from core.personality.schema import ADVISED, LONGEST_TEXT, REQUIRED, Personality
from core.words import Words

LONGEST = 64_000
"""Characters of a whole template."""
DEEPEST = 4
MOST_ENTRIES = 100
"""Entries of a list that are looked at: aliases can make a short text very long."""


@dataclass(frozen=True)
class Flaw:
    """``line`` and ``column`` count from 1; 0 when the place is the text as a whole."""

    words: Words
    line: int = 0
    column: int = 0


@dataclass(frozen=True)
class Parsed:
    """``personality`` is ``None`` when there are ``errors``; ``warnings`` never stand in the way."""

    personality: Personality | None
    errors: list[Flaw] = field(default_factory=list)
    warnings: list[Flaw] = field(default_factory=list)


def round_trip() -> YAML:
    """A reader and writer that keeps comments, order and quotes."""
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.allow_duplicate_keys = False
    yaml.width = 4096
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def parse(text: str) -> Parsed:
    """Never raises."""
    if len(text) > LONGEST:
        return Parsed(None, [Flaw(_too_long(len(text)))])
    try:
        data = round_trip().load(StringIO(text))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        return Parsed(None, [Flaw(_syntax(str(error.problem or error.context or "")), *place)])
    except (YAMLError, ValueError, RecursionError):
        return Parsed(None, [Flaw(_syntax(""))])
    if not isinstance(data, CommentedMap):
        return Parsed(None, [Flaw(_NOT_A_MAPPING, 1, 1)])
    missing = [Flaw(_missing(name), 1, 1) for name in REQUIRED if not isinstance(data.get(name), CommentedMap)]
    if missing:
        return Parsed(None, missing)
    try:
        personality = Personality.model_validate(_plain(data))
    except ValidationError as error:
        return Parsed(None, [_flaw(data, detail) for detail in error.errors()])
    except ValueError:
        return Parsed(None, [Flaw(_NESTED)])
    return Parsed(personality, warnings=_warnings(data))


def _plain(value: object, depth: int = 0) -> object:
    """Raises ``ValueError`` beyond the depth of any personality: aliases can refer to what holds them."""
    if depth > DEEPEST:
        raise ValueError("nested too deeply")
    if isinstance(value, dict):
        return {str(key): _plain(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each, depth + 1) for each in value[:MOST_ENTRIES]]
    return value


def _flaw(data: CommentedMap, detail: ErrorDetails) -> Flaw:
    path = [part for part in detail["loc"] if isinstance(part, str | int)]
    line, column = _place(data, path)
    return Flaw(_wrong(".".join(map(str, path)), detail), line, column)


def _place(data: object, path: Sequence[str | int]) -> tuple[int, int]:
    """Where the deepest part of ``path`` that exists stands."""
    found = (1, 1)
    for part in path:
        marks = getattr(data, "lc", None)
        if marks is None:
            break
        try:
            line, column = marks.value(part) if isinstance(data, dict) else marks.item(part)
            data = data[part]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            break
        found = (line + 1, column + 1)
    return found


def _warnings(data: CommentedMap) -> list[Flaw]:
    flaws = [Flaw(_advised(name)) for name in ADVISED if name not in data]
    known = Personality.model_fields
    for name in data:
        if name not in known:
            line, column = data.lc.key(name)
            flaws.append(Flaw(_unknown(str(name)), line + 1, column + 1))
    for section, value in data.items():
        part = known[section].annotation if section in known else None
        fields = getattr(part, "model_fields", None)
        if fields is None or not isinstance(value, CommentedMap):
            continue
        for name in value:
            if name not in fields:
                line, column = value.lc.key(name)
                flaws.append(Flaw(_unknown(f"{section}.{name}"), line + 1, column + 1))
    return flaws


_NOT_A_MAPPING = Words(
    en="The text must be a list of sections such as identity: and communication:.",
    he="הטקסט צריך להיות בנוי ממקטעים כגון identity: ו־communication:.",
)


_NESTED = Words(en="The sections are nested too deeply.", he="המקטעים מקוננים עמוק מדי.")


def _syntax(problem: str) -> Words:
    detail = f" ({problem})" if problem else ""
    return Words(en=f"This is not valid YAML{detail}.", he=f"זה אינו YAML תקין{detail}.")


def _too_long(length: int) -> Words:
    return Words(
        en=f"The text has {length:,} characters; at most {LONGEST:,} are kept.",
        he=f"בטקסט {length:,} תווים; נשמרים לכל היותר {LONGEST:,}.",
    )


def _missing(name: str) -> Words:
    return Words(en=f"The section {name}: is missing.", he=f"המקטע {name}: חסר.")


def _advised(name: str) -> Words:
    return Words(
        en=f"There is no section {name}:, so its usual values hold.",
        he=f"אין מקטע {name}:, ולכן יחולו ערכיו הרגילים.",
    )


def _unknown(name: str) -> Words:
    return Words(en=f"{name} is not known and has no effect.", he=f"{name} אינו מוכר ואין לו השפעה.")


def _wrong(path: str, detail: ErrorDetails) -> Words:
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "literal_error":
        allowed = str(context["expected"]).replace("'", "").replace(" or ", ", ")
        return Words(en=f"{path} must be one of: {allowed}.", he=f"הערך של {path} צריך להיות אחד מאלה: {allowed}.")
    if kind == "missing":
        return Words(en=f"{path} is missing.", he=f"חסר {path}.")
    if kind in ("string_too_long", "too_long"):
        most = context.get("max_length", LONGEST_TEXT)
        return Words(en=f"{path} is too long (at most {most}).", he=f"הערך של {path} ארוך מדי (לכל היותר {most}).")
    if kind == "string_too_short":
        return Words(en=f"{path} is empty.", he=f"הערך של {path} ריק.")
    if kind.startswith("bool"):
        return Words(en=f"{path} must be true or false.", he=f"הערך של {path} צריך להיות true או false.")
    if kind == "list_type":
        return Words(en=f"{path} must be a list.", he=f"הערך של {path} צריך להיות רשימה.")
    return Words(en=f"{path} has a value that cannot be used.", he=f"אי אפשר להשתמש בערך של {path}.")
