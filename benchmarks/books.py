"""Measures extraction of findings from books: its cost, how many findings are kept, and what searching them adds to
searching only passages.

    python -m benchmarks.books --data DATA [--sets filings heq chunking] [--words-only] [--cache FILE] [--json FILE]
        [--model ADDRESS --name NAME] [--every N]

``DATA`` contains the public sets ``filings`` (FinanceBench's form), ``heq`` (HeQ v1.1) and ``chunking``
(chunking_evaluation). Each set is uploaded, and the product's own job extracts the findings. Simulated models with
known behaviour replace a real one, over a real connection:

* *copying* takes a passage's longest sentence, one that states a rule, and its last one;
* *random* takes any three, always the same ones;
* *knowing* has read the questions and takes the sentence that shares most words with a question that this passage
  answers. No model can do better, so its gain is the upper bound;
* *lying* is *copying* with a changed figure or an unrelated word in each sentence: none of these may be kept.

``--model`` asks a real model instead, at the address of an OpenAI-compatible server. Two searches with
``retrieve_from_books`` are compared: passages only (the default), and with the findings included, where a finding
counts as the passage that supports it. The results of searching documents must be the same before and after the
extraction.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.report import Figure, Report
from benchmarks.temporary_workbench import open_workbench, upload
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.language.tokens import count_tokens
from core.library.records import Document
from core.records.findings import FINDINGS, BookKind
from core.resilience.dependencies import Deadline
from core.search.documents.search import DocumentQuery
from core.setting_groups import BookIntelligence, ModelMetadata, Prefix
from core.workbench import Workbench
from tests.servers.book_model import asks_for_book, honest, lying, passages_in, sentences
from tests.servers.local import LocalServer, Reply, Request, chat_stream

USER = "bench"
SEARCHED: dict[str, tuple[BookKind, ...]] = {
    "passages": (),
    "with findings": ("passage", *FINDINGS),
    "findings only": FINDINGS,
}
MOST = 20
GOLD_CHARACTERS = 60
PATIENCE = 4 * 3600.0

Lists = dict[str, list[dict[str, Any]]]
Strategy = Callable[[Request], Lists]


@dataclass(frozen=True)
class Asked:
    """A question. ``rests_on`` are the texts, or the pages of a file, that answer it."""

    text: str
    answer: str
    document: str
    pages: frozenset[int] = frozenset()
    texts: tuple[str, ...] = ()


@dataclass
class Set:
    """A public set. ``write`` writes its files into a folder."""

    name: str
    write: Callable[[Path], list[Path]]
    asked: list[Asked]
    gold: list[frozenset[str]] = field(default_factory=list)


# -- sets --------------------------------------------------------------------------------------


def filings(folder: Path) -> Set:
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines() if line]
    asked = [
        Asked(
            row["question"],
            str(row["answer"]),
            row["document"],
            frozenset(int(each["page"]) for each in row["evidence"] if each["document"] == row["document"]),
        )
        for row in rows
    ]

    def write(target: Path) -> list[Path]:
        return [_copy(path, target) for path in sorted(folder.glob("*.pdf"))]

    return Set("filings", write, asked)


def heq(folder: Path) -> Set:
    articles = json.loads((folder / "val_v1.1.json").read_text(encoding="utf-8"))["data"]
    names = {article["title"]: f"article-{number}.md" for number, article in enumerate(articles)}
    asked = [
        Asked(qa["question"], _first_answer(qa), names[article["title"]], texts=(paragraph["context"],))
        for article in articles
        for paragraph in article["paragraphs"]
        for qa in paragraph["qas"]
        if not qa.get("is_impossible")
    ]

    def write(target: Path) -> list[Path]:
        made = []
        for article in articles:
            path = target / names[article["title"]]
            parts = [f"# {article['title']}", *(each["context"] for each in article["paragraphs"])]
            path.write_text("\n\n".join(parts), encoding="utf-8")
            made.append(path)
        return made

    return Set("heq", write, asked)


def _first_answer(qa: dict[str, Any]) -> str:
    return str(qa["answers"][0]["text"]) if qa.get("answers") else ""


def chunking(folder: Path) -> Set:
    rows = list(csv.DictReader((folder / "questions.csv").open(encoding="utf-8", newline="")))
    asked = []
    for row in rows:
        texts = tuple(each["content"] for each in json.loads(row["references"]))
        asked.append(Asked(row["question"], " ".join(texts), f"{row['corpus_id']}.md", texts=texts))

    def write(target: Path) -> list[Path]:
        return [_copy(path, target) for path in sorted(folder.glob("*.md"))]

    return Set("chunking", write, asked)


def _copy(path: Path, target: Path) -> Path:
    copy = target / path.name
    copy.write_bytes(path.read_bytes())
    return copy


SETS = {"filings": filings, "heq": heq, "chunking": chunking}

# -- simulated models ------------------------------------------------------------------------


def at_random(request: Request) -> Lists:
    chosen: Lists = {"quotes": [], "models": [], "summaries": []}
    for number, text in passages_in(request).items():
        own = sentences(text)
        picked = random.Random(text).sample(own, min(3, len(own)))
        for kind, sentence in zip(chosen, picked, strict=False):
            chosen[kind].append({"text": sentence, "category": "business", "passage": number})
    return _as_many_as_are_taken(chosen)


def _as_many_as_are_taken(chosen: Lists) -> Lists:
    most = {"quotes": 6, "models": 4, "summaries": 2}
    return {kind: random.Random(kind).sample(given, min(most[kind], len(given))) for kind, given in chosen.items()}


def knowing(asked: Sequence[Asked]) -> Strategy:
    """Takes the sentences that share most words with the questions and their answers, the best first."""
    wanted = [content_terms(f"{each.text} {each.answer}") for each in asked]

    def take(request: Request) -> Lists:
        scored = []
        for number, text in passages_in(request).items():
            for sentence in sentences(text):
                said = fold(sentence)
                score = max((sum(covers(term, said) for term in terms) for terms in wanted), default=0)
                scored.append((score, sentence, number))
        scored.sort(key=lambda each: -each[0])
        entries = [{"text": text, "category": "business", "passage": number} for _, text, number in scored[:12]]
        return {"quotes": entries[:6], "models": entries[6:10], "summaries": entries[10:12]}

    return take


@dataclass
class Server:
    """Simulates a model server: answers extraction requests with the strategy of the requested model, and counts the
    calls."""

    strategies: dict[str, Strategy]
    calls: int = 0
    read: int = 0
    written: int = 0

    def __call__(self, request: Request) -> Reply:
        if not asks_for_book(request):
            return chat_stream("Fine.")
        said = json.dumps(self.strategies[request.body["model"]](request), ensure_ascii=False)
        self.calls += 1
        self.read += sum(count_tokens(str(each["content"])) for each in request.body["messages"])
        self.written += count_tokens(said)
        return chat_stream(said)


# -- measuring ---------------------------------------------------------------------------------


async def passages_by_question(workbench: Workbench, test_set: Set, ids: dict[str, str]) -> None:
    """Returns the passages that answer each question."""
    held = {name: await workbench.library.chunks(USER, document_id) for name, document_id in ids.items()}
    spelled = {item.id: re.sub(r"\W+", "", item.text) for items in held.values() for item in items}
    for asked in test_set.asked:
        found = set()
        starts = [re.sub(r"\W+", "", text)[:GOLD_CHARACTERS] for text in asked.texts]
        for item in held.get(asked.document, []):
            book = item.source.book
            pages = set(range(book.page or 0, (book.page_end or book.page or 0) + 1)) if book else set()
            if pages & asked.pages or any(start in spelled[item.id] for start in starts if start):
                found.add(item.id)
        test_set.gold.append(frozenset(found))


@dataclass
class Ranked:
    """For each question, the rank (from 1) of the first right hit; 0 if there is none."""

    places: list[int] = field(default_factory=list)

    def within(self, most: int) -> float:
        return sum(0 < place <= most for place in self.places) / max(1, len(self.places))

    @property
    def reciprocal(self) -> float:
        return sum(1 / place for place in self.places if place) / max(1, len(self.places))


async def search(workbench: Workbench, test_set: Set, kinds: Sequence[BookKind]) -> Ranked:
    ranked = Ranked()
    for asked, gold in zip(test_set.asked, test_set.gold, strict=True):
        if gold:
            result = await workbench.memory.retrieve_from_books(USER, asked.text, MOST, kinds=kinds)
            rights = [hit.position for hit in result.hits if hit.citation.passage_id in gold]
            ranked.places.append(min(rights, default=0))
    return ranked


async def sources(workbench: Workbench, test_set: Set) -> list[list[str]]:
    """Returns the search results in documents for each question."""
    found = []
    for asked in test_set.asked:
        query = DocumentQuery(USER, asked.text, "enhanced")
        result = await workbench.retrieval.documents.find(query, Deadline(60.0))
        found.append([passage.item_id for source in result.sources for passage in source.passages])
    return found


async def read_out(workbench: Workbench, ids: Sequence[str]) -> list[Document]:
    """Extracts the findings of all documents, one after the other, as the job does."""
    for document_id in ids:
        await workbench.books.begin(USER, document_id)
    ends = time.monotonic() + PATIENCE
    while await workbench.books.under_way(USER):
        if time.monotonic() > ends:
            raise TimeoutError("the books were not read out in time")
        await asyncio.sleep(0.5)
    await workbench.memory.settle()
    return [await workbench.library.get(USER, document_id) for document_id in ids]


def add_costs(report: Report, group: str, server: Server, documents: Sequence[Document], seconds: float) -> None:
    count = len(documents)
    found: Counter[str] = Counter()
    refused = 0
    for document in documents:
        extraction = document.extraction
        if extraction:
            found.update(extraction.found)
            refused += extraction.refused
    kept = sum(found.values())
    if server.calls:
        report.add(Figure(group, "calls, a document", server.calls / count))
        report.add(Figure(group, "tokens read, a document", server.read / count))
        report.add(Figure(group, "tokens written, a document", server.written / count))
    report.add(Figure(group, "seconds without the model, a document", seconds / count))
    report.add(Figure(group, "kept, a document", kept / count))
    report.add(Figure(group, "kept, share of the model's findings", kept / max(1, kept + refused)))
    report.notes.append(f"{group}: {dict(found)} kept, {refused} refused, of {count} documents.")


async def measure(data: Path, options: argparse.Namespace, report: Report) -> None:
    for name in options.sets:
        test_set = SETS[name](data / name)
        test_set.asked = test_set.asked[:: options.every]
        strategies = {"copying": honest, "random": at_random, "knowing": knowing(test_set.asked), "lying": lying}
        server = Server(strategies)
        async with LocalServer(responder=server) as local:
            address = options.model or f"{local.url}/v1"
            names = [options.name] if options.model else list(strategies)
            given: dict[str, Any] = {
                "model": f"openai:{names[0]}",
                "models": [f"openai:{each}" for each in names[1:]],
                "model_base_url": address,
                "openai_api_key": "none",
                "books": BookIntelligence(),
                "prefix": Prefix(enabled=False),
                "metadata": ModelMetadata(enabled=False),
            }
            async with open_workbench(options.cache, dense=not options.words_only, **given) as workbench:
                await _measure_set(workbench, test_set, server, names, report)


async def _measure_set(
    workbench: Workbench, test_set: Set, server: Server, names: Sequence[str], report: Report
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = test_set.write(Path(folder))
        ids = {path.name: await upload(workbench, USER, path) for path in files}
    await passages_by_question(workbench, test_set, ids)
    answerable = sum(bool(gold) for gold in test_set.gold)
    _say(f"{test_set.name}: {len(ids)} documents, {len(test_set.asked)} questions, {answerable} with a passage")
    alone = await search(workbench, test_set, ())
    before = await sources(workbench, test_set)
    for name in names:
        group = f"{test_set.name}, {name}"
        server.calls = server.read = server.written = 0
        workbench.settings.models_by_purpose = {"books": f"openai:{name}"}
        workbench.models.reload()
        began = time.monotonic()
        documents = await read_out(workbench, list(ids.values()))
        add_costs(report, group, server, documents, time.monotonic() - began)
        if name == "lying":
            kept = sum(sum(each.extraction.found.values()) for each in documents if each.extraction)
            report.add(Figure(group, "nothing kept", float(kept == 0), floor=1.0))
            continue
        for way, kinds in list(SEARCHED.items())[1:]:
            ranked = await search(workbench, test_set, kinds)
            for label, most in (("R@1", 1), ("R@5", 5)):
                report.add(Figure(group, f"{way}: {label}", ranked.within(most), alone.within(most), "passages"))
            report.add(Figure(group, f"{way}: MRR", ranked.reciprocal, alone.reciprocal, "passages"))
        again = await search(workbench, test_set, ())
        same = again.places == alone.places and await sources(workbench, test_set) == before
        report.add(Figure(group, "passages and sources as before", float(same), floor=1.0))
        _say(f"{group} done")
    report.notes.append(
        f"{test_set.name}: {answerable} of {len(test_set.asked)} questions have a passage that answers."
    )


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Returns 1 when a floor is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sets", nargs="+", choices=[*SETS], default=[*SETS])
    parser.add_argument("--words-only", action="store_true")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--every", type=int, default=1, help="ask only every Nth question")
    parser.add_argument("--model", help="address of an OpenAI-compatible server")
    parser.add_argument("--name", default="model", help="the model's name on that server")
    options = parser.parse_args(arguments)
    report = Report(f"Books read out, {'keyword search only' if options.words_only else 'with vectors'}")
    asyncio.run(measure(options.data, options, report))
    return report.finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
