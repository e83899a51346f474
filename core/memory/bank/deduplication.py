"""Decides whether two memory bank entries are the same, one an update of the other, or different.

Cosine similarity is not enough: with the packaged model "likes tea" is nearer to "likes coffee" than to "is fond of
tea". So the words decide, and the vectors can only reject a match: entries whose words match must also be near by the
model's calibrated distance. A wrong merge loses a fact, but a missed merge only leaves a duplicate. So in doubt the
answer is *different*.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal, Protocol

from core.ids import record_id
from core.language.detection import detect
from core.language.terms import index_terms
from core.memory.bank.statements import SELF, Statement, Term, are_same_term, parse
from core.memory.bank.write_guard import LONGEST, clean, is_raw_exchange, normalised_entry
from core.memory.items.reading import ITEMS
from core.memory.items.writing import MemoryItems
from core.models.embeddings import Calibration, Embeddings
from core.models.meter import paid_by
from core.models.structured import Prompt, TextModel, ask_text
from core.prompts.templates import Prompts
from core.resilience.dependencies import Dependency
from core.store.index import Index, Where
from core.store.items import MemoryItem
from core.store.scope import ScopedTruth
from core.store.truth import Truth

log = logging.getLogger(__name__)

Relation = Literal["same", "update", "different"]

CANDIDATES = 12
"""Maximum number of existing entries that a new entry is compared with."""
LONGEST_VALUE = 3
"""Maximum number of terms in a value that another value can replace."""
_TAKES_WORDS = frozenset(["work", "name"])
"""Verbs that have one object at a time, even if that object is not a name."""

Similar = Callable[[str, str, int], Awaitable[list[tuple[MemoryItem, float | None]]]]
"""A function: (user, text, limit) → the nearest active items in the user's bank with their cosine similarities
(``None`` without vectors). An item with the same text is always included."""


class Merger(Protocol):
    """A model that combines two texts of the same meaning into one."""

    async def merge(self, old: str, new: str) -> str | None: ...


@dataclass
class ModelMerger:
    """A ``Merger`` that uses a chat model."""

    _model: TextModel
    _prompts: Prompts
    _configured: Callable[[], bool] = lambda: True

    async def merge(self, old: str, new: str) -> str | None:
        """Raises ``PalimpsestError`` when the model fails."""
        if not self._configured():
            return None
        user = f"BEGIN OLDER\n{old}\nEND OLDER\n\nBEGIN NEWER\n{new}\nEND NEWER"
        written = await ask_text(self._model, Prompt(self._prompts.render("merging"), user))
        return None if written.text in ("", "null") else written.text


@dataclass(frozen=True)
class Match:
    item: MemoryItem
    relation: Literal["same", "update"]
    similarity: float | None


def similarity(cosine: float, calibration: Calibration) -> float:
    """Convert a calibrated cosine to a similarity ``1 / (1 + d)``, 0..1; ``d`` is the L2 distance of unit vectors.

    The calibration is needed because some models give high cosines to unrelated texts, so nearly everything would
    match: for the packaged model a cosine of .76 means unrelated but would give .59, and .90 means certainly related
    but would give only .69.
    """
    return 1 / (1 + math.sqrt(max(0.0, 2 - 2 * calibration.strength(cosine))))


def compare(old: str, new: str) -> Relation:
    """The relation of two texts (same, update or different), decided by their words only."""
    if normalised_entry(old) == normalised_entry(new):
        return "same"
    one, other = parse(old), parse(new)
    if one.sentences != other.sentences:
        return "different"
    shared, only_old, only_new = _aligned_terms(one, other)
    if not shared or _roles_swapped(shared):
        return "different"
    if not only_old and not only_new:
        return "same" if one.negated == other.negated else "update"
    if one.negated != other.negated:
        return "different"
    return "update" if _is_update(one, other, shared, only_old, only_new) else "different"


def _aligned_terms(one: Statement, other: Statement) -> tuple[list[tuple[Term, Term]], list[Term], list[Term]]:
    """Pairs of terms with the same meaning, and the terms that only one of the two has."""
    left = list(_once(other.terms))
    shared: list[tuple[Term, Term]] = []
    only_one: list[Term] = []
    for term in _once(one.terms):
        twin = next((each for each in left if are_same_term(term, each)), None)
        if twin is None:
            only_one.append(term)
        else:
            left.remove(twin)
            shared.append((term, twin))
    return shared, only_one, left


def _once(terms: Sequence[Term]) -> list[Term]:
    """Remove repeated words; repeated numbers and dates are kept."""
    seen: set[str] = set()
    kept = []
    for term in terms:
        if term.part in ("number", "date") or term.key not in seen:
            kept.append(term)
        seen.add(term.key)
    return kept


def _roles_swapped(shared: Sequence[tuple[Term, Term]]) -> bool:
    """Whether the same words are in another order with another meaning, such as subject and object exchanged."""
    roles = [pair for pair in shared if pair[0].part in ("name", "number") or pair[0].key == SELF]
    return any(_inverted(*pairs) for pairs in combinations(roles, 2)) or any(
        _inverted(*pairs) and _exchanged(*pairs) for pairs in combinations(shared, 2)
    )


def _inverted(one: tuple[Term, Term], other: tuple[Term, Term]) -> bool:
    return (one[0].order < other[0].order) != (one[1].order < other[1].order)


def _exchanged(one: tuple[Term, Term], other: tuple[Term, Term]) -> bool:
    """Whether two terms have exchanged their prepositions: "this to that", "that to this"."""
    (here, there), (where, elsewhere) = one, other
    forth = where.preposition and where.preposition == there.preposition
    back = here.preposition and here.preposition == elsewhere.preposition
    return bool(forth or back) and here.preposition != where.preposition and there.preposition != elsewhere.preposition


def _is_update(
    one: Statement, other: Statement, shared: Sequence[tuple[Term, Term]], old: list[Term], new: list[Term]
) -> bool:
    """Whether the two statements give different values for the same thing."""
    frame = [term for term, _ in shared]
    if _is_relocation(frame, old, new):
        return True
    if not old or not new or not all(term.value for term in (*old, *new)):
        return False
    parts = {term.part for term in (*old, *new)}
    if parts <= {"number", "date"}:
        return _is_recount([*old], [*new])
    return _replaced(one, other, frame, old, new)


def _is_recount(old: list[Term], new: list[Term]) -> bool:
    """Whether exactly one number or date was replaced by another; if two were replaced, it is a different event."""
    return len(old) == len(new) == 1 or (
        len(old) <= 2 and len(new) <= 2 and {t.part for t in old} == {t.part for t in new} == {"date", "number"}
    )


def _is_relocation(frame: Sequence[Term], old: list[Term], new: list[Term]) -> bool:
    """Whether one text says where the person lives and the other that the person moved away from there."""
    if old or [term.part for term in new] != ["name"]:
        return False
    return any(term.key == "live" for term in frame) and any(term.part == "name" and term.value for term in frame)


def _replaced(one: Statement, other: Statement, frame: Sequence[Term], old: list[Term], new: list[Term]) -> bool:
    """Whether one value replaces the other, because the subject can have only one such value at a time."""
    if max(len(old), len(new)) > LONGEST_VALUE or not (_are_adjacent(old) and _are_adjacent(new)):
        return False
    named = {term.part for term in old} == {term.part for term in new} == {"name"}
    if not named and any(term.part != "word" for term in (*old, *new)):
        return False
    if any(term.role for term in (*old, *new)) or _terms_after(one, old) != _terms_after(other, new):
        return False
    if not _led_in_alike(frame, old[0].preposition, new[0].preposition, named):
        return False
    return _single_valued(one, frame, named)


def _led_in_alike(frame: Sequence[Term], old: str, new: str, named: bool) -> bool:
    """Whether both values have the same preposition: one can work *at* a company, *as* a teacher and *with* someone at
    the same time."""
    how = {old.lstrip("?"), new.lstrip("?")}
    keys = {term.key for term in frame}
    if "work" in keys:
        return how == {"as"} or (named and how <= {"in", "for"})
    if "drive" in keys:
        return how == {""}
    if "live" in keys or not (old.startswith("?") or new.startswith("?")):
        return len(how) == 1
    # A Hebrew letter that may be a preposition does not conflict with a word without one.
    return "" in how or len(how) == 1


def _single_valued(one: Statement, frame: Sequence[Term], named: bool) -> bool:
    """Whether the rest of the statement allows only one value: "lives in", "her favourite colour is", "the meeting is
    with"."""
    called = [term for term in frame if term in one.subject]
    verbs = [term for term in frame if term not in called]
    if any(term.role == "multi" for term in verbs):
        return False
    if any(term.role == "attribute" for term in called):
        return True
    if any(term.role == "single" and (named or term.key in _TAKES_WORDS) for term in frame):
        return True
    return named and any(term.part == "word" and term.key != SELF for term in called)


def _are_adjacent(terms: Sequence[Term]) -> bool:
    return terms[-1].order - terms[0].order == len(terms) - 1


def _terms_after(statement: Statement, value: Sequence[Term]) -> int:
    """How many terms follow the value."""
    return statement.terms[-1].order - value[-1].order


@dataclass
class Deduplication:
    """Finds the entries in a user's bank that a new text repeats or updates."""

    similar: Similar
    calibration: Calibration | None
    _least: float
    _merger: Merger | None = None

    async def matches(self, user_id: str, text: str) -> list[Match]:
        """Entries that match ``text``: first those with the same text, then the same facts, then updates; each group
        nearest first."""
        found: list[Match] = []
        for item, cosine in await self.similar(user_id, text, CANDIDATES):
            relation, near = self.judge(item.text, text, cosine)
            if relation != "different":
                found.append(Match(item, relation, near))
        return sorted(found, key=lambda match: _distance(match, text))

    def judge(self, old: str, new: str, cosine: float | None) -> tuple[Relation, float | None]:
        """The relation of two texts and their similarity (0..1; ``None`` without a vector)."""
        near = similarity(cosine, self.calibration) if cosine is not None and self.calibration else None
        if near is not None and near < self._least and normalised_entry(old) != normalised_entry(new):
            return "different", near
        return compare(old, new), near

    async def joined(self, user_id: str, old: str, new: str) -> str | None:
        """A model's combination of two texts; ``None`` without a model, or if the combined text has another meaning."""
        try:
            with paid_by(user_id):
                written = clean(await self._merger.merge(old, new) or "") if self._merger else ""
        except Exception:
            log.warning("two entries were merged by rule", exc_info=True)
            return None
        if not written or len(written) > LONGEST or is_raw_exchange(written) or _drifted(written, old, new):
            return None
        return written


def _distance(match: Match, text: str) -> tuple[bool, bool, float, str]:
    same_text = normalised_entry(match.item.text) == normalised_entry(text)
    return not same_text, match.relation != "same", -(match.similarity or 0.0), match.item.id


def _drifted(written: str, old: str, new: str) -> bool:
    """Whether the combined text adds numbers, dates or names that neither source has, or loses those that both have."""
    changed = {(term.part, term.key) for term in parse(written).of("number", "date", "name")}
    one, other = ({(t.part, t.key) for t in parse(text).of("number", "date", "name")} for text in (old, new))
    return not (one & other <= changed <= one | other)


@dataclass
class SimilarItems:
    """The default ``Similar``: a user's nearest bank entries by keyword, and the nearest in the vector index.

    The keyword comparison reads the record store, because a bank is small and just written entries must be included.
    """

    _truth: Truth
    _items: MemoryItems
    _index: Index
    _embeddings: Embeddings | None
    _dependency: Dependency

    async def __call__(self, user_id: str, text: str, limit: int) -> list[tuple[MemoryItem, float | None]]:
        """At most ``2 * limit`` similar items with their cosines."""
        bank = ScopedTruth(self._truth, user_id).collection(ITEMS)
        rows = await bank.find({"tier": "memory_bank", "status": "active"}, fields=["text"])
        if not rows:
            return []
        texts = {str(row["_id"]): str(row["text"]) for row in rows}
        by_words = await asyncio.to_thread(_nearest_by_words, text, texts, limit)
        cosines = await self._cosines(user_id, text, {each: texts[each] for each in by_words}, limit)
        wanted = list(dict.fromkeys([*by_words, *(each for each in cosines if each in texts)]))
        items = {item.id: item for item in await self._items.load(user_id, wanted)}
        return [(items[each], cosines.get(each)) for each in wanted if each in items]

    async def _cosines(self, user_id: str, text: str, by_words: dict[str, str], limit: int) -> dict[str, float]:
        """Cosine similarities by item id: from the index, or computed for items that have no vector there yet."""
        embeddings = self._embeddings
        if embeddings is None:
            return {}
        try:
            vector = (await self._dependency.attempt(lambda: embeddings.embed_passages([text])))[0]
            where = Where(user_id, any_of={"tier": ["memory_bank"], "status": ["active"]})
            hits = await self._index.query_dense(vector, where, limit)
            found = {record_id("mem", hit.id): hit.score for hit in hits}
            missing = [each for each in by_words if each not in found]
            if missing:
                texts = [by_words[each] for each in missing]
                vectors = await self._dependency.attempt(lambda: embeddings.embed_passages(texts))
                found |= {each: float(cosine) for each, cosine in zip(missing, vectors @ vector, strict=True)}
        except Exception:
            log.warning("entries of the bank are compared by words alone", exc_info=True)
            return {}
        return found


def _nearest_by_words(text: str, texts: Mapping[str, str], limit: int) -> list[str]:
    """Ids of items with the same text, then of items that share the most terms relative to their length (Dice
    coefficient), best first."""
    sought, same = _index_term_set(text), normalised_entry(text)
    scores = {
        each: 2.0 if normalised_entry(other) == same else _dice(sought, _index_term_set(other))
        for each, other in texts.items()
    }
    near = [each for each, score in scores.items() if score > 0]
    return sorted(near, key=lambda each: (-scores[each], each))[:limit]


@lru_cache(maxsize=8192)
def _index_term_set(text: str) -> frozenset[str]:
    return frozenset(index_terms(text, detect(text)))


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0
