from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os, sys, threading
from core.resilience.priority import stand_back
for nice in map(int, sys.argv[1:]):
    stand_back(nice)
begun = []
thread = threading.Thread(target=lambda: begun.append(os.nice(0)))
thread.start(); thread.join()
print(os.nice(0), *begun)
"""


@pytest.mark.skipif(os.name == "nt", reason="priorities of Windows are classes")
def test_a_process_and_its_threads_stand_back_and_come_no_nearer() -> None:
    def told(*nice: int) -> list[int]:
        done = subprocess.run([sys.executable, "-c", PROGRAM, *map(str, nice)], capture_output=True, check=True)
        return [int(each) for each in done.stdout.split()]

    ours = os.nice(0)
    assert told() == [ours, ours]
    assert told(max(12, ours)) == [max(12, ours)] * 2
    assert told(19, 3) == [19, 19]
