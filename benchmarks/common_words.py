"""Creates ``core/language/common_words.txt``: ``python -m benchmarks.common_words``.

A word is common if the packaged tokenizer (the vocabulary of XLM-RoBERTa, MIT) knows it in lower case, more frequently
than with a capital letter.
"""

from __future__ import annotations

import re
import sys

from core.language.common_words import FILE, LEAST_STEM
from core.language.terms import stem
from core.models.e5.weights import Weights
from core.models.packaged_engine import verified_weights

_WORD = re.compile("▁([a-z]{3,})")
MORE = 0.0
"""Minimum difference of the two logarithms."""


def main() -> int:
    vocabulary = Weights(verified_weights()).vocabulary
    scores = dict(zip(vocabulary.pieces, vocabulary.scores.tolist(), strict=True))
    words = [match[1] for piece in scores if (match := _WORD.fullmatch(piece))]
    common = [word for word in words if scores[f"▁{word}"] - scores.get(f"▁{word.capitalize()}", -99.0) > MORE]
    stems = {root for word in common if len(root := stem(word)) >= LEAST_STEM}
    FILE.write_text(" ".join(sorted(stems.union(common))) + "\n")
    print(len(common), "words")
    return 0


if __name__ == "__main__":
    sys.exit(main())
