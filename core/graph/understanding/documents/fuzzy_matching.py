"""Matches document names approximately (fuzzy matching)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from rapidfuzz import fuzz, process

from core.graph.understanding.documents.name_words import NAMES_KEPT, DocumentNames, stem_of
from core.graph.understanding.documents.records import MOST_OFFERED, Ambiguous, Resolution, VisibleDocument
from core.graph.understanding.wording import is_document_word
from core.language.normalisation import fold

FUZZY = 85.0
"""Similarity of a name and a title (0..100) from which they match."""
TIED = 2.0
"""Similarities closer than this count as a tie."""
COMPARABLE = 0.6
"""Minimum weight, relative to the best match, for another name to count as mentioned too."""
_LEAST_LETTERS = 5
_NUMBER = re.compile(r"\d+")
_CODE = re.compile(r"(?<![^\W_])(?=[^\W\d_]{0,40}\d)[^\W_]{6,60}(?![^\W_])")
"""Matches a code: at least six letters and digits, such as a case or study number."""
CODED = 0.95
"""Certainty of a document that a code in its name tells apart."""


def exact(name: str, documents: Sequence[VisibleDocument]) -> list[VisibleDocument]:
    """Returns the documents with exactly this title or filename, with or without its extension."""
    wanted = _comparable_name(name)
    return [each for each in documents if wanted and wanted in _spellings(each)]


def close(name: str, documents: Sequence[VisibleDocument]) -> list[tuple[VisibleDocument, float]]:
    """Returns documents with a title or filename similar to ``name`` (0..100, from ``FUZZY``), most similar first."""
    return _best_matches(fuzz.ratio, _comparable_name(name), documents)


def loose_matches(name: str, documents: Sequence[VisibleDocument]) -> list[tuple[VisibleDocument, float]]:
    """Matches in any word order and with missing words, for a typed document name."""
    return _best_matches(fuzz.token_set_ratio, _comparable_name(name), documents)


def in_text(text: str, documents: Sequence[VisibleDocument]) -> Resolution:
    """Returns the documents whose titles or filenames approximately appear in ``text``."""
    words = fold(text).replace("_", " ").split()
    titles = [(title, each) for each in documents for title in _spellings(each) if len(title) >= _LEAST_LETTERS]
    sizes = {len(title.split()) + more for title, _ in titles for more in (0, 1)}
    windows = [
        " ".join(words[start : start + size]).strip(" .,;:!?\"'()")
        for size in sorted(sizes)
        for start in range(max(0, len(words) - size + 1))
    ]
    if not windows or not titles:
        return Resolution()
    scores = process.cdist(windows, [title for title, _ in titles], scorer=fuzz.ratio, score_cutoff=FUZZY)
    for row, column in zip(*scores.nonzero(), strict=True):
        scores[row, column] *= set(_NUMBER.findall(windows[row])) <= set(_NUMBER.findall(titles[column][0]))
    best: dict[str, tuple[float, VisibleDocument, str]] = {}
    for column, (_, document) in enumerate(titles):
        row = int(scores[:, column].argmax())
        score = float(scores[row, column])
        if score > best.get(document.id, (FUZZY - 1e-6,))[0]:
            best[document.id] = (score, document, windows[row])
    return _by_window(best, documents)


def by_code(text: str, documents: Sequence[VisibleDocument]) -> Resolution:
    """Returns the documents that ``text`` names by a code that only their name has: "NCT06150378"."""
    codes = set(_CODE.findall(fold(text)))
    if not codes:
        return Resolution()
    own = {each.id: set(_CODE.findall(fold(f"{each.title} {each.filename}"))) for each in documents}
    holders = [[each for each in documents if code in own[each.id]] for code in sorted(codes)]
    return Resolution.of((each[0] for each in holders if len(each) == 1), "fuzzy", CODED)


def by_words(text: str, names: DocumentNames, *, preferred: Sequence[str] = ()) -> Resolution:
    """Returns the documents whose names match ``text`` best: one, or several that are named by separate words.

    Documents that match the same words are ambiguous; among these, the ``preferred`` ones come first.
    """
    matches = names.matches(names.named_words(text))
    weights = {identifier: sum(_word_weight(names, word) for word in words) for identifier, words in matches.items()}
    most = max(weights.values(), default=0.0)
    leading = {
        identifier: words
        for identifier, words in matches.items()
        if weights[identifier] >= COMPARABLE * most and not any(words < other for other in matches.values())
    }
    found = Resolution()
    groups: dict[frozenset[str], list[str]] = {}
    for identifier, words in _of_the_kind(leading).items():
        groups.setdefault(words, []).append(identifier)
    for words, members in groups.items():
        nearest = [each for each in preferred if each in members]
        kept = nearest or members
        if len(kept) == 1:
            document = names.documents[kept[0]]
            how_much = min(1.0, len(words) / max(1, len(names.words[kept[0]])))
            found += Resolution.of([document], "fuzzy", round(how_much, 3))
        else:
            found += one_of(names.as_said(text, words), kept, names)
    return found


def _of_the_kind(called: Mapping[str, frozenset[str]]) -> Mapping[str, frozenset[str]]:
    """If the text names a kind of document, removes documents of other kinds that only share words with the matches:
    "the 2024 and 2025 travel policies" does not match a table of travel claims."""
    of_kind = {each: words for each, words in called.items() if any(map(is_document_word, words))}
    theirs = frozenset().union(*of_kind.values())
    return {each: words for each, words in called.items() if each in of_kind or not words <= theirs}


def one_of(name: str, identifiers: Sequence[str], names: DocumentNames) -> Resolution:
    """Returns an ambiguous result for ``name``: a short list, most distinctive documents first."""
    ordered = sorted(identifiers, key=lambda each: (-names.distinctiveness(each), names.documents[each].title))
    chosen = tuple(names.documents[each] for each in ordered[:MOST_OFFERED])
    return Resolution(ambiguous=(Ambiguous(name, chosen, len(ordered)),))


def settled(
    name: str, scored: Sequence[tuple[VisibleDocument, float]], documents: Sequence[VisibleDocument]
) -> Resolution:
    """Returns the best document of ``scored``, or an ambiguous result if several tie with it; unmatched if there is
    none."""
    if not scored:
        return Resolution(unmatched=(name,))
    best = scored[0][1]
    tied = [each for each, score in scored if score > best - TIED and (score == best or best < 100)]
    if len(tied) == 1:
        return Resolution.of(tied, "fuzzy", round(best / 100, 3))
    return one_of(name, [each.id for each in tied], DocumentNames(documents))


def _word_weight(names: DocumentNames, word: str) -> float:
    """Returns a word's weight: every word counts a little, distinctive ones more."""
    kind = 0.3 if is_document_word(word) else 0.6
    return kind + names.weight(word)


def _by_window(best: dict[str, tuple[float, VisibleDocument, str]], documents: Sequence[VisibleDocument]) -> Resolution:
    """Returns one result for each matching text span; a longer span hides the shorter ones in it."""
    found = Resolution()
    windows = {window for _, _, window in best.values()}
    for window in sorted(windows, key=len, reverse=True):
        if any(window != other and f" {window} " in f" {other} " for other in windows):
            continue
        scored = sorted(((d, s) for s, d, w in best.values() if w == window), key=lambda pair: -pair[1])
        found += settled(window, scored, documents)
    return found


def _best_matches(
    scorer: Callable[..., float], name: str, documents: Sequence[VisibleDocument]
) -> list[tuple[VisibleDocument, float]]:
    spelled = [(spelling, each) for each in documents for spelling in _spellings(each)]
    if not name or not spelled:
        return []
    scores = process.cdist([name], [spelling for spelling, _ in spelled], scorer=scorer, score_cutoff=FUZZY)[0]
    best: dict[str, float] = {}
    for (_, document), score in zip(spelled, scores, strict=True):
        best[document.id] = max(best.get(document.id, 0.0), float(score))
    by_id = {each.id: each for each in documents}
    ranked = sorted(best.items(), key=lambda pair: -pair[1])
    return [(by_id[identifier], score) for identifier, score in ranked if score >= FUZZY]


def _spellings(document: VisibleDocument) -> set[str]:
    spelled = {_comparable_name(document.title), fold(document.filename), _comparable_name(stem_of(document.filename))}
    return {each for each in spelled if each}


@lru_cache(NAMES_KEPT)
def _comparable_name(name: str) -> str:
    return " ".join(fold(name).replace("_", " ").strip(" .,;:!?").split())
