from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from core.models.described_tools import LONGEST_BLOCK, BlockReader, in_words
from core.models.stream import StreamedPiece, ToolCall, ToolSpec
from core.prompts.templates import Prompts

BLOCK = '{"tool": "search_memory", "arguments": {"query": "hotel {in} Haifa"}}'
CALL = ToolCall("call-0", "search_memory", {"query": "hotel {in} Haifa"})
USAGE = StreamedPiece("usage", tokens_in=1, tokens_out=1)
SEARCH = ToolSpec("search_memory", "Search again.", {"type": "object", "properties": {"query": {"type": "string"}}})


def read(*texts: str, offered: bool = True) -> tuple[str, tuple[ToolCall, ...]]:
    reader = BlockReader(offered=offered)
    pieces = [each for text in texts for each in reader.read(StreamedPiece("text", text))]
    *last, usage = reader.read(USAGE)
    assert usage == USAGE
    pieces += last
    calls = [each.calls for each in pieces if each.kind == "calls"]
    return "".join(each.text for each in pieces), calls[0] if calls else ()


FORMS = {
    "alone": BLOCK,
    "fenced": f"```json\n{BLOCK}\n```",
    "fenced without a language": f"```\n{BLOCK}\n```\n",
    "tagged": f"<tool_call>\n{BLOCK}\n</tool_call>",
    "in names of its own": '{"name": "search_memory", "parameters": {"query": "hotel {in} Haifa"}}',
}


@pytest.mark.parametrize("said", FORMS.values(), ids=FORMS)
@given(size=st.integers(1, 30))
def test_a_block_is_a_call_and_is_never_shown(said: str, size: int) -> None:
    pieces = [said[start : start + size] for start in range(0, len(said), size)]
    assert read(*pieces) == ("", (CALL,))


@given(size=st.integers(1, 30))
def test_what_stands_around_blocks_is_text(size: int) -> None:
    said = f"Let me look.\n\n```json\n{BLOCK}\n```\n\n{BLOCK}\nA moment."
    text, calls = read(*(said[start : start + size] for start in range(0, len(said), size)))
    assert text == "Let me look.\n\nA moment."
    assert [(call.id, call.arguments) for call in calls] == [("call-0", CALL.arguments), ("call-1", CALL.arguments)]


OTHERS = [
    "The capital is Paris.",
    "It is {x} or\n{y}.\n\n  {",
    '```json\n{"name": "Acme", "revenue": 12}\n```\nSo it grew.',
    '{"tool": "a hammer"}',
    "```python\nprint({})\n```",
    'He wrote {"tool": "x", "arguments": {}} in a line.',
    "<b>bold</b> `code`\n``",
    '{"name": "of one that never ends',
    '{"name": "' + LONGEST_BLOCK * "x" + '"\nand so on',
]


@pytest.mark.parametrize("said", OTHERS)
@given(size=st.integers(1, 30))
def test_all_else_is_text_to_the_letter(said: str, size: int) -> None:
    pieces = [said[start : start + size] for start in range(0, len(said), size)]
    assert read(*pieces) == (said, ())


def test_text_that_cannot_be_a_block_is_not_held_back() -> None:
    reader = BlockReader(offered=True)
    given_out = [
        "".join(each.text for each in reader.read(StreamedPiece("text", text))) for text in ("The", " {cap", "\n{it")
    ]
    assert given_out == ["The", " {cap", "\n{it"]


@pytest.mark.parametrize(
    "said", ['{"tool": "search_memory", "argu', '```json\n{"tool": "x", "arguments": {query: 1}}\n```']
)
def test_a_block_that_cannot_be_read_is_not_shown(said: str) -> None:
    assert read(f"Well.\n{said}") == ("Well.\n", ())


def test_where_no_more_tools_are_offered_a_block_is_dropped() -> None:
    assert read(f"{BLOCK}\nParis.", offered=False) == ("Paris.", ())


ASKED: list[BaseMessage] = [
    SystemMessage("Be brief."),
    HumanMessage("Which hotel?"),
    AIMessage("", tool_calls=[{"name": CALL.name, "args": dict(CALL.arguments), "id": each} for each in "ab"]),
    ToolMessage("booked by Dana", tool_call_id="a"),
    ToolMessage("nothing", tool_call_id="b"),
]


def test_tools_their_calls_and_results_are_told_in_words() -> None:
    system, question, call, results = in_words(Prompts(), ASKED, [SEARCH])
    assert system.text.endswith("\n\nBe brief.")
    assert "- search_memory: Search again." in system.text
    assert json.dumps(SEARCH.parameters) in system.text
    assert question is ASKED[1]
    assert call == AIMessage("\n\n".join([f"```json\n{BLOCK}\n```"] * 2))
    assert read(call.text)[1][0] == CALL
    assert isinstance(results, HumanMessage)
    assert "BEGIN RESULT OF search_memory\nbooked by Dana\nEND RESULT" in results.text
    assert "another tool" in results.text


def test_without_tools_the_model_is_told_to_answer() -> None:
    system, *_, results = in_words(Prompts(), ASKED, [])
    assert system is ASKED[0]
    assert "You cannot call any more tools." in results.text


def test_tools_are_described_where_there_is_no_system_message() -> None:
    system, question = in_words(Prompts(), [HumanMessage("Which hotel?")], [SEARCH])
    assert isinstance(system, SystemMessage)
    assert question.text == "Which hotel?"
