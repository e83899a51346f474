"""Keeps the English plain: counts marker words of an archaic style in documents, page texts, docstrings and comments.

A marker word is one that current technical English seldom needs. A text may need one now and then, so the test
limits their density and forbids none of them.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WORDS = (
    "whoever", "whosoever", "whomever", "whence", "wherein", "whereupon", "thereof", "therein", "thereupon", "hence",
    "lest", "ere", "upon", "unto", "aught", "naught", "anew", "beside", "seldom", "hardly", "likewise", "alike",
    "meanwhile", "altogether", "nobody", "somebody", "alone", "stand", "stands", "stood", "told",
)  # fmt: skip
PHRASES = (
    r"is said", r"are said", r"said of", r"tells? (?:how|what|who|whether)", r"bears? (?:on|out)", r"borne out",
    r"gives? way", r"at once", r"in its place", r"of its own", r"for good", r"comes? to nothing", r"for want of",
    r"by (?:rule|words)", r"what is (?:asked|named|told|said|there|known|left|missing)",
    r"who (?:asks|names|changes|reads|cancels|waits|writes)",
)  # fmt: skip
MARKER = re.compile(rf"\b(?:{'|'.join((*WORDS, *PHRASES))})\b", re.IGNORECASE)
WORD = re.compile(r"[A-Za-z']+")
MOST = 10.0
"""Maximum number of markers in 10,000 words of documents, and of page texts."""
CEILING = 8.0
"""Maximum number of markers in 10,000 words of docstrings and comments. Lower it when they become fewer; never raise
it."""


def files(pattern: str) -> list[Path]:
    """Returns the project's own files: without hidden folders and installed packages."""
    folders = [top for top in ROOT.iterdir() if top.is_dir() and top.name[0] != "." and top.name != "node_modules"]
    return [*ROOT.glob(pattern), *(path for top in folders for path in top.rglob(pattern))]


def explanations(source: str) -> str:
    """Returns the docstrings, attribute docstrings and comments of a module."""
    docstrings = [
        node.value.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return "\n".join([*docstrings, *(token.string for token in tokens if token.type == tokenize.COMMENT)])


def density(texts: Iterable[str]) -> tuple[float, str]:
    """Returns the number of markers in 10,000 words, and the most frequent markers for a failure message."""
    words, found = 0, Counter[str]()
    for text in texts:
        words += len(WORD.findall(text))
        found.update(match.lower() for match in MARKER.findall(text))
    return 10_000 * found.total() / max(1, words), ", ".join(f"{word} {count}" for word, count in found.most_common(9))


@pytest.mark.parametrize("pattern", ["*.md", "en.yaml"])
def test_documents_and_page_texts_are_plain(pattern: str) -> None:
    found, most_frequent = density(path.read_text(encoding="utf-8") for path in files(pattern))
    assert found <= MOST, most_frequent


def test_docstrings_and_comments_are_plain() -> None:
    found, most_frequent = density(explanations(path.read_text(encoding="utf-8")) for path in files("*.py"))
    assert found <= CEILING, most_frequent


def test_markers_are_found_in_docstrings_and_comments_and_not_in_code() -> None:
    source = '"""Told anew."""\nalone = "hence"  # whoever asks\n'
    assert density([explanations(source)])[0] == pytest.approx(10_000 * 3 / 4)
