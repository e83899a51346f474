"""Tests same, update or different: on pairs labelled by hand, with the packaged model and by keyword only.

``bank_pairs.tsv`` has 176 pairs (76 Hebrew). Its even lines were used for tuning; its odd lines were never looked at
while tuning. Measured on the odd lines with multilingual-e5-small-q4: 32 of 32 different facts stay separate, 26 of 28
pairs that say the same are merged (.93), 23 of 28 updates are found (.82; .86 by keyword only). ``bank_pairs_hard.tsv``
has 188 pairs (79 Hebrew) written to break the rule: on the first run it merged 7 of 126 different facts, and was fixed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from core.memory.bank.deduplication import CANDIDATES, Deduplication, Relation, SimilarItems, compare, similarity
from core.memory.bank.statements import parse
from core.memory.items.writing import MemoryItems
from core.models.build import build_embeddings
from core.models.embeddings import Calibration, EmbeddingsUnavailableError, Matrix
from core.models.packaged import CALIBRATION
from core.resilience.dependencies import Dependency
from core.setting_groups import Memory
from core.settings import Settings
from core.store.edge import EdgeIndex
from core.store.index import Vector
from core.store.items import ItemSource, MemoryItem, Timestamps
from core.store.sqlite.truth import SqliteTruth

DATA = Path(__file__).with_name("data")
Pair = tuple[str, str, str]


def pairs(name: str) -> list[Pair]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [(label, old, new) for label, old, new in (line.split("\t") for line in lines)]


PAIRS = pairs("bank_pairs.tsv")
TUNED, HELD_OUT, HARD = PAIRS[::2], PAIRS[1::2], pairs("bank_pairs_hard.tsv")


class Counts:
    """How the pairs of each label were judged."""

    def __init__(self, judged: Sequence[tuple[str, Relation]]) -> None:
        self._counts = Counter(judged)

    def share(self, label: str, relation: str) -> float:
        total = sum(count for (each, _), count in self._counts.items() if each == label)
        return self._counts[(label, relation)] / total  # type: ignore[index]

    def promise(self) -> None:
        assert self.share("different", "different") >= 0.99, self._counts
        assert self.share("same", "same") >= 0.7, self._counts
        assert self.share("update", "update") >= 0.8, self._counts


def test_the_tables_are_large_and_hebrew_enough() -> None:
    hebrew = [pair for pair in PAIRS if any("א" <= letter <= "ת" for letter in pair[1])]
    assert len(PAIRS) >= 120
    assert len(hebrew) >= 40
    assert not {pair[1:] for pair in TUNED} & {pair[1:] for pair in HELD_OUT}


@pytest.mark.parametrize("table", [TUNED, HELD_OUT, HARD], ids=["tuned", "held out", "hard"])
def test_by_words_alone(table: list[Pair]) -> None:
    Counts([(label, compare(old, new)) for label, old, new in table]).promise()


async def test_with_the_packaged_model() -> None:
    embeddings = build_embeddings(Settings(_env_file=None))  # type: ignore[call-arg]
    texts = list(dict.fromkeys(text for pair in HELD_OUT for text in pair[1:]))
    try:
        vectors = dict(zip(texts, await embeddings.embed_passages(texts), strict=True))
    except EmbeddingsUnavailableError as error:
        pytest.skip(str(error))
    dedup = Deduplication(nothing_similar, embeddings.identity.calibration, Memory().dedup_similarity)
    judged = [(label, dedup.judge(old, new, float(vectors[old] @ vectors[new]))[0]) for label, old, new in HELD_OUT]
    Counts(judged).promise()


def test_of_all_facts_of_the_table_hardly_any_are_taken_for_one() -> None:
    """Compares 15,302 pairs of texts from different lines; the table marks the 20 pairs that have the same meaning."""
    texts = [(text, number) for number, pair in enumerate(TUNED) for text in pair[1:]]
    crossed = [(one, other) for (one, here), (other, there) in combinations(texts, 2) if here != there and one != other]
    taken = [pair for pair in crossed if compare(*pair) != "different"]
    assert len(crossed) > 15_000
    assert len(taken) <= 20, taken


@pytest.mark.parametrize("text", [text for pair in HARD[::3] for text in pair[1:]])
def test_a_text_is_the_same_as_itself(text: str) -> None:
    assert compare(text, f" {text.upper() if text.isascii() else text}. ") == "same"


@pytest.mark.parametrize(
    ("old", "new", "relation"),
    [
        ("Ada likes tea. She lives in Haifa.", "Ada likes tea", "different"),
        ("", "Ada likes tea", "different"),
        ("???", "Ada likes tea", "different"),
        ("12", "13", "different"),
        ("the", "a", "different"),
    ],
)
def test_odd_texts_are_never_merged(old: str, new: str, relation: Relation) -> None:
    assert compare(old, new) == relation


def test_similarity_is_of_the_calibrated_distance() -> None:
    plain = Calibration(0.0, 1.0)
    assert similarity(1.0, plain) == 1.0
    assert similarity(0.0, plain) == pytest.approx(1 / (1 + 2**0.5))
    # The limit is a distance of .25, which is 1 − .25² / 2 of the calibrated range.
    limit = CALIBRATION.low + (1 - 0.25**2 / 2) * (CALIBRATION.high - CALIBRATION.low)
    assert similarity(limit, CALIBRATION) == pytest.approx(0.8)
    assert similarity(0.5, CALIBRATION) == similarity(CALIBRATION.low, CALIBRATION)


def test_vectors_have_a_veto() -> None:
    dedup = Deduplication(nothing_similar, CALIBRATION, 0.8)
    assert dedup.judge("Ada likes tea", "Ada enjoys tea", 0.95)[0] == "same"
    assert dedup.judge("Ada likes tea", "Ada enjoys tea", 0.80)[0] == "different"
    assert dedup.judge("Ada likes tea", "ada likes tea.", 0.80)[0] == "same"
    assert dedup.judge("Ada likes tea", "Ada enjoys tea", None) == ("same", None)
    assert dedup.judge("Ada likes tea", "Ada likes coffee", 1.0)[0] == "different"


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("Ada does not like tea", True),
        ("Ada doesn't hate tea", False),
        ("Ada hates tea", True),
        ("עדה אף פעם לא שותה קפה", True),
        ("עדה שונאת תה", True),
        ("Ada likes tea", False),
    ],
)
def test_negation(text: str, negated: bool) -> None:
    assert parse(text).negated is negated


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The rent is 4,500 shekels", {("number", "4500")}),
        ("The salary is 20k", {("number", "20000")}),
        ("Dana works on Tuesdays at 9:30", {("name", "dana"), ("date", "tuesday"), ("number", "9:30")}),
        ("לעדה יש שלושה חתולים", {("name", "עדה"), ("number", "3")}),
    ],
)
def test_numbers_dates_and_names(text: str, said: set[tuple[str, str]]) -> None:
    assert {(term.part, term.key) for term in parse(text).of("number", "date", "name")} == said


# -- which texts are compared ----------------------------------------------------------------


async def nothing_similar(user_id: str, text: str, limit: int) -> list[tuple[MemoryItem, float | None]]:
    return []


class Letters:
    """Returns vectors by a text's first letter, or fails like an unavailable model."""

    def __init__(self, *, away: bool = False) -> None:
        self.away = away
        self.identity = build_embeddings(Settings(_env_file=None)).identity  # type: ignore[call-arg]

    async def embed_query(self, text: str) -> Vector:
        return (await self.embed_passages([text]))[0]

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        if self.away:
            raise ConnectionError("no model")
        return np.stack([np.eye(4, dtype=np.float32)[ord(text[0].lower()) % 4] for text in texts])


def bank_item(number: int, text: str, user_id: str = "ada") -> MemoryItem:
    return MemoryItem(
        id=f"mem_{number:032x}",
        user_id=user_id,
        tier="memory_bank",
        kind="fact",
        text=text,
        scope="memory",
        source=ItemSource(type="user"),
        timestamps=Timestamps(created_at=1.0, updated_at=1.0),
    )


@pytest.mark.parametrize("away", [False, True])
async def test_candidates_come_by_words_and_meaning(truth: SqliteTruth, index: EdgeIndex, away: bool) -> None:
    embeddings = Letters(away=away)
    items = MemoryItems(truth, index, embeddings, lambda: 5.0)
    await items.ensure()
    bank = [bank_item(1, "boiler leaks"), bank_item(2, "x marks the spot"), bank_item(3, "boiler is new")]
    await items.add("ada", bank)
    await items.add("ben", [bank_item(9, "boiler of ben", "ben")])
    await items.set_vectors(bank[1:2], await Letters().embed_passages(["x marks the spot"]))
    similar = SimilarItems(truth, items, index, embeddings, Dependency("embeddings", 2.0))
    found = {item.text: cosine for item, cosine in await similar("ada", "the boiler", CANDIDATES)}
    assert {"boiler leaks", "boiler is new"} <= set(found)
    assert "boiler of ben" not in found
    if away:
        assert set(found.values()) == {None}
    else:
        # "t" and "x" share an axis; the entries without a vector got one for the comparison.
        assert found["x marks the spot"] == pytest.approx(1.0)
        assert found["boiler leaks"] == pytest.approx(0.0)
    assert await similar("eve", "the boiler", CANDIDATES) == []
