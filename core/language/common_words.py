"""Tells common words from names: ``common_words.txt`` has the words of the packaged tokenizer (the vocabulary of
XLM-RoBERTa, MIT) that are written in lower case more frequently than with a capital, and their
stems. ``benchmarks/common_words.py``
creates it."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

from core.language.normalisation import fold
from core.language.terms import is_stop_word, stem

FILE = Path(__file__).with_suffix(".txt")
LEAST_STEM = 5
"""Minimum letters of a stem: shorter stems also begin names."""


_DERIVED = re.compile(
    r"[a-z]{3,30}(?:tion|sion|ment|ness|ity|ance|ence|ical|ally|ively|able|ible|ously|ful|ized|ised|ology|graphy|graphic|wards?"
    r"|more|less|ism)s?$"
)
"""Endings of words that are derived from others; names seldom have them."""


@lru_cache(maxsize=50_000)
def is_common(word: str) -> bool:
    """Whether a word in Latin letters is usually written in lower case, in this or another form."""
    folded = fold(word).removesuffix("'s").removesuffix("s'")
    if is_stop_word(folded) or folded in _words() or _DERIVED.match(folded):
        return True
    root = stem(folded)
    return len(root) >= LEAST_STEM and root in _words()


@cache
def _words() -> frozenset[str]:
    return frozenset(FILE.read_text("utf-8").split())
