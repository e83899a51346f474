"""Describes the actions as OpenAPI 3.1, for client generators.

A request's schema uses the names that clients know. A reply is described by the model of its tool, or else by the model
that the handler returns; if there is neither, as an object with any fields.
"""

from __future__ import annotations

import inspect
from importlib.metadata import version
from typing import Annotated, Any

from pydantic import BaseModel, Field, JsonValue, RootModel, create_model
from pydantic.fields import FieldInfo
from pydantic.json_schema import models_json_schema

from pages.actions import Action, Reply, Upload
from pages.answer_given import Trouble
from pages.auth import COOKIE
from pages.documents import DISK_FULL, STATUS

OPENAPI = "3.1.0"
JSON, LINES, FILE = "application/json", "application/x-ndjson", "application/octet-stream"
REFS = "#/components/schemas/{model}"
UPLOADED = "The `path` that `PUT /api/uploads` returned."
ABOUT = (
    "Every action of the workbench. If an action sends several replies, it returns the last one as JSON. A client that "
    f"accepts `{LINES}` receives each reply as it comes, one per line; the last one is complete. Problems are "
    "described in the language of `Accept-Language`, English or Hebrew."
)


class Problem(BaseModel):
    """Why a request failed: what happened, why, and what to do."""

    problem: Trouble


class Uploaded(BaseModel):
    """``path``: where the file was stored; pass it to an action that takes a file."""

    path: str


class AnyReply(RootModel[dict[str, JsonValue]]):
    """An object whose fields depend on the action."""


def description(actions: list[Action]) -> dict[str, Any]:
    """Describes the actions that clients can call by name."""
    named = sorted((each for each in actions if each.doors.endpoint), key=lambda each: each.called)
    takes = {each.called: request_of(each) for each in named}
    gives = {each.called: reply_of(each) for each in named}
    given: set[type[BaseModel]] = {*gives.values(), Problem, Uploaded}
    models: list[tuple[type[BaseModel], str]] = [(each, "validation") for each in takes.values()]
    models += [(each, "serialization") for each in given]
    models.sort(key=lambda each: (each[0].__name__, each[1]))
    refs, defined = models_json_schema(models, ref_template=REFS)  # type: ignore[arg-type]
    paths: dict[str, Any] = {"/api/uploads": {"put": _uploads(refs)}}
    for each in named:
        name = each.called
        paths[f"/api/{name}"] = {
            "post": _operation(each, refs[takes[name], "validation"], refs[gives[name], "serialization"], refs)
        }
    return {
        "openapi": OPENAPI,
        "info": {"title": "Palimpsest", "version": version("palimpsest"), "description": ABOUT},
        "servers": [{"url": "/"}],
        "security": [{"key": []}, {"session": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": "An API key of the Settings tab."},
                "session": {"type": "apiKey", "in": "cookie", "name": COOKIE},
            },
            "schemas": defined["$defs"],
        },
    }


def about(action: Action) -> str:
    """The action's description, without line breaks inside paragraphs."""
    return inspect.cleandoc(action.handler.__doc__ or "").replace("\n", " ")


def request_of(action: Action) -> type[BaseModel]:
    """The request's model, named after the endpoint."""
    fields: dict[str, Any] = {name: _field(field) for name, field in action.fields.items()}
    made: type[BaseModel] = create_model(f"{_camel(action.called)}Request", __doc__=about(action), **fields)
    return made


def reply_of(action: Action) -> type[BaseModel]:
    """The model of the reply; of a streaming action, of its last reply."""
    given: type[BaseModel] = action.gives
    if inspect.isclass(given) and issubclass(given, BaseModel) and given is not BaseModel:
        return given
    return action.doors.tool.gives if action.doors.tool else AnyReply


def whole(action: Action, reply: Reply) -> Reply:
    """The last reply in the form that is described, with all its other fields added."""
    given = reply_of(action)
    if given is AnyReply or set(reply) == {"problem"}:
        return reply
    return {**reply, **given.model_validate(reply).model_dump(mode="json")}


def _field(field: FieldInfo) -> Any:
    kind = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
    words = UPLOADED if any(isinstance(each, Upload) for each in field.metadata) else field.description
    if field.is_required():
        return kind, Field(description=words)
    return kind, Field(field.get_default(call_default_factory=True), description=words)


def _operation(action: Action, takes: Any, gives: Any, refs: Any) -> dict[str, Any]:
    said = about(action)
    content = {JSON: {"schema": gives}}
    if action.streams:
        content[LINES] = {"schema": {"type": "string", "description": "Replies as they come, one line of JSON each."}}
    return {
        "operationId": action.called,
        "summary": said.partition(". ")[0].rstrip("."),
        "description": f"{said} {_who(action)}",
        "requestBody": {"required": True, "content": {JSON: {"schema": takes}}},
        "responses": {"200": {"description": "The reply.", "content": content}, **_refusals(refs)},
    }


def _who(action: Action) -> str:
    alone = "Only for administrators. " if action.doors.who.startswith("administrator") else ""
    if action.doors.who.endswith("in person"):
        return f"{alone}Needs a browser session; not possible with a key."
    return f"{alone}Required key scope: `{action.scope}`."


def _uploads(refs: Any) -> dict[str, Any]:
    return {
        "operationId": "put_upload",
        "summary": "Upload a file for an action that takes one",
        "requestBody": {
            "required": True,
            "content": {FILE: {"schema": {"type": "string", "format": "binary"}}},
        },
        "responses": {
            "200": {
                "description": "The path of the file.",
                "content": {JSON: {"schema": refs[Uploaded, "serialization"]}},
            },
            **_refusals(refs),
        },
    }


def _refusals(refs: Any) -> dict[str, Any]:
    """The error responses of every operation."""
    told = {
        "description": "What happened, why, what to do.",
        "content": {JSON: {"schema": refs[Problem, "serialization"]}},
    }
    return {str(status): told for status in sorted({*STATUS.values(), DISK_FULL, 500})}


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
