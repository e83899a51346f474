"""Tests row labels over several lines, and the headings among them."""

from core.library.tables.grid import RawCell, RawRow
from core.library.tables.labels import parents_of, unwrapped


def row(label: str, indent: float, *figures: str) -> RawRow:
    return RawRow([RawCell(label, 0, 1), *(RawCell(text, at, at + 1) for at, text in enumerate(figures, 1))], indent)


def test_a_heading_that_ends_in_net_stays_over_its_indented_rows() -> None:
    rows = unwrapped([row("Inventories, net", 1), row("Raw materials", 2, "992"), row("Finished goods", 2, "1,221")])
    assert [each.label for each in rows] == ["Inventories, net", "Raw materials", "Finished goods"]
    assert parents_of(rows)[1:] == [["Inventories, net"], ["Inventories, net"]]


def test_a_label_that_ends_in_net_goes_on_in_the_next_line() -> None:
    rows = unwrapped([row("Accounts receivable, net", 1), row("of allowances", 1, "120")])
    assert [each.label for each in rows] == ["Accounts receivable, net of allowances"]


def test_a_heading_of_two_lines_does_not_run_into_its_first_row() -> None:
    lines = [
        row("Adjustments to reconcile net income including others to net cash", 1),
        row("provided by operating activities", 1),
        row("Depreciation and amortization", 2, "1,488"),
    ]
    rows = unwrapped(lines, full=45)
    assert [each.label for each in rows][-1] == "Depreciation and amortization"
    assert len(rows) == 2


def test_a_label_that_fills_its_column_goes_on_deeper() -> None:
    lines = [row("Purchases of land, buildings, equipment and all else", 1), row("Held for long", 2, "12")]
    assert [each.label for each in unwrapped(lines, full=45)] == [f"{lines[0].label} Held for long"]


def test_a_section_goes_on_behind_a_subtotal() -> None:
    rows = [
        row("Plan assets", 1),
        row("Bonds", 2, "10"),
        row("Shares", 2, "20"),
        row("Sub-total plan assets", 1, "30"),
        row("Real estate", 2, "5"),
        row("Total plan assets", 1, "35"),
        row("Cash", 1, "7"),
    ]
    parents = parents_of(rows)
    assert (parents[4], parents[6]) == (["Plan assets"], [])
