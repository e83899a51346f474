import pytest

from core.language.entities.quantities import quantities


@pytest.mark.parametrize(
    ("text", "value", "unit", "limit"),
    [
        ("The rent may not go up by more than 4% in a year.", 4, "percent", "most"),
        ("It must not cost less than $50.", 50, "USD", "least"),
        ("It is not paid for a trip of more than 3 days.", 3, "day", "least"),
        ("It is not paid and costs more than 5 dollars.", 5, "USD", "least"),
        ("המחיר לא יעלה ביותר מ-3%", 3, "percent", "most"),
        ("one month's notice", 1, "month", None),
        ("within half an hour", 0.5, "hour", "most"),
        ("בתוך חצי שעה", 0.5, "hour", "most"),
        ("within an hour", 1, "hour", "most"),
        ("בתוך שעה", 1, "hour", "most"),
        ("תוך שבוע מן ההזמנה", 1, "week", "most"),
    ],
)
def test_limits_and_lengths_as_they_are_said(text: str, value: float, unit: str, limit: str | None) -> None:
    (found,) = quantities(text)
    assert (found.low, found.unit, found.limit) == (value, unit, limit)
