from __future__ import annotations

from benchmarks.summaries import as_source
from core.review.actions.comparable_statements import comparable_statements


def texts(text: str) -> list[str]:
    return [point.text for point in comparable_statements(as_source(text))]


def test_boilerplate_and_forms_are_left_out() -> None:
    found = texts(
        "The mill grinds 40 sacks a day.\n\n"
        "This report contains forward-looking statements about the mill.\n\n"
        "Introduction ........ 4\n\n"
        "| Sacks | 40 |\n\n"
        "IN WITNESS WHEREOF the parties have signed the lease of the mill.\n\n"
        "LOWTOWN, March 4, 2031 -- Harrow Mills today announced its annual results for 2030."
    )
    assert found == ["The mill grinds 40 sacks a day."]


def test_what_lost_letters_in_reading_is_left_out() -> None:
    assert texts("The mill ground 40 sacks in the rst 36 weeks. The mill employs 12 millers.") == [
        "The mill employs 12 millers."
    ]


def test_a_sentence_of_several_things_is_taken_by_its_clauses() -> None:
    sentence = "Profit per sack was $2.50 falling 4.1% after the flood, and adjusted profit per sack was $3.10."
    found = texts(sentence)
    assert found[0] == sentence
    assert "adjusted profit per sack was $3.10." in found
    assert "Profit per sack was $2.50 falling 4.1% after the flood" in found


def test_clauses_are_quoted_word_for_word_without_their_number() -> None:
    sentence = (
        "The keeper owes no duty for grain which: 5.3. was lawfully bought from strangers at a market; or "
        "5.4. was grown by the keeper's own gardeners without using the seeds."
    )
    for point in comparable_statements(as_source(sentence)):
        assert point.statement.text[point.start : point.end] == point.text
    assert any(text.startswith("was grown by the keeper") for text in texts(sentence))


def test_what_somebody_is_quoted_with_is_no_point_unless_it_tells_a_figure() -> None:
    praise = "“Our millers worked wonderfully hard through a difficult and very windy season,” said Ada Harrow."
    assert texts(praise) == []
    assert texts(praise.replace("wonderfully hard", "40 days without rest"))


def test_hebrew_sentences_are_points() -> None:
    assert texts("הטחנה טוחנת 40 שקים ביום.") == ["הטחנה טוחנת 40 שקים ביום."]
