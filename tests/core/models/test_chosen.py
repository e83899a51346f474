from __future__ import annotations

import pytest

from core.models.configuration.chosen import reach_of


@pytest.mark.parametrize(
    ("address", "reach"),
    [
        ("http://localhost:1234/v1", "machine"),
        ("http://models.localhost/v1", "machine"),
        ("http://[::1]:8000/v1", "machine"),
        ("http://10.0.0.7/v1", "network"),
        ("http://[fd00::1]/v1", "network"),
        ("http://gpu/v1", "network"),
        ("http://gpu.lan/v1", "network"),
        ("http://8.8.8.8/v1", "internet"),
        ("https://localhost.example.com/v1", "internet"),
        ("https://api.openai.com/v1", "internet"),
    ],
)
def test_where_an_address_leads(address: str, reach: str) -> None:
    assert reach_of(address) == reach
