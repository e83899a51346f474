"""What can be counted in a message: text -> its words, runs of letters, and what the rules make of it.

A vector of meaning alone sees what a text is about more than what it wants; the small words ("against", "between",
"how many", "about me") say that better, and rules know the plain orders.
"""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
from numpy.typing import NDArray

from core.graph.records import Format
from core.graph.understanding import wording
from core.graph.understanding.intent import rules
from core.graph.understanding.intent.web_need import about_image
from core.graph.understanding.mentions import MARK, without_mentions
from core.language.normalisation import fold

RUN = 4
"""Letters of a run."""
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
"""Names of the numbers of :func:`evidence`."""


def terms(text: str) -> set[str]:
    """Words, pairs and triples of words, and runs of letters within them; figures are all alike."""
    words = _TOKEN.findall(_DIGITS.sub("0", fold(text)))
    if not words:
        return set()
    found = {f"^{words[0]}", f"{words[-1]}$", *words}
    for word in words:
        marked = f"<{word}>"
        found.update(f"~{marked[at : at + RUN]}" for at in range(len(marked) - RUN + 1))
    found.update(f"{a} {b}" for a, b in itertools.pairwise(words))
    found.update(f"{a} {b} {c}" for a, b, c in zip(words, words[1:], words[2:], strict=False))
    return found


def evidence(text: str) -> NDArray[np.float32]:
    """What the rules see in a message, shape (len(EVIDENCE),), each 0..1."""
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
