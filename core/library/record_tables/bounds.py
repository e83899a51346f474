"""Sets the size limits: how long a table may be to be read as part of a document, and to be kept whole."""

from __future__ import annotations

SMALL_ROWS = 200
"""A table with up to this many rows, such as a financial statement, is read like any other part of a document."""
PASSAGE_ROWS = 5_000
"""A table with more rows has passages for its beginning only, if its rows are stored as a dataset."""
BEGINNING_ROWS = 1_000
"""Number of rows of such a table that have passages."""
KEPT_ROWS = 50_000
KEPT_CELLS = 250_000
KEPT_CHARACTERS = 5_000_000
"""Limits up to which tables are kept whole, so that answers can be computed from them."""
