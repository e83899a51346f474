"""Runs a case on a served workbench as a separate user with an empty library, an empty memory and one conversation."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from threading import Event

from benchmarks.faults.cases import Case, Step, file_of
from benchmarks.faults.comparison import first_line
from benchmarks.frozen.person import Json, Person, RefusedError
from benchmarks.frozen.ready_probe import probing
from core.library.extract import extract
from core.library.extracted import Extracted
from core.settings import Settings

MEMORY_SECONDS = 5.0
"""Maximum seconds until a remembered text can be found."""


@dataclass
class Trial:
    """Runs cases. ``folder`` contains the files of the cases, ``made`` the generated ones."""

    person: Person
    url: str
    folder: Path
    made: Path
    conversation: str | None = None
    document: str = ""
    file: Path | None = None
    answer: Json = field(default_factory=dict)
    shown: str = ""
    refusal: str = ""
    faults: list[str] = field(default_factory=list)

    def run(self, case: Case) -> list[str]:
        """Returns the differences from the expected result; none if the case is right."""
        for number, step in enumerate(case.steps):
            after = case.steps[number + 1 : number + 2]
            limit = after[0].ready_within if after else None
            with probing(self.url) if limit else nullcontext([]) as samples:
                self._do(case, step)
            late = [sample.seconds for sample in samples if sample.problem or sample.seconds > (limit or 0)]
            if late:
                self.faults.append(f"/ready took {max(late):.1f} s")
        return self.faults + list(self._differences(case))

    def _do(self, case: Case, step: Step) -> None:
        if (step.read or step.notes) and self.file is None:
            return
        if step.upload:
            self._upload(file_of(case, step.upload, self.folder, self.made))
        elif step.remember:
            self.person.call("add_bank_item", text=step.remember)
            time.sleep(MEMORY_SECONDS)
        elif step.ask:
            self._ask(step)
        elif step.read:
            self.shown = text_of(self._extracted())
        elif step.notes:
            row, created = self.person.row(self.document), self._extracted().created
            self.shown = "\n".join([f"created: {created or ''}", f"date: {row['date'] or ''}", *row["notes"]])
        elif step.refused:
            self.faults = [] if self.refusal else ["was not refused"]
            self.shown = self.refusal

    def _upload(self, path: Path) -> None:
        self.file = path
        try:
            documents = self.person.drop_all(path)
            self.document = documents[0]
            for document in documents:
                self.person.waits_for(document, lambda row: row["state"] == "completed", Event())
        except RefusedError as error:
            self.file = None
            self.refusal = str(error)
            self.faults.append(f"was refused: {error}")

    def _ask(self, step: Step) -> None:
        began = time.monotonic()
        self.answer = self.person.call("ask", question=step.ask, conversation_id=self.conversation)
        seconds, size = time.monotonic() - began, len(json.dumps(self.answer, ensure_ascii=False).encode())
        self.conversation = self.answer.get("conversation_id")
        self.shown = self.answer.get("text") or ""
        if step.within and seconds > step.within:
            self.faults.append(f"took {seconds:.1f} s")
        if step.at_most_bytes and size > step.at_most_bytes:
            self.faults.append(f"has {size} bytes")

    def _extracted(self) -> Extracted:
        """Returns what the reader extracts from the file uploaded last."""
        assert self.file
        return extract(self.file, self.file.name, Settings(_env_file=None))  # type: ignore[call-arg]

    def _differences(self, case: Case) -> Iterator[str]:
        if self.refusal and self.faults:
            return
        if case.where in ("first_line", "answer"):
            if self.answer.get("interrupt"):
                yield f"asks back: {self.answer['interrupt'].get('question', '')}"
                return
            if self.answer.get("kind") == "nothing_found" and not case.absent:
                yield "nothing was found"
        yield from case.wanted.differences(first_line(self.shown) if case.where == "first_line" else self.shown)


def text_of(extracted: Extracted) -> str:
    """Returns all extracted text, each sheet's name above its rows."""
    parts: list[str] = []
    for sheet, blocks in groupby(extracted.blocks, key=lambda block: block.sheet):
        parts += [sheet] if sheet else []
        for block in blocks:
            parts += [block.header] if block.header else []
            parts.append(block.text)
    return "\n".join(parts)
