"""Implements ``palimpsest answer``: replies to a run's question, and shows the rest of its answer."""

from __future__ import annotations

import argparse
import asyncio

from command.answers import shown
from command.client import connected, takes_person
from command.words import word
from core.settings import Settings
from core.words import Language


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument("run", help=word("answer.run", language))
    parser.add_argument("interrupt", help=word("answer.interrupt", language))
    said = parser.add_mutually_exclusive_group(required=True)
    said.add_argument("--choose", action="append", default=[], metavar="ID", help=word("answer.choose", language))
    said.add_argument("--say", default="", metavar="WORDS", help=word("answer.say", language))
    said.add_argument("--cancel", action="store_true", help=word("answer.cancel", language))
    takes_person(parser, language)


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """The same exit codes as ``ask``."""
    return asyncio.run(_answered(given, settings, language))


async def _answered(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    async with connected(settings, given, language) as client:
        replies = client.stream(
            "resume_run",
            run_id=given.run,
            interrupt_id=given.interrupt,
            choice_ids=given.choose,
            text=given.say,
            cancel=given.cancel,
        )
        return await shown(client, replies, language, as_json=given.json)
