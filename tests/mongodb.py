"""A server with MongoDB's protocol in a separate local process, for the tests that need one."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pymongo import MongoClient

SERVER = Path(sys.executable).with_name("secantusd-py")
ROOT = Path(__file__).parents[1]
MODULE = "tests.servers.mongodb"
SECONDS_TO_START = 30


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running_mongodb(folder: Path, *options: str) -> Iterator[str]:
    """Starts a server that keeps its data in ``folder``, yields its address and stops it."""
    port = free_port()
    place = ["--port", str(port), "--storage-path", str(folder / "data")]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", MODULE, *place, "--cache-size", "128M", "--log-level", "WARNING", *options],
            stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=ROOT,
        )  # fmt: skip
    try:
        uri = f"mongodb://127.0.0.1:{port}"
        with MongoClient[dict[str, object]](uri, serverSelectionTimeoutMS=SECONDS_TO_START * 1000) as client:
            client.admin.command("ping")
        yield uri
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
