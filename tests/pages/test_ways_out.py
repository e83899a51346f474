"""Tests that no output of an answer is active content: the page during and after writing, the API, files, the
transcript, programs."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from core.events import (
    AssistantDelta,
    Entry,
    Event,
    Passage,
    Quote,
    Response,
    RunCompleted,
    RunCreated,
    Source,
    Sources,
)
from pages.answer_given import AnswerGiven
from pages.handlers.runs import answer_of
from pages.run_view import RunView
from tests.hostile_answers import ADDRESS, ALLOWED, HOSTILE, active_in, active_in_html
from viz.files.answer import answer_markdown
from viz.files.transcript import Cited, CitedSource, Transcript, Turn, markdown
from viz.files.word import to_word

GOOD = next(iter(ALLOWED))
TITLE = f"Plan ![x]({ADDRESS}) <img src=x>"
QUOTED = "Paid ![x](//evil.example/other) <img src=x>"
NONE: frozenset[str] = frozenset()


def source(passage: str = QUOTED) -> Source:
    passages = [Passage(item_id="m1", text=passage, page=4, score=0.8)]
    return Source(
        kind="web", number=1, document_id="doc", title=TITLE, filename="c", score=1.0, passages=passages, url=GOOD
    )


def view(text: str, *, finished: bool = True) -> RunView:
    events: list[Event] = [
        RunCreated(kind="question", subject="q"),
        Sources(sources=[source()], confidence="high"),
        *(AssistantDelta(text=text[at : at + 7]) for at in range(0, len(text), 7)),
    ]
    if finished:
        quotes = [Quote(number=1, item_id="m1", text=QUOTED)]
        events += [
            Response(kind="generated", text=text, language="en", quotes=quotes, remarks=[text]),
            RunCompleted(outcome="answered"),
        ]
    return RunView.of(
        "run", "msg", [Entry(run_id="run", sequence=n, at=0, event=each) for n, each in enumerate(events)]
    )


def programs(text: str) -> str:
    return AnswerGiven.model_validate(answer_of(view(text), "c")).told()


def transcript(text: str) -> str:
    cited = CitedSource(number=1, title=TITLE, filename="c", url=GOOD, passages=[Cited(text=QUOTED)])
    turn = Turn(question=text, asked_at=datetime.now(UTC), answer=view(text).neutral_text, sources=[cited])
    return markdown(Transcript(id="c", title=TITLE, created_at=datetime.now(UTC), turns=[turn, turn]), "en")


WAYS: dict[str, Callable[[str], str]] = {
    "API": lambda text: str(answer_of(view(text), "c")["text"]),
    "API while it is written": lambda text: str(answer_of(view(text, finished=False), "c")["text"]),
    "programs": programs,
    "Markdown": lambda text: answer_markdown(view(text)),
    "transcript": transcript,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_that_leaves_holds_nothing_active(way: str, text: str) -> None:
    told = WAYS[way](f"{text}\n\nPaid in 45 days [1].")
    assert active_in(told) == []
    assert not [each for each in active_in_html(told) if each.startswith("<")]


@pytest.mark.parametrize("text", HOSTILE)
def test_the_page_shows_no_link_at_any_moment(text: str) -> None:
    whole = f"{text}\n\nPaid in 45 days [1]."
    for end in range(1, len(whole) + 1, 3):
        for frame in view(whole[:end], finished=False).snapshot():
            html = "".join(frame.html) if frame.kind == "blocks" else ""
            assert "<a " not in html
            assert "<img" not in html
            assert "<script" not in html
    html = view(whole).html()
    leads = re.findall(r'<a\b[^>]*\bhref="([^"]*)', html)
    assert [each for each in leads if not each.startswith(("#", "/answers/")) and each != GOOD] == []
    assert "<img" not in html
    assert "<script" not in html


@pytest.mark.parametrize("text", HOSTILE)
def test_a_word_file_leads_nowhere(text: str) -> None:
    run = view(f"{text}\n\nPaid in 45 days [1].")
    with zipfile.ZipFile(io.BytesIO(to_word(answer_markdown(run), "en"))) as file:
        relations = file.read("word/_rels/document.xml.rels").decode()
        body = file.read("word/document.xml").decode()
    assert "External" not in relations
    assert "hyperlink" not in body


def test_a_link_to_where_a_cited_source_is_stays_in_every_way_out() -> None:
    text = f"See [the page]({GOOD}) [1]."
    assert all(f"[the page]({GOOD})" in told(text) for told in WAYS.values())
    assert f'href="{GOOD}"' in view(text).html()
    uncited = WAYS["API while it is written"](f"See [the page]({GOOD}).")
    assert active_in(uncited, NONE) == [], "no source is cited yet"
