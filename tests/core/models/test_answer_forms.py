"""Tests the forms in which services are asked for JSON."""

from __future__ import annotations

from pydantic import BaseModel, JsonValue, RootModel

from core.models.answer_forms import form_of
from core.models.structured import parse_json


class Stop(BaseModel):
    name: str
    minutes: int = 0


class Stops(RootModel[list[Stop]]):
    pass


class Anything(BaseModel):
    fields: dict[str, JsonValue]


def test_a_list_is_asked_for_in_an_object_and_read_from_it() -> None:
    form = form_of(Stops)
    assert form is not None
    assert (form.schema["type"], form.schema["required"]) == ("object", ["items"])
    assert "Stop" in str(form.schema["$defs"])
    for text in ('{"items": [{"name": "Haifa"}]}', '[{"name": "Haifa"}]'):
        found = parse_json(text, Stops)
        assert found is not None
        assert [each.name for each in found.root] == ["Haifa"]


def test_no_form_is_made_of_what_services_cannot_express() -> None:
    assert form_of(Anything) is None
    assert form_of(RootModel[str]) is None
