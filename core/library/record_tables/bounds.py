"""How long tables are that are read as parts of a document, and those that are kept whole."""

from __future__ import annotations

SMALL_ROWS = 200
"""A table of so many rows, such as a financial statement, is read as a part of a document like any other."""
KEPT_ROWS = 50_000
KEPT_CELLS = 250_000
KEPT_CHARACTERS = 5_000_000
"""Tables up to these bounds are kept whole, so that questions can be computed from them."""
