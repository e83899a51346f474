import pytest

from core.language.transliteration import sounds_like


@pytest.mark.parametrize(
    ("hebrew", "latin"),
    [
        ("בואינג", "Boeing"),
        ("מיקרוסופט", "Microsoft"),
        ("קוקה קולה", "Coca Cola"),
        ("סיסקו", "Cisco"),
        ("אמריקן אקספרס", "American Express"),
        ("נטפליקס", "Netflix"),
        ("ג'ונסון", "Johnson"),
        ("פייזר", "Pfizer"),
    ],
)
def test_a_name_in_hebrew_letters_is_heard(hebrew: str, latin: str) -> None:
    assert sounds_like(hebrew, latin) > 2


def test_a_final_e_may_be_silent() -> None:
    assert sounds_like("אפל", "Apple") == 2
    assert sounds_like("אורקל", "Oracle") == 2


@pytest.mark.parametrize(
    ("hebrew", "latin"),
    [("בנוגע", "Boeing"), ("אדיב", "Adobe"), ("קבל", "Cable"), ("מספר", "Cisco"), ("", "Cisco"), ("סיסקו", "")],
)
def test_other_words_are_not(hebrew: str, latin: str) -> None:
    assert sounds_like(hebrew, latin) == 0
