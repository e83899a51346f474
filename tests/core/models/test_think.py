from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.think import ThinkSplitter, split_thinking


@pytest.mark.parametrize(
    ("text", "answer", "reasoning"),
    [
        ("plain", "plain", ""),
        ("<think>why</think>so", "so", "why"),
        ("\n<think>\nwhy\n</think>\n\nso", "so", "why\n"),
        ("<THINK>why</Think>so", "so", "why"),
        ("<thinking>why</thinking>so", "so", "why"),
        ("<think>never closed", "", "never closed"),
        ("answer</think> more", "answer more", ""),
        ("<think>a</think>b<think>c</think>d", "bd", "ac"),
        ("<think>a<think>b</think>c", "c", "a<think>b"),
        ("<think></think>so", "so", ""),
        ("1 < 2 and 3 > 2 <th", "1 < 2 and 3 > 2 <th", ""),
        ("<think>cut in the closing tag</thi", "", "cut in the closing tag</thi"),
        ("<think>מדוע</think>ככה", "ככה", "מדוע"),
        ("", "", ""),
    ],
)
def test_it_separates_reasoning_from_answer(text: str, answer: str, reasoning: str) -> None:
    assert split_thinking(text) == (answer, reasoning)


FRAGMENTS = ["<think>", "</think>", "<thinking>", "<th", "ink>", "</", "<", ">", "K", "İ", " ", "\n", "a", "שלום"]


@given(st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=5)), st.data())
def test_any_chunking_gives_the_same_result(fragments: list[str], data: st.DataObject) -> None:
    text = "".join(fragments)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=20)))
    splitter = ThinkSplitter()
    parts = [
        part
        for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)
        for part in splitter.feed(text[start:end])
    ]
    parts += splitter.finish()
    answer = "".join(said for voice, said in parts if voice == "text")
    reasoning = "".join(said for voice, said in parts if voice == "reasoning")
    assert (answer, reasoning) == split_thinking(text)


@given(st.text(alphabet=st.characters(exclude_characters="<")))
def test_text_without_tags_is_only_trimmed_in_front(text: str) -> None:
    assert split_thinking(text) == (text.lstrip(), "")


def test_text_is_given_out_as_soon_as_it_is_certain() -> None:
    splitter = ThinkSplitter()
    assert splitter.feed("so <") == [("text", "so ")]
    assert splitter.feed("b>") == [("text", "<b>")]
