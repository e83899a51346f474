"""Runs the project's own nginx.conf locally, in front of servers that a test names."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.equipment import find_nginx, install
from tests.mongodb import free_port

CONFIGURATION = Path(__file__).parents[1] / "deploy" / "nginx.conf"
SECONDS_TO_START = 20
_USER = "user root;" if os.geteuid() == 0 else ""
"""Run as root, nginx needs this: otherwise its workers could not write uploads to the tests' folders."""


def configured(folder: Path, port: int, ports: Sequence[int], *, affinity: bool) -> str:
    """Returns ``deploy/nginx.conf`` with the test's addresses and folders; a header of each reply names the server that
    answered."""
    text = CONFIGURATION.read_text("utf-8")
    for number, each in enumerate(ports, 1):
        text = text.replace(f"serve-{number}:7860", f"127.0.0.1:{each}")
    listening = f"listen 127.0.0.1:{port};\n        add_header X-Served-By $upstream_addr always;"
    text = text.replace("listen 80;", listening).replace(" /tmp/nginx", f" {folder}/nginx")
    text = text.replace("/dev/stderr", str(folder / "error.log")).replace("worker_processes auto", "worker_processes 1")
    if not affinity:
        text = re.sub(r"^ *hash .*\n", "", text, flags=re.MULTILINE)
    return text


@contextmanager
def running_nginx(folder: Path, ports: Sequence[int], *, affinity: bool = True) -> Iterator[str]:
    """Starts nginx, which is found or installed as a Debian package; yields an address that forwards to the servers at
    ``ports``; stops nginx."""
    program = find_nginx()
    if program is None and install("nginx-light"):
        program = find_nginx()
    assert program, "The tests need nginx. On Debian: apt-get install nginx-light"
    folder.mkdir(parents=True, exist_ok=True)
    port, configuration = free_port(), folder / "nginx.conf"
    configuration.write_text(configured(folder, port, ports, affinity=affinity), "utf-8")
    command = [
        program,
        "-c",
        str(configuration),
        "-p",
        str(folder),
        "-e",
        str(folder / "error.log"),
        "-g",
        f"daemon off; {_USER}",
    ]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        ends = time.monotonic() + SECONDS_TO_START
        while not _listens(port):
            assert process.poll() is None, (folder / "error.log").read_text()
            assert time.monotonic() < ends, "nginx did not start"
            time.sleep(0.02)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
