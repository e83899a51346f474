"""Tests the timeline: bars for stretches of time that open, the trail back, and the file."""

from __future__ import annotations

import csv
import io

from core.knowledge.views import Concept, Event
from viz.knowledge.timeline import bars, events_csv, timeline, trail

WHO = [Concept(id="conc_a", label="<b>Tova", kind="person", colour="content")]


def event(when: str, text: str = "It happened.") -> Event:
    return Event(when=when, text=text, who=WHO, item_id="mem_1", document_id="doc_1", title="Minutes", page=3)


EVENTS = [event("1998"), event("2024-03"), event("2024-03-18", "=SUM(A1) was <i>typed"), event("2025-01-02")]


def test_a_bar_opens_a_stretch_of_time_and_the_trail_leads_back() -> None:
    assert bars(EVENTS, "") == {"1998": 1, "2024": 2, "2025": 1}
    within = [each for each in EVENTS if each.when.startswith("2024")]
    assert bars(within, "2024") == {"2024-03": 2}
    assert bars(within, "2024-03") == {"2024-03-18": 1}
    assert bars(within, "2024-03-18") == {}
    assert trail(EVENTS, "2024-03") == ["", "2024", "2024-03"]
    html = timeline(EVENTS, "2024-03", "en")
    assert 'data-at="2024"' in html
    assert 'data-at="2024-03-18"' in html
    assert "2 Jan 2025" not in html
    assert "18 Mar 2024" in html


def test_many_years_are_shown_by_decade() -> None:
    centuries = [event(str(year)) for year in range(1900, 2000)]
    assert list(bars(centuries, ""))[:2] == ["190", "191"]
    assert trail(centuries, "1955") == ["", "195", "1955"]


def test_what_a_text_says_is_escaped_on_the_page_and_in_the_file() -> None:
    html = timeline(EVENTS, "", "he")
    assert "<i>typed" not in html
    assert "<b>Tova" not in html
    assert 'data-document="doc_1"' in html
    rows = list(csv.reader(io.StringIO(events_csv(EVENTS, "en").removeprefix("\ufeff"))))
    assert rows[0] == ["Date", "Event", "Who", "Source", "Page"]
    assert rows[3] == ["2024-03-18", "'=SUM(A1) was <i>typed", "<b>Tova", "Minutes", "3"]


def test_documents_without_events_say_so() -> None:
    assert "No dated events" in timeline([], "", "en")
