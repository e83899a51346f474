"""Tests a tool's result, as a model reads it and an answer cites it."""

from __future__ import annotations

import mcp_types as protocol
import pytest
from pydantic import JsonValue

from core.errors import PalimpsestError
from core.prompts.templates import Prompts
from core.tools.mcp.failures import cause, connect_failed
from core.tools.mcp.results import ResultReader, tables_of
from core.tools.tool import ToolResult


def read(*content: object, structured: JsonValue = None, most: int = 1_000) -> ToolResult:
    result = protocol.CallToolResult(content=list(content), structured_content=structured)  # type: ignore[arg-type]
    return ResultReader(Prompts(), most).read(result, "Look up", "tickets")


def text(words: str) -> protocol.TextContent:
    return protocol.TextContent(text=words)


def test_nothing_is_no_failure() -> None:
    nothing = read()
    assert (nothing.found, nothing.texts, nothing.tables) == (False, [], [])
    assert read(text("  \n ")).found is False


def test_a_link_keeps_its_address_and_what_it_is() -> None:
    link = protocol.ResourceLink(name="t1.md", title="Ticket 1", uri="tickets://1", description="Pump broken.")
    found = read(text("Two tickets."), link)
    assert [(each.title, each.text, each.url) for each in found.texts] == [
        ("Look up", "Two tickets.", None),
        ("Ticket 1", "Pump broken. · t1.md", "tickets://1"),
    ]
    assert "Ticket 1 · tickets://1\nPump broken." in found.text


def test_a_held_text_is_read_and_held_bytes_are_counted() -> None:
    held = protocol.EmbeddedResource(resource=protocol.TextResourceContents(uri="file:///a/b.txt", text="Inside."))
    blob = protocol.EmbeddedResource(resource=protocol.BlobResourceContents(uri="file:///a/b.png", blob="AAAA"))
    found = read(held, blob, protocol.ImageContent(data="AAAA", mime_type="image/png"))
    assert [(each.title, each.text) for each in found.texts] == [("b.txt", "Inside.")]
    assert found.notes[0].en.startswith("2 parts of the result are not text")
    assert found.notes[0].to("he").startswith("שני חלקים")


def test_the_bound_is_of_all_texts_together() -> None:
    found = read(text("a" * 600), text("b" * 600), most=1_000)
    assert [len(each.text) for each in found.texts] == [600, 400]
    assert "200 characters" in found.notes[0].en


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([{"a": 1}, {"a": 2, "b": "x"}], [("Look up", ["a", "b"], [[1, None], [2, "x"]])]),
        ({"items": [{"a": True}], "next": None}, [("Look up: items", ["a"], [[True]])]),
        ({"a": 1.5, "b": "x"}, [("Look up", ["a", "b"], [[1.5, "x"]])]),
        ({"a": [1, 2], "b": {"c": 1}, "d": "x"}, [("Look up", ["a", "b", "d"], [["1, 2", '{"c": 1}', "x"]])]),
        ({"result": "words"}, []),
        ({"items": []}, []),
        ([1, 2, 3], []),
        ([{"a": 1}, "mixed"], []),
        ({"a": {}, "b": {}}, []),
        ("words", []),
        (None, []),
    ],
)
def test_records_are_tables(value: JsonValue, expected: list[object]) -> None:
    assert [(each.title, each.columns, each.rows) for each in tables_of(value, "Look up")] == expected


def test_structure_without_text_is_read_too() -> None:
    assert '{"depth": 3}' in read(structured={"depth": 3}).text


def test_what_went_wrong_is_found_in_any_depth_of_groups() -> None:
    ours = PalimpsestError(connect_failed(ConnectionError(), "tickets").problem)
    deep = BaseExceptionGroup("a", [ValueError("x"), ExceptionGroup("b", [KeyError("y"), ours])])
    assert cause(deep) is ours
    assert isinstance(cause(ExceptionGroup("c", [KeyError("y")])), KeyError)
