"""Tests the dates that a document mentions, by the shared grammar."""

import pytest

from core.library.description.mentions import dates


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Signed 5 May 2031 and again on 2031-06-07.", ["2031-05-05", "2031-06-07"]),
        ("In June of 2031 and in July 2031", ["2031-06", "2031-07"]),
        ("Period (1/1/29)", ["2029-01-01"]),
        ("03/04/2031", ["03/04/2031"]),
        ("03.04.2031", ["2031-04-03"]),
        ("June 30", []),
        ("see 3.4.31", []),
        ("ביום 3 במרס 1848", ["1848-03-03"]),
    ],
)
def test_dates_with_their_year(text: str, expected: list[str]) -> None:
    assert dates(text) == expected
