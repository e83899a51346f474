"""Finds tool calls that need no model: takes a question and the tools; returns calls with arguments.

Only questions that contain a tool's signal words or its name lead to a call. The web, memory and document search tools
are left out, since other nodes handle them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pydantic import JsonValue

from core.graph.tools.offering import WEB
from core.graph.understanding.mentions import without_mentions
from core.language.normalisation import fold, normalise
from core.language.vocabulary import phrase_of
from core.tools.arguments import normalise as normalised_arguments
from core.tools.definition import Parameter, ToolDefinition
from core.tools.execution import SentCall
from core.tools.ranking import RankedTool
from core.tools.tools import Tools

LEFT_OUT = frozenset(("search_passages", "read_passage", "look_up_figures", "calculate", "query_data"))
"""Tools that duplicate the normal document search and the figures of an answer without a model."""
_QUOTED = re.compile(r"[\"“”«]([^\"“”«»\n]{1,500})[\"“”»]|(?<!\w)'([^'\n]{1,500})'(?!\w)|`([^`\n]{1,500})`")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_DOCUMENT = frozenset(("document", "document_id", "documents"))
"""Parameter names that mean a document of the library."""


def plain_calls(
    tools: Tools, question: str, document_ids: Sequence[str], without: Collection[str] = ()
) -> list[SentCall]:
    """Returns at most one call: to the best-matching tool for which the question supplies all required arguments.

    ``without``: categories of tools to leave out.
    """
    for each in tools.rank(question):
        if each.asked and not _has_own_way(each) and each.entry.definition.category not in without:
            arguments = rule_arguments(each.entry.definition, question, document_ids)
            if arguments is not None:
                return [SentCall(f"rule-{each.entry.name}", each.entry.name, arguments)]
    return []


def _has_own_way(ranked: RankedTool) -> bool:
    entry = ranked.entry
    return entry.definition.category in WEB or entry.definition.category == "memory" or entry.name in LEFT_OUT


def rule_arguments(
    definition: ToolDefinition, question: str, document_ids: Sequence[str]
) -> dict[str, JsonValue] | None:
    """Returns arguments from the question for each parameter, or ``None`` if a required one is missing.

    A document parameter gets a document that the question refers to; a text parameter gets the quoted text in the
    question, or else the question without the tool's name; a number parameter gets the question's next number; a choice
    parameter gets the option that the question names.
    """
    bare = _without_names(definition, without_mentions(question))
    quoted = [next(part for part in each if part) for each in _QUOTED.findall(normalise(bare))]
    numbers = _NUMBER.findall(bare)
    arguments: dict[str, JsonValue] = {}
    for parameter in definition.parameters:
        value = _said_of(parameter, bare, quoted, numbers, document_ids)
        if value is not None:
            arguments[parameter.name] = value
    return None if normalised_arguments(definition, arguments).missing else arguments


def _said_of(
    parameter: Parameter, bare: str, quoted: list[str], numbers: list[str], document_ids: Sequence[str]
) -> JsonValue:
    if parameter.name in _DOCUMENT:
        return document_ids[0] if document_ids and parameter.kind == "string" else list(document_ids) or None
    if parameter.choices:
        said = fold(bare)
        return next((each for each in parameter.choices if fold(str(each)) in said), None)
    if parameter.kind in ("integer", "number"):
        return numbers.pop(0) if numbers and parameter.required else None
    if parameter.name == "table":
        return numbers.pop(0) if numbers else bare
    if not parameter.required:
        return None
    if parameter.kind == "array":
        return [*quoted] or ([bare] if bare else None)
    if parameter.kind == "string":
        return quoted.pop(0) if quoted else bare or None
    return None


def _without_names(definition: ToolDefinition, text: str) -> str:
    """Returns the question without the words that name the tool."""
    bare = " ".join(text.split())
    before, after = phrase_of("tools.order_before"), phrase_of("tools.order_after")
    for name in (definition.name, *definition.title.model_dump().values()):
        called = rf"(?:{before})?(?<!\w){re.escape(name)}(?!\w)(?:{after})?"
        bare = re.sub(called, " ", bare, flags=re.IGNORECASE)
    return " ".join(bare.split()).strip(" ?")
