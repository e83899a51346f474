"""Fits the weights that decide where a message goes: ``python -m benchmarks.destination_weights [--keep FILE.npz]``.

Writes ``weights.npz``, ``tools.npz`` and ``circumstances.npz`` in ``core/graph/understanding/destinations``. Only the
examples and messages of the vocabulary are read. A template counts once, however many texts it has; those of the
intents count ``OF_INTENTS`` times, and a kind with many templates less than in proportion. Messages by hand count more
(``OF_LINES``, ``OF_MESSAGES``). ``--keep`` keeps the vectors.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.destination_circumstances import fitted as fitted_circumstances
from benchmarks.destination_circumstances import seen_messages
from benchmarks.intent_weights import LINES, embedded
from benchmarks.logistic import Counted, Floats, Penalty, fit
from core.graph.understanding.destinations.examples import (
    KINDS,
    WRITTEN,
    Example,
    digest,
    examples,
    files,
    message_files,
)
from core.graph.understanding.destinations.trained_circumstances import save as save_circumstances
from core.graph.understanding.destinations.weights import FILE, TOOLS_FILE
from core.graph.understanding.intent.features import evidence, terms
from core.graph.understanding.intent.logistic_regression import (
    EVIDENCE_SCALE,
    TERMS_SCALE,
    Weights,
    save,
    scaled_meaning,
)
from core.graph.understanding.intent.probabilities import spoken_text
from core.models.packaged import IDENTITY
from core.question.filenames import without_filenames

OF_INTENTS = 0.4
OF_LINES, OF_MESSAGES = 4.0, 6.0
STEPS = 200
FEW = 60.0
"""Total weight of a kind from which it is reduced, to the square root of its share."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, help="keep the vectors in this file")
    options = parser.parse_args(arguments)
    chosen = examples()
    tools = sorted({each.tool for each in chosen if each.tool})
    vectors = embedded([*(each.text for each in chosen), *(each.replace("_", " ") for each in tools)], options.keep)
    vectors_of = dict(zip((each.text for each in chosen), vectors, strict=False))
    weights = fitted(chosen, vectors[: len(chosen)])
    save(weights, FILE, KINDS)
    without = {author: _without(author, chosen, vectors) for author in (file.stem for file in message_files())}

    def shares_of(author: str, message: str) -> Floats:
        text = spoken_text(without_filenames(message))
        return without[author].shares(text, vectors_of[text])

    save_circumstances(fitted_circumstances(asyncio.run(seen_messages()), shares_of))
    names = vectors[len(chosen) :] - weights.centre
    means = np.stack([_mean(chosen, vectors, each) - weights.centre for each in tools])
    np.savez_compressed(
        TOOLS_FILE, names=np.array(tools), named=names.astype(np.float16), means=means.astype(np.float16)
    )
    print(f"{len(chosen)} texts, {len(KINDS)} kinds, {len(tools)} tools: {FILE.stat().st_size / 1024:.0f} KB")
    return 0


def _without(author: str, chosen: Sequence[Example], vectors: Floats) -> Weights:
    """Fits the weights without the messages of one author."""
    rows = [row for row, each in enumerate(chosen) if each.author != author]
    return fitted([chosen[row] for row in rows], vectors[rows])


def _mean(chosen: Sequence[Example], vectors: Floats, tool: str) -> Floats:
    mean: Floats = vectors[[row for row, each in enumerate(chosen) if each.tool == tool]].mean(axis=0)
    return mean


def weight_of(chosen: Sequence[Example]) -> Floats:
    """Returns the weight of each text."""
    lines = Counter(each.line for each in chosen)
    own = {file.name for file in files()}
    shares = [
        (1.0 if each.line.split(": ")[0] in own and each.line.split(": ")[1] in KINDS else OF_INTENTS)
        / lines[each.line]
        for each in chosen
    ]
    totals: dict[str, float] = defaultdict(float)
    for each, share in zip(chosen, shares, strict=True):
        if each.author:
            continue
        totals[each.kind] += share
    counts = {"": 1.0, WRITTEN: OF_LINES}
    weights = [
        counts.get(each.author, OF_MESSAGES) if each.author else share * (FEW / max(FEW, totals[each.kind])) ** 0.5
        for each, share in zip(chosen, shares, strict=True)
    ]
    return np.array(weights, dtype=np.float32)


def fitted(chosen: Sequence[Example], vectors: Floats) -> Weights:
    found = [terms(each.text) for each in chosen]
    seen: dict[str, set[str]] = defaultdict(set)
    for each, words in zip(chosen, found, strict=True):
        for word in words:
            seen[word].add(each.line)
    index = {word: at for at, word in enumerate(sorted(word for word, lines in seen.items() if len(lines) >= LINES))}
    centre, spread = vectors.mean(axis=0), float(vectors.std(axis=0).mean())
    rules = np.stack([evidence(each.text) for each in chosen])
    counted = Counted([[index[word] for word in words if word in index] for words in found], len(index), TERMS_SCALE)
    result = fit(
        np.hstack([scaled_meaning(vectors, centre, spread), EVIDENCE_SCALE * rules]),
        counted,
        [KINDS.index(each.kind) for each in chosen],
        weight_of(chosen),
        Penalty(),
        steps=STEPS,
    )
    width = vectors.shape[1]
    return Weights(
        model=IDENTITY.model,
        examples=digest(),
        centre=centre,
        spread=spread,
        meaning=result.dense[:width],
        index=index,
        counted=result.counted[:-1],
        ruled=result.dense[width:],
        bias=result.bias,
        doubt=0.0,
    )


if __name__ == "__main__":
    sys.exit(main())
