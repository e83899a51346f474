"""Scores an answer as TAT-QA does: its strings and scale compared with the labels → exact match and F1.

Written from the definition in the paper (Zhu et al. 2021, section 5.1) and its repository's description: answers and
labels become one string each, with numbers to four decimals and their scale applied, and several answers sorted and
joined. Exact match compares the strings after DROP's normalisation (case, articles, punctuation), F1 their words. A
single number without a scale may also be meant as printed (0.2342 for 23.42 %). F1 of calculated or counted answers is
their exact match.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

SCALES = {"": 1.0, "thousand": 1e3, "million": 1e6, "billion": 1e9, "percent": 0.01}
_WORDS = {"hundred": 100.0, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "percent": 0.01}
_SIGNS = re.compile(r"['\"\\$€£¥%(),\[\]]")
_DIGITS = re.compile(r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)")
_BRACKETED = re.compile(r"\([\d.\s]+\)")
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_COUNTED = ("arithmetic", "count")


def score(
    label: Sequence[str] | str | float, kind: str, scale: str, said: Sequence[str], said_scale: str
) -> tuple[float, float]:
    """Returns (exact match, F1) of the answer ``said`` against the ``label``; ``kind`` is its answer_type."""
    if not said:
        return 0.0, 0.0
    labels = (
        [str(each) for each in label]
        if isinstance(label, list)
        else [str(int(label)) if kind == "count" else str(label)]
    )  # type: ignore[call-overload]
    gold = _normal(joined(labels, scale))
    tried = [joined(said, said_scale)]
    if len(said) == 1 and not said_scale and "%" not in said[0] and is_number(said[0]):
        value = number(said[0])
        tried += [f"{value:.4f}"] if value is not None else []
    best = max((_matches(_normal(each), gold) for each in tried), default=(0.0, 0.0))
    return (best[0], best[0]) if kind in _COUNTED else best


def joined(answers: Sequence[str], scale: str) -> str:
    """Returns all answers as one string, the form in which answer and label are compared."""
    parts: list[str] = []
    for answer in sorted(answers):
        value = number(answer) if is_number(answer) else None
        if value is None:
            parts.append(f"{answer} {scale}" if scale else answer)
        elif "%" in answer:
            parts.append(f"{value:.4f}")
        else:
            parts.append(f"{round(value, 2) * SCALES[scale]:.4f}")
    return " ".join(parts)


def is_number(text: str) -> bool:
    """Returns whether it is a number with its signs, perhaps with a scale word after it."""
    words = " ".join(_SIGNS.sub("", word) for word in text.split()).split()
    if not words:
        return False
    try:
        value = float(words[0])
    except ValueError:
        return False
    return value == value and (len(words) < 2 or _word_scale(words[1]) != 1.0)


def number(text: str) -> float | None:
    """Returns the number's value, with scale words, percent sign and parentheses around bare digits applied."""
    found = _DIGITS.search(_SIGNS.sub("", text))
    if found is None:
        return None
    value = float(found.group())
    for word in text.split():
        value *= _word_scale(word) if not word.endswith("%") else 1.0
    value *= -1.0 if _BRACKETED.search(text) else 1.0
    return round(value * (0.01 if "%" in text else 1.0), 4)


def _word_scale(word: str) -> float:
    return _WORDS.get(word.lower().strip(string.punctuation).removesuffix("s"), 1.0)


def _normal(text: str) -> str:
    tokens: list[str] = []
    for token in text.lower().split(" "):
        plain = str(number(token)) if is_number(token) else "".join(c for c in token if c not in string.punctuation)
        tokens += _ARTICLES.sub(" ", plain).split()
    return " ".join(tokens)


def _matches(said: str, gold: str) -> tuple[float, float]:
    ours, theirs = set(said.split()), set(gold.split())
    shared = len(ours & theirs)
    precision = shared / len(ours) if ours else 1.0
    recall = shared / len(theirs) if theirs else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return float(said == gold), round(f1, 2)
