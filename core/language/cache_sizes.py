"""Defines cache sizes for text analyses: numbers of texts and words."""

from __future__ import annotations

TEXTS = 2_000
"""Number of statements and passages whose analysis is cached. One answer over ten reports compares a few hundred;
caching twenty thousand would take hundreds of megabytes, each used once."""

WORDS = 20_000
"""Number of words whose analysis is cached. A long report has ten thousand different words, and is searched again for
each statement about it."""
