"""Measures whether the assistant asks the user back when it should, over real filings: ``python -m benchmarks.palassist
--data FOLDER``.

``palassist.yaml`` has 120 questions of this project over the folder of ``benchmarks.filings``, written before any rule.
Some name no company and could be about several, some name a company with several possible documents, some ask for
nothing specific, and most of them should be answered without asking. Each is asked in a new conversation, without a
model, through the workbench's own endpoints. If the workbench asks which document is meant, it gets the right one, as
from a user who knows it.

*asked*: it asked when it should, and offered the right choice. *silent*: it did not ask when it should not (offering a
way to continue also counts as asking). *right document*: the first document shown in the final answer is a right one.
Rows of half a were looked at while the rules were made, those of half b were not.

    python -m benchmarks.palassist --data FOLDER [--words-only] [--cache FILE] [--home FOLDER] [--half a] [--json FILE]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import yaml
from gradio_client import Client
from pydantic import BaseModel, ConfigDict

from benchmarks.filings import library
from benchmarks.report import Figure, Report
from benchmarks.served import Answer, last, served

GOAL = 0.9
MOST_REPLIES = 4

Ask = Literal["company", "document", "subject", "no"]


class Row(BaseModel):
    """A row of the file. ``turns`` are questions asked one after another, of which the last one counts; ``right`` are
    the filenames of right documents."""

    model_config = ConfigDict(extra="forbid")

    half: Literal["a", "b"]
    ask: Ask
    q: str = ""
    turns: list[str] = []
    right: list[str] = []

    @property
    def asked(self) -> list[str]:
        return self.turns or [self.q]


@dataclass
class Result:
    """The result of a row. ``kinds`` are the kinds of questions that the workbench asked, ``offered`` the filenames
    among the first choices, ``first`` the filename of the first source of the final answer."""

    row: Row
    kinds: list[str]
    offered: list[str]
    first: str
    text: str

    @property
    def is_right_to_ask(self) -> bool:
        """Returns whether it asked when it should, with a right choice; or did not ask when it should not."""
        if self.row.ask == "no":
            return not self.kinds
        if self.row.ask == "subject":
            return self.kinds[:1] == ["text_input"]
        return self.kinds[:1] == ["doc_choice"] and bool(set(self.row.right) & set(self.offered))


def rows_of(half: str | None) -> list[Row]:
    table = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    rows = [Row.model_validate(row) for row in table["rows"]]
    for row in rows:
        row.right = [table["documents"][each] for each in row.right]
    return [row for row in rows if half in (None, row.half)]


def ask(client: Client, row: Row, documents: dict[str, str]) -> Result:
    """Asks the questions of a row; ``documents`` maps document ids to filenames."""
    conversation = ""
    for question in row.asked[:-1]:
        told = _answered(client, question, conversation, row, documents)[0]
        conversation = str(told["conversation_id"])
    answer, kinds, offered = _answered(client, row.asked[-1], conversation, row, documents)
    sources = answer.get("sources") or []
    return Result(row, kinds, offered, sources[0]["filename"] if sources else "", str(answer.get("text", "")))


def _answered(
    client: Client, question: str, conversation: str, row: Row, documents: dict[str, str]
) -> tuple[Answer, list[str], list[str]]:
    answer = last(client.submit(question, conversation, "enhanced", "", "", False, api_name="/ask"))
    kinds: list[str] = []
    offered: list[str] = []
    while answer.get("interrupt") and len(kinds) < MOST_REPLIES:
        waits = answer["interrupt"]
        ids = [choice["id"] for choice in waits["choices"]]
        offered = offered or [documents[each] for each in ids if each in documents]
        kinds.append(waits["kind"])
        right = next((each for each in ids if documents.get(each) in row.right), None)
        chosen = right or next((each for each in ("continue", "inquire", "all") if each in ids), None)
        answer = last(
            client.submit(
                answer["run_id"], waits["interrupt_id"], [chosen] if chosen else [], "", not chosen,
                api_name="/resume_run",
            )
        )  # fmt: skip
    return answer, kinds, offered


def report_on(results: Sequence[Result]) -> Report:
    report = Report(f"Asking back over filings, {len(results)} questions, no model")
    groups = {"all": results, **{f"half {half}": [r for r in results if r.row.half == half] for half in "ab"}}
    for name, rows in groups.items():
        should = [each for each in rows if each.row.ask != "no"]
        silent = [each for each in rows if each.row.ask == "no"]
        right = [each for each in rows if each.row.right]
        for what, some, good in (
            ("asked when it should", should, [each.is_right_to_ask for each in should]),
            ("silent when it should be", silent, [each.is_right_to_ask for each in silent]),
            ("right document after it", right, [each.first in each.row.right for each in right]),
        ):
            if some:
                report.add(Figure(name, f"{what} ({len(some)})", sum(good) / len(some), goal=GOAL))
    return report


def show(results: Sequence[Result]) -> None:
    """Prints the wrong results."""
    for each in results:
        wrong = [] if each.is_right_to_ask else [f"asked {each.kinds or 'nothing'}, offered {each.offered}"]
        if each.row.right and each.first not in each.row.right:
            wrong.append(f"first {each.first or 'nothing'}, right {each.row.right}")
        if wrong:
            print(f"[{each.row.half}] {each.row.ask}: {' / '.join(each.row.asked)} → {'; '.join(wrong)}")


@contextmanager
def kept(home: Path, *, words_only: bool) -> Iterator[tuple[Client, dict[str, str]]]:
    """Yields a served workbench on a data directory that already contains the files from an earlier run."""
    with served(home, {"PALIMPSEST_DENSE_ENABLED": "false"} if words_only else {}) as client:
        yield client, {row["id"]: row["filename"] for row in client.predict("", api_name="/list_documents")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--words-only", action="store_true")
    parser.add_argument("--cache", type=Path, help="keep vectors in this file between runs")
    parser.add_argument("--home", type=Path, help="a data directory that already contains the folder's files")
    parser.add_argument("--half", choices=["a", "b"], help="only this half")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    given = parser.parse_args()
    files = sorted(given.data.glob("*.pdf"))
    opened = (
        kept(given.home, words_only=given.words_only)
        if given.home
        else library(files, given.cache, words_only=given.words_only)
    )
    with opened as (client, documents):
        results = [ask(client, row, documents) for row in rows_of(given.half)]
    show(results)
    return report_on(results).finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
