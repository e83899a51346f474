from __future__ import annotations

import pytest

from core.events import Response, Searched
from core.records.answer import Answer
from viz.answer import sureness

ABOUT = Searched()
LINE = Answer(kind="span", line="45 days [1]")


def response(kind: str = "extractive", **given: object) -> Response:
    return Response.model_validate({"kind": kind, "text": "x", "language": "en", **given})


@pytest.mark.parametrize(
    ("given", "searched", "said"),
    [
        (response(confidence="medium", answer=LINE), ABOUT, "medium"),
        (response(), ABOUT, None),
        (response(), None, "high"),
        (response(answer=LINE), None, None),
        (response("generated"), ABOUT, "high"),
        (response("generated", confidence="low"), ABOUT, "low"),
        (response("nothing_found", confidence="high"), ABOUT, None),
        (response("told"), None, None),
        (response(action="compare"), None, None),
        (None, None, None),
    ],
)
def test_only_what_claims_something_says_how_sure_it_is(
    given: Response | None, searched: Searched | None, said: str | None
) -> None:
    assert sureness(given, "high", searched) == said
