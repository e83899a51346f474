"""Public addresses in a question, which are read as if their pages had been attached."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from core.library.guard import safe_filename
from core.tools.tool import FoundText
from core.tools.web.pages import is_public

MOST = 3
_ADDRESS = re.compile(r"https?://[^\s<>\"'“”«»]+", re.IGNORECASE)
_AFTER = ".,;:!?)]}״׳"
LONGEST_NAME = 80


def addresses_in(question: str) -> list[str]:
    """The first public ones, each once, without what ends their sentence."""
    found = [_bare(each) for each in _ADDRESS.findall(question)]
    return [each for each in dict.fromkeys(found) if is_public(each)][:MOST]


def filename_of(page: FoundText, url: str) -> str:
    """What the page is called among the attachments."""
    host = urlsplit(page.url or url).hostname or "page"
    title = page.title[:LONGEST_NAME].strip()
    return safe_filename(f"{title} ({host}).md" if title and title != host else f"{host}.md")


def document_of(page: FoundText, url: str) -> str:
    """The page as a text to be read, with where it comes from."""
    return f"# {page.title}\n\n<{page.url or url}>\n\n{page.text}\n"


def _bare(address: str) -> str:
    bare = address.rstrip(_AFTER)
    return f"{bare})" if "(" in bare and ")" not in bare else bare
