"""Converts Qdrant's JSON requests to calls of its embedded engine, and the engine's results to Qdrant's JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import qdrant_edge as engine
from pydantic import ValidationError
from qdrant_client import models

Json = dict[str, Any]

_FIELD_TYPES = {
    "keyword": engine.PayloadSchemaType.Keyword,
    "integer": engine.PayloadSchemaType.Integer,
    "float": engine.PayloadSchemaType.Float,
    "bool": engine.PayloadSchemaType.Bool,
    "datetime": engine.PayloadSchemaType.Datetime,
    "uuid": engine.PayloadSchemaType.Uuid,
}


class RefusedError(Exception):
    """``status`` and ``error`` of an error reply."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(error)
        self.status, self.error = status, error


def malformed(detail: object) -> RefusedError:
    return RefusedError(400, f"Format error in JSON body: {detail}")


def filter_of(given: Json | None) -> engine.Filter | None:
    if given is None:
        return None
    try:
        return _filter(models.Filter.model_validate(given))
    except ValidationError as error:
        raise malformed(error) from error


def _filter(given: models.Filter) -> engine.Filter:
    must, should, must_not = (_conditions(each) for each in (given.must, given.should, given.must_not))
    return engine.Filter(must=must, should=should, must_not=must_not)


def _conditions(given: Any) -> list[Any] | None:
    if given is None:
        return None
    return [_condition(one) for one in (given if isinstance(given, list) else [given])]


def _condition(given: object) -> Any:
    match given:
        case models.Filter():
            return _filter(given)
        case models.HasIdCondition(has_id=ids):
            return engine.HasIdCondition({point_id(one) for one in ids})
        case models.FieldCondition(key=key, match=models.MatchAny(any=values)):
            return engine.FieldCondition(key, match=engine.MatchAny(list(values)))
        case models.FieldCondition(key=key, match=models.MatchValue(value=value)):
            return engine.FieldCondition(key, match=engine.MatchValue(value))
    raise malformed(f"a condition that is not served here: {given!r}")


def point_id(given: Any) -> Any:
    """Returns the point's id. Raises ``RefusedError``, as Qdrant does, if it is neither a number nor a UUID."""
    if isinstance(given, int):
        return given
    try:
        return str(UUID(str(given)))
    except ValueError as error:
        raise malformed(f"value {given} is not a valid point ID") from error


def vectors_of(given: Json) -> dict[str, Any]:
    """Returns vectors by name. Does not use pydantic, which would try each number as every allowed type."""
    return {
        name: engine.SparseVector(one["indices"], one["values"]) if isinstance(one, dict) else one
        for name, one in given.items()
    }


def query_of(body: Json) -> engine.QueryRequest:
    asked = body.get("query")
    nearest = asked["nearest"] if isinstance(asked, dict) and "nearest" in asked else asked
    if body.get("prefetch") or nearest is None or isinstance(nearest, str):
        raise malformed("a query that is not served here")
    [vector] = vectors_of({"": nearest}).values()
    return engine.QueryRequest(
        limit=body.get("limit", 10),
        offset=body.get("offset") or 0,
        query=engine.Query.Nearest(vector, body.get("using")),
        filter=filter_of(body.get("filter")),
        score_threshold=body.get("score_threshold"),
        with_payload=bool(body.get("with_payload", False)),
        with_vector=bool(body.get("with_vector", False)),
        params=_params_of(body.get("params") or {}),
    )


def _params_of(given: Json) -> engine.SearchParams:
    """Search parameters, which are always exact: the engine builds no search graph here, whatever is requested."""
    if "idf" not in given:
        return engine.SearchParams(exact=True)
    return engine.SearchParams(exact=True, idf=engine.IdfParams(filter_of((given["idf"] or {}).get("corpus"))))


def field_index_of(name: str, schema: str | Json) -> engine.UpdateOperation:
    kind = schema if isinstance(schema, str) else schema.get("type")
    if kind not in _FIELD_TYPES:
        raise malformed(f"an index of {kind!r} is not served here")
    if kind == "keyword" and isinstance(schema, dict):
        params = engine.KeywordIndexParams(is_tenant=schema.get("is_tenant"))
        return engine.UpdateOperation.create_field_index(name, params)
    return engine.UpdateOperation.create_field_index(name, _FIELD_TYPES[kind])


def records_json(records: Sequence[engine.Record]) -> list[Json]:
    return [_record_json(record) for record in records]


def scored_json(found: Sequence[engine.ScoredPoint]) -> list[Json]:
    return [{**_record_json(one), "version": one.version, "score": one.score} for one in found]


def _record_json(record: Any) -> Json:
    return {"id": id_json(record.id), "payload": record.payload, "vector": _vectors_json(record.vector)}


def id_json(given: Any) -> str | int:
    return given if isinstance(given, int) else str(given)


def _vectors_json(given: Any) -> Json | None:
    if given is None:
        return None
    return {
        name: {"indices": list(one.indices), "values": list(one.values)}
        if isinstance(one, engine.SparseVector)
        else list(one)
        for name, one in given.items()
    }
