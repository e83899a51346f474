"""Fits the weights for recognising a message's intent: ``python -m benchmarks.intent_weights [--check] [--keep
FILE.npz]``.

Writes ``core/graph/understanding/intent/weights.npz``. Only the examples are read. The quality on unseen wordings is
measured by cross-validation; neighbouring lines have similar wordings, so all their texts are in one fold. The same
predictions give the probability below which the user is asked. ``--keep`` keeps the vectors, ``--check`` writes
nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.logistic import Counted, Fitted, Floats, Penalty, fit
from benchmarks.report import Figure, Report
from core.graph.understanding.intent.examples import WISHES, Example, Wish, digest, examples
from core.graph.understanding.intent.features import evidence, terms
from core.graph.understanding.intent.logistic_regression import (
    EVIDENCE_SCALE,
    FILE,
    TERMS_SCALE,
    Weights,
    save,
    scaled_meaning,
)
from core.models.packaged import IDENTITY, PackagedEmbeddings

FOLDS = 4
NEIGHBOURS = 12
"""Number of consecutive lines of one intent and language that stay in the same fold."""
LINES = 2
"""Minimum number of lines in which a term must appear; rarer terms are left out, to avoid overfitting."""
_EXTRA: dict[Wish, float] = {"forget": 2.0, "recall": 2.0}
"""Weight factor for lines of an intent with few lines."""
SURE_AND_WRONG = 0.07
"""Maximum share of the examples that the weights without rules may misunderstand without asking, in cross-validation.
"""


@dataclass(frozen=True)
class Material:
    """Examples with their vectors (texts, dimension), evidence (texts, evidence) and terms."""

    examples: Sequence[Example]
    vectors: Floats
    evidence: Floats
    terms: Sequence[frozenset[str]]
    weight: Floats

    @property
    def labels(self) -> list[int]:
        return [WISHES.index(each.wish) for each in self.examples]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="measure, and write nothing")
    parser.add_argument("--keep", type=Path, help="keep the vectors in this file")
    options = parser.parse_args(arguments)
    material = gather(options.keep)
    predicted = cross_validated(material)
    doubt = doubt_of(material, predicted)
    report = Report(f"Intent on examples it was not fitted on ({len(material.examples)} texts, {FOLDS} folds)")
    say(material, predicted, doubt, report)
    if not options.check:
        save(weights_of(material, range(len(material.examples)), doubt), FILE)
        report.notes.append(f"Written: {FILE.name}, {FILE.stat().st_size / 1024:.0f} KB.")
    return report.finish()


def gather(keep: Path | None) -> Material:
    """Collects all examples; each line counts once, however many texts it has."""
    chosen = examples()
    lines = Counter(each.line for each in chosen)
    texts = [each.text for each in chosen]
    return Material(
        chosen,
        embedded(texts, keep),
        np.stack([evidence(text) for text in texts]),
        [terms(text) for text in texts],
        np.array([_EXTRA.get(each.wish, 1.0) / lines[each.line] for each in chosen], dtype=np.float32),
    )


def embedded(texts: Sequence[str], keep: Path | None) -> Floats:
    """Returns the vectors of texts, from the file ``keep`` if they are in it."""
    kept = dict(np.load(keep)) if keep and keep.exists() else {}
    names = [hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest() for text in texts]
    missing = {name: text for name, text in zip(names, texts, strict=True) if name not in kept}
    kept |= asyncio.run(_embedded_missing(missing))
    if keep:
        np.savez(keep, **kept)
    return np.stack([kept[name] for name in names]).astype(np.float32)


async def _embedded_missing(texts: Mapping[str, str]) -> dict[str, Floats]:
    embeddings = PackagedEmbeddings()
    found = {name: await embeddings.embed_query(text) for name, text in texts.items()}
    await embeddings.close()
    return found


def weights_of(material: Material, rows: Sequence[int], doubt: float = 0.0) -> Weights:
    """Fits weights on some of the examples."""
    lines: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for term in material.terms[row]:
            lines[term].add(material.examples[row].line)
    index = {term: at for at, term in enumerate(sorted(term for term, seen in lines.items() if len(seen) >= LINES))}
    chosen = np.array(rows)
    vectors = material.vectors[chosen]
    centre = vectors.mean(axis=0)
    spread = float(vectors.std(axis=0).mean())
    dense = np.hstack([scaled_meaning(vectors, centre, spread), EVIDENCE_SCALE * material.evidence[chosen]])
    found: Fitted = fit(
        dense,
        Counted(
            [[index[term] for term in material.terms[row] if term in index] for row in rows], len(index), TERMS_SCALE
        ),
        [material.labels[row] for row in rows],
        material.weight[chosen],
        Penalty(),
    )
    width = vectors.shape[1]
    return Weights(
        model=IDENTITY.model,
        examples=digest(),
        centre=centre,
        spread=spread,
        meaning=found.dense[:width],
        index=index,
        counted=found.counted[:-1],
        ruled=found.dense[width:],
        bias=found.bias,
        doubt=doubt,
    )


def cross_validated(material: Material) -> Floats:
    """Returns probabilities (texts, intents); for each line, from weights that were fitted without it."""
    of = folds(material.examples)
    predicted = np.zeros((len(of), len(WISHES)), dtype=np.float32)
    for fold in range(FOLDS):
        weights = weights_of(material, [row for row, each in enumerate(of) if each != fold])
        for row in (row for row, each in enumerate(of) if each == fold):
            said = weights.likelihoods(material.examples[row].text, material.vectors[row])
            predicted[row] = [said[wish] for wish in WISHES]
    return predicted


def folds(chosen: Sequence[Example]) -> list[int]:
    """Returns the fold of each example: neighbouring lines are similar, so they stay together."""
    random, found = np.random.default_rng(0), dict[str, int]()
    kinds: dict[tuple[str, str], list[str]] = defaultdict(list)
    for line, each in {each.line: each for each in chosen}.items():
        kinds[each.wish, line.partition(":")[0]].append(line)
    for lines in kinds.values():
        drawn = random.permutation(-(-len(lines) // NEIGHBOURS)) % FOLDS
        found |= {line: int(drawn[at // NEIGHBOURS]) for at, line in enumerate(lines)}
    return [found[each.line] for each in chosen]


def doubt_of(material: Material, predicted: Floats) -> float:
    """Returns the lowest probability threshold with which at most ``SURE_AND_WRONG`` of all examples are misunderstood
    without asking."""
    best = predicted.max(axis=1)
    wrong = predicted.argmax(axis=1) != np.array(material.labels)
    for limit in np.arange(0.30, 0.95, 0.01):
        if float(material.weight[wrong & (best >= limit)].sum() / material.weight.sum()) <= SURE_AND_WRONG:
            return round(float(limit), 2)
    return 0.95


def say(material: Material, predicted: Floats, doubt: float, report: Report) -> None:
    labels, weight = np.array(material.labels), material.weight
    right, sure = predicted.argmax(axis=1) == labels, predicted.max(axis=1) >= doubt
    hebrew = np.array([".he." in each.line for each in material.examples])
    groups = {"all": np.ones(len(labels), bool), "English": ~hebrew, "Hebrew": hebrew}
    groups |= {wish: labels == at for at, wish in enumerate(WISHES)}
    for name, rows in groups.items():
        total = weight[rows].sum()
        report.add(Figure(name, "likeliest is right", float(weight[rows & right].sum() / total)))
        report.add(Figure(name, "right without asking", float(weight[rows & right & sure].sum() / total)))
        report.add(Figure(name, "wrong without asking", float(weight[rows & ~right & sure].sum() / total)))
    report.notes.append(f"A person is asked below a probability of {doubt:.2f}.")


if __name__ == "__main__":
    sys.exit(main())
