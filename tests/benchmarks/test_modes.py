"""Tests the constants of the research modes. What they change is tested on the samples
(``tests/test_sample_answers.py``)."""

from __future__ import annotations

from benchmarks.modes import MODES
from core.answering.quotations import SPREADS
from core.settings import Settings


def test_a_deeper_mode_lets_in_more_sources_and_weaker_ones_and_quotes_more() -> None:
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    modes = [settings.mode(mode) for mode in MODES]
    assert [mode.top_k for mode in modes] == sorted({mode.top_k for mode in modes})
    assert [mode.strength for mode in modes] == sorted({mode.strength for mode in modes}, reverse=True)
    for length in ("concise", "balanced", "detailed"):
        totals = [SPREADS[mode][length].total for mode in MODES]
        assert totals == sorted(set(totals))
