"""Runs a tool server and ends it with its owner: ``python guard.py FD PROGRAM ARGUMENT…``.

FD reads from a pipe whose other end the owner holds. It closes in whatever way the owner ends, and then the whole
process group goes: the program, and what it has started. Run with ``-I -S``, so that it starts in milliseconds.
"""

import os
import signal
import subprocess
import sys
import threading
import time

GRACE = 2.0
"""Seconds between asking the group to end and ending it."""
NOT_STARTED = 127


def main() -> None:
    lifeline, command = int(sys.argv[1]), sys.argv[2:]
    # A handler, and not SIG_IGN, which the program would inherit.
    signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        program = subprocess.Popen(command)
    except OSError as error:
        print(f"not started: {error}", file=sys.stderr)
        os._exit(NOT_STARTED)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):  # the program's alone, so that its end is seen at the other side
        os.dup2(nothing, standard)
    orphaned = threading.Event()
    threading.Thread(target=_end_after, args=(program, orphaned), daemon=True).start()
    os.read(lifeline, 1)
    orphaned.set()
    os.killpg(0, signal.SIGTERM)
    ends = time.monotonic() + GRACE
    while program.poll() is None and time.monotonic() < ends:
        time.sleep(0.02)
    os.killpg(0, signal.SIGKILL)


def _end_after(program: "subprocess.Popen[bytes]", orphaned: threading.Event) -> None:
    code = program.wait()
    if not orphaned.is_set():
        os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
