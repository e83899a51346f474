"""Runs a tool server and ends it when the parent process ends: ``python guard.py FD PROGRAM ARGUMENT…``.

FD is the reading end of a pipe whose other end the parent holds. The pipe closes however the parent ends. Then the
whole process group is ended: the program and all processes it has started. Run with ``-I -S``, so that it starts in
milliseconds.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

GRACE = 2.0
"""Seconds between the request to end and the kill; less time for processes that remain after the program has ended."""
GRACE_FOR_OTHERS = 0.2
NOT_STARTED = 127


def main() -> None:
    lifeline, command = int(sys.argv[1]), sys.argv[2:]
    # This is a handler and not SIG_IGN, because the program would inherit SIG_IGN.
    signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        program = subprocess.Popen(command)
    except OSError as error:
        print(f"not started: {error}", file=sys.stderr)
        os._exit(NOT_STARTED)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):  # only the program may hold these, so that the other side notices when it ends
        os.dup2(nothing, standard)
    over = threading.Event()
    for wait in (program.wait, lambda: os.read(lifeline, 1)):
        threading.Thread(target=_tell, args=(wait, over), daemon=True).start()
    over.wait()
    _end_group(program)


def _tell(wait: Callable[[], object], over: threading.Event) -> None:
    wait()
    over.set()


def _end_group(program: "subprocess.Popen[bytes]") -> None:
    """End the whole group, including this process at last."""
    grace = GRACE if program.poll() is None else GRACE_FOR_OTHERS
    os.killpg(0, signal.SIGTERM)
    ends = time.monotonic() + grace
    while time.monotonic() < ends and (program.poll() is None or grace == GRACE_FOR_OTHERS):
        time.sleep(0.02)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
