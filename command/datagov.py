"""Implements ``palimpsest datagov``: rebuilds or searches the map of open data, or shows its state."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from datetime import datetime

from command.client import Client, Reply, called, connected, takes_person
from command.progress import show_progress
from command.words import word
from core.settings import Settings
from core.words import Language

STEP = 0.25
"""Seconds between two progress checks."""
MOST = 20


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument("order", choices=list(ORDERS), help=word("datagov.order", language))
    parser.add_argument("words", nargs="*", help=word("datagov.words", language))
    parser.add_argument(
        "--limit", type=int, default=5, choices=range(1, MOST + 1), metavar="N", help=word("datagov.limit", language)
    )
    takes_person(parser, language)


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Returns 0 even if no data was found (a message says so); 1 if the portal is not available."""
    return asyncio.run(ORDERS[given.order](given, settings, language))


async def _build(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    async with connected(settings, given, language) as client:
        building = asyncio.create_task(client.call("build_open_data"))
        try:
            await _watched(client, building, language)
            state = await building
        finally:
            building.cancel()
    return _shown(state, given, language)


async def _watched(client: Client, building: asyncio.Task[Reply], language: Language) -> None:
    """Shows the progress of the map's rebuild until it ends."""
    if not sys.stderr.isatty():
        return
    while not (await asyncio.wait([building], timeout=STEP))[0]:
        state = await client.call("open_data")
        said = (
            word("datagov.looking", language, **_counts(state)) if state["to_do"] else word("datagov.listing", language)
        )
        show_progress(said)
    show_progress()


async def _status(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    return _shown(await called(settings, given, language, "open_data"), given, language)


async def _search(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    words = " ".join(given.words)
    found = await called(settings, given, language, "search_open_data", query=words, limit=given.limit)
    trouble = found["trouble"]
    if given.json:
        print(json.dumps(found, ensure_ascii=False))
    elif not trouble:
        print(found["text"])
    if trouble:
        print(f"{trouble['what']} {trouble['why']} {trouble['remedy']}", file=sys.stderr)
    return 1 if trouble else 0


def _shown(state: Reply, given: argparse.Namespace, language: Language) -> int:
    if given.json:
        print(json.dumps(state, ensure_ascii=False))
        return 0
    if state["built_at"] is None:
        print(word("datagov.no_map", language, address=state["address"]))
        return 0
    built = f"{datetime.fromtimestamp(state['built_at']):%Y-%m-%d %H:%M}"
    print(word("datagov.map", language, address=state["address"], built=built, **_counts(state)))
    if state["old"]:
        print(word("datagov.old", language))
    return 0


def _counts(state: Reply) -> dict[str, str]:
    names = {"datasets": "datasets", "looked_at": "looked", "resources": "resources", "done": "done", "to_do": "to_do"}
    return {said: f"{state[name]:,}" for name, said in names.items()}


ORDERS = {"build": _build, "search": _search, "status": _status}
