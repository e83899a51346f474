"""Asks a provider for JSON of a given form: from a pydantic model to the schema and the options of each client."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel, JsonValue

from core.models.failures import FormRefusedError

if TYPE_CHECKING:
    from core.models.stream import StreamedPiece

log = logging.getLogger(__name__)

JsonSchema = dict[str, JsonValue]

_KEPT = ("description", "enum", "const", "type", "$ref")
"""Keywords that all providers accept. Limits of length and number are checked when the answer is read."""

LISTED = "items"
"""The field of the object around a list, because providers require an object."""


@dataclass(frozen=True)
class AnswerForm:
    """The form of an answer: a name and the JSON Schema of one object, in which all fields are required."""

    name: str
    schema: JsonSchema

    def options(self, client: str) -> dict[str, Any]:
        """Returns the options for a LangChain ``client`` (its ``_llm_type``); none for a client without such an
        option."""
        strict = {"type": "json_schema", "json_schema": {"name": self.name, "schema": self.schema, "strict": True}}
        if client.startswith("openai"):
            # As a plain field of the body: the client's own option switches to another way of streaming.
            return {"extra_body": {"response_format": strict}}
        if client.startswith("mistral"):
            return {"response_format": strict}
        if client.startswith("anthropic"):
            return {"output_config": {"format": {"type": "json_schema", "schema": self.schema}}}
        if client.startswith("cohere"):
            return {"response_format": {"type": "json_object", "schema": self.schema}}
        return {}


@cache
def form_of(model: type[BaseModel]) -> AnswerForm | None:
    """Returns the form of a pydantic model; ``None`` if providers cannot express it, such as a map with any keys."""
    whole = cast(JsonSchema, model.model_json_schema())
    try:
        schema = _reduced(whole)
        if definitions := cast(Mapping[str, JsonSchema], whole.get("$defs", {})):
            schema["$defs"] = {name: _reduced(each) for name, each in definitions.items()}
    except _InexpressibleError:
        return None
    name = model.__name__.strip("_").lower()
    if schema.get("type") == "array":
        listed = _reduced({"type": "object", "properties": {LISTED: whole}})
        return AnswerForm(name, listed | {key: schema[key] for key in ("$defs",) if key in schema})
    return AnswerForm(name, schema) if schema.get("type") == "object" else None


class _InexpressibleError(ValueError):
    """The schema uses what providers do not accept."""


def _reduced(schema: JsonSchema) -> JsonSchema:
    """Returns a schema with only the keywords that all providers accept."""
    made: JsonSchema = {name: schema[name] for name in _KEPT if name in schema}
    if choices := list(_choices(schema)):
        made["anyOf"] = cast(JsonValue, [_reduced(each) for each in choices])
    if schema.get("type") == "object":
        fields = cast(Mapping[str, JsonSchema], schema.get("properties", {}))
        if not fields or schema.get("additionalProperties"):
            raise _InexpressibleError
        made["properties"] = {name: _reduced(each) for name, each in fields.items()}
        made |= {"required": list(fields), "additionalProperties": False}
        made.pop("description", None)  # It is the docstring of a class, written for programmers.
    if schema.get("type") == "array":
        if "items" not in schema:
            raise _InexpressibleError
        made["items"] = _reduced(cast(JsonSchema, schema["items"]))
    if not made.keys() - {"description"}:
        raise _InexpressibleError
    return made


def _choices(schema: JsonSchema) -> Iterator[JsonSchema]:
    for name in ("anyOf", "oneOf", "allOf"):
        yield from cast("list[JsonSchema]", schema.get(name, []))


async def in_form_or_without(
    answering: Callable[[AnswerForm | None], AsyncGenerator[StreamedPiece, None]],
    form: AnswerForm | None,
    refused: Callable[[], None],
) -> AsyncGenerator[StreamedPiece, None]:
    """Streams an answer in ``form``; if the service refuses the request, streams one without it.

    Args:
        refused: called when the service will not accept any form, so that later calls do without.
    """
    if form is not None:
        try:
            async with aclosing(answering(form)) as pieces:
                async for piece in pieces:
                    yield piece
            return
        except FormRefusedError as error:
            log.info("a service refused the form of an answer: %s", error)
            if error.problem.category == "validation":
                refused()
    async with aclosing(answering(None)) as pieces:
        async for piece in pieces:
            yield piece
