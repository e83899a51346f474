"""Cuts the name of a file out of a question: "total by vendor in vendor spend" asks only for the total by vendor."""

from __future__ import annotations

import re
from pathlib import PurePath

from core.datasets.words.vocabulary import operations

_BETWEEN = r"[\W_]+"
_LEAST = 2
"""Least number of words of a name that is written without its extension."""


def without_file_name(question: str, filename: str) -> str:
    """Returns the question without the name of a file if it is written with its extension, or after a word such as
    "in"; the name may lack its last words. Unchanged if nothing else is left.

    >>> without_file_name("Total gross by vendor in the vendor spend file", "vendor-spend-2024.xlsx")
    'Total gross by vendor'
    >>> without_file_name("How many vendor spend lines are there?", "vendor-spend-2024.xlsx")
    'How many vendor spend lines are there?'
    """
    path = PurePath(filename)
    words = [re.escape(word) for word in re.split(_BETWEEN, path.stem) if word]
    whole = rf"{_BETWEEN.join(words)}{re.escape(path.suffix)}"
    names = [_BETWEEN.join(words[:count]) for count in range(len(words), _LEAST - 1, -1)]
    before, after = operations().file_before, operations().file_after
    patterns = [rf"(?:{before})?[\"'“„]?{whole}", *(rf"(?:{before})[\"'“„]?{name}" for name in names)]
    for pattern in patterns:
        left, count = re.subn(rf"(?i)(?<!\w){pattern}[\"'”]?(?:{after})?(?!\w)", " ", question, count=1)
        if count and any(map(str.isalnum, left)):
            return re.sub(r" ([?.,!])", r"\1", " ".join(left.split()))
    return question
