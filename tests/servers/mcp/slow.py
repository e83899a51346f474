"""A slow test tool server: ``slow.py FILE [starting]``. It notes cancelled calls in FILE; with ``starting``, it never
answers at all."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from raw import Call, serve, text, tool

NOTED = Path(sys.argv[1])


def work(call: Call) -> object:
    steps = int(call.arguments.get("steps", 3))
    for step in range(steps):
        call.progress(step, steps, f"step {step + 1} of {steps}")
    if call.cancelled.wait(float(call.arguments.get("seconds", 0))):
        NOTED.write_text("cancelled", encoding="utf-8")
        return None
    return text("done")


if "starting" in sys.argv:
    threading.Event().wait()
serve(lambda: [tool("work")], work)
