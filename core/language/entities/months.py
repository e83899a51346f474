"""The names of the months: *word* → 1..12, in English and Hebrew, with their short forms."""

from __future__ import annotations

_NAMES = (
    "january jan ינואר", "february feb פברואר", "march mar מרץ מרס", "april apr אפריל", "may מאי", "june jun יוני",
    "july jul יולי", "august aug אוגוסט", "september sept sep ספטמבר", "october oct אוקטובר", "november nov נובמבר",
    "december dec דצמבר",
)  # fmt: skip
MONTHS = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}

MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
"""A regular expression's alternatives: any name of a month, the longest first."""
