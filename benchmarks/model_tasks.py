"""Measures the benefit and cost of the extra tasks that a chat model can do, to choose the defaults of
``PALIMPSEST_TASKS__…``.

No capable model is available for these measurements, so four others replace it: ``small`` is SmolLM2-135M-Instruct
behind a real server, far weaker than any model that a user would choose; ``right`` gives the right output, which is the
upper bound of a task's benefit; ``errs`` does the same with every fifth output wrong; ``random`` gives random output.
The texts are the sample documents and this project's questions about them (``model_tasks.yaml``). ``rating`` uses
filings, with questions that other people wrote.

    python -m benchmarks.model_tasks [--only follow_ups tone debate rating] [--data FILINGS --home FOLDER] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from random import Random

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel

from benchmarks.filings import questions_of
from benchmarks.report import Figure, Report
from benchmarks.rereading import find, library
from benchmarks.temporary_workbench import PATIENCE, open_workbench, upload
from core.errors import PalimpsestError
from core.events import Passage, Source
from core.graph.answering.debate import debate
from core.graph.answering.fragment_rating import rate, reranked, worth_rating
from core.graph.records import Message
from core.graph.state import LastAsked
from core.graph.understanding.documents.query_rewriting import complete
from core.graph.understanding.documents.records import Reference, VisibleDocument
from core.graph.understanding.documents.reformulation import is_left_open, said_in_full
from core.graph.understanding.documents.resolver import DocumentResolver
from core.graph.understanding.tone import infer, tone_of
from core.library.samples import load_samples
from core.models.chat import ChatModels
from core.models.structured import PurposeModel, TextModel, Written
from core.parsed_yaml import parse_yaml
from core.personality.tone import Tone
from core.prompts.templates import Prompts
from core.resilience.dependencies import Deadline
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.context import fit
from core.search.documents.search import DocumentQuery
from core.setting_groups import Deadlines, Tasks
from core.settings import Settings
from core.workbench import Workbench
from tests.servers.small_model import NAME, small_model

USER = "reader"
SEED = 16
SMALL_ROOM = 1_000
"""Maximum tokens of passages, so that they fit into the small model's window."""
TODAY = date(2026, 11, 24)


class _Given(BaseModel):
    follow_ups: list[tuple[str, str, str, str]]
    tones: list[tuple[str, Tone]]
    debates: list[str]


class Timed:
    """A model, and the seconds of its calls."""

    def __init__(self, inner: TextModel) -> None:
        self._inner = inner
        self.seconds: list[float] = []

    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        began = time.monotonic()
        try:
            return await self._inner.write(messages)
        finally:
            self.seconds.append(time.monotonic() - began)

    @property
    def median(self) -> float:
        return sorted(self.seconds)[len(self.seconds) // 2] if self.seconds else 0.0


async def shown(workbench: Workbench, text: str, most: int) -> list[str]:
    """Returns the first passages found for ``text``."""
    found = await workbench.retrieval.documents.find(DocumentQuery(USER, text, "enhanced"), Deadline(PATIENCE))
    return [passage.text for source in found.sources for passage in source.passages][:most]


async def follow_ups(workbench: Workbench, model: Timed, given: _Given, report: Report) -> None:
    documents, known = await workbench.library.find(USER), await workbench.retrieval.documents.known(USER)
    held = dict.fromkeys(("as asked", "rules", "small", "right"), 0)
    left = taken = 0
    resolver = DocumentResolver(Prompts(), model)
    for before, then, full, words in given.follow_ups:
        last = LastAsked(text=before)
        ruled = complete(then, last, known, TODAY)
        by_rules = ruled.text if ruled else then
        texts = {"as asked": then, "rules": by_rules, "small": by_rules, "right": by_rules}
        if is_left_open(then, last, ruled):
            left += 1
            past = (Message(role="user", text=before), Message(role="assistant", text="It says so [1]."))
            asked = Reference(
                text=then,
                action="inquire",
                documents=tuple(VisibleDocument.of(each) for each in documents),
                past=past,
                reformulate=True,
            )
            written = (await resolver.resolve(asked)).question
            small, right = (said_in_full(then, each, past, known) for each in (written, full))
            taken += bool(small)
            texts |= {"small": small.text if small else by_rules, "right": right.text if right else by_rules}
        for name, text in texts.items():
            held[name] += any(words in each for each in await shown(workbench, text, 3))
    count = len(given.follow_ups)
    for name, right_ones in held.items():
        report.add(Figure("follow-ups", f"{name}: answer among 3, of {count}", right_ones, held["rules"], "rules"))
    report.add(Figure("follow-ups", "left open by the rules", left))
    report.add(Figure("follow-ups", "of them completed by the small model", taken))
    report.notes.append(f"follow-ups: {model.median:.1f} s a call of the small model, in the call for documents")


async def tones(model: Timed, given: _Given, report: Report) -> None:
    right = sure = right_and_sure = by_model = 0
    for message, tone in given.tones:
        ruled = tone_of(message)
        right += ruled.tone == tone
        sure += ruled.sure
        right_and_sure += ruled.sure and ruled.tone == tone
        found = None if ruled.sure else await infer(Prompts(), model, [message])
        by_model += (found or ruled.tone) == tone
    count = len(given.tones)
    report.add(Figure("tone", f"right by signs, of {count}", right))
    report.add(Figure("tone", "signs are sure", sure))
    report.add(Figure("tone", "sure and right", right_and_sure))
    report.add(Figure("tone", "right with the small model", by_model, right, "signs"))
    report.notes.append(f"tone: {model.median:.1f} s a call of the small model, beside the title")


async def debates(workbench: Workbench, model: Timed, given: _Given, report: Report) -> None:
    both = 0
    for question in given.debates:
        found = await workbench.retrieval.documents.find(DocumentQuery(USER, question, "enhanced"), Deadline(PATIENCE))
        context = fit(firmly_accepted(found.sources), SMALL_ROOM, SMALL_ROOM)
        asked = [SystemMessage(f"BEGIN SOURCES\n{context.text}\nEND SOURCES"), HumanMessage(question)]
        try:
            text, _ = await debate(Prompts(), model, asked, context.numbers, "en")
            both += bool(text)
        except PalimpsestError as error:
            report.notes.append(f"debate: {error}")
    report.add(Figure("debate", f"both sides by the small model, of {len(given.debates)}", both))
    report.notes.append(f"debate: {model.median:.1f} s until the first word, it is shown only as a whole")


async def rating(given: argparse.Namespace, model: Timed, report: Report) -> None:
    questions = questions_of(given.data)[: given.questions]
    first = {name: [0, 0] for name in ("found", "right", "errs", "random")}
    drawn = Random(SEED)
    small = {"found": 0, "small": 0}
    tasks = Tasks()
    async with library(given) as (workbench, user):
        for number, question in enumerate(questions):
            sources = (await find(workbench, user, question)).sources
            room = workbench.settings.budget.retrieved
            truth = _right(sources, question.pages, room, tasks)
            errs = {
                item: 1.0 - value if (number + place) % 5 == 0 else value
                for place, (item, value) in enumerate(truth.items())
            }
            for name, ordered in (
                ("found", sources),
                ("right", reranked(sources, truth, tasks.rating_weight)),
                ("errs", reranked(sources, errs, tasks.rating_weight)),
                ("random", reranked(sources, {item: drawn.random() for item in truth}, tasks.rating_weight)),
            ):
                for place, most in enumerate((1, 5)):
                    first[name][place] += _is_among(ordered, question.pages, most)
            if number < given.small:
                rated = await rate(Prompts(), model, question.text, sources, SMALL_ROOM, tasks)
                small["found"] += _is_among(sources, question.pages, 1)
                small["small"] += _is_among(rated.sources, question.pages, 1)
    for name, (one, five) in first.items():
        for most, count, before in (("first", one, first["found"][0]), ("among 5", five, first["found"][1])):
            share = count / len(questions)
            report.add(Figure("rating", f"{name}: page {most}", share, before / len(questions), "found"))
    if asked := min(given.small, len(questions)):
        report.add(Figure("rating", f"small: page first, of {asked}", small["small"], small["found"], "found"))
        report.notes.append(f"rating: {model.median:.1f} s a call of the small model, in the call for sufficiency")


def _right(
    sources: Sequence[Source], pages: frozenset[tuple[str, int]], room: int, tasks: Tasks
) -> Mapping[str, float]:
    files = {passage.item_id: source.filename for source in sources for passage in source.passages}
    worth = worth_rating(sources, room, tasks.rating_threshold)
    return {each.item_id: float((files[each.item_id], each.page or 0) in pages) for each in worth}


def _is_among(sources: Sequence[Source], pages: frozenset[tuple[str, int]], most: int) -> bool:
    passages: list[tuple[str, Passage]] = [(source.filename, each) for source in sources for each in source.passages]
    order = list(dict.fromkeys((filename, each.page or 0) for filename, each in passages))
    return bool(pages & set(order[:most]))


async def measured(given: argparse.Namespace, url: str) -> Report:
    report = Report(f"the small model is {NAME}")
    patient = Deadlines(model_small=PATIENCE * 3, model_first_token=PATIENCE * 2, model_answer=PATIENCE * 4)
    settings = Settings(  # type: ignore[call-arg]
        _env_file=None, model=f"openai:{NAME}", model_base_url=url, model_api_key="none", deadlines=patient
    )
    models = ChatModels(settings)
    texts = _Given.model_validate(parse_yaml(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")))

    def model() -> Timed:
        return Timed(PurposeModel(models, None, "inquire"))

    if "tone" in given.only:
        await tones(model(), texts, report)
    if {"follow_ups", "debate"} & set(given.only):
        async with open_workbench() as workbench:
            await with_samples(workbench)
            if "follow_ups" in given.only:
                await follow_ups(workbench, model(), texts, report)
            if "debate" in given.only:
                await debates(workbench, model(), texts, report)
    if "rating" in given.only and given.data:
        await rating(given, model(), report)
    await models.close()
    return report


async def with_samples(workbench: Workbench) -> None:
    """Yields one user's library with the sample documents, read and embedded."""
    for path in await asyncio.to_thread(lambda: load_samples().paths):
        copy = workbench.settings.folder / path.name
        await asyncio.to_thread(shutil.copy, path, copy)
        await upload(workbench, USER, copy)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = ("follow_ups", "tone", "debate", "rating")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts)
    parser.add_argument("--data", type=Path, help="filings, for the rating")
    parser.add_argument("--home", type=Path, help="a data directory that contains them")
    parser.add_argument("--words-only", action="store_true")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--questions", type=int, help="only the first N")
    parser.add_argument("--small", type=int, default=10, help="questions whose passages the small model rates")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with small_model() as url:
        report = asyncio.run(measured(given, url))
    return report.finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
