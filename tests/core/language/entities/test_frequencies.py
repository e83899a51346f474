import pytest

from core.language.entities.frequencies import frequencies


@pytest.mark.parametrize(
    ("text", "a_year"),
    [
        ("The filters are changed every month.", [12]),
        ("once every two months", [6]),
        ("twice a year", [2]),
        ("three times per week", [156]),
        ("a monthly fee", [12]),
        ("EUR 300 per month", [12]),
        ("every working day", [250]),
        ("in any contract year", [1]),
        ("every other week", [26]),
        ("a month before the end", []),
        ("within a month", []),
        ("every last month", []),
        ("each party", []),
        ("אחת לחודש", [12]),
        ("פעם בשבועיים", [26]),
        ("פעמיים בשנה", [2]),
        ("שלוש פעמים בשבוע", [156]),
        ('900 ש"ח לחודש', [12]),
        ("כל שלושה חודשים", [4]),
        ("עד ליום 31 בדצמבר", []),
        ("בחודש מרץ", []),
        ("בחודש הראשון", []),
    ],
)
def test_how_often(text: str, a_year: list[float]) -> None:
    assert [each.a_year for each in frequencies(text)] == a_year
