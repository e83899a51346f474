"""Defines the clock type: a clock is passed in, so that tests and replays control the time."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Seconds since the epoch, UTC."""

HOUR = 3600.0
DAY = 24 * HOUR

system_clock: Clock = time.time
