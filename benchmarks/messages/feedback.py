"""Measures feedback that teaches: questions that are answered wrongly get one typed correction, and are asked again.

The cases are in ``feedback.yaml``. All documents of a part are in one library, and all corrections are given before the
questions are asked again, so that each also meets the corrections of the others. A case counts only if its first answer
is wrong or missing. *Again*: the first line is the value after one correction; *other words*: the same for the question
in other words; *neighbours*: the answer to a neighbouring question has the same first line as before. *Pinned*: the
passage that was pinned is the one that the gold names (by its sentence, or by its page).
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.messages.figures import Figure
from benchmarks.temporary_workbench import open_workbench, upload
from core.errors import PalimpsestError
from core.events import Interrupted, Response
from core.parsed_yaml import parse_yaml
from core.workbench import Workbench

USER = "bench"
OWN = Path(__file__).with_suffix(".yaml")
HEAD = 300
"""Characters of an answer without a first line that count as its beginning."""
CACHE = Path(tempfile.gettempdir()) / "palimpsest-feedback-{part}.npz"


@dataclass
class Case:
    """A question with its right value. ``sentence`` and ``page`` tell where the gold is; ``document`` is a file."""

    id: str
    question: str
    typed: str
    other: str
    beside: list[str]
    document: str
    sentence: str = ""
    page: int | None = None
    languages: str = ""
    told: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Told:
    """An answer: the beginning that is judged, its text, and the message to rate, if it ended."""

    head: str
    text: str
    message_id: str | None


async def run(data: Path, only: Sequence[str], details: Path | None) -> list[Figure]:
    own: Any = parse_yaml(OWN.read_text(encoding="utf-8"))
    messages = [each for each in _message_cases(data, own["messages"]) if not only or each.id in only]
    grids = [each for each in _grid_cases(data, own["grids"]) if not only or each.id in only]
    with tempfile.TemporaryDirectory() as folder:
        if messages:
            await _measure(messages, _message_files(data, Path(folder)), "messages")
    if grids:
        await _measure(grids, [data / "grids" / "pdfs" / name for name in _files(data)], "grids")
    cases = [*messages, *grids]
    if details:
        with details.open("a", encoding="utf-8") as out:
            out.writelines(json.dumps(case.told, ensure_ascii=False) + "\n" for case in cases)
    return _figures(cases)


async def _measure(cases: Sequence[Case], files: Iterable[Path], part: str) -> None:
    cache = Path(str(CACHE).format(part=part))
    async with open_workbench(cache) as workbench:
        for path in files:
            await upload(workbench, USER, path)
        await workbench.retrieval.embedder.drain()
        for case in cases:
            beside = [(await _ask(workbench, each)).head for each in case.beside]
            case.told = {"id": case.id, "languages": case.languages, "beside_before": beside}
        for case in cases:
            first = await _ask(workbench, case.question)
            case.told |= {"question": case.question, "typed": case.typed, "first": first.head}
            case.told["was_wrong"] = not _says(first.head, case.typed)
            if first.message_id is None:
                case.told["was_wrong"] = False
                continue
            try:
                effect = await workbench.memory.record_feedback(USER, first.message_id, "failed", right=case.typed)
            except PalimpsestError:
                # A reply without a search ("nothing here can answer") cannot be corrected.
                case.told["was_wrong"] = False
                continue
            pin = effect.correction.pin if effect.correction else None
            quoted = await workbench.memory.items(USER, [pin.item_id]) if pin else []
            case.told["pin"] = pin.quote if pin else None
            case.told["pinned"] = _is_gold(case, quoted[0].text if quoted else "", pin.page if pin else None)
        for case in cases:
            again, other = await _ask(workbench, case.question), await _ask(workbench, case.other)
            case.told |= {"again": again.head, "is_right": _says(again.head, case.typed)}
            case.told |= {"other": case.other, "other_head": other.head, "other_right": _says(other.head, case.typed)}
            case.told |= {"beside": case.beside, "beside_after": [(await _ask(workbench, e)).head for e in case.beside]}
        typed = {case.question: case.typed for case in cases}
        for case in cases:
            # A neighbour that was corrected itself must answer with its own value.
            own = [typed.get(each) for each in case.beside]
            now = zip(own, case.told["beside_before"], case.told["beside_after"], strict=True)
            case.told["unharmed"] = [_says(after, value) if value else before == after for value, before, after in now]


async def _ask(workbench: Workbench, question: str) -> Told:
    asked = await workbench.ask(USER, question)
    response: Response | None = None
    async for entry in workbench.ledger.tail(USER, asked.run_id):
        if isinstance(entry.event, Response):
            response = entry.event
        if isinstance(entry.event, Interrupted):
            return Told("", entry.event.question, None)
    if response is None:
        return Told("", "", None)
    head = response.answer.line if response.answer else response.opening or response.text[:HEAD]
    return Told(head, response.text, asked.message_id)


def _figures(cases: Sequence[Case]) -> list[Figure]:
    told = [case.told for case in cases if case.told.get("was_wrong")]
    pairs = [unharmed for each in told for unharmed in each["unharmed"]]
    hebrew = [each for each in told if each["languages"].startswith("he")]
    return [
        Figure(name="feedback: cases", value=len(told)),
        Figure(name="feedback: again, right first line", value=_share(told, "is_right"), goal=0.90),
        Figure(name="feedback: in other words", value=_share(told, "other_right"), goal=0.70),
        Figure(name="feedback: in other words, Hebrew", value=_share(hebrew, "other_right")),
        Figure(name="feedback: neighbours", value=sum(pairs) / max(len(pairs), 1), goal=0.98),
        Figure(name="feedback: pinned where the gold stands", value=_share(told, "pinned")),
    ]


def _share(told: Sequence[dict[str, Any]], key: str) -> float:
    return sum(bool(each.get(key)) for each in told) / max(len(told), 1)


def _says(text: str, typed: str) -> bool:
    return _plain(typed) in _plain(text)


def _plain(text: str) -> str:
    words = re.findall(r"[^\W_]+", text.casefold().replace(",", ""))
    return f" {' '.join(words)} "


def _is_gold(case: Case, passage: str, page: int | None) -> bool:
    if case.page is not None:
        return page == case.page
    return _plain(case.sentence).strip() in _plain(passage)


def _message_cases(data: Path, rows: Sequence[Any]) -> list[Case]:
    folder = data / "messages"
    across: Any = parse_yaml((folder / "across.yaml").read_text(encoding="utf-8"))
    lines: Any = parse_yaml((folder / "firstline.yaml").read_text(encoding="utf-8"))
    known = {each["id"]: each for each in (*across["questions"], *lines["questions"])}
    cases = []
    for row in rows:
        gold = known[row["of"]]
        asked, text = gold.get("question_lang") or gold["lang"], gold.get("text_lang") or gold["lang"]
        cases.append(
            Case(
                row["of"], gold["question"], row["typed"], row["other"], row["beside"], gold["document"],
                gold["sentence"], languages=f"{asked} over {text}",
            )
        )  # fmt: skip
    return cases


def _message_files(data: Path, folder: Path) -> list[Path]:
    across: Any = parse_yaml((data / "messages" / "across.yaml").read_text(encoding="utf-8"))
    paths = []
    for document in across["documents"]:
        paths.append(folder / f"{document['id']}.md")
        paths[-1].write_text(f"# {document['title']}\n\n{document['text']}\n", encoding="utf-8")
    return paths


def _grid_cases(data: Path, rows: Sequence[Any]) -> list[Case]:
    grids: Any = parse_yaml((data / "grids" / "grids.yaml").read_text(encoding="utf-8"))
    sets = {each["id"]: each for each in grids["sets"]}

    def question(name: str) -> str:
        group, file, column = name.split("/")
        words = {each["id"]: each["question"] for each in sets[group]["columns"]}
        return f"{words[column]} ({file})"

    cases = []
    for row in rows:
        group, file, column = row["of"].split("/")
        page = sets[group]["cells"][file][column]["page"]
        beside = [question(each) for each in row["beside"]]
        cases.append(
            Case(row["of"], question(row["of"]), row["typed"], row["other"], beside, file, page=page, languages="en")
        )
    return cases


def _files(data: Path) -> list[str]:
    own: Any = parse_yaml(OWN.read_text(encoding="utf-8"))
    names = (name for row in own["grids"] for name in (row["of"], *row["beside"]))
    return sorted({name.split("/")[1] for name in names})
