"""A local Redis process for the tests, which can be killed, frozen and emptied during work."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis
from redis.exceptions import ConnectionError as NoConnection

from tests.equipment import install
from tests.mongodb import free_port

SECONDS_TO_START = 20


class RedisServer:
    """Stores nothing on the disk: a restarted server is empty."""

    def __init__(self, program: str, folder: Path) -> None:
        self._folder, self._port = folder, free_port()
        self._command = [program, "--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self.client = Redis.from_url(self.url)

    def start(self) -> None:
        with (self._folder / "redis.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=self._folder
            )
        ends = time.monotonic() + SECONDS_TO_START
        while not self._answers():
            assert time.monotonic() < ends, "redis-server did not start"

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    @property
    def stopped(self) -> bool:
        return self._process is None

    def freeze(self) -> None:
        """Suspends the process: it still accepts connections, but does not answer."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process
        self._process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        try:
            return bool(self.client.ping())
        except NoConnection:
            return False


@contextmanager
def running_redis(folder: Path) -> Iterator[RedisServer]:
    """Starts Redis, which is found or installed as a Debian package; yields the server and kills it at the end."""
    program = shutil.which("redis-server")
    if program is None and install("redis-server"):
        program = shutil.which("redis-server")
    assert program, "The tests need redis-server. On Debian: apt-get install redis-server"
    server = RedisServer(program, folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
        server.client.close()
