"""Tests that a scan does not delay other work: it is recognised page by page, and pages can be found as soon as they
are recognised."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.events import StepDetail, StepStatus
from core.library.extract import ocr
from core.library.recognition import job as recognition
from core.library.records import Document
from tests.service.conftest import Open
from tests.service.house import POLICY, House, until
from tests.service.scanning import Engine, scan, words_of

pytestmark = pytest.mark.reader


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    made = Engine(tmp_path / "engine")
    monkeypatch.setenv("PATH", made.path)
    monkeypatch.setattr(ocr, "_installed", lambda: ("eng",))
    monkeypatch.setattr(recognition, "SOONEST", 2)
    return made


async def now(house: House, document: Document) -> Document:
    return await house.workbench.library.get(document.user_id, document.id)


async def recognised(house: House, document: Document, pages: int) -> None:
    async def so_many() -> bool:
        standing = (await now(house, document)).recognition
        return standing is not None and standing.read >= pages

    await until(so_many, f"{pages} pages recognised")


async def test_other_files_are_read_while_a_scan_is_recognised(house: House, engine: Engine) -> None:
    scanned = (await house.give("scan.pdf", scan(6))).document
    await engine.has_begun(1)
    assert (await house.read("policy.md", POLICY)).state == "completed"
    assert await house.found("hotel in Haifa") == {"policy.md"}
    assert (await now(house, scanned)).state == "processing"
    engine.allow()
    document = await house.settled(scanned)
    assert (document.state, document.recognition) == ("completed", None)
    await house.assert_whole(document)


async def test_recognised_pages_are_found_while_others_wait(house: House, engine: Engine) -> None:
    given = (await house.give("scan.pdf", scan(9, text_pages=[5]))).document
    await engine.has_begun(1)
    assert await house.found("hello there") == {"scan.pdf"}, "its own text is there at once"
    engine.allow(4)
    await recognised(house, given, 2)
    assert await house.found(words_of(1)) == {"scan.pdf"}
    assert await house.found(words_of(9)) == set()
    engine.allow()
    document = await house.settled(given)
    await house.assert_whole(document)
    for page in (1, 4, 9):
        assert await house.found(words_of(page)) == {"scan.pdf"}
    assert "1-4, 6-9" in document.notes[0][0], "the same is said as if it had been read at once"


async def test_an_answer_says_that_pages_are_still_to_come(house: House, engine: Engine) -> None:
    await house.give("scan.pdf", scan(4, text_pages=[2]))
    await engine.has_begun(1)
    answer = await house.ask("What does it say of hello?")
    assert answer.view.outcome == "answered", "nothing is waited for"
    assert "scan.pdf is not finished (0 of 3)" in answer.notices
    engine.allow()


async def test_its_run_tells_how_far_it_is(house: House, engine: Engine) -> None:
    engine.allow()
    document = await house.read("scan.pdf", scan(5))
    events = [entry.event for entry in await house.entries("ada", document.run_id or "")]
    details = [event for event in events if isinstance(event, StepDetail) and event.step_id == recognition.STEP]
    assert details[-1].detail.en == "page 5 of 5"
    assert sum(isinstance(event, StepStatus) and event.step_id == recognition.STEP for event in events) == 1


async def test_a_cancelled_scan_goes_and_its_pages_are_not_recognised_twice(house: House, engine: Engine) -> None:
    given = (await house.give("scan.pdf", scan(6))).document
    engine.allow(4)
    await recognised(house, given, 2)
    await house.workbench.library.cancel("ada", given.id)
    cancelled = await house.settled(given)
    assert cancelled.state == "cancelled"
    await house.assert_nothing_stored(cancelled)
    engine.allow()
    await house.workbench.library.retry("ada", given.id)
    document = await house.settled(given)
    await house.assert_whole(document)
    once = engine.begun[:2]
    assert all(engine.begun.count(page) == 1 for page in once)


async def test_a_short_scan_has_its_turn_before_the_end_of_a_long_one(
    open_house: Open, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recognition, "TURN_SECONDS", 0.0)
    house = await open_house()
    long = (await house.give("long.pdf", scan(20))).document
    await engine.has_begun(1)
    short = (await house.give("short.pdf", scan(2))).document
    await until(lambda: _waits(house, short), "the short one waits for its turn")
    engine.allow()
    await house.settled(short)
    assert (await now(house, long)).state == "processing"
    await house.settled(long)


async def _waits(house: House, document: Document) -> bool:
    return (await now(house, document)).recognition is not None


async def test_what_was_recognised_goes_with_the_last_document_of_its_file(house: House, engine: Engine) -> None:
    engine.allow()
    document = await house.read("scan.pdf", scan(3))
    pages = house.workbench.truth.collection("recognised_pages")
    assert await pages.count() == 3
    await house.workbench.library.delete("ada", document.id)
    await house.workbench.library.upkeep.compact(-1.0)
    assert await pages.count() == 0
