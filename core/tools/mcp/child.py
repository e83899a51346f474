"""Runs a tool server as a child process and passes on its messages, limited in size.

The SDK's own transport reads lines of any length, and leaves the child running when its parent is killed.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import anyio
from mcp.client.stdio import StdioServerParameters, get_default_environment, stdio_client
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from core.errors import PalimpsestError, fail
from core.tools.mcp.configuration import Launch
from core.tools.mcp.streams import Received, Streams

log = logging.getLogger(__name__)

MOST_BYTES = 8_000_000
"""Maximum size of one message."""
LONGEST_COMPLAINT = 500
"""Maximum number of characters of a line on a server's standard error; the log keeps 200 such lines."""
MOST_COMPLAINTS = 200
CLOSING = 2.0
"""Seconds to wait for a server to end by itself, then after a request to end, then after a kill (the same as in the
SDK)."""
_GUARD = Path(__file__).with_name("guard.py")


@asynccontextmanager
async def child(launch: Launch, name: str) -> AsyncIterator[Streams]:
    """The input and output streams of a running server; the server is stopped when the context is left.

    Raises:
        PalimpsestError: there is no such program ("not_found"), or it may not be run ("auth").
    """
    environment = {**get_default_environment(), **{key: value.get_secret_value() for key, value in launch.env.items()}}
    program = _found(launch, environment, name)
    if sys.platform == "win32":  # On Windows, a job object ends the children when their parent has ended.
        ours = StdioServerParameters(command=program, args=launch.args, env=environment, cwd=launch.cwd)
        async with stdio_client(ours) as streams:
            yield streams
        return
    async with _Child.started([program, *launch.args], environment, launch.cwd, name) as running:
        yield running.read, running.write


def _found(launch: Launch, environment: Mapping[str, str], name: str) -> str:
    program = shutil.which(launch.command, path=environment.get("PATH"))
    if program is None:
        raise fail("not_found", "tools.mcp.no_program", server=name, program=launch.command)
    if launch.cwd and not Path(launch.cwd).is_dir():
        raise fail("not_found", "tools.mcp.no_folder", server=name, folder=launch.cwd)
    return program


@dataclass
class _Child:
    process: asyncio.subprocess.Process
    name: str
    read: anyio.abc.ObjectReceiveStream[Received]
    write: anyio.abc.ObjectSendStream[SessionMessage]

    @classmethod
    @asynccontextmanager
    async def started(
        cls, command: Sequence[str], environment: Mapping[str, str], folder: str | None, name: str
    ) -> AsyncIterator[_Child]:
        process, lifeline = await _spawn(command, environment, folder, name)
        try:
            incoming, read = anyio.create_memory_object_stream[Received](0)
            write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
            running = cls(process, name, read, write)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(running._receive, incoming)
                tasks.start_soon(running._send, outgoing)
                tasks.start_soon(running._log_complaints)
                try:
                    yield running
                finally:
                    with anyio.CancelScope(shield=True):
                        await running._end()
                        for stream in (read, incoming, write, outgoing):
                            await stream.aclose()
                    tasks.cancel_scope.cancel()
        finally:
            os.close(lifeline)

    async def _receive(self, incoming: anyio.abc.ObjectSendStream[Received]) -> None:
        """Forward messages line by line; the next one is read only after the previous one was taken."""
        assert self.process.stdout
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            async with incoming:
                while True:
                    try:
                        line = await self.process.stdout.readline()
                    except ValueError:
                        log.warning("the tool server %s wrote a line of more than %d bytes", self.name, MOST_BYTES)
                        await incoming.send(fail("server", "tools.mcp.flooded", server=self.name))
                        return
                    if not line:
                        return
                    if line.strip():
                        await incoming.send(_parsed(line, self.name))

    async def _send(self, outgoing: anyio.abc.ObjectReceiveStream[SessionMessage]) -> None:
        assert self.process.stdin
        with suppress(OSError, anyio.ClosedResourceError):
            async with outgoing:
                async for each in outgoing:
                    line = each.message.model_dump_json(by_alias=True, exclude_unset=True)
                    self.process.stdin.write(f"{line}\n".encode())
                    await self.process.stdin.drain()

    async def _log_complaints(self) -> None:
        """Log the server's standard error; a server whose output is not read would block."""
        assert self.process.stderr
        left = MOST_COMPLAINTS
        while piece := await self.process.stderr.read(65_536):
            for line in piece.decode(errors="replace").splitlines():
                if left > 0:
                    log.info("the tool server %s says: %s", self.name, line[:LONGEST_COMPLAINT])
                left -= 1

    async def _end(self) -> None:
        """Close the server's input, then ask it to end, then kill it with all processes it started."""
        assert self.process.stdin
        self.process.stdin.close()
        if not await self._gone():
            _signal(self.process, signal.SIGTERM)
            await self._gone()
        _signal(self.process, signal.SIGKILL)
        if not await self._gone():
            log.warning("the tool server %s does not end (process %d)", self.name, self.process.pid)
        # asyncio keeps the pipes open until the object is garbage-collected, even if it is not used any more.
        transport = getattr(self.process, "_transport", None)
        if transport is not None:
            transport.close()

    async def _gone(self) -> bool:
        with anyio.move_on_after(CLOSING):
            # Do not use wait(): it also waits for pipes, which a grandchild process may keep open.
            while self.process.returncode is None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        return self.process.returncode is not None


async def _spawn(
    command: Sequence[str], environment: Mapping[str, str], folder: str | None, name: str
) -> tuple[asyncio.subprocess.Process, int]:
    """Start guard.py in a separate process group, and the program as its child; also returns the pipe that ends both
    when it is closed."""
    watched, lifeline = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-S", str(_GUARD), str(watched), *command,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            env=dict(environment), cwd=folder, start_new_session=True, pass_fds=(watched,), limit=MOST_BYTES,
        )  # fmt: skip
    except BaseException as error:
        os.close(lifeline)
        if isinstance(error, OSError | ValueError):
            raise fail("auth", "tools.mcp.not_run", server=name, program=command[0]) from error
        raise
    finally:
        os.close(watched)
    return process, lifeline


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    """Signal the whole process group, even if its first process has ended."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _parsed(line: bytes, name: str) -> SessionMessage | PalimpsestError:
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:
        log.info("the tool server %s wrote what is no message: %r", name, line[:200])
        return fail("server", "tools.mcp.no_message", server=name)
