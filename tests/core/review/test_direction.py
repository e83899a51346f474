"""Tests that a rise or fall is attributed to the words next to it."""

import pytest

from core.review.direction import Direction, direction


@pytest.mark.parametrize(
    ("claim", "window", "expected"),
    [
        ("Net sales decreased in 2018.", "Net sales decreased by 2 percent in 2018.", "same"),
        ("Net sales decreased in 2018.", "Net sales rose by 2 percent in 2018.", "opposite"),
        ("Net sales decreased in 2018.", "In 2018, lower net sales were offset by prices.", "same"),
        ("Net sales decreased in 2018.", "There was an increase in net sales in 2018.", "opposite"),
        ("Net sales decreased in 2018.", "Expenses decreased in 2018 as a share of net sales.", "none"),
        ("Net sales decreased in 2018.", "Net sales decreased by 2 percent in 2017.", "none"),
        ("Net revenue fell.", "The fair value of the brand fell; net revenue is told elsewhere.", "none"),
        ("Revenues decreased in 2022.", "BDS revenues in 2022 decreased by $3 million.", "none"),
        ("Revenues decreased in 2022.", "Net revenues in 2022 decreased by $3 million.", "same"),
        ("The landlord may raise the rent.", "The rent may be raised once a year.", "same"),
        ("ההכנסות ירדו.", "ההכנסות עלו ברבעון.", "opposite"),
        ("The rent is paid monthly.", "The rent rose.", "untold"),
    ],
)
def test_direction(claim: str, window: str, expected: Direction) -> None:
    assert direction(claim, window) == expected
