from __future__ import annotations

from core.errors import general_problem
from core.events import (
    Answered,
    AssistantDelta,
    Choice,
    Entry,
    Event,
    Failure,
    Interrupted,
    Passage,
    Quote,
    Response,
    RunCompleted,
    RunCreated,
    Source,
    Sources,
)
from pages.run_view import RunView, common_prefix

ITEM = "mem_" + "1" * 32


def entries(*events: Event) -> list[Entry]:
    return [Entry(run_id="run", sequence=n, at=0, event=event) for n, event in enumerate(events, start=1)]


def source(number: int = 1) -> Source:
    passage = Passage(item_id=ITEM, text="Paid within 45 days.", page=4, score=0.8)
    return Source(number=number, document_id="doc", title="Contract", filename="c.pdf", score=0.8, passages=[passage])


def test_frames_replace_only_the_blocks_that_changed() -> None:
    view = RunView("run")
    frames = []
    for entry in entries(AssistantDelta(text="One."), AssistantDelta(text="\n\nTwo"), AssistantDelta(text=" more.")):
        view.fold(entry)
        frames += view.frames(entry.event)
    assert [(frame.begin, len(frame.html)) for frame in frames] == [(0, 1), (1, 1), (1, 1)]


def test_a_page_opened_late_gets_everything_at_once() -> None:
    seen = entries(RunCreated(kind="question", subject="q"), AssistantDelta(text="One.\n\nTwo."))
    frames = RunView.of("run", "msg", seen).snapshot()
    blocks = next(frame for frame in frames if frame.kind == "blocks")
    assert (blocks.begin, len(blocks.html)) == (0, 2)


def test_an_ended_run_is_its_finished_answer_with_live_citations() -> None:
    done = entries(
        RunCreated(kind="question", subject="q"),
        Sources(sources=[source()], confidence="high"),
        Response(kind="generated", text="In 45 days [1].", language="en", removed=[9]),
        RunCompleted(outcome="answered"),
    )
    kinds = [frame.kind for frame in RunView.of("run", "msg", done).snapshot()]
    html = RunView.of("run", "msg", done).html()
    assert kinds == ["final", "end"]
    assert 'data-cite="1"' in html
    assert "[9]" in html


def test_quotations_look_like_quotations_and_say_why() -> None:
    done = entries(
        Sources(sources=[source()], confidence="high"),
        Response(
            kind="extractive",
            text="x",
            language="en",
            quotes=[Quote(number=1, item_id=ITEM, text="Paid within 45 days.")],
        ),
        RunCompleted(outcome="answered"),
    )
    html = RunView.of("run", "msg", done).html()
    assert "<blockquote" in html
    assert "No language model is set up" in html
    assert "PALIMPSEST_MODEL" in html


def test_a_failure_keeps_the_words_and_what_was_written() -> None:
    done = entries(
        AssistantDelta(text="Half an answer"),
        Failure(problem=general_problem("server")),
        RunCompleted(outcome="failed"),
    )
    html = RunView.of("run", "msg", done).html()
    assert "Half an answer" in html
    assert "A service failed." in html
    assert "What to do" in html


def test_a_document_cannot_write_into_the_page() -> None:
    evil = "<img src=x onerror=alert(1)>"
    passage = Passage(item_id=ITEM, text=evil, score=1)
    hostile = Source(number=1, document_id="d", title=evil, filename=evil, score=1, passages=[passage])
    done = entries(
        Sources(sources=[hostile], confidence="high"),
        Response(kind="extractive", text=evil, language="en", quotes=[Quote(number=1, item_id=ITEM, text=evil)]),
        RunCompleted(outcome="answered"),
    )
    assert "<img" not in RunView.of("run", "msg", done).html()


def test_common_prefix() -> None:
    assert common_prefix(["a", "b"], ["a", "c"]) == 1
    assert common_prefix(["a"], ["a", "b"]) == 1
    assert common_prefix([], ["a"]) == 0


ASKED = Interrupted(
    interrupt_id="ask_1",
    kind="doc_choice",
    question="לאיזה נוהל הכוונה?",
    choices=[Choice(id="doc_1", label="<b>2024</b>", hint="nohal.pdf"), Choice(id="all", label="כולם")],
    several=True,
)


def waiting() -> list[Event]:
    return [RunCreated(kind="question", subject="q", language="he"), ASKED]


def test_a_question_is_a_card_with_buttons_and_comes_back_with_the_snapshot() -> None:
    view = RunView.of("run_1", "msg", entries(*waiting()))
    frames = {frame.kind: frame for frame in view.snapshot()}
    card = str(frames["card"].html)
    assert 'dir="rtl"' in card
    assert 'data-choice="doc_1"' in card
    assert 'data-interrupt="ask_1"' in card
    assert "data-several" in card
    assert "&lt;b&gt;2024" in card
    assert frames["trace"].live == "ממתין לתשובה שלכם"
    assert frames["trail"].html == ""
    assert view.pending == ASKED


def test_an_answer_takes_the_card_away_and_leaves_a_trail() -> None:
    view = RunView.of("run_1", "msg", entries(*waiting()))
    answer = Answered(interrupt_id="ask_1", labels=["2024"])
    view.fold(Entry(run_id="run_1", sequence=3, at=0, event=answer))
    frames = {frame.kind: frame for frame in view.frames(answer)}
    assert frames["card"].html == ""
    assert "לאיזה נוהל" in frames["trail"].html
    assert "2024" in frames["trail"].html
    assert view.pending is None


def test_the_trail_stays_above_the_finished_answer() -> None:
    done = entries(
        *waiting(),
        Answered(interrupt_id="ask_1", labels=["2024"]),
        Response(kind="generated", text="תשובה", language="he"),
        RunCompleted(outcome="answered"),
    )
    html = RunView.of("run_1", "msg", done).html()
    assert html.index("לאיזה נוהל") < html.index("תשובה")


def test_a_cancelled_question_is_no_answer_and_says_so() -> None:
    done = entries(*waiting(), Answered(interrupt_id="ask_1"), RunCompleted(outcome="cancelled"))
    view = RunView.of("run_1", "msg", done)
    assert "בוטל" in view.html()
    assert "נעצר" not in view.html()
    assert view.pending is None


def test_a_question_that_waits_again_after_a_death_is_open_again() -> None:
    again = entries(*waiting(), Answered(interrupt_id="ask_1", labels=["2024"]), ASKED)
    assert RunView.of("run_1", "msg", again).pending == ASKED
