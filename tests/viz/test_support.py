from __future__ import annotations

import pytest

from core.events import Sentence
from core.words import Words
from viz.citations import CitationLabel
from viz.markdown import blocks
from viz.support import draw_marks, with_marks

WHY = Words(en='A "number" is missing.', he="חסר מספר.")


def sentence(text: str, part: str, verdict: str = "not_checked") -> Sentence:
    start = text.index(part)
    return Sentence(start=start, end=start + len(part), verdict=verdict, why=WHY)


def drawn(text: str, *support: Sentence) -> str:
    found = draw_marks(blocks(with_marks(text, support), {1: CitationLabel("One")}), support, "en")
    return "".join(found)


@pytest.mark.parametrize(
    ("text", "part", "html"),
    [
        ("First. Second [1]. Third.", "Second [1].", ">Second "),
        ("**Bold claim.** Rest.", "**Bold claim.**", "><strong>Bold claim.</strong></span>"),
        ("- one\n- two 5 [1]", "two 5 [1]", ">two 5 "),
        ("| a | b |\n|---|---|\n| x | seven [1] |", "seven [1]", ">seven "),
        ("שלום. עוד טענה [1].", "עוד טענה [1].", ">עוד טענה "),
    ],
)
def test_a_doubtful_sentence_is_underlined_where_it_stands(text: str, part: str, html: str) -> None:
    found = drawn(text, sentence(text, part))
    assert f'<span class="claim not_checked" title="A &#34;number&#34; is missing."{html}' in found
    assert found.count("<span") == found.count("</span>") == 1
    assert "\ue100" not in found
    assert "\u2005" not in found


def test_supported_sentences_look_as_they_always_did() -> None:
    text = "First [1]. Second."
    assert drawn(text, sentence(text, "First [1].", "supported")) == "".join(blocks(text, {1: CitationLabel("One")}))


def test_what_was_not_checked_has_a_mark_of_its_own() -> None:
    text = "First [1]. Second."
    assert 'class="claim not_checked"' in drawn(text, sentence(text, "Second.", "not_checked"))


def test_two_marks_keep_their_order_across_blocks() -> None:
    text = "One 1.\n\nTwo 2.\n\nThree 3."
    found = drawn(text, sentence(text, "Three 3.", "contradicted"), sentence(text, "One 1."))
    assert found.index("claim not_checked") < found.index("claim contradicted")


def test_an_answer_that_holds_the_places_itself_gets_no_marks() -> None:
    text = "One \ue100 two."
    assert with_marks(text, [sentence(text, "two.")]) == text
