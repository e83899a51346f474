"""Tests a comparison from upload to events, and as files, without a model."""

from __future__ import annotations

import io

import docx
import httpx
import pytest
from fastapi import FastAPI

from core.events import Response, Sources
from pages.answer_files import answer_routes
from pages.auth import Identity, Requested
from tests.service.house import House

OLD = (
    "# Mill lease 2030\n\n## Fee\n\nThe yearly fee of the mill is $300 and is paid by the tenant.\n\n"
    "## Keys\n\nThe tenant returns the keys of the mill within 14 days.\n\n"
    "## Animals\n\nDonkeys may be kept in the yard behind the mill.\n\n"
    "| Line | 2030 |\n| --- | --- |\n| Sacks | 40 |\n"
)
NEW = (
    "# Mill lease 2031\n\n## Fee\n\nThe yearly fee of the mill is $450 and is paid by the tenant.\n\n"
    "## Keys\n\nThe tenant promptly returns the keys of the mill.\n\n"
    "## Animals\n\nDonkeys may be kept in the yard behind the mill.\n\n"
    "## Fire\n\nThe tenant must hang two buckets of water at the door.\n"
)
HEBREW_OLD = "# חוזה טחנה 2030\n\n## דמי שימוש\n\nדמי השימוש בטחנה הם 300 שקלים לשנה.\n"
HEBREW_NEW = "# חוזה טחנה 2031\n\n## דמי שימוש\n\nדמי השימוש בטחנה הם 450 שקלים לשנה.\n"


async def compared(house: House, question: str) -> tuple[str, Response, list[str]]:
    asked = await house.workbench.ask("ada", question, action="compare")
    entries = await house.entries("ada", asked.run_id)
    response = next(e.event for e in entries if isinstance(e.event, Response))
    sources = next(e.event.sources for e in reversed(entries) if isinstance(e.event, Sources))
    return asked.run_id, response, [each.title for each in sources]


@pytest.fixture
async def leases(house: House) -> House:
    await house.read("lease-2030.md", OLD)
    await house.read("lease-2031.md", NEW)
    await house.read("lease-2032.md", NEW.replace("2031", "2032").replace("450", "475"))
    return house


async def test_only_the_documents_that_are_meant_are_compared(leases: House) -> None:
    _, response, titles = await compared(leases, "Compare the 2030 and 2031 mill leases.")
    assert sorted(titles) == ["Mill lease 2030", "Mill lease 2031"]
    assert "475" not in response.text


async def test_what_differs_is_the_same_and_stands_in_one_alone(leases: House) -> None:
    _, response, _ = await compared(leases, 'Compare @"Mill lease 2030" with @"Mill lease 2031"')
    differs, rest = response.text.split("**Similarities**")
    same, alone = rest.split("**Only in one document**")
    assert "Numbers" in differs
    assert "$300" in differs
    assert "Deadline" in differs
    assert "Donkeys" in same
    assert "two buckets" in alone
    assert {quote.number for quote in response.quotes} == {1, 2}
    assert response.export.splitlines()[0] == "Finding,Aspect,Mill lease 2030 [1],Mill lease 2031 [2]"


async def test_hebrew_documents_are_told_in_hebrew(house: House) -> None:
    await house.read("ישן.md", HEBREW_OLD)
    await house.read("חדש.md", HEBREW_NEW)
    _, response, _ = await compared(house, 'השוו בין @"חוזה טחנה 2030" לבין @"חוזה טחנה 2031"')
    assert "**הבדלים**" in response.text
    assert "מספרים" in response.text


class Someone(Identity):
    """A fake sign-in check; the test sets the user."""

    def __init__(self, name: str | None) -> None:
        self.name = name

    def user(self, request: Requested) -> str | None:
        return self.name


def client(house: House, name: str | None) -> httpx.AsyncClient:
    app = FastAPI()
    app.include_router(answer_routes(house.workbench, Someone(name)))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://here")


async def test_a_comparison_is_downloaded_as_word_and_markdown_with_its_citations(leases: House) -> None:
    run_id, _, _ = await compared(leases, 'Compare @"Mill lease 2030" with @"Mill lease 2031"')
    async with client(leases, "ada") as page:
        text = (await page.get(f"/answers/{run_id}.md")).text
        assert "[1] Mill lease 2030" in text
        assert "“The yearly fee of the mill is $300 and is paid by the tenant.”" in text
        word = await page.get(f"/answers/{run_id}.docx")
        assert (
            "filename*=UTF-8''Compare%20Mill%20lease%202030%20with%20Mill%20lease%202031.docx"
            in word.headers["content-disposition"]
        )
        written = docx.Document(io.BytesIO(word.content))
        assert "$450" in written.tables[0].rows[1].cells[2].text
        assert (await page.get("/answers/run_nothing.docx")).status_code == 404


@pytest.mark.parametrize(("name", "status"), [("another", 404), (None, 401)])
async def test_nobody_else_downloads_an_answer(leases: House, name: str | None, status: int) -> None:
    run_id, _, _ = await compared(leases, 'Compare @"Mill lease 2030" with @"Mill lease 2031"')
    async with client(leases, name) as page:
        assert (await page.get(f"/answers/{run_id}.docx")).status_code == status
