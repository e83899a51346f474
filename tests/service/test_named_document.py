"""Tests a question that names one document, from the record store to the response: all of the document is read."""

from __future__ import annotations

import pytest

from tests.service.conftest import Open
from tests.service.house import House

LEASE = """<html><body><h1>Lease of the Quarry Mill</h1>
<p>Location: Ashcombe, Dorset</p><p>Registered Number: QM-2210</p><p>Date of Survey:</p>
<h2>Term</h2><p>The tenant holds the mill for nine years from the day of signing.</p>
<h2>Remedies</h2><p>Either party is entitled to an injunction, without limitation of other remedies.</p>
<h2>Return of keys</h2><p>The keys are handed back within 6 days of a written request.</p></body></html>"""
OTHER = """<html><body><h1>Lease of the Harbour Shed</h1>
<p>Location: Polruan, Cornwall</p><p>The duty of repair is mutual. The shed is let for two years.</p></body></html>"""


@pytest.fixture
async def house(open_house: Open) -> House:
    house = await open_house()
    await house.read("quarry.html", LEASE)
    await house.read("harbour.html", OTHER)
    return house


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Where is the building?", "Location: Ashcombe, Dorset"),
        ("How long does the tenant hold it?", "nine years"),
        ("Does it provide for an injunction?", "Yes: Either party"),
        ("When must the keys be handed back?", "within 6 days of a written request"),
    ],
)
async def test_the_line_comes_from_the_named_document(house: House, text: str, line: str) -> None:
    response = (await house.ask(f"{text} (quarry.html)")).view.response
    assert response is not None
    assert response.answer is not None
    assert line in response.answer.line
    assert response.answer.cells


@pytest.mark.parametrize("text", ["What was the date of the survey?", "Is the duty of repair mutual or one-way?"])
async def test_what_it_does_not_state_is_not_taken_from_another(house: House, text: str) -> None:
    response = (await house.ask(f"{text} (quarry.html)")).view.response
    assert response is not None
    assert response.kind == "nothing_found"
