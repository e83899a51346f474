"""Starts one of our modules as a child process, with its input and its output piped."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any

from core.resilience.watchdog import own_group

ROOT = Path(__file__).resolve().parents[2]


async def start_module(name: str, **options: Any) -> Process:
    """The child ends when its input does; ``options`` are those of ``asyncio.create_subprocess_exec``."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", name, stdin=PIPE, stdout=PIPE, cwd=ROOT, **own_group(), **options
    )
