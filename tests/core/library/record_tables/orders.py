"""A table of orders with as many rows as a test needs."""

from __future__ import annotations

from collections.abc import Iterator

HEADINGS = "Order,Date,Region,Code,Quantity,Amount,Comment"
COMMENTS = ("The parcel came late again", "Gate was locked all day", "Please call before noon", "")


def orders(count: int) -> Iterator[str]:
    """Returns the lines of a CSV file; three of four rows have a comment with a unique number in words."""
    yield HEADINGS
    for n in range(1, count + 1):
        comment = COMMENTS[n % 4]
        said = f"{comment} said driver w{n % 997}" if comment else ""
        yield f"ORD-{n:07d},2024-{n % 12 + 1:02d}-{n % 28 + 1:02d},North,C{n % 89}-{n},{n % 400},{n * 3}.50,{said}"


def order_file(count: int) -> str:
    return "\n".join(orders(count)) + "\n"
