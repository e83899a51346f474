"""Reads the web pages whose addresses are in a question, and attaches them to the conversation."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import urlsplit

from core.events import Notice
from core.graph.services import Services
from core.graph.state import Asked, Found, State
from core.graph.tools.calling import caller_of, consulted
from core.graph.tools.offering import web_is_denied
from core.graph.tracing import node_trace
from core.library.guard import safe_filename
from core.tools.execution import SentCall
from core.tools.records import ToolOutcome
from core.tools.tool import FoundText
from core.tools.web.pages import is_public
from core.words import Words

READER = "fetch"
MOST = 3
_ADDRESS = re.compile(r"https?://[^\s<>\"'“”«»]+", re.IGNORECASE)
_AFTER = ".,;:!?)]}״׳"
LONGEST_NAME = 80


async def read_links(services: Services, state: State) -> State:
    addresses = [] if web_is_denied(state["asked"].text) else _addresses_in(state["asked"].text)
    if not addresses or services.tools.registry.find(READER) is None:
        return {}
    emit, trace = node_trace("l")
    with trace.step("reading_links") as step:
        step.detail(Words.alike(" · ".join(addresses)))
        calls = [SentCall(f"link-{place}", READER, {"url": each}) for place, each in enumerate(addresses)]
        outcomes = await services.tools.run(calls, caller_of(state))
        attached = [
            await _attach(services, state, url, outcome)
            for url, outcome in zip(addresses, outcomes, strict=True)
            if outcome.result is not None
        ]
    for problem in (each.problem for each in outcomes if each.problem is not None):
        emit(Notice(words=problem.words))
    named = list(dict.fromkeys([*(state["asked"].document_ids or []), *attached]))
    return {
        "asked": Asked(question=state["asked"].question.naming(named or state["asked"].document_ids)),
        "found": Found(consulted=consulted(state, [run for each in outcomes for run in each.runs])),
    }


async def _attach(services: Services, state: State, url: str, outcome: ToolOutcome) -> str:
    """Stores the page as a document, which replaces the stored version of the same page; returns the document's id."""
    assert outcome.result is not None
    page = outcome.result.texts[0]
    name = _filename_of(page, url)

    def written() -> Path:
        file = Path(mkdtemp(prefix="palimpsest-link-"), name)
        file.write_text(_document_of(page, url), encoding="utf-8")
        return file

    file = await asyncio.to_thread(written)
    try:
        submitted = await services.library.submit(
            state["asked"].user_id, file, name, scope=state["asked"].conversation_id, choice="replace"
        )
    finally:
        await asyncio.to_thread(_remove, file.parent)
    services.turn.renew()
    return submitted.document.id


def _remove(folder: Path) -> None:
    for each in folder.iterdir():
        each.unlink()
    folder.rmdir()


def _addresses_in(question: str) -> list[str]:
    """Returns the first public addresses without duplicates and without trailing punctuation."""
    found = [_bare(each) for each in _ADDRESS.findall(question)]
    return [each for each in dict.fromkeys(found) if is_public(each)][:MOST]


def _filename_of(page: FoundText, url: str) -> str:
    """Returns the page's filename as an attachment."""
    host = urlsplit(page.url or url).hostname or "page"
    title = page.title[:LONGEST_NAME].strip()
    return safe_filename(f"{title} ({host}).md" if title and title != host else f"{host}.md")


def _document_of(page: FoundText, url: str) -> str:
    """Returns the page as text with its address."""
    return f"# {page.title}\n\n<{page.url or url}>\n\n{page.text}\n"


def _bare(address: str) -> str:
    bare = address.rstrip(_AFTER)
    return f"{bare})" if "(" in bare and ")" not in bare else bare
