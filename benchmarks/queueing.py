"""Calculates the files per second of a number of workers, from the processor time and endpoint time of one file.

The model is a closed network of one class (each worker has one file at a time): the cores are one station, and the
endpoint is a delay, as each worker has at most one batch there. The method is mean value analysis (Reiser & Lavenberg
1980); a station of ``c`` servers is approximated by one of demand D/c and a delay of D(c-1)/c (Seidmann 1987), with an
error of some percent near the knee.
"""

from __future__ import annotations


def files_a_second(workers: int, processor: float, cores: int, endpoint: float) -> float:
    """``processor`` and ``endpoint``: seconds that one file takes of each without waiting."""
    queued = processor / cores
    delay = endpoint + processor * (cores - 1) / cores
    waiting = rate = 0.0
    for count in range(1, workers + 1):
        there = queued * (1 + waiting)
        rate = count / (delay + there)
        waiting = rate * there
    return rate
