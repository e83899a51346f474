"""Encodes terms as sparse BM25 vectors for documents, queries and the index (docs/specification.md, "Words").

BM25 scores a document by the sum over the query's terms of ``idf · tf·(k1+1) / (tf + k1·(1 − b + b·len/avg))``
(Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework", §3.2). The fraction is the document's weight,
computed once here; ``idf = ln(1 + (N − n + ½) / (n + ½))`` comes from the index, always for the current corpus; the
term's frequency in the query comes from the query.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b

from core.records.memory_meta import Tier
from core.store.index import SparseVector
from core.words import Language

K1 = 1.2
"""Saturation of repeated terms; the usual value of Lucene and of the literature."""
B = 0.75
"""Penalty for long documents; also the usual value."""


AVERAGE_LENGTH: dict[Tier, dict[Language, float]] = {
    "working": {"en": 40.0, "he": 400.0},
    "history": {"en": 40.0, "he": 400.0},
    "patterns": {"en": 40.0, "he": 400.0},
    "books": {"en": 200.0, "he": 400.0},
    "memory_bank": {"en": 40.0, "he": 400.0},
}
"""Terms in an average text, fixed so that a stored weight never depends on later texts.

Measured: chunks of 500 tokens have 184-222 English terms (2,100 characters) or 351 Hebrew ones (359 characters: Hebrew
takes more tokens, and one term a character); a turn of a conversation has 10 (127 characters). One constant for both
languages would cost Hebrew three points of R@1 (HeQ paragraphs: .885 with their own average, .853 with 100), one that
is twice too large nothing (.884), and short turns gain by one (LoCoMo R@5 .526 with 10, .543 with 30).
"""


def document_vector(terms: Sequence[str], average_length: float) -> SparseVector:
    """Returns the BM25 weights of a document's ``terms`` (with repetitions, any order).

    Terms whose hashes collide count as one term.

    Raises:
        ValueError: ``average_length`` (in terms) is not positive.
    """
    if average_length <= 0:
        raise ValueError(f"the average length must be positive, not {average_length}")
    norm = K1 * (1 - B + B * len(terms) / average_length)
    counts = _term_counts(terms)
    return SparseVector(indices=[term for term, _ in counts], values=[tf * (K1 + 1) / (tf + norm) for _, tf in counts])


def query_vector(terms: Iterable[str]) -> SparseVector:
    """Returns the frequency of each term in the query; empty for a query without terms."""
    counts = _term_counts(terms)
    return SparseVector(indices=[term for term, _ in counts], values=[float(tf) for _, tf in counts])


def _term_counts(terms: Iterable[str]) -> list[tuple[int, int]]:
    return sorted(Counter(map(term_id, terms)).items())


@lru_cache(maxsize=1 << 17)
def term_id(term: str) -> int:
    """Returns a 32-bit id that is the same in every process and on every platform.

    Of 100,000 distinct terms, about one pair shares an id.
    """
    return int.from_bytes(blake2b(term.encode(), digest_size=4).digest(), "big")
