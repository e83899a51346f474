"""Tests how a tool is described by its server, and which parts of the description reach the registry and users."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import Tool, ToolAnnotations

from core.tools.definition import Effects, Parameter
from core.tools.mcp.described import called, definition_of, effects_of, prefixes
from core.tools.mcp.schema import LONGEST_SCHEMA, parameters_of, passed_on


def one(node: object, **root: object) -> Parameter:
    return parameters_of({"type": "object", "properties": {"x": node}, **root})[0]  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("node", "kind"),
    [
        ({"type": "string"}, "string"),
        ({"type": "integer"}, "integer"),
        ({"type": ["number", "null"]}, "number"),
        ({"type": ["integer", "number"]}, "number"),
        ({"anyOf": [{"type": "array"}, {"type": "null"}]}, "array"),
        ({"type": ["string", "integer"]}, "any"),
        ({"oneOf": [{"type": "object"}, {"type": "string"}]}, "any"),
        ({"$ref": "#/$defs/Place"}, "object"),
        ({"$ref": "https://elsewhere.example.com/schema"}, "any"),
        ({"enum": [1, 2]}, "integer"),
        ({"const": True}, "boolean"),
        ({"properties": {"y": {}}}, "object"),
        ({}, "any"),
        (True, "any"),
    ],
)
def test_kinds(node: object, kind: str) -> None:
    defined = {"Place": {"type": "object", "properties": {"name": {"type": "string"}}}}
    assert one(node, **{"$defs": defined}).kind == kind


def test_what_else_is_known_of_an_argument() -> None:
    level = one(
        {"type": "integer", "minimum": 1, "maximum": 5, "default": 3, "description": "How\n deep."}, required=["x"]
    )
    assert (level.minimum, level.maximum, level.default, level.description, level.required) == (
        1,
        5,
        3,
        "How deep.",
        True,
    )
    above = one({"type": "number", "exclusiveMinimum": 0})
    assert (above.minimum, above.required) == (0, False)
    chosen = one({"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}], "default": "a", "title": "T"})
    assert (chosen.choices, chosen.default) == (["a", "b"], "a")
    loose = one({"anyOf": [{"enum": ["a", "b"]}, {"type": "string"}]})
    assert loose.choices == [], "other texts are allowed too"


def test_required_ones_come_first() -> None:
    schema = {"properties": {"a": {}, "b": {}, "c": {}}, "required": ["c", "b"]}
    assert [each.name for each in parameters_of(schema)] == ["b", "c", "a"]  # type: ignore[arg-type]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "properties", "required", "$ref", "anyOf", "enum", "minimum", "items", "x"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["type", "properties", "required", "$defs", "allOf"]), JSON, max_size=5))
def test_no_schema_can_make_the_reading_fail(schema: dict) -> None:
    assert all(each.name for each in parameters_of(schema))
    passed_on(schema)


def test_a_schema_is_passed_on_only_where_a_model_can_be_given_it() -> None:
    assert passed_on({"type": "object"}) == {"type": "object", "properties": {}}
    assert passed_on({"type": "array"}) is None
    assert passed_on({"type": "object", "description": "x" * LONGEST_SCHEMA}) is None


@pytest.mark.parametrize(
    ("hints", "effects"),
    [
        (None, Effects(reads_only=False, deletes=True, sends=True, spends=True)),
        (ToolAnnotations(), Effects(reads_only=False, deletes=True, sends=True, spends=True)),
        (ToolAnnotations(read_only_hint=True), Effects(reads_only=True, deletes=False, sends=True, spends=False)),
        (
            ToolAnnotations(read_only_hint=True, open_world_hint=False, destructive_hint=True),
            Effects(reads_only=True, deletes=False, sends=False, spends=False),
        ),
        (
            ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False),
            Effects(reads_only=False, deletes=False, sends=False, spends=True),
        ),
    ],
)
def test_what_is_not_hinted_at_counts_as_done(hints: ToolAnnotations | None, effects: Effects) -> None:
    assert effects_of(hints) == effects


def test_a_definition_is_whole_and_in_both_languages() -> None:
    tool = Tool(name="getForecast", description="Tomorrow's weather.", input_schema={"type": "object"})
    definition = definition_of(tool, "Weather Service", "weather_service", 60.0)
    assert (definition.name, definition.server) == ("weather_service_getForecast", "Weather Service")
    assert any(re.fullmatch(each, "getForecast") for each in definition.variants)
    assert not any(re.fullmatch(each, "getXForecast") for each in definition.variants)
    for words in definition.messages.model_dump().values():
        assert "getForecast" in words["en"]
        assert "getForecast" in words["he"]
        assert words["en"] != words["he"]


@pytest.mark.parametrize("said", ["What does the weather-service say?", "Call get forecast for Haifa", "getForecast"])
def test_a_question_that_says_the_names_asks_for_it(said: str) -> None:
    tool = Tool(name="getForecast", input_schema={"type": "object"})
    signal = definition_of(tool, "Weather Service", "weather_service", 60.0).signals[0]
    assert any(re.search(each, said, re.IGNORECASE) for each in signal.patterns)
    assert not any(re.search(each, "What is our travel policy?", re.IGNORECASE) for each in signal.patterns)


@pytest.mark.parametrize(
    "said", ["use time for Tokyo", "the time server", "השתמש ב-time", "everything tool: echo this"]
)
def test_a_server_with_an_everyday_name_is_meant_where_it_is_called_one(said: str) -> None:
    patterns = [
        pattern
        for server in ("time", "everything")
        for signal in definition_of(Tool(name="x1y", input_schema={}), server, server, 60.0).signals
        for pattern in signal.patterns
    ]
    assert any(re.search(each, said, re.IGNORECASE) for each in patterns)
    for other in ("is there time to file an appeal?", "everything on noise limits", "the time limit of the lease"):
        assert not any(re.search(each, other, re.IGNORECASE) for each in patterns)


def test_names_that_are_cut_stay_two() -> None:
    first, second = (called("files", f"{'a' * 80}{end}") for end in "xy")
    assert first != second
    assert max(len(first), len(second)) <= 64
    assert called("files", "read") == "files_read"


def test_each_server_has_a_prefix_of_its_own() -> None:
    found = prefixes(["My Files!", "my files", "קבצים", "שעון", ""])
    assert found["My Files!"] == "my_files"
    assert len(set(found.values())) == 5
    assert all(re.fullmatch(r"[a-z0-9_]+", each) for each in found.values())
