"""Tests reading how much of a prompt would have fitted, from a server's refusal of a prompt that is too long."""

from __future__ import annotations

import pytest

from core.models.context_overflow import SPARE, UNSTATED, share_that_fits


@pytest.mark.parametrize(
    ("refusal", "held", "requested"),
    [
        ("request (5431 tokens) exceeds the available context size (4096 tokens), try increasing it", 4096, 5431),
        (
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
            8192,
            9000,
        ),
        (
            "maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in "
            "the completion).",
            4096,
            5000,
        ),
        ("prompt is too long: 208310 tokens > 200000 maximum", 200_000, 208_310),
        ("Prompt contains 40001 tokens, too large for model with 32768 maximum context length", 32_768, 40_001),
    ],
)
def test_the_numbers_of_a_refusal_give_the_share(refusal: str, held: int, requested: int) -> None:
    assert share_that_fits(refusal) == pytest.approx(SPARE * held / requested)


@pytest.mark.parametrize(
    "refusal",
    [
        "too many tokens: size limit exceeded by 11326 tokens.",
        "the request exceeds",
        "request (100 tokens) exceeds the context size (4096 tokens)",
    ],
)
def test_without_numbers_of_use_half_is_tried(refusal: str) -> None:
    assert share_that_fits(refusal) == UNSTATED
