"""A test tool server that crashes or ignores requests to exit: ``dying.py FILE [at-once|leaving-a-child|deaf]``.

It counts its starts in FILE. A call of its tool ``die`` ends it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from raw import Call, serve, text, tool

STARTS = Path(sys.argv[1])
STARTS.write_text((STARTS.read_text() if STARTS.exists() else "") + f"{os.getpid()}\n", encoding="utf-8")


def call(asked: Call) -> object:
    if asked.name == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    return text(" ".join(sorted(f"{name}={value}" for name, value in os.environ.items())))


if "at-once" in sys.argv:
    print("cannot start: no licence", file=sys.stderr)
    sys.exit(3)
if "deaf" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if "leaving-a-child" in sys.argv:
    child = subprocess.Popen(
        [sys.executable, "-c", "import signal, time; signal.signal(15, lambda *_: 0); time.sleep(600)"]
    )
    STARTS.write_text(f"{STARTS.read_text()}{child.pid}\n", encoding="utf-8")
serve(lambda: [tool("die"), tool("environment"), tool("echo")], call)
if "deaf" in sys.argv:  # ignores the end of its input and signals to stop
    threading.Event().wait()
