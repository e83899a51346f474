"""The stand-in for Qdrant as a separate process, which tests can kill, freeze and empty during work."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.mongodb import free_port

SECONDS_TO_START = 30
ROOT = Path(__file__).parents[1]


class QdrantServer:
    """A process that keeps acknowledged data when it is killed; after a restart it has this data again."""

    def __init__(self, folder: Path) -> None:
        self._folder, port = folder, free_port()
        self.url = f"http://127.0.0.1:{port}"
        self._command = [sys.executable, "-m", "tests.servers.qdrant", str(port), str(folder)]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=ROOT)
        ends = time.monotonic() + SECONDS_TO_START
        while not self._answers():
            assert self._process.poll() is None, (self._folder / "server.log").read_text()
            assert time.monotonic() < ends, "the stand-in for Qdrant did not start"
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            return httpx.get(self.url).is_success
        except httpx.TransportError:
            return False

    def empty(self) -> None:
        with httpx.Client(base_url=self.url) as client:
            for one in client.get("/collections").json()["result"]["collections"]:
                client.delete(f"/collections/{one['name']}").raise_for_status()

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        """Suspends the process: it still accepts connections, but does not answer."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process
        self._process.send_signal(signal.SIGCONT)


@contextmanager
def running_qdrant(folder: Path) -> Iterator[QdrantServer]:
    server = QdrantServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
