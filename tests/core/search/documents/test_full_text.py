"""Tests that the excerpt is the line with the most query words, which are marked in all their forms."""

from __future__ import annotations

from core.search.documents.full_text import SNIPPET, marked, wanted_words


def found(text: str, *words: str) -> list[str]:
    return [piece.text for piece in marked(text, words) if piece.found]


def line(text: str, *words: str) -> str:
    return "".join(piece.text for piece in marked(text, words))


def test_words_that_say_nothing_are_not_looked_for_unless_there_are_no_others() -> None:
    assert wanted_words("What is the price of the meters?") == ["price", "meters"]
    assert wanted_words("to be or") == ["to", "be", "or"]
    assert wanted_words("capital 1,577 million") == ["capital", "1577", "million"]


def test_every_form_of_a_word_is_marked_and_figures_with_their_commas() -> None:
    assert found("Prices rose; the price's rise was priced in.", "price", "rise") == [
        "Prices",
        "price's",
        "rise",
        "priced",
    ]
    assert found("It was $1,577 million, not 577.", "1577") == ["1,577"]
    assert found("המונים אוחסנו בחצר", "מונים") == ["המונים"]


def test_the_line_is_where_most_of_the_words_stand() -> None:
    text = "The notice is here. " + "Other matters follow. " * 40 + "A notice of the price rise is given in May."
    assert "notice of the price rise" in line(text, "notice", "price", "rise")
    assert line(text, "notice").startswith("The notice is here.")


def test_a_line_is_short_and_says_where_it_was_cut() -> None:
    text = "word " * 200 + "meter " + "word " * 200
    cut = line(text, "meter")
    assert len(cut) <= SNIPPET + 2
    assert cut.startswith("…")
    assert cut.endswith("…")
    assert line("short meter", "meter") == "short meter"
    assert "\n" not in line("one\n\ntwo meter\nthree", "meter")
