"""Implements ``palimpsest mcp``: the Model Context Protocol over standard input and output, for programs that start
their MCP servers as commands.

It answers nothing itself: it passes each request to the server that holds the data directory, or starts such a server
if there is none. So several programs can each start this command and still reach the same workbench.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import sys

from command.log import log_to
from command.words import word
from core.settings import Settings
from core.words import Language


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument("--user", default="", metavar="NAME", help=word("user", language))


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Run until the program closes standard input, or ends this process."""
    log_to(sys.stderr, settings)
    asyncio.run(_served(given.user, settings, language))
    return 0


async def _served(user: str, settings: Settings, language: Language) -> None:
    from mcp.server.stdio import stdio_server

    from command.upstream import Upstream
    from pages.mcp.relay import build_relay

    upstream = Upstream(settings, user, language)
    upstream.wanted()
    keeping = asyncio.create_task(upstream.keep())
    terminated = asyncio.create_task(_terminated().wait())
    try:
        async with stdio_server() as (incoming, outgoing):
            server = build_relay(upstream.client, language)
            serving = asyncio.create_task(server.run(incoming, outgoing, server.create_initialization_options()))
            await asyncio.wait([serving, terminated], return_when=asyncio.FIRST_COMPLETED)
            await _ended(serving, keeping)
            if terminated.done():
                os._exit(0)  # A thread is blocked reading standard input, so only ending the process stops it.
    finally:
        await _ended(keeping, terminated)


def _terminated() -> asyncio.Event:
    asked = asyncio.Event()
    with contextlib.suppress(NotImplementedError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, asked.set)
    return asked


async def _ended(*tasks: asyncio.Task[object]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
