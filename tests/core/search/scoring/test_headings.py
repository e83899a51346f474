from core.language.terms import stem
from core.search.scoring.headings import heading_share

ASKED = {stem(word) for word in ("legal", "proceedings", "pending")}


def test_a_heading_made_of_words_of_the_question_says_it_all() -> None:
    assert heading_share(ASKED, ["Part I", "Item 3. Legal Proceedings"]) == 1.0
    assert heading_share(ASKED, ["Note 21 – Legal Proceedings"]) == 1.0


def test_other_words_of_a_heading_take_from_it_and_the_one_above_counts_half() -> None:
    assert heading_share(ASKED, ["Proceedings of the Board"]) == 0.5
    assert heading_share(ASKED, ["Legal Proceedings", "Patents"]) == 0.5
    assert heading_share(ASKED, []) == 0.0
