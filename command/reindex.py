"""Implements ``palimpsest reindex``: rebuilds the index next to the active one; can pause, continue or roll back."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys

from command.client import Client, Reply, connected, takes_person
from command.progress import show_progress
from command.words import word
from core.settings import Settings
from core.words import Language

STEP = 0.25
"""Seconds between two progress checks."""
ORDERS = ("pause", "roll_back", "promote", "status")


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    orders = parser.add_mutually_exclusive_group()
    for name in ORDERS:
        option = f"--{name.replace('_', '-')}"
        orders.add_argument(
            option, dest="order", const=name, action="store_const", help=word(f"reindex.{name}", language)
        )
    parser.add_argument("--no-wait", action="store_true", help=word("reindex.no_wait", language))
    takes_person(parser, language)


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Starts or continues a rebuild by default, and waits for it. Returns 1 if the rebuild did not finish."""
    state = asyncio.run(_ordered(given, settings, language))
    last = state["last"]
    if given.json:
        print(json.dumps(state, ensure_ascii=False))
    elif last is None:
        print(word("reindex.never", language))
    else:
        kind = "active" if state["active"] else last["state"]
        print(word(f"reindex.state.{kind}", language, copied=last["copied"], total=last["total"]))
        if last["problem"]:
            print(last["problem"]["what"].get(language, last["problem"]["what"]["en"]), file=sys.stderr)
    waited = given.order is None and not given.no_wait
    return 1 if waited and (last is None or last["state"] != "completed") else 0


async def _ordered(given: argparse.Namespace, settings: Settings, language: Language) -> Reply:
    async with connected(settings, given, language) as client:
        if given.order:
            return await client.call(f"reindex_{given.order}")
        state = await client.call("reindex")
        return state if given.no_wait else await _followed(client, state, language)


async def _followed(client: Client, state: Reply, language: Language) -> Reply:
    while state["active"]:
        if last := state["last"]:
            show_progress(word("reindex.state.active", language, copied=last["copied"], total=last["total"]))
        await asyncio.sleep(STEP)
        state = await client.call("reindex_status")
    show_progress()
    return state
