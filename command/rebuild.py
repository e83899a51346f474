"""Implements ``palimpsest rebuild``: finds original files whose records were lost, and reads them again."""

from __future__ import annotations

import argparse
import asyncio
import json

from command.client import Reply, connected, takes_person
from command.words import word
from core.settings import Settings
from core.words import Language

STEP = 0.5
"""Seconds between two progress checks."""


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    takes_person(parser, language)


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Waits until the files are read, unless a running server continues the work. Returns 1 if a file was refused."""
    found = asyncio.run(_rebuilt(given, settings, language))
    if given.json:
        print(json.dumps(found, ensure_ascii=False))
    else:
        print(word("rebuild.taken", language, count=found["taken"]))
        if found["unowned"]:
            print(word("rebuild.unowned", language, count=found["unowned"]))
    return 1 if found["refused"] or found["unowned"] else 0


async def _rebuilt(given: argparse.Namespace, settings: Settings, language: Language) -> Reply:
    async with connected(settings, given, language, mending=True) as client:
        found = await client.call("rebuild_from_originals")
        unread = True
        while unread:
            documents = (await client.call("list_documents"))["documents"]
            unread = any(each["state"] in ("pending", "processing") for each in documents)
            await asyncio.sleep(STEP)
        return found
