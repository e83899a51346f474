"""Tests that repeated sections of a report are computed like the rows of a table."""

from __future__ import annotations

from tests.service.house import POLICY, House

CONTRACTS = [
    ("Cedar Logistics", "11 March 2026", "$ 240,000", "Haifa"),
    ("Northwind Catering", "30 June 2025", "$ 88,500", "Eilat"),
    ("Orchid Software", "2 May 2024", "$ 19,900", "Tel Aviv"),
    ("Stonebridge Cleaning", "19 October 2028", "$ 61,250", "Haifa"),
]


def register() -> str:
    sections = [
        f"## {name}\n\n- **End date:** {end}\n- **Annual value:** {value}\n- **Site:** {site}\n"
        for name, end, value, site in CONTRACTS
    ]
    return "\n".join(["# Register of contracts\n\nThis register lists the contracts in force.\n", *sections])


async def test_sections_with_the_same_labels_are_computed(house: House) -> None:
    await house.read("policy.md", POLICY)
    document = await house.read("register.md", register())
    [dataset] = await house.workbench.datasets.known("ada", [document.id])
    assert [column.name for column in dataset.columns[1:]] == ["End date", "Annual value", "Site"]
    ends = await house.ask("Which contract ends first?")
    assert ends.view.response
    assert "Orchid Software" in ends.view.response.text
    totals = await house.ask("What is the total annual value by site?")
    assert totals.view.response
    assert "Haifa $301,250" in totals.view.response.text


async def test_paragraphs_of_a_conversation_are_no_sections(house: House) -> None:
    said = "\n\n".join(f"Operator: {'Next question. ' * 6}\n\nAnalyst: {'How is demand? ' * 9}" for _ in range(6))
    document = await house.read("call.md", f"# Earnings call\n\n{said}\n")
    assert not await house.workbench.datasets.known("ada", [document.id])


async def test_sections_in_prose_are_rows_of_their_dates_and_amounts(house: House) -> None:
    texts = [
        f"## Agreement with {name}\n\nIt covers the site in {site}. The agreement ends on {end}. "
        f"The yearly fee is {value}, payable in advance.\n"
        for name, end, value, site in CONTRACTS
    ]
    await house.read("policy.md", POLICY)
    document = await house.read("agreements.md", "\n".join(["# Agreements in force\n", *texts]))
    [dataset] = await house.workbench.datasets.known("ada", [document.id])
    assert [column.name for column in dataset.columns[1:]] == ["ends", "fee"]
    ends = await house.ask("Which agreement ends first?")
    assert ends.view.response
    assert "Orchid Software" in ends.view.response.text
