"""Scores how central each sentence is to a text: LexRank over TF-IDF vectors or embeddings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from core.language.detection import detect
from core.language.terms import index_terms

Floats = NDArray[np.float64]

DAMPING = 0.85
ROUNDS = 30


MOST_COLUMNS = 4_096
"""Above this number, terms share columns by hash, so that a book's matrix fits into memory."""


def tf_idf(texts: Sequence[str]) -> Floats:
    """Returns unit-length TF-IDF rows, one for each text; the columns are the terms of all texts."""
    counts = [Counter(index_terms(text, detect(text))) for text in texts]
    frequency = Counter(term for count in counts for term in count)
    hashed = len(frequency) > MOST_COLUMNS
    column = {term: crc32(term.encode()) % MOST_COLUMNS if hashed else n for n, term in enumerate(frequency)}
    rows = np.zeros((len(texts), MOST_COLUMNS if hashed else max(1, len(column))))
    for place, count in enumerate(counts):
        for term, times in count.items():
            rows[place, column[term]] += (1 + math.log(times)) * math.log(1 + len(texts) / frequency[term])
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Floats = rows / np.where(lengths > 0, lengths, 1.0)
    return unit


def lex_rank(vectors: Floats) -> Floats:
    """Returns centrality scores, the largest 1.0: a random walk between similar sentences (Erkan and Radev 2004)."""
    total = len(vectors)
    if total == 0:
        return np.zeros(0)
    likeness = np.maximum(vectors @ vectors.T, 0.0)
    np.fill_diagonal(likeness, 0.0)
    sums = likeness.sum(axis=1, keepdims=True)
    walk = np.where(sums > 0, likeness / np.where(sums > 0, sums, 1.0), 1.0 / total)
    rank = np.full(total, 1.0 / total)
    for _ in range(ROUNDS):
        rank = (1 - DAMPING) / total + DAMPING * (walk.T @ rank)
    scaled: Floats = rank / rank.max()
    return scaled
