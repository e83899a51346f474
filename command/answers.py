"""Shows an answer on the terminal: its progress, then its text, or the run's question to the user."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator

from command.client import Client, Reply
from command.progress import show_progress
from command.words import word
from core.words import Language

DONE, FAILED, WAITING = 0, 1, 3
WIDTH = 100


async def shown(client: Client, replies: AsyncIterator[Reply], language: Language, *, as_json: bool) -> int:
    """Print the answer and return an exit code. If the run asks the user a question, ask it when a user is at the
    terminal."""
    reply = await _followed(replies)
    while reply.get("interrupt") and not as_json and sys.stdin.isatty() and sys.stdout.isatty():
        fields = _asked(reply["interrupt"], language)
        reply = await _followed(client.stream("resume_run", run_id=reply["run_id"], **fields))
    if as_json:
        print(json.dumps(reply, ensure_ascii=False))
    else:
        from pages.answer_given import AnswerGiven

        print(AnswerGiven.model_validate(reply).told())
    if reply.get("interrupt"):
        return WAITING
    return FAILED if reply.get("outcome") == "failed" else DONE


async def _followed(replies: AsyncIterator[Reply]) -> Reply:
    """The last reply; the steps before it are shown as progress."""
    step, reply = "", Reply()
    async for reply in replies:
        if reply.get("step", "") != step:
            step = str(reply.get("step", ""))
            show_progress(step[:WIDTH])
    if step:
        show_progress()
    return reply


def _asked(asked: Reply, language: Language) -> Reply:
    """Ask at the terminal: numbers select choices, text where it is allowed, an empty line cancels."""
    print(asked["question"])
    for step in asked["steps"]:
        print(f"  - {step['text']}")
    choices = asked["choices"]
    for number, choice in enumerate(choices, start=1):
        hint = choice["hint"] or ", ".join(choice["samples"])
        print(f"  {number}. {choice['label']}{f' ({hint})' if hint else ''}")
    said = input(f"{word('answers.prompt', language)} ").strip()
    numbers = [each for each in said.replace(",", " ").split() if each.isdecimal()]
    if not said:
        return {"interrupt_id": asked["interrupt_id"], "cancel": True}
    if choices and len(numbers) == len(said.replace(",", " ").split()):
        chosen = [choices[int(each) - 1]["id"] for each in numbers if 1 <= int(each) <= len(choices)]
        return {"interrupt_id": asked["interrupt_id"], "choice_ids": chosen}
    return {"interrupt_id": asked["interrupt_id"], "text": said}
