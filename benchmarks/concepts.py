"""Measures what the graph of unlike documents contains, and writes a sample to be judged by hand.

``python -m benchmarks.concepts --data FOLDER [--seed 53] [--half tuned|fresh|others] [--names FILE] [--sample FILE]``
draws one document of each of twelve kinds from ``library`` and ``grids`` of the folder, half of them for developing.
``--files`` reads these files instead. ``--names`` has one name per line that a reader has marked in the texts; the
share of them in the graph is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from benchmarks.report import Figure, Report
from benchmarks.temporary_workbench import graph_of, open_workbench, upload
from core.knowledge.views import Concept, GraphView
from core.language.normalisation import fold

USER = "local"
KINDS = 12
SHOWN = 220
"""Number of characters of a passage that are printed around a name."""
MOST = 2_000


@dataclass(frozen=True)
class Reading:
    """The whole graph, the texts and document of each passage, and the seconds until the graph was complete."""

    view: GraphView
    texts: dict[str, str]
    documents: dict[str, str]
    seconds: float


def drawn(data: Path, seed: int) -> dict[str, list[Path]]:
    """The files of each half: one English document of each of twelve kinds, no financial reports."""
    kinds: dict[str, list[str]] = {}
    for each in yaml.safe_load((data / "library/library.yaml").read_text())["documents"]:
        if each["group"] != "financial reports" and each["language"] == "en":
            kinds.setdefault(each["group"], []).append(f"library/files/{each['file']}")
    for group in yaml.safe_load((data / "grids/grids.yaml").read_text())["sets"]:
        if group["id"] != "filings":
            kinds[group["id"]] = [f"grids/{each['path']}" for each in group["documents"]]
    rng = random.Random(seed)
    names = sorted(kinds)
    rng.shuffle(names)
    files = [data / rng.choice(sorted(kinds[name])) for name in names[:KINDS]]
    others = sorted({data / each for group in kinds.values() for each in group} - set(files))
    return {"tuned": files[::2], "fresh": files[1::2], "others": others}


async def read(paths: Sequence[Path], folder: Path) -> Reading:
    """Uploads copies of these files and waits until the graph is built from them."""
    async with open_workbench(dense=False) as workbench:
        texts: dict[str, str] = {}
        documents: dict[str, str] = {}
        for path in paths:
            document = await upload(workbench, USER, Path(shutil.copy(path, folder)))
            for each in await workbench.library.chunks(USER, document):
                texts[each.id], documents[each.id] = each.text, path.name
        began = time.perf_counter()
        await graph_of(workbench, USER)
        seconds = time.perf_counter() - began
        view = await workbench.memory.knowledge.graph(USER, top=MOST)
        return Reading(view, texts, documents, seconds)


def measured(reading: Reading, names: Sequence[str]) -> Report:
    view, report = reading.view, Report("Concepts and links of unlike documents")
    concepts = {each.id for each in view.nodes}
    links = {frozenset((each.a, each.b)) for each in view.edges}
    strong = {frozenset((each.a, each.b)) for each in view.edges if not each.weak}
    isolated = concepts - {end for pair in links for end in pair}
    spellings = Counter(key for each in view.nodes for key in {fold(each.label).removesuffix("s")})
    same = sum(count - 1 for count in spellings.values())
    for name, value in (
        ("passages", len(reading.texts)),
        ("seconds until the graph is read", reading.seconds),
        ("concepts", view.totals.concepts),
        ("concepts per document", len(concepts) / max(1, len(set(reading.documents.values())))),
        ("links per concept", len(links) / max(1, len(concepts))),
        ("links that a clause or figure states", len(strong)),
        ("concepts without a link", len(isolated) / max(1, len(concepts))),
        ("duplicates by spelling", same / max(1, len(concepts))),
    ):
        report.add(Figure("graph", name, value))
    for kind, count in Counter(each.kind for each in view.nodes).most_common():
        report.add(Figure("kinds", kind, count))
    if names:
        known = {fold(each) for node in view.nodes for each in (node.label, *node.aliases, *node.labels.values())}
        missing = [name for name in names if not any(fold(one.strip()) in known for one in name.split("|"))]
        report.add(Figure("names", "share in the graph", 1 - len(missing) / len(names)))
        print("missing:", "; ".join(missing))
    return report


def sample(reading: Reading, rng: random.Random, concepts: int, links: int) -> str:
    view, lines = reading.view, []
    nodes = {each.id: each for each in view.nodes}
    naming = reading.texts.items()
    for number, node in enumerate(rng.sample(view.nodes, min(concepts, len(view.nodes))), 1):
        where, around = next(
            ((item, words) for item, text in naming if (words := _around(text, _names(node)))), ("", "NO PASSAGE")
        )
        aliases = ", ".join(node.aliases[:4])
        lines.append(
            f"{number:3} {node.kind:12} {node.label} [{aliases}] x{node.mentions}"
            f" ({reading.documents.get(where, '')[:16]}) {around}"
        )
    for number, edge in enumerate(rng.sample(view.edges, min(links, len(view.edges))), 1):
        ends = (nodes[edge.b], nodes[edge.a]) if edge.direction == "b_to_a" else (nodes[edge.a], nodes[edge.b])
        mark = "~" if edge.weak else "=" if edge.direction == "none" else ">"
        text = reading.texts.get(edge.evidence[0], "") if edge.evidence else ""
        lines.append(
            f"{number:3} {ends[0].label} ({ends[0].kind}) --{edge.reason or edge.kind}--{mark} {ends[1].label}"
            f" ({ends[1].kind})\n      {_between(text, _names(ends[0]), _names(ends[1]))}"
        )
    return "\n".join(lines)


def _names(node: Concept) -> list[str]:
    return [node.label, *node.aliases, *node.labels.values()]


def _found(plain: str, names: Sequence[str]) -> int:
    return min((at for name in names if (at := plain.find(fold(name))) >= 0), default=-1)


def _around(text: str, names: Sequence[str]) -> str:
    plain = " ".join(text.split())
    place = _found(fold(plain), names)
    return plain[max(0, place - 60) : place + SHOWN // 2] if place >= 0 else ""


def _between(text: str, one: Sequence[str], other: Sequence[str]) -> str:
    plain = " ".join(text.split())
    places = [place for names in (one, other) if (place := _found(fold(plain), names)) >= 0]
    start = max(0, min(places, default=0) - 50)
    return plain[start : max(max(places, default=0) + 60, start + SHOWN)][: 3 * SHOWN]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with library and grids")
    parser.add_argument("--seed", type=int, default=53)
    parser.add_argument("--half", choices=["tuned", "fresh", "others"], default="tuned")
    parser.add_argument("--files", nargs="+", type=Path, default=[])
    parser.add_argument("--names", type=Path)
    parser.add_argument("--sample", type=Path)
    parser.add_argument("--concepts", type=int, default=100)
    parser.add_argument("--links", type=int, default=50)
    parser.add_argument("--draw", type=int, default=1, help="seed of the sample")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if not options.data.is_dir():
        print(f"no folder {options.data}: see docs/benchmarks.md")
        return 0
    paths = options.files or drawn(options.data, options.seed)[options.half]
    with TemporaryDirectory(prefix="palimpsest-benchmark-", ignore_cleanup_errors=True) as folder:
        reading = asyncio.run(read(paths, Path(folder)))
    names = options.names.read_text().splitlines() if options.names else []
    report = measured(reading, [name for name in names if name.strip()])
    if options.sample:
        options.sample.write_text(sample(reading, random.Random(options.draw), options.concepts, options.links))
    return report.finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
