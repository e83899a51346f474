"""Tests the benchmark of blocked requests: its files, questions, phases and figures."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

import httpx
import pypdfium2
import pytest
from PIL import Image

from benchmarks.frozen import files, hostile
from benchmarks.frozen.__main__ import PARTS
from benchmarks.frozen.disturbances import HOSTILE, READING, TABLE, Reached, reads
from benchmarks.frozen.figures import Outcome, going_on_in, quiet_times, report_of
from benchmarks.frozen.person import Deed, Person
from benchmarks.frozen.phases import PLAIN, Phase, Run, metric
from benchmarks.frozen.preparation import FULL, QUICK
from benchmarks.frozen.ready_probe import Sample
from benchmarks.report import Report
from core.store.data_directory import Holder

QUIET = Phase("quiet", 0.0, 1_000.0, 10.0)
TABLES = Phase("tables", 10.0, 1_010.0, 20.0, pauses=[{"at": 1_012.0, "seconds": 2.0, "where": "core/a.py:1 (f)"}])


def plain(began: float, seconds: float, problem: str = "") -> Deed:
    return Deed("eleventh", PLAIN, "Who?", began, began + seconds, problem)


ASKED = [plain(1, 0.4), plain(2, 0.5), plain(3, 2.0)]
WELL = [Sample(1.0, 0.1), Sample(11.0, 0.29)]


def missed(report: Report) -> list[str]:
    return [f"{figure.group}: {figure.name}" for figure in report.figures if not figure.passes]


def report(deeds: list[Deed], samples: list[Sample], csv_seconds: float = 14.0) -> Report:
    return report_of(Outcome([QUIET, TABLES], ASKED + deeds, samples, {}, csv_seconds, (10, 10)), "Frozen")


def test_what_stays_within_the_goals_passes() -> None:
    made = report([plain(12, 1.5)], WELL)
    assert missed(made) == []
    (ratio,) = [figure for figure in made.figures if "worst ratio" in figure.name]
    assert [ratio.value, ratio.baseline] == pytest.approx([3.0, 4.0])
    assert not any("core/a.py" in note for note in made.notes)


@pytest.mark.parametrize(
    ("deeds", "samples", "seconds", "goals"),
    [
        ([plain(12, 1.51)], WELL, 14.0, ["tables: plain questions, worst ratio"]),
        ([], [Sample(12.0, 0.31)], 14.0, ["whole run: /ready, longest, ms", "tables: /ready, longest, ms"]),
        ([], [Sample(12.0, 0.1, "status 503")], 14.0, ["whole run: failed with an error"]),
        ([plain(12, 0.5, "failed")], WELL, 14.0, ["whole run: failed with an error"]),
        ([], WELL, 16.0, ["whole run: first table searchable, s"]),
    ],
)
def test_what_misses_a_goal_fails(deeds: list[Deed], samples: list[Sample], seconds: float, goals: list[str]) -> None:
    assert missed(report(deeds, samples, seconds)) == goals


def test_a_missed_goal_is_printed_with_what_was_going_on() -> None:
    asked = [Deed("table0", TABLE, "How many?", 11, 14), Deed("hostile", HOSTILE, "dots", 12.2, 13)]
    (note,) = report(asked, [Sample(12.5, 0.4)]).notes
    assert "400 ms after 2 s, during: table question, hostile question (dots)" in note
    assert "blocked for 2.0 s in core/a.py:1 (f)" in note


def test_a_slow_question_is_compared_with_its_own_quiet_time() -> None:
    other = Deed("eleventh", PLAIN, "Where?", 4, 5)
    assert quiet_times([*ASKED, other]) == {"Who?": pytest.approx(0.5), "Where?": pytest.approx(1.0)}
    made = report([plain(12, 2.0), Deed("scan", READING, "scan", 11, 15)], WELL)
    assert "'Who?' took 2.00 s, in quiet 0.50 s, after 2 s, during: reading (scan)" in made.notes[0]


def test_what_has_ended_is_not_going_on() -> None:
    deeds = [Deed("a", TABLE, "How many?", 0, 1), Deed("b", TABLE, "Which?", 1, 3), Deed("c", TABLE, "Which?", 2, 9)]
    assert going_on_in(deeds, 2.5, 2.6) == "2 × table question"
    assert going_on_in(deeds, 9.5, 9.6) == "nothing"


def test_what_failed_is_printed() -> None:
    made = report([plain(12, 0.5, "timed out")], [*WELL, Sample(12.0, 0.1, "status 503")])
    assert made.notes == [
        "failed: plain question (Who?) of eleventh: timed out\n  failed: /ready in tables, after 0.1 s: status 503"
    ]


def test_every_part_has_a_time() -> None:
    for sizes in (FULL, QUICK):
        assert {*sizes.longest, "together"} == {*PARTS}


def test_hostile_questions_are_as_long_as_may_be_and_of_36_kinds() -> None:
    assert {len(question) for question in hostile.QUESTIONS.values()} == {8_000}
    assert len({*hostile.QUESTIONS.values()}) == 36


def test_files_hold_what_they_should(tmp_path: Path) -> None:
    rows = [*csv.DictReader(files.orders(tmp_path / "orders.csv", 3, 1).open(encoding="utf-8"))]
    assert [row["Order"] for row in rows] == ["ORD-000001", "ORD-000002", "ORD-000003"]
    assert float(rows[0]["Amount"]) == pytest.approx(int(rows[0]["Quantity"]) * float(rows[0]["Price"]))
    assert max(map(len, files.digits(tmp_path / "digits.txt", 500, 1).read_text().splitlines())) == 500

    part = files.written_pdf(tmp_path / "part.pdf", 2, 1)
    whole = files.joined([part], 5, tmp_path / "whole.pdf")
    other = files.changed(whole, tmp_path / "other.pdf")
    assert other.read_bytes() != whole.read_bytes()
    with pypdfium2.PdfDocument(other) as pdf:
        assert len(pdf) == 5
        assert "Deliveries of part 1" in pdf[2].get_textpage().get_text_range()
    scanned = files.scan(tmp_path / "scan.pdf", (Image.new("L", (30, 60), 255) for _ in range(2)))
    with pypdfium2.PdfDocument(scanned) as pdf:
        assert pdf[0].get_size() == pytest.approx((30 * 72 / files.DPI, 60 * 72 / files.DPI), rel=0.01)
        assert pdf[0].get_textpage().get_text_range() == ""


def test_a_given_library_is_of_the_small_reports_with_most_questions(tmp_path: Path) -> None:
    for name, pages in {"one.pdf": 1, "two.pdf": 2, "long.pdf": files.SMALL_REPORT_PAGES + 1}.items():
        files.written_pdf(tmp_path / name, pages, 1)
    asked = [("one.pdf", "A?"), ("two.pdf", "B?"), ("two.pdf", "C?"), ("long.pdf", "D?")]
    lines = [json.dumps({"document": document, "question": question}) for document, question in asked]
    (tmp_path / "questions.jsonl").write_text("\n".join(lines))
    library = files.given_library(tmp_path, 8)
    assert [path.name for path in library.paths] == ["two.pdf", "one.pdf"]
    assert library.questions == ["B?", "C?", "A?"]


class Server:
    """A fake server: answers every question, makes a file searchable at the second status check, and reports one
    earlier pause."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/metrics":
            return httpx.Response(200, text="palimpsest_loop_lag_seconds 1.5\n")
        if request.url.path == "/api/get_document":
            return httpx.Response(200, json={"document": self._row()})
        replies: dict[str, object] = {
            "/api/uploads": {"path": "/there"},
            "/api/upload_document": {"document": {"id": "doc_a"}},
            "/api/ask": {"outcome": "answered", "conversation_id": "conv_a"},
            "/api/get_system": {
                "under_way": [{"waits": True}],
                "responsiveness": {"pauses": [{"at": 1.0, "seconds": 9.0, "where": "before"}], "stopped": []},
            },
        }
        return httpx.Response(200, json=replies.get(request.url.path, {}))

    def _row(self) -> dict[str, object]:
        self.looks += 1
        return {"id": "doc_a", "state": "processing", "searchable": min(1, self.looks // 2), "chunks": 1}


def person(name: str, log: list[Deed], server: Callable[[httpx.Request], httpx.Response]) -> Person:
    made = Person(name, Holder("http://here", "token"), log)
    made.http = httpx.Client(base_url="http://here", transport=httpx.MockTransport(server))
    return made


def test_a_phase_ends_when_its_files_are_read_and_plain_questions_go_on_meanwhile(tmp_path: Path) -> None:
    log: list[Deed] = []
    server = Server()
    asker, reader, administrator = (person(name, log, server) for name in ("eleventh", "pdf", "administrator"))
    run, reached = Run(asker, ["Who?"], administrator, log), Reached()
    began = time.monotonic()
    run.disturbed("pdf", 30.0, 0.0, [reads(reader, files.note(tmp_path / "note.txt"), "PDF", reached)])
    assert time.monotonic() - began < 5.0
    assert reached["PDF: searchable"] is not None
    phase, settling = run.phases
    assert (phase.name, settling.name, phase.lag, phase.pauses) == ("pdf", "settling", 1.5, [])
    assert [deed.about for deed in log if deed.kind == PLAIN and phase.began <= deed.began < phase.ended]
    assert not run.notes


def test_what_is_not_read_when_the_phase_ends_was_not_reached(tmp_path: Path) -> None:
    log: list[Deed] = []
    reached, stop = Reached(), Event()
    stop.set()
    reads(person("pdf", log, Server()), files.note(tmp_path / "note.txt"), "PDF", reached)(stop)
    assert reached == {"PDF: searchable": None}


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (httpx.Response(504, json={"problem": {"what": "It took too long.", "why": "It is busy."}}), "It is busy."),
        (httpx.Response(502, text="bad gateway"), "status 502"),
        (httpx.Response(200, json={"outcome": "failed"}), "the answer ended as failed"),
    ],
)
def test_what_fails_is_logged_with_the_reason(reply: httpx.Response, said: str) -> None:
    log: list[Deed] = []
    asker = person("ada", log, lambda _: reply)
    assert asker.does(TABLE, "How many?", lambda: asker.ask("How many?")) is None
    assert said in log[0].problem


def test_a_gauge_is_read_by_its_whole_name() -> None:
    assert metric("# HELP lag of\nlag_other 3.0\nlag 0.25\n", "lag") == 0.25
    assert metric("", "lag") == 0.0
