"""Tests that the remaining time is estimated only from measured progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from core.events import Entry, Event, RunCompleted, RunCreated, RunKind, StepCreated, StepDetail
from core.library.progress import (
    PendingWork,
    QueueAhead,
    Rates,
    ReadingProgress,
    RunProgress,
    ToldProgress,
    document_progress,
    queues_ahead,
)
from core.library.records import BYTES_A_VECTOR, Document, Metadata, Recognition
from core.messages.step_labels import STEP_LABELS
from core.runs.jobs import Queued
from core.runs.records import Run
from core.words import Words

NOTHING = Words(en="", he="")


def document(name: str, size: int = 1_000_000, **given: object) -> Document:
    fields = {
        "id": f"doc_{name}",
        "user_id": "ada",
        "filename": f"{name}.pdf",
        "mime": "",
        "size": size,
        "sha256": "",
        "metadata": Metadata(title=name),
        "run_id": f"run_{name}",
        "added_at": 0.0,
        "updated_at": 0.0,
        **given,
    }
    return Document.model_validate(fields)


def entries(*said: tuple[float, Event]) -> list[Entry]:
    return [Entry(run_id="run_a", sequence=place, at=at, event=event) for place, (at, event) in enumerate(said, 1)]


def step(name: str) -> StepCreated:
    return StepCreated(step_id=f"r1-1-{name}", label=STEP_LABELS[name])


def pages(done: int, total: int) -> StepDetail:
    return StepDetail(step_id="r1-1-extracting", detail=NOTHING, done=done, total=total)


def followed(*said: tuple[float, Event]) -> RunProgress:
    made = RunProgress()
    made.fold(entries(*said))
    return made


READING = ((10.0, step("extracting")), (11.0, pages(10, 100)), (14.0, pages(40, 100)))
"""Events of a reading: thirty of a hundred pages in four seconds, from page 10 to page 40."""


def test_pages_done_in_a_second_say_how_long_the_rest_takes() -> None:
    reading = followed(*READING)
    assert reading.rate == 10.0
    first, second = document_progress(
        [PendingWork(document("a"), reading), PendingWork(document("b", 500_000))], Rates(bytes=100_000.0), now=14.0
    )
    assert (first.stage, first.done, first.total, first.words) == ("reading", 40, 100, 6.0)
    assert (second.stage, second.words) == ("queued", 11.0), "its own five seconds come after those before it"
    assert first.meaning is None, "nothing has been understood yet, so no time is told"


def test_a_scan_tells_its_pages_and_stands_in_nobodys_way() -> None:
    pages_read = ((10.0, step("recognising")), (14.0, pages(4, 24)), (20.0, pages(10, 24)))
    scan = document("a", recognition=Recognition(total=24, done=8, read=8), chunks=5, searchable=5)
    first, second = document_progress(
        [PendingWork(scan, followed(*pages_read)), PendingWork(document("b", 500_000))],
        Rates(bytes=100_000.0),
        now=20.0,
    )
    assert (first.stage, first.done, first.total, first.words) == ("recognising", 10, 24, 14.0)
    assert (second.stage, second.words) == ("queued", 5.0)


def test_time_goes_on_between_two_events() -> None:
    [one] = document_progress([PendingWork(document("a"), followed(*READING))], Rates(bytes=100_000.0), now=16.0)
    assert one.words == 4.0
    [late] = document_progress([PendingWork(document("a"), followed(*READING))], Rates(bytes=100_000.0), now=99.0)
    assert late.words == 3.0, "a late report saves no time"


def test_passages_done_in_a_second_say_when_it_is_understood() -> None:
    understanding = followed(
        (20.0, step("embedding")), (22.0, pages(32, 132)), (24.0, pages(52, 132)), (26.0, pages(72, 132))
    )
    assert understanding.rate == 10.0, "the first batch may have been another attempt's"
    stored = document("a", chunks=132, searchable=132, embedded=72)
    waiting = document("b", chunks=40, searchable=40)
    first, second = document_progress(
        [PendingWork(stored, understanding), PendingWork(waiting)], Rates(passages=10.0), now=26.0
    )
    assert (first.stage, first.done, first.words, first.meaning) == ("meaning", 72, 0.0, 6.0)
    assert second.meaning == 10.0


def test_a_stored_document_that_waits_for_its_vectors_has_all_its_time_left() -> None:
    read_long_ago = followed(*READING)
    long = document("a", chunks=200, searchable=200)
    [one] = document_progress([PendingWork(long, read_long_ago)], Rates(passages=10.0), now=500.0)
    assert (one.stage, one.total, one.meaning) == ("meaning", 0, 20.0)


def test_a_short_file_that_is_read_later_overtakes_a_long_one() -> None:
    long = document("a", chunks=900, searchable=900)
    short = document("b", size=100_000)
    rates = Rates(bytes=100_000.0, passages=10.0, density=10 / 100_000)
    first, second = document_progress([PendingWork(long, due=180.0), PendingWork(short)], rates, now=0.0)
    assert (first.meaning, second.words, second.meaning) == (91.0, 1.0, 1.0)


def test_nothing_measured_is_no_time_told() -> None:
    [one] = document_progress([PendingWork(document("a"))], Rates(), now=5.0)
    assert (one.words, one.meaning) == (None, None)
    assert followed((1.0, step("extracting")), (1.1, pages(5, 9))).rate is None, (
        "a tenth of a second measures the clock"
    )


def test_being_understood_never_comes_before_being_read() -> None:
    [one] = document_progress([PendingWork(document("a"))], Rates(bytes=1_000.0, passages=1e9), now=0.0)
    assert one.words == one.meaning == 1_000.0


def test_what_others_put_in_before_is_waited_for_and_what_came_later_is_not() -> None:
    mine = document("a", size=500_000)
    queued = [
        Queued("reading", "doc_a", due=10.0, size=500_000),
        Queued("reading", "", due=5.0, size=1_000_000),
        Queued("reading", "", due=20.0, size=9_000_000),
        Queued("embedding", "", due=30.0, size=40 * BYTES_A_VECTOR),
    ]
    ahead = queues_ahead([mine], queued)[mine.id]
    assert ahead == QueueAhead(1_000_000.0, 40.0)
    rates = Rates(bytes=100_000.0, passages=10.0, density=20 / 500_000)
    [one] = document_progress([PendingWork(mine)], rates, now=0.0, queued_before={"doc_a": ahead})
    assert (one.words, one.meaning) == (15.0, 15.0)
    [alone] = document_progress([PendingWork(mine)], rates, now=0.0)
    assert (alone.words, alone.meaning) == (5.0, 5.0)


def test_whoever_is_being_understood_waits_for_no_reading_and_for_those_before_it_alone() -> None:
    stored = document("a", chunks=10, searchable=10)
    queued = [
        Queued("embedding", "doc_a", due=10.0, size=10 * BYTES_A_VECTOR),
        Queued("embedding", "", due=5.0, size=30 * BYTES_A_VECTOR),
        Queued("embedding", "", due=15.0, size=50 * BYTES_A_VECTOR),
        Queued("reading", "", due=1.0, size=1_000_000),
    ]
    assert queues_ahead([stored], queued) == {stored.id: QueueAhead(0.0, 30.0)}


def test_where_many_wait_the_queue_is_gone_through_a_few_times_and_not_once_for_each() -> None:
    waiting = [document(str(number)) for number in range(500)]
    queued = Walked(Queued("reading", each.id, due=2.0 * place, size=1) for place, each in enumerate(waiting))
    queued += [Queued("reading", "", due=2.0 * place + 1, size=10) for place in range(500)]
    assert queues_ahead(waiting, queued)[waiting[-1].id] == QueueAhead(4_990.0, 0.0)
    assert queued.walks < 10


class Walked(list[Queued]):
    """Counts how often it is iterated."""

    walks = 0

    def __iter__(self) -> Iterator[Queued]:
        self.walks += 1
        return super().__iter__()


class Kept:
    """A ledger of one run that counts its reads."""

    def __init__(self) -> None:
        self.said: list[Entry] = []
        self.asked_after: list[int] = []

    async def entries(self, user_id: str, run_id: str, after: int = 0) -> Sequence[Entry]:
        self.asked_after.append(after)
        return [each for each in self.said if each.sequence > after]


async def test_a_run_is_followed_by_its_new_events_alone_and_its_rate_serves_the_next() -> None:
    ledger, now = Kept(), [14.0]
    progress = ReadingProgress(ledger, lambda: now[0])  # type: ignore[arg-type]
    first, second = document("a", state="processing"), document("b", run_id=None, added_at=1.0)
    ledger.said = entries((9.0, RunCreated(kind="ingestion", subject="a.pdf")), *READING)
    found = await progress.of([second, first])
    assert found["doc_a"].words == pytest.approx(6.0)
    assert found["doc_b"].words == pytest.approx(16.0)
    await progress.of([second, first])
    assert ledger.asked_after == [0, 4]
    done = first.model_copy(update={"chunks": 10, "searchable": 10})
    found = await progress.of([second, done])
    assert found["doc_b"].words == pytest.approx(10.0), "what the first one measured stands in for the second"


async def test_of_files_that_only_wait_no_event_is_read() -> None:
    ledger = Kept()
    progress = ReadingProgress(ledger, lambda: 14.0)  # type: ignore[arg-type]
    found = await progress.of([document(str(number)) for number in range(100)])
    assert {each.stage for each in found.values()} == {"queued"}
    assert ledger.asked_after == []


async def test_how_long_many_short_files_take_is_told_though_none_of_them_could_be_measured() -> None:
    now, left = 100.0, [document(str(place), size=2_000, added_at=float(place)) for place in range(60)]

    async def queued(user_id: str) -> list[Queued]:
        return [Queued("reading", each.id, each.added_at, each.size) for each in left]

    progress = ReadingProgress(Kept(), lambda: now, queued)  # type: ignore[arg-type]
    assert {each.words for each in (await progress.of(left)).values()} == {None}
    now, left = 110.0, left[20:]
    found = await progress.of(left)
    assert found[left[0].id].words == pytest.approx(0.5)
    assert found[left[-1].id].words == pytest.approx(20.0)


class Board:
    """Fake progress notes that processes share."""

    def __init__(self) -> None:
        self.told: dict[str, str | None] = {}

    def tell(self, run_id: str, standing: str | None) -> None:
        self.told[run_id] = standing

    async def of(self, run_ids: Sequence[str]) -> dict[str, str]:
        return {run_id: told for run_id in run_ids if (told := self.told.get(run_id))}


class Heard:
    """A fake run ledger that passes events to its listeners and stores nothing."""

    def __init__(self) -> None:
        self.listeners: list[Callable[[Run, Sequence[Event], float], None]] = []

    def listen(self, heard: Callable[[Run, Sequence[Event], float], None]) -> None:
        self.listeners.append(heard)

    def say(self, at: float, *events: Event, kind: RunKind = "ingestion") -> None:
        for heard in self.listeners:
            heard(Run(id="run_a", user_id="ada", kind=kind, subject="a.pdf", created_at=0.0), events, at)


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def board(heard: Heard) -> Board:
    made = Board()
    ToldProgress(heard, made)  # type: ignore[arg-type]
    return made


async def test_what_the_reading_process_tells_stands_in_for_the_events_and_is_the_same(
    heard: Heard, board: Board
) -> None:
    ledger, document_a = Kept(), document("a", state="processing")
    ledger.said = entries((9.0, RunCreated(kind="ingestion", subject="a.pdf")), *READING)
    alone = ReadingProgress(ledger, lambda: 14.0)  # type: ignore[arg-type]
    expected = await alone.of([document_a])
    asked = len(ledger.asked_after)
    for at, event in READING:
        heard.say(at, event)
    shared = ReadingProgress(ledger, lambda: 14.0, shared=board)  # type: ignore[arg-type]
    assert await shared.of([document_a]) == expected
    assert len(ledger.asked_after) == asked, "no event was read"


@pytest.mark.parametrize("told", [None, "{}}", '{"stage": "of a later version"}'])
async def test_what_is_not_told_or_not_understood_is_read_from_the_events(board: Board, told: str | None) -> None:
    ledger, document_a = Kept(), document("a", state="processing")
    ledger.said = entries((9.0, RunCreated(kind="ingestion", subject="a.pdf")), *READING)
    alone = ReadingProgress(ledger, lambda: 14.0)  # type: ignore[arg-type]
    board.told["run_a"] = told
    shared = ReadingProgress(ledger, lambda: 14.0, shared=board)  # type: ignore[arg-type]
    assert await shared.of([document_a]) == await alone.of([document_a])


def test_of_a_run_that_is_taken_up_in_the_middle_nothing_is_told_until_its_next_step(
    heard: Heard, board: Board
) -> None:
    board.told["run_a"] = "of the process that died"
    heard.say(1.0, pages(5, 9))
    assert board.told == {"run_a": None}
    heard.say(2.0, step("embedding"), pages(1, 9))
    assert '"stage":"meaning"' in (board.told["run_a"] or "")


def test_nothing_is_told_of_a_run_that_has_ended_or_only_begins_or_is_no_reading(heard: Heard, board: Board) -> None:
    heard.say(1.0, RunCreated(kind="ingestion", subject="a.pdf"))
    heard.say(1.0, step("extracting"), kind="question")
    assert board.told == {}
    heard.say(1.0, step("extracting"), pages(1, 9))
    heard.say(2.0, RunCompleted(outcome="completed"))
    assert board.told == {"run_a": None}
