"""Extracts the features of a message: its words, character n-grams, and what the rules find in it.

An embedding mostly shows a text's subject and less its intent. Small words ("against", "between", "how many", "about
me") show the intent better, and rules detect clear commands.
"""

from __future__ import annotations

import itertools
import math
import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.graph.records import Format
from core.graph.understanding import wording
from core.graph.understanding.intent import rules
from core.graph.understanding.intent.web_need import about_image
from core.graph.understanding.mentions import MARK, without_mentions
from core.language.normalisation import fold

MOST_KEPT = 64
"""Number of texts whose features are kept: two sets of weights read each message."""
RUN = 4
"""Length of a character n-gram."""
_DIGITS = re.compile(r"\d+")
_TOKEN = re.compile(r"[\w\"'’׳״]+|[?!,:;/\-–—.]")
_QUOTED = re.compile(r"[\"'“«„][^\"'”»]{12,1000}[\"'”»]|:\s*\S.{15,}")

FORMS: tuple[Format, ...] = ("comparison", "summary", "explanation", "timeline", "definition", "how_to")
EVIDENCE = (
    "orders summarize",
    "orders compare",
    "orders audit",
    "asks",
    "orders nothing",
    "several",
    "vague",
    "bare name",
    "begins with a question word",
    "ends with a question mark",
    "polite",
    "telling or naming",
    "names a document",
    "own text",
    "quotes",
    "the world outside",
    "a picture",
    "words",
    *(f"form: {form}" for form in FORMS),
)
"""Names of the features that :func:`evidence` returns, in order."""


@lru_cache(maxsize=MOST_KEPT)
def terms(text: str) -> frozenset[str]:
    """Returns words, word pairs and triples, and character n-grams within words; all numbers count as equal."""
    words = _TOKEN.findall(_DIGITS.sub("0", fold(text)))
    if not words:
        return frozenset()
    found = {f"^{words[0]}", f"{words[-1]}$", *words}
    for word in words:
        marked = f"<{word}>"
        found.update(f"~{marked[at : at + RUN]}" for at in range(len(marked) - RUN + 1))
    found.update(f"{a} {b}" for a, b in itertools.pairwise(words))
    found.update(f"{a} {b} {c}" for a, b, c in zip(words, words[1:], words[2:], strict=False))
    return frozenset(found)


@lru_cache(maxsize=MOST_KEPT)
def evidence(text: str) -> NDArray[np.float32]:
    """Returns the rules' findings in a message, shape (len(EVIDENCE),), each 0..1."""
    marked = without_mentions(text, MARK)
    folded = fold(marked)
    reading = rules.read(text)
    form = rules.format_of(text, "inquire")
    wanted = reading.wanted if reading.certain else ()
    seen = (
        "summarize" in wanted,
        "compare" in wanted,
        "audit" in wanted,
        "inquire" in wanted,
        not wanted and not reading.alternatives,
        len(wanted) > 1,
        bool(reading.alternatives),
        rules.is_bare_name(text),
        bool(wording.lists().interrogative.match(folded)),
        folded.rstrip("\"' )").endswith("?"),
        bool(wording.lists().polite.search(folded)),
        bool(wording.lists().telling.search(folded) or wording.lists().naming.search(folded)),
        wording.names_document(folded),
        bool(wording.lists().own_text.search(folded)),
        bool(_QUOTED.search(text)),
        any(wording.lists().web[each].search(folded) for each in ("asked", "facts", "temporal")),
        about_image(text),
        min(1.0, math.log1p(len(folded.split())) / math.log(60)),
        *(form == each for each in FORMS),
    )
    return np.array(seen, dtype=np.float32)
