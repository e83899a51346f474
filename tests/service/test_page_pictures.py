"""Tests pages whose evidence is a chart: a model that sees images gets their pictures; otherwise the answer says that
the chart cannot be read."""

from __future__ import annotations

import base64
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from core.graph.answering.page_pictures import PICTURE_WIDTH
from core.setting_groups import Tasks
from tests.servers.local import LocalServer, answering, chat_stream
from tests.service.conftest import Open
from tests.service.house import House

ASKED = "Which orchard had the best harvest of plums?"
NOT_READ = "This page has a chart that I cannot read"
PROSE = "The orchard keeps its tools in the shed behind the mill and counts its ladders every spring. "


def report(*, chart: float, lines: int = 1) -> bytes:
    """A PDF of one page with a picture that covers the share ``chart`` of it, and ``lines`` of text."""
    written = BytesIO()
    canvas = Canvas(written, pagesize=(600, 800))
    canvas.drawString(50, 760, "Harvest of plums in each orchard")
    for line in range(lines - 1):
        canvas.drawString(50, 740 - 14 * line, PROSE)
    if chart:
        canvas.drawImage(ImageReader(Image.new("RGB", (60, 40), "teal")), 0, 20, 600, 800 * chart)
    canvas.save()
    return written.getvalue()


async def house_with(open_house: Open, pdf: bytes, server: LocalServer | None = None, **given: object) -> House:
    model = {"model": "openai:m", "model_base_url": f"{server.url}/v1", "openai_api_key": "k"} if server else {}
    house = await open_house(**model, **given)
    await house.read("plums.pdf", pdf)
    return house


def pictures(server: LocalServer) -> list[str]:
    contents: list[Any] = [each["content"] for request in server.requests for each in request.body["messages"]]
    parts = [part for content in contents if isinstance(content, list) for part in content]
    return [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]


@pytest.mark.reader
async def test_a_model_that_sees_gets_the_picture_of_the_page(open_house: Open) -> None:
    async with LocalServer(responder=answering(chat_stream("The northern one [1]."))) as server:
        house = await house_with(
            open_house, report(chart=0.5), server, tasks=Tasks(page_pictures=True), model_images=True
        )
        answer = await house.ask(ASKED)
    (url,) = pictures(server)
    kind, _, content = url.partition(",")
    image = Image.open(BytesIO(base64.b64decode(content)))
    assert kind == "data:image/jpeg;base64"
    assert (image.format, image.width) == ("JPEG", PICTURE_WIDTH)
    assert NOT_READ not in answer.notices


@pytest.mark.reader
@pytest.mark.parametrize(
    ("enabled", "sees"), [(False, True), (True, False)], ids=["switched off", "a model that does not see"]
)
async def test_without_pictures_the_answer_says_so(open_house: Open, enabled: bool, sees: bool) -> None:
    async with LocalServer(responder=answering(chat_stream("The northern one [1]."))) as server:
        house = await house_with(
            open_house, report(chart=0.5), server, tasks=Tasks(page_pictures=enabled), model_images=sees
        )
        answer = await house.ask(ASKED)
    assert pictures(server) == []
    assert NOT_READ in answer.notices
    assert "page 1" in answer.notices


@pytest.mark.reader
@pytest.mark.parametrize(
    ("chart", "lines", "asked", "said"),
    [
        (0.5, 1, ASKED, True),
        (0.0, 1, ASKED, False),
        (0.05, 1, ASKED, False),
        (0.4, 30, ASKED, False),
        (0.4, 30, "What does the chart of the harvest of plums show?", True),
        (0.0, 30, "What does the chart of the harvest of plums show?", False),
    ],
    ids=["chart", "no chart", "a logo", "much text", "asked for a chart", "asked, but no chart"],
)
async def test_when_it_is_said(open_house: Open, chart: float, lines: int, asked: str, said: bool) -> None:
    house = await house_with(open_house, report(chart=chart, lines=lines))
    answer = await house.ask(asked)
    assert answer.view.sources
    assert (NOT_READ in answer.notices) is said


@pytest.mark.reader
async def test_it_is_said_in_hebrew_too(open_house: Open) -> None:
    house = await house_with(open_house, report(chart=0.5))
    answer = await house.ask("מה רואים בתרשים plums harvest orchard?")
    assert any("יש תרשים שאיני יכול לקרוא" in each.he for each in answer.view.notices)
