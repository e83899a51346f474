"""Runs a workbench on the data directory *HOME*; another process sends commands on standard input to add files or ask
questions.

Started as ``python -P warm_question_asker.py HOME``. It uses the checkout that ``PYTHONPATH`` names, so it imports
nothing from the benchmarks. Commands are a line of JSON each: ``{"files": [...]}`` reads files for keyword search only,
``{"question": ..., "document": ...}`` asks. The reply to a question is this process's processor time in seconds until
all its background work is done.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import time
from pathlib import Path
from typing import Any

from core.setting_groups import Deadlines
from core.settings import Settings
from core.workbench import Workbench

USER = "local"
PATIENCE = 60.0
MOST_REPLIES = 4
GO_ON = ("all", "continue", "inquire")


async def read(workbench: Workbench, files: list[str], folder: Path) -> None:
    runs = []
    for path in map(Path, files):
        copy = folder / path.name
        shutil.copyfile(path, copy)
        submission = await workbench.library.submit(USER, copy, path.name, choice="keep_both")
        runs.append(submission.document.run_id or "")
    for run_id in runs:
        async for _ in workbench.ledger.tail(USER, run_id):
            pass
    await workbench.memory.settle()


async def ask(workbench: Workbench, question: str, document: str, names: dict[str, str]) -> float:
    """Asks; if the workbench asks back, it gets the document, as from a user who knows what they mean."""
    began = time.process_time()
    run_id = (await workbench.ask(USER, question)).run_id
    after = 0
    for _ in range(MOST_REPLIES):
        waits: Any = None
        async for entry in workbench.ledger.tail(USER, run_id, after):
            after = max(after, entry.sequence)
            waits = entry.event if entry.event.type == "interrupt" else None
        if waits is None:
            break
        ids = [choice.id for choice in waits.choices]
        right = [each for each in ids if names.get(each) == document] or [each for each in GO_ON if each in ids] or ids
        await workbench.reply(USER, run_id, waits.interrupt_id, right[:1], "")
    await workbench.memory.settle()
    return time.process_time() - began


async def serve(home: Path) -> None:
    patient = Deadlines(
        dense=PATIENCE, lexical=PATIENCE, rerank=PATIENCE, embed_query=PATIENCE, truth=PATIENCE, retrieval=PATIENCE
    )
    workbench = Workbench(Settings(_env_file=None, home=home, deadlines=patient, dense_enabled=False))  # type: ignore[call-arg]
    await workbench.start()
    try:
        names = {each.id: each.filename for each in await workbench.library.find(USER)}
        while line := await asyncio.to_thread(sys.stdin.readline):
            order = json.loads(line)
            reply = 0.0
            if "files" in order:
                await read(workbench, order["files"], home)
            else:
                reply = await ask(workbench, order["question"], order["document"], names)
            print(json.dumps(reply), flush=True)
    finally:
        await workbench.stop()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
