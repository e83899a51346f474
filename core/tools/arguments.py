"""Normalises a call's arguments: from a tool's definition and the arguments that a model sent, the values for the tool,
and a list of the changes made.

No argument is lost: one that fits no parameter is kept separately and reported (docs/specification.md, "Tools").
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from core.errors import Problem, problem_of
from core.messages import message
from core.tools.coercion import UnreadableError, coerced
from core.tools.definition import Parameter, ToolDefinition
from core.tools.spelling import bare, is_misspelt, usual_names
from core.words import Words

LONGEST_TEXT = 20_000
"""Maximum number of characters in one argument."""
MOST_ITEMS = 1_000
DEEPEST = 8
ENVELOPES = frozenset(("arguments", "args", "parameters", "params", "kwargs", "input", "toolinput"))
"""Names of the wrapper object in which some models put all arguments."""


@dataclass
class NormalisedArguments:
    """Normalised arguments: ``values`` are sent; ``kept_aside`` fit no parameter; ``missing`` are required ones without
    a value."""

    values: dict[str, JsonValue] = field(default_factory=dict)
    kept_aside: dict[str, JsonValue] = field(default_factory=dict)
    warnings: list[Words] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def repaired(self) -> bool:
        """Whether something had to be changed for the tool to accept it."""
        return bool(self.warnings)

    def problem(self, definition: ToolDefinition) -> Problem | None:
        """The reason why the tool cannot be called with these arguments."""
        if not self.missing:
            return None
        return problem_of("validation", "tools.arguments.lacking", tool=definition.title, names=", ".join(self.missing))


def normalise(definition: ToolDefinition, sent: Mapping[str, JsonValue]) -> NormalisedArguments:
    """The values of ``sent`` by parameter; their names may be the parameter's name, an alias, or a misspelling of
    these."""
    done = NormalisedArguments()
    parameters = {each.name: each for each in definition.parameters}
    given = _opened(definition, {str(key).strip(): _cleaned(value, done) for key, value in sent.items()}, done)
    if not parameters and definition.json_schema is not None:
        done.values = given
        return done
    for name, value in _assigned(definition, given, done).items():
        _take(parameters[name], value, done)
    for each in definition.parameters:
        _fill_in(each, done)
    return done


# -- cleaning ------------------------------------------------------------------------------


def _cleaned(value: JsonValue, done: NormalisedArguments, depth: int = 0) -> JsonValue:
    """The value without invisible characters, and limited in size."""
    if isinstance(value, str):
        text = "".join(each for each in value if each in "\n\t" or not _is_hidden(each)).strip()
        if len(text) > LONGEST_TEXT:
            done.warnings.append(message("tools.arguments.shortened", most=LONGEST_TEXT))
        return text[:LONGEST_TEXT]
    if depth >= DEEPEST:
        done.warnings.append(message("tools.arguments.too_deep", most=DEEPEST))
        return None
    if isinstance(value, list):
        if len(value) > MOST_ITEMS:
            done.warnings.append(message("tools.arguments.too_many", most=MOST_ITEMS))
        return [_cleaned(each, done, depth + 1) for each in value[:MOST_ITEMS]]
    if isinstance(value, dict):
        return {str(key).strip(): _cleaned(each, done, depth + 1) for key, each in value.items()}
    return value


def _is_hidden(character: str) -> bool:
    """Whether the character is a control character or half a character; characters that set text direction or join
    letters are kept."""
    return unicodedata.category(character) in ("Cc", "Cs")


def _opened(definition: ToolDefinition, given: dict[str, JsonValue], done: NormalisedArguments) -> dict[str, JsonValue]:
    """The arguments inside a wrapper, if a model has put all of them into one."""
    if len(given) != 1:
        return given
    (name, value), *_ = given.items()
    named = {bare(known) for each in definition.parameters for known in (each.name, *each.aliases)}
    if bare(name) not in ENVELOPES or (bare(name) in named and not isinstance(value, dict)):
        return given
    try:
        inner = coerced(Parameter(name=name, kind="object"), value)
    except UnreadableError:
        return given
    assert isinstance(inner, dict)
    done.warnings.append(message("tools.arguments.opened", name=name))
    return inner


# -- names ---------------------------------------------------------------------------------


def _assigned(
    definition: ToolDefinition, given: Mapping[str, JsonValue], done: NormalisedArguments
) -> dict[str, JsonValue]:
    """Values by parameter name; those that fit no parameter are kept separately."""
    taken: dict[str, JsonValue] = {}
    rest: dict[str, JsonValue] = {name: value for name, value in given.items() if value is not None}
    for matches in (_is_called, _is_spelled, _is_alias, _is_usual, _is_nearly):
        for parameter in definition.parameters:
            names = [] if parameter.name in taken else [each for each in rest if matches(parameter, each)]
            if not names or (matches in (_is_usual, _is_nearly) and len(names) > 1):
                continue
            taken[parameter.name] = rest.pop(names[0])
            if matches is not _is_called:
                done.warnings.append(message("tools.arguments.renamed", given=names[0], name=parameter.name))
    _take_only_text(definition, taken, rest, done)
    for name, value in rest.items():
        done.kept_aside[name] = value
        done.warnings.append(message("tools.arguments.kept_aside", name=name))
    return taken


def _is_called(parameter: Parameter, name: str) -> bool:
    return name == parameter.name


def _is_spelled(parameter: Parameter, name: str) -> bool:
    return bare(name) == bare(parameter.name)


def _is_alias(parameter: Parameter, name: str) -> bool:
    return bare(name) in map(bare, parameter.aliases)


def _is_usual(parameter: Parameter, name: str) -> bool:
    """Whether the name is a common one for such a parameter, in either language."""
    return bare(name) in usual_names(parameter.name)


def _is_nearly(parameter: Parameter, name: str) -> bool:
    return any(is_misspelt(bare(name), bare(known)) for known in (parameter.name, *parameter.aliases))


def _take_only_text(
    definition: ToolDefinition, taken: dict[str, JsonValue], rest: dict[str, JsonValue], done: NormalisedArguments
) -> None:
    """If exactly one text was sent and exactly one text is required, assign it, whatever its name."""
    lacking = [each for each in definition.parameters if each.required and each.name not in taken]
    texts = [name for name, value in rest.items() if isinstance(value, str) and value]
    if len(lacking) == 1 and lacking[0].kind == "string" and len(texts) == 1:
        taken[lacking[0].name] = rest.pop(texts[0])
        done.warnings.append(message("tools.arguments.renamed", given=texts[0], name=lacking[0].name))


# -- values --------------------------------------------------------------------------------


def _take(parameter: Parameter, value: JsonValue, done: NormalisedArguments) -> None:
    try:
        read = coerced(parameter, value)
    except UnreadableError:
        done.kept_aside[parameter.name] = value
        done.warnings.append(message("tools.arguments.unreadable", name=parameter.name))
        return
    if parameter.kind == "string" and parameter.required and not read:
        return
    if type(read) is not type(value) or read != value:
        done.warnings.append(message("tools.arguments.changed", name=parameter.name, value=_shown(read)))
    done.values[parameter.name] = read


def _fill_in(parameter: Parameter, done: NormalisedArguments) -> None:
    if parameter.name in done.values:
        return
    if parameter.default is not None:
        done.values[parameter.name] = parameter.default
    elif parameter.required:
        done.missing.append(parameter.name)


def _shown(value: JsonValue) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:80]}…"
