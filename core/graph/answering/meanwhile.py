"""Quotes the documents while a slow model has not begun to write."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from core.graph.answering.extractive import quotes_meanwhile
from core.graph.answering.generation import PartialAnswer
from core.graph.services import Services
from core.graph.state import State
from core.records.quotations import Meanwhile

log = logging.getLogger(__name__)


@asynccontextmanager
async def quoted_meanwhile(services: Services, state: State, writing: PartialAnswer) -> AsyncIterator[None]:
    """While the block runs, send quotations if ``writing`` has no text after the time from the settings."""
    quoting = asyncio.create_task(_quote_late(services, state, writing))
    try:
        yield
    finally:
        quoting.cancel()
        with suppress(asyncio.CancelledError):
            await quoting


async def _quote_late(services: Services, state: State, writing: PartialAnswer) -> None:
    await asyncio.sleep(services.settings.deadlines.model_quotes)
    try:
        quotes = [] if writing.text else await quotes_meanwhile(services, state)
    except Exception:
        log.warning("nothing was quoted while the model was thinking", exc_info=True)
        return
    if quotes and not writing.text:
        writing.emit(Meanwhile(quotes=quotes))
