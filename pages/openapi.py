"""The actions as OpenAPI 3.1: the registry → one description that generators of clients take.

What an action takes is its request's schema, by the names that clients know. What it gives is described as closely as
its handler says: by the model that a tool of programs gives, by a handler's own, else as an object.
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
UPLOADED = "What `PUT /api/uploads` gave as `path`."
ABOUT = (
    "Every action of the workbench. An action that gives several replies gives the last one as JSON; whoever accepts "
    f"`{LINES}` is given each as it comes, one a line, of which the last is complete. Problems are told in the "
    "language of `Accept-Language`, English or Hebrew."
)


class Problem(BaseModel):
    """What was refused: what happened, why, and what to do."""

    problem: Trouble


class Uploaded(BaseModel):
    """Where a file was put; what an action that takes a file is given for it."""

    path: str


class AnyReply(RootModel[dict[str, JsonValue]]):
    """An object whose fields are the action's own."""


def description(actions: list[Action]) -> dict[str, Any]:
    """Of those that clients call by a name."""
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
    """What it does, in running text."""
    return inspect.cleandoc(action.handler.__doc__ or "").replace("\n", " ")


def request_of(action: Action) -> type[BaseModel]:
    """What it takes, as a model of the endpoint's own name."""
    fields: dict[str, Any] = {name: _field(field) for name, field in action.fields.items()}
    made: type[BaseModel] = create_model(f"{_camel(action.called)}Request", __doc__=about(action), **fields)
    return made


def reply_of(action: Action) -> type[BaseModel]:
    """What it gives at the end."""
    given: type[BaseModel] = action.gives
    if inspect.isclass(given) and issubclass(given, BaseModel) and given is not BaseModel:
        return given
    return action.doors.tool.gives if action.doors.tool else AnyReply


def whole(action: Action, reply: Reply) -> Reply:
    """A last reply in the form that is described, with all else that it says."""
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
        content[LINES] = {"schema": {"type": "string", "description": "Replies as they come, each a line of JSON."}}
    return {
        "operationId": action.called,
        "summary": said.partition(". ")[0].rstrip("."),
        "description": f"{said} {_who(action)}",
        "requestBody": {"required": True, "content": {JSON: {"schema": takes}}},
        "responses": {"200": {"description": "What it gives.", "content": content}, **_refusals(refs)},
    }


def _who(action: Action) -> str:
    alone = "For administrators alone. " if action.doors.who.startswith("administrator") else ""
    if action.doors.who.endswith("in person"):
        return f"{alone}By a session, and by no key."
    return f"{alone}Scope of a key: `{action.scope}`."


def _uploads(refs: Any) -> dict[str, Any]:
    return {
        "operationId": "put_upload",
        "summary": "Send a file, for an action that takes one",
        "requestBody": {
            "required": True,
            "content": {FILE: {"schema": {"type": "string", "format": "binary"}}},
        },
        "responses": {
            "200": {
                "description": "Where it is.",
                "content": {JSON: {"schema": refs[Uploaded, "serialization"]}},
            },
            **_refusals(refs),
        },
    }


def _refusals(refs: Any) -> dict[str, Any]:
    """What is refused is told with one of these, and so is what broke."""
    told = {
        "description": "What happened, why, what to do.",
        "content": {JSON: {"schema": refs[Problem, "serialization"]}},
    }
    return {str(status): told for status in sorted({*STATUS.values(), DISK_FULL, 500})}


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
