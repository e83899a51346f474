import pytest

from core.language.entities.foreign_dates import with_english_dates
from core.language.entities.periods import periods_in


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Stand: 30. Juni 2023", "2023-06-30"),
        ("Paris, le 15 mars 2021", "2021-03-15"),
        ("le 1er avril 2020", "2020-04-01"),
        ("Madrid, 12 de marzo de 2022", "2022-03-12"),
        ("发布日期：2023年6月30日", "2023-06-30"),
        ("2020년 4월 2일", "2020-04-02"),
        ("2018 年第一季度报告", "2018-Q1"),
        ("2. Quartal 2022", "2022-Q2"),
        ("Oktober 2021", "2021-10"),
        ("青山公司2025年年度报告", "2025"),
    ],
)
def test_dates_of_other_languages_are_read_in_english(text: str, key: str) -> None:
    assert [period.key for period in periods_in(with_english_dates(text))] == [key]


def test_other_words_stay() -> None:
    text = "Mars sold 12 bars in May 2021; juin is a word."
    assert with_english_dates(text) == text
