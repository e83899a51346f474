"""Implements ``palimpsest ask``: a question, or documents to summarize, compare or check a text against -> a cited
answer."""

from __future__ import annotations

import argparse
import asyncio
import sys

from command.answers import shown
from command.client import connected, takes_person
from command.words import word
from core.settings import Settings
from core.words import Language

MODES = ("quick", "enhanced", "deep")
ACTIONS = ("inquire", "summarize", "compare", "audit")


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument("question", help=word("ask.question", language))
    parser.add_argument("--conversation", metavar="ID", help=word("ask.conversation", language))
    parser.add_argument("--mode", choices=MODES, default="enhanced", help=word("ask.mode", language))
    parser.add_argument("--action", choices=ACTIONS, help=word("ask.action", language))
    parser.add_argument("--web", action="store_true", help=word("ask.web", language))
    parser.add_argument("--model", help=word("ask.model", language))
    takes_person(parser, language)


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Returns exit code 3 if the run waits for the user's reply; ``palimpsest answer`` sends that reply."""
    return asyncio.run(_asked(given, settings, language))


async def _asked(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    question = sys.stdin.read() if given.question == "-" else given.question
    async with connected(settings, given, language) as client:
        replies = client.stream(
            "ask",
            question=question,
            conversation_id=given.conversation,
            mode=given.mode,
            model=given.model,
            action=given.action,
            web=given.web,
        )
        return await shown(client, replies, language, as_json=given.json)
