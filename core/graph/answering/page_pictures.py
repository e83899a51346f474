"""Finds pages whose evidence is a chart or a scan, and gets their pictures for a model that sees images."""

from __future__ import annotations

import asyncio
import base64
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from core.errors import PalimpsestError
from core.events import Source
from core.graph.services import Services
from core.graph.state import State, asked_in_full
from core.language.normalisation import fold
from core.language.vocabulary import phrase_of
from core.library.viewing.records import PicturedPage
from core.messages import message
from core.search.documents.acceptance import firmly_accepted
from core.words import Words

log = logging.getLogger(__name__)

MOST_MEASURED, MOST_PICTURES = 4, 2
"""Maximum number of pages that are measured, and of pictures that a model gets."""
PICTURE_WIDTH = 1_000
"""Width of a picture in pixels."""
PICTURE_TOKENS = 1_600
"""Tokens that a picture of this size is expected to cost (docs/specification.md, "Budget")."""
LEAST_SHARE, LEAST_SHARE_ASKED = 0.2, 0.1
"""Share of a page that pictures must cover; the second if the question asks for a chart."""
LITTLE_TEXT = 800
"""Characters without spaces; a page with less text than that says little besides its picture."""
_QUALITY = 80
_CHART = re.compile(phrase_of("graph/understanding.page_pictures.chart"))


@dataclass(frozen=True)
class EvidencePage:
    """A page on which the evidence lies; ``number`` is the citation number of its document."""

    number: int
    document_id: str
    title: str
    page: int
    characters: int = 0

    @property
    def words(self) -> Words:
        """Says that the page's chart could not be read."""
        return message("graph.page_pictures.not_read", title=self.title, page=self.page)


@dataclass(frozen=True)
class PagePicture:
    """The picture of a page as a data URL (JPEG)."""

    page: EvidencePage
    url: str


async def pages_with_pictures(services: Services, state: State) -> list[EvidencePage]:
    """Returns the pages of the best passages that are mostly a chart or a scan; those that cannot be opened are left
    out. A question about a chart also takes loosely related passages, because a chart has few words."""
    asks = bool(_CHART.search(fold(asked_in_full(state))))
    sources = state["found"].sources
    pages = _evidence(sources if asks else firmly_accepted(sources))
    pages = pages if asks else [each for each in pages if _is_short(each.characters)]
    user_id = state["asked"].user_id
    measured = await asyncio.gather(*(_measured(services, user_id, each) for each in pages[:MOST_MEASURED]))
    counted = [page for page, found in zip(pages, measured, strict=False) if found and _counts(page, found, asks)]
    return counted[:MOST_PICTURES]


async def pictures_for_model(services: Services, state: State) -> list[PagePicture]:
    """Returns the pictures that the chosen model gets; none if it does not see images or the setting is off."""
    if not await sends_pictures(services, state):
        return []
    pages = await pages_with_pictures(services, state)
    drawn = await asyncio.gather(*(_drawn(services, state["asked"].user_id, each) for each in pages))
    return [each for each in drawn if each is not None]


async def sends_pictures(services: Services, state: State) -> bool:
    """Returns whether the setting is on and the chosen model sees images."""
    if not (services.settings.tasks.page_pictures and services.models.configured):
        return False
    try:
        return (await services.models.capabilities(state["asked"].ask.model)).images
    except PalimpsestError:
        return False


def _evidence(sources: Sequence[Source]) -> list[EvidencePage]:
    """Returns the pages of passages, the best passage first, each with the length of the text that was found on it."""
    found: dict[tuple[str, int], EvidencePage] = {}
    scored = [(passage, source) for source in sources if source.kind == "document" for passage in source.passages]
    for passage, source in sorted(scored, key=lambda each: -each[0].score):
        if passage.page:
            characters = len("".join(passage.text.split()))
            page = EvidencePage(source.number, source.document_id, source.title, passage.page, characters)
            found.setdefault((source.document_id, passage.page), page)
    return list(found.values())


def _is_short(characters: int) -> bool:
    return characters < LITTLE_TEXT


async def _measured(services: Services, user_id: str, page: EvidencePage) -> PicturedPage | None:
    try:
        return await services.viewer.pictured(user_id, page.document_id, page.page)
    except PalimpsestError as error:
        log.info("page %d was not measured: %s", page.page, error)
        return None


def _counts(page: EvidencePage, found: PicturedPage, asks: bool) -> bool:
    """Returns whether pictures cover a good part of the page, and the page has little text unless the question
    ``asks`` for a chart. The text of a scan is what was recognised on it."""
    if asks:
        return found.share >= LEAST_SHARE_ASKED
    return found.share >= LEAST_SHARE and _is_short(max(found.characters, page.characters))


async def _drawn(services: Services, user_id: str, page: EvidencePage) -> PagePicture | None:
    try:
        drawn = await services.viewer.picture(user_id, page.document_id, page.page, PICTURE_WIDTH)
        return PagePicture(page, await asyncio.to_thread(_as_jpeg, drawn))
    except (PalimpsestError, OSError) as error:
        log.warning("page %d was not drawn: %s", page.page, error)
        return None


def _as_jpeg(drawn: bytes) -> str:
    """Returns a picture as a data URL. JPEG, because some model servers do not read WebP."""
    from PIL import Image

    written = BytesIO()
    with Image.open(BytesIO(drawn)) as image:
        image.thumbnail((PICTURE_WIDTH, 2 * PICTURE_WIDTH))
        image.convert("RGB").save(written, "JPEG", quality=_QUALITY)
    return f"data:image/jpeg;base64,{base64.b64encode(written.getvalue()).decode()}"
