"""Tests that tool arguments from models are repaired without losing any value."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from core.tools.arguments import LONGEST_TEXT, MOST_ITEMS, normalise
from core.tools.definition import Parameter, ToolDefinition
from core.tools.definition_files import definition_of
from tests.core.tools.made import QUERY, definition

ALL = definition(
    "all",
    parameters=[
        QUERY,
        Parameter(name="limit", kind="integer", aliases=["n", "max_results"], default=5, minimum=1, maximum=20),
        Parameter(name="ratio", kind="number", minimum=0, maximum=1),
        Parameter(name="deep", kind="boolean", aliases=["thorough"]),
        Parameter(name="tags", kind="array"),
        Parameter(name="filters", kind="object", aliases=["where"]),
        Parameter(name="topic", choices=["general", "news"], default="general"),
        Parameter(name="raw", kind="any"),
    ],
)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"query": "x"}, {"query": "x"}),
        ({"q": "x"}, {"query": "x"}),
        ({"Query": "x"}, {"query": "x"}),
        ({"QUERY ": "x"}, {"query": "x"}),
        ({"querry": "x"}, {"query": "x"}),
        ({"something": "x"}, {"query": "x"}),
        ({"query": " x\u0000\x07 "}, {"query": "x"}),
        ({"query": 42}, {"query": "42"}),
        ({"query": {"text": "x"}}, {"query": "x"}),
        ({"query": ["x", "y"]}, {"query": "x y"}),
        ({"query": [{"role": "system", "content": "s"}, {"role": "user", "content": "x"}]}, {"query": "x"}),
        ({"arguments": {"q": "x"}}, {"query": "x"}),
        ({"input": '{"q": "x", "n": 3}'}, {"query": "x", "limit": 3}),
        ({"query": "x", "n": "7"}, {"limit": 7}),
        ({"query": "x", "maxResults": "7 results"}, {"limit": 7}),
        ({"query": "x", "limit": "ten"}, {"limit": 10}),
        ({"query": "x", "limit": "עשרה"}, {"limit": 10}),
        ({"query": "x", "limit": 3.0}, {"limit": 3}),
        ({"query": "x", "limit": "1,000"}, {"limit": 20}),
        ({"query": "x", "limit": 0}, {"limit": 1}),
        ({"query": "x", "limit": None}, {"limit": 5}),
        ({"query": "x", "ratio": "0.25"}, {"ratio": 0.25}),
        ({"query": "x", "ratio": 7}, {"ratio": 1}),
        ({"query": "x", "deep": "yes"}, {"deep": True}),
        ({"query": "x", "thorough": "לא"}, {"deep": False}),
        ({"query": "x", "deep": 1}, {"deep": True}),
        ({"query": "x", "tags": "a, b"}, {"tags": ["a", "b"]}),
        ({"query": "x", "tags": '["a"]'}, {"tags": ["a"]}),
        ({"query": "x", "tags": "a"}, {"tags": ["a"]}),
        ({"query": "x", "tags": 5}, {"tags": [5]}),
        ({"query": "x", "where": '{"city": "Haifa"}'}, {"filters": {"city": "Haifa"}}),
        ({"query": "x", "topic": "News"}, {"topic": "news"}),
        ({"query": "x", "topic": "newss"}, {"topic": "news"}),
        ({"query": "x", "topic": "sports"}, {"topic": "general"}),
        ({"query": "x", "raw": {"a": [1]}}, {"raw": {"a": [1]}}),
    ],
)
def test_what_is_meant_is_read(sent: dict[str, JsonValue], expected: dict[str, JsonValue]) -> None:
    done = normalise(ALL, sent)
    assert {name: done.values[name] for name in expected} == expected
    assert done.missing == []


def test_what_is_right_already_is_sent_as_it_is_without_a_word() -> None:
    sent: dict[str, JsonValue] = {"query": "x", "limit": 5, "topic": "news", "tags": ["a"]}
    done = normalise(ALL, sent)
    assert done.values == sent
    assert not done.repaired


def test_what_no_parameter_takes_is_kept_aside_and_said() -> None:
    done = normalise(ALL, {"query": "x", "text": "y", "colour": "red"})
    assert done.values["query"] == "x"
    assert done.kept_aside == {"text": "y", "colour": "red"}
    assert len(done.warnings) == 2
    assert "colour" in done.warnings[1].to("he")


def test_what_cannot_be_read_is_kept_aside_and_the_default_sent() -> None:
    done = normalise(ALL, {"query": "x", "limit": "many", "filters": "none"})
    assert done.values["limit"] == 5
    assert "filters" not in done.values
    assert done.kept_aside == {"limit": "many", "filters": "none"}


@pytest.mark.parametrize("sent", [{}, {"query": ""}, {"query": None}, {"limit": 3}, {"a": "x", "b": "y"}])
def test_without_what_it_needs_a_tool_is_not_called(sent: dict[str, JsonValue]) -> None:
    done = normalise(ALL, sent)
    assert done.missing == ["query"]
    problem = done.problem(ALL)
    assert problem is not None
    assert "query" in problem.why.en


def test_long_and_deep_values_are_bounded_and_it_is_said() -> None:
    deep: Any = "bottom"
    for _ in range(40):
        deep = {"down": deep}
    many: list[JsonValue] = list(range(MOST_ITEMS + 5))
    done = normalise(ALL, {"query": "x" * (LONGEST_TEXT + 1), "filters": deep, "tags": many})
    assert len(str(done.values["query"])) == LONGEST_TEXT
    assert "bottom" not in str(done.values["filters"])
    assert len(done.values["tags"]) == MOST_ITEMS  # type: ignore[arg-type]
    assert len(done.warnings) == 3


def test_a_tool_without_parameters_takes_nothing_and_one_with_a_schema_alone_takes_all() -> None:
    bare = definition("bare", parameters=[])
    assert normalise(bare, {"x": 1}).values == {}
    assert normalise(bare, {"x": 1}).kept_aside == {"x": 1}
    schema = definition("schema", parameters=[], json_schema={"type": "object"})
    assert normalise(schema, {"x": 1}).values == {"x": 1}


@pytest.mark.parametrize(
    ("name", "sent", "expected"),
    [
        ("perplexity_ask", {"prompt": "why"}, {"query": "why"}),
        ("tavily_search", {"q": "x", "search_depth": "advanced", "n": "3"}, {"depth": "advanced", "max_results": 3}),
        ("tavily_search", {"query": "x", "days_back": "30"}, {"days": 30, "topic": "general"}),
        ("tavily_extract", {"url": "https://a.example.com"}, {"urls": ["https://a.example.com"]}),
        ("search_memory", {"text": "x"}, {"query": "x"}),
        (
            "add_to_memory_bank",
            {"fact": "x", "tags": "goal", "importance": "0.9"},
            {"tags": ["goal"], "importance": 0.9},
        ),
        ("read_page", {"file": "lease.pdf", "page_number": "3"}, {"document": "lease.pdf", "page": 3}),
    ],
)
def test_our_own_tools_know_the_names_that_models_use(name: str, sent: Any, expected: Any) -> None:
    done = normalise(definition_of(name), sent)
    assert {key: done.values[key] for key in expected} == expected
    assert done.missing == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["query", "q", "limit", "deep", "tags", "filters", "x", "topic"]), JSON))
def test_nothing_that_is_sent_breaks_it_or_gets_lost(sent: dict[str, JsonValue]) -> None:
    done = normalise(ALL, sent)
    there = [name for name, value in sent.items() if value is not None]
    accounted = len(done.kept_aside) + len([name for name in done.values if name not in ("limit", "topic")])
    defaults = sum(name in done.values for name in ("limit", "topic"))
    assert len(there) <= accounted + defaults + len(done.missing) + _emptied(sent)


def _emptied(sent: dict[str, JsonValue]) -> int:
    """Texts that consist only of blanks count as empty."""
    return sum(isinstance(value, str | list | dict) and not str(value).strip() for value in sent.values())


def test_a_definition_is_not_changed_by_use() -> None:
    before = ALL.model_dump()
    normalise(ALL, {"q": "x"})
    assert ToolDefinition.model_validate(before) == ALL


def _file_tool() -> ToolDefinition:
    return definition(
        "read_file", parameters=[Parameter(name="path", required=True), Parameter(name="head", kind="integer")]
    )


@pytest.mark.parametrize("name", ["paht", "ptah", "pth", "paath", "PATH", "file_path", "filename", "נתיב", "קובץ"])
def test_a_tool_that_tells_no_other_names_is_called_by_usual_ones_and_with_slips(name: str) -> None:
    done = normalise(_file_tool(), {name: "a.txt", "reasoning": "because"})
    assert done.values == {"path": "a.txt"}
    assert done.kept_aside == {"reasoning": "because"}


def test_a_short_word_is_another_word_and_no_slip() -> None:
    assert normalise(_file_tool(), {"path": "a.txt", "heed": 3, "dead": 4}).values == {"path": "a.txt"}
    assert normalise(definition("t", parameters=[Parameter(name="to"), Parameter(name="by")]), {"bo": "x"}).values == {}


def test_of_two_usual_names_none_is_taken() -> None:
    assert normalise(_file_tool(), {"file": "a.txt", "folder": "b"}).missing == ["path"]
