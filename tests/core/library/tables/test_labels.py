"""Row labels over several lines, and the headings among them."""

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
