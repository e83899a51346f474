"""How much of what is computed of texts is kept: → numbers of texts and words."""

from __future__ import annotations

TEXTS = 2_000
"""Statements and passages of which an analysis is kept. One answer over ten reports compares a few hundred; what is
kept of twenty thousand would be hundreds of megabytes, each of them of use once."""

WORDS = 20_000
"""Words of the same; a long report has ten thousand, and is read through for each statement about it."""
