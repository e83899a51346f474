"""Reads a measure in brackets as the name of what precedes it: "spent on equipment (capital expenditure)"."""

from __future__ import annotations

import re

from core.language.phrases import WORD, PhraseMatcher, words

_ASIDE = re.compile(r"\(([^()]*)\)")


def with_bracketed_names(text: str, names: PhraseMatcher[str]) -> str:
    """Returns the question with a measure in brackets in the place of the measure before it that it explains; other
    brackets are removed.

    A bracket names a measure only if it has no other word: "(revenue less cost of sales)" defines one. If the question
    names no measure outside its brackets, the one in brackets counts without another before it.

    Args:
        text: the question in normal form.
        names: matches the names of measures.
    """
    is_only = not names.find(_ASIDE.sub(" ", text))
    parts, last = [], 0
    for aside in _ASIDE.finditer(text):
        before = text[last : aside.start()]
        last = aside.end()
        shorter = _without_measure_at_end(before, names) if _is_measure(aside[1], names) else None
        if shorter is not None or (is_only and _is_measure(aside[1], names)):
            parts += [before if shorter is None else shorter, aside[1]]
        else:
            parts += [before, " "]
    return "".join([*parts, text[last:]])


def _is_measure(text: str, names: PhraseMatcher[str]) -> bool:
    found = names.find(text)
    return len(found) == 1 and found[0].end - found[0].start == len(words(text))


def _without_measure_at_end(text: str, names: PhraseMatcher[str]) -> str | None:
    """Returns the text up to the measure with which it ends; ``None`` if it ends with none."""
    places = [match.start() for match in WORD.finditer(text.replace("-", " "))]
    found = names.find(text)
    return text[: places[found[-1].start]] if found and found[-1].end == len(places) else None
