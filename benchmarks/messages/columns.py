"""Asks each column of the grids in prose as a chat question that names its document, and judges the first line.

The sets are accident reports, trial protocols and agreements; the rules of judging are those of their README. Only the
first line is judged (without citations), not the quotations below it. *Found* is the state that the page shows. The
page is right if a cell of the first line is on the page of the gold, or on another page of the document that prints the
gold's quotation.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from benchmarks.forty_questions import GoldQuestion, is_right
from benchmarks.messages.figures import Figure
from benchmarks.temporary_workbench import open_workbench, upload
from core.events import Response, Source
from core.parsed_yaml import parse_yaml
from core.records.answer import CITATION
from core.workbench import Workbench
from viz.answer import State, answer_state

USER = "ada"
SETS = ("accidents", "trials", "contracts")
NOT_STATED = "not stated"
RIGHT, SURELY_WRONG, PAGE = 0.45, 0.03, 0.90
LONGEST = 600
"""Characters of the first line that are judged: a longer one does not point to its answer."""


class Judged(BaseModel):
    """A question with its first line and verdict. ``stated``: the document states the answer; ``answered``: the first
    line gives one; ``page``: whether the cited page is right."""

    id: str
    question: str
    gold: str
    line: str
    state: State | None
    stated: bool
    answered: bool
    right: bool
    page: bool | None = None
    pages: list[int | None] = []
    asked_back: bool = False
    milliseconds: float = 0.0

    @property
    def surely_wrong(self) -> bool:
        return not self.right and self.answered and self.state == "found"


async def run(data: Path, only: Sequence[str], details: Path | None) -> list[Figure]:
    """Measures the questions whose id (``set/file/column``) starts with one of ``only``; all if there are none. The
    embeddings are kept in the file that ``COLUMNS_CACHE`` names."""
    folder = data / "grids"
    grids: Any = parse_yaml((folder / "grids.yaml").read_text(encoding="utf-8"))
    groups = [group for group in grids["sets"] if group["id"] in SETS]
    questions = [each for group in groups for each in _questions(group) if _selected(each.id, only)]
    files = {file for each in questions for file, _ in each.pages} | {each.id.split("/")[1] for each in questions}
    paths = [folder / each["path"] for group in groups for each in group["documents"] if each["file"] in files]
    kept = os.environ.get("COLUMNS_CACHE")
    judged = []
    async with open_workbench(Path(kept) if kept else None) as workbench:
        for path in paths:
            await upload(workbench, USER, path)
        for question in questions:
            judged.append(await _ask(workbench, question))
            if details:
                with details.open("a", encoding="utf-8") as file:
                    file.write(judged[-1].model_dump_json() + "\n")
    return figures_of(judged)


def figures_of(judged: Sequence[Judged]) -> list[Figure]:
    stated = [each for each in judged if each.stated]
    unstated = [each for each in judged if not each.stated]
    right = [each for each in stated if each.right]
    paged = [each.page for each in right if each.page is not None]
    found = [each for each in judged if each.state == "found" and each.answered]
    figures = [
        Figure(name=f"columns: right, of {len(stated)} stated", value=_share(len(right), stated), goal=RIGHT),
        Figure(
            name="columns: wrong and Found, of all",
            value=_share(sum(each.surely_wrong for each in judged), judged),
            goal=SURELY_WRONG,
            at_most=True,
        ),
        Figure(name=f"columns: right page, of {len(paged)} right", value=_share(sum(paged), paged), goal=PAGE),
        Figure(name=f"columns: Found, of {len(judged)}", value=_share(len(found), judged)),
        Figure(name="columns: said so, of not stated", value=_share(sum(e.right for e in unstated), unstated)),
        Figure(name="columns: asked back", value=_share(sum(e.asked_back for e in judged), judged)),
    ]
    for group in SETS:
        own = [each for each in stated if each.id.startswith(f"{group}/")]
        if own:
            figures.append(Figure(name=f"columns: right, {group}", value=_share(sum(e.right for e in own), own)))
    return figures


def _share(count: int, of: Sequence[object]) -> float:
    return count / max(1, len(of))


def _selected(id: str, only: Sequence[str]) -> bool:
    return not only or any(id == prefix or id.startswith(f"{prefix}/") for prefix in only)


def _questions(group: Any) -> list[GoldQuestion]:
    columns = {column["id"]: column for column in group["columns"]}
    return [
        GoldQuestion(
            f"{group['id']}/{file}/{name}",
            "cell",
            [f"{columns[name]['question']} ({file})"],
            {**cell, "type": columns[name]["type"]},
            [(file, cell["page"])] if "page" in cell else [],
        )
        for file, row in group["cells"].items()
        for name, cell in row.items()
    ]


async def _ask(workbench: Workbench, question: GoldQuestion) -> Judged:
    asked = await workbench.ask(USER, question.turns[0])
    response, sources, state, asked_back = None, list[Source](), None, False
    async for entry in workbench.ledger.tail(USER, asked.run_id):
        event = entry.event
        if event.type == "sources":
            sources = list(event.sources)
        elif event.type == "response":
            response = event
            state = answer_state(response, None, None)
        elif event.type == "interrupt":
            asked_back = True
            await workbench.reply(USER, asked.run_id, event.interrupt_id, [each.id for each in event.choices[:1]], "")
    return await _judged(workbench, question, response, sources, state, asked_back)


async def _judged(
    workbench: Workbench,
    question: GoldQuestion,
    response: Response | None,
    sources: Sequence[Source],
    state: State | None,
    asked_back: bool,
) -> Judged:
    answer = response.answer if response else None
    line = first_line(response)
    doubted = answer is not None and (answer.doubt is not None or not answer.decided)
    refused = response is None or response.kind == "nothing_found"
    right = not (refused and question.gold["value"] != NOT_STATED) and line_is_right(question, line, refused)
    own = [] if response is None else _cited(response, sources)
    return Judged(
        id=question.id,
        question=question.turns[0],
        gold=json.dumps(question.gold["value"], ensure_ascii=False, default=str),
        line=line,
        state="closest" if state == "found" and doubted else state,
        stated=question.gold["value"] != NOT_STATED,
        answered=not refused and bool(line),
        right=right,
        page=await _page_is_right(workbench, question, own) if right and question.pages else None,
        pages=[page for _, page in own],
        asked_back=asked_back,
        milliseconds=response.milliseconds if response else 0.0,
    )


def first_line(response: Response | None) -> str:
    """Returns the first line that the page shows, without citations: the answer's, or the opening of a refusal."""
    if response is None:
        return ""
    line = response.answer.line if response.answer else response.opening or response.text.split("\n\n")[0]
    if response.answer and response.answer.table:
        line = f"{line}\n{response.answer.table}"
    return CITATION.sub("", line)[:LONGEST]


def line_is_right(question: GoldQuestion, line: str, refused: bool) -> bool:
    """Returns whether the first line is right; a tempting wrong answer makes it wrong unless the right one precedes
    it."""
    gold = question.gold
    if gold["value"] == NOT_STATED and refused:
        return True
    if not is_right(question, [line]):
        return False
    wrong = [place for word in gold.get("wrong") or [] if (place := line.casefold().find(str(word).casefold())) >= 0]
    words = [str(word) for word in (gold.get("must") or gold.get("must_any") or [gold["value"]])]
    rights = [place for word in words if (place := line.casefold().find(word.casefold())) >= 0]
    return not wrong or (bool(rights) and min(rights) <= min(wrong))


def _cited(response: Response, sources: Sequence[Source]) -> list[tuple[str, int | None]]:
    """Returns document and page of the cells of the first line; without cells, those of the first quotation."""
    if response.answer and response.answer.cells:
        return [(cell.document_id, cell.page) for cell in response.answer.cells]
    passages = {each.item_id: (source, each) for source in sources for each in source.passages}
    first = [passages[each.item_id] for each in response.quotes[:1] if each.item_id in passages]
    return [(source.document_id, passage.page) for source, passage in first]


async def _page_is_right(workbench: Workbench, question: GoldQuestion, cited: Sequence[tuple[str, int | None]]) -> bool:
    file, page = question.pages[0]
    documents = {each.id: each.filename for each in await workbench.library.find(USER)}
    quote = _plain(str(question.gold.get("quote", "")))
    for document_id, own in cited:
        if documents.get(document_id) != file:
            continue
        if own == page:
            return True
        chunks = await workbench.library.chunks(USER, document_id)
        texts = " ".join(each.text for each in chunks if each.source.book and each.source.book.page == own)
        if quote and quote in _plain(texts):
            return True
    return False


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[‘’]", "'", re.sub(r"[“”]", '"', text)).split()).casefold()
