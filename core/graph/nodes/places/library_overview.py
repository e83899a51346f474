"""Describes the library in two sentences: how many documents it has, what they cover, and which is the newest."""

from __future__ import annotations

from collections.abc import Sequence

from core.events import Response
from core.graph.memory.recollection.reply import day_of
from core.graph.nodes.places.not_here import LONGEST, name_of, subjects_of
from core.graph.services import Services
from core.graph.state import State
from core.library.records import Document
from core.messages import message
from core.store.items import LIBRARY
from core.words import Language


async def library_overview(services: Services, state: State) -> Response:
    language = await services.answer_language(state)
    listed = [each for each in await services.turn.listed(state) if each.scope == LIBRARY]
    return Response(kind="told", text=overview_of(listed, language), language=language)


def overview_of(documents: Sequence[Document], language: Language) -> str:
    """Returns the sentences; editions that differ only in numbers are named once."""
    if not documents:
        return message("graph.library_overview.empty").to(language)
    newest = max(documents, key=lambda each: each.added_at)
    given = {"newest": name_of(newest)[:LONGEST], "day": day_of(newest.added_at, language)}
    if len(documents) == 1:
        return message("graph.library_overview.one", **given).to(language)
    subjects = ", ".join(f"“{each}”" for each in subjects_of(documents))
    return message("graph.library_overview.several", count=len(documents), subjects=subjects, **given).to(language)
