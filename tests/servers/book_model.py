"""A fake chat model that extracts findings from books in a predictable way.

It copies whole sentences of the request's passages and names the passages, so that every finding is supported. With
``lying``, it changes a figure or a word in each. ``python -m tests.servers.book_model`` starts it by hand: it prints
its address and works as an OpenAI-compatible server until its standard input is closed. Any request that is not about a
book gets one sentence.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from tests.servers.local import LocalServer, Reply, Request, chat_stream

BOOK, SECTION = "from one part of a book", "the content of one section of a document"
_NUMBERED = re.compile(r"^\[(\d+)\] (.*?)(?=^\[\d+\] |^END BOOK|\Z)", re.MULTILINE | re.DOTALL)
_SENTENCE = re.compile(r"[^.!?\n]+(?:\.(?=\d)[^.!?\n]+)*[.!?]")
_RULE = re.compile(
    r"\b(?:should|must|may|when|if|because|only|always|never|unless)\b|\b(?:אם|כאשר|חייב|אסור|רק|יש)\b", re.I
)
_TERM = re.compile(r"\b[a-z]{9,}\b")


def asks_for_book(request: Request) -> bool:
    return BOOK in _system(request)


def asks_for_section(request: Request) -> bool:
    return SECTION in _system(request)


def _system(request: Request) -> str:
    messages = request.body.get("messages") if isinstance(request.body, dict) else None
    return str(messages[0]["content"]) if messages else ""


def passages_in(request: Request) -> dict[int, str]:
    """Returns a request's passages by their numbers, without the headings that lead to their section."""
    found = _NUMBERED.findall(str(request.body["messages"][1]["content"]))
    return {int(number): re.sub(r"\A\([^\n]*\)\n", "", text.strip()) for number, text in found}


def sentences(text: str) -> list[str]:
    """Returns the whole sentences that have eight to fifty words."""
    found = (" ".join(match.group().split()) for match in _SENTENCE.finditer(text))
    return [each for each in found if 8 <= len(each.split()) <= 50]


def honest(request: Request) -> dict[str, list[dict[str, Any]]]:
    """Returns findings in the passages' own words: a quote, a rule and a summary from each passage; no sentence is used
    twice."""
    taken: dict[str, list[dict[str, Any]]] = {"quotes": [], "models": [], "summaries": []}
    for number, text in passages_in(request).items():
        left = sentences(text)
        rule = next((each for each in left if _RULE.search(each)), None)
        left = [each for each in left if each != rule]
        quote = max(left, key=len, default=None)
        last = next((each for each in reversed(left) if each != quote), None)
        for kind, said, category in (
            ("quotes", quote, "business"),
            ("models", rule, "decision_making"),
            ("summaries", last, "business"),
        ):
            if said:
                taken[kind].append({"text": said, "category": category, "passage": number})
    return {"quotes": taken["quotes"][:6], "models": taken["models"][:4], "summaries": taken["summaries"][:2]}


def section(request: Request) -> dict[str, list[dict[str, Any]]]:
    """Returns findings like ``honest`` for one section, and as its terms the section's longer words."""
    taken = honest(request)
    terms = [
        {"text": term, "passage": number}
        for number, text in passages_in(request).items()
        for term in dict.fromkeys(_TERM.findall(text))
    ]
    return {
        "quotes": taken["quotes"],
        "concepts": [
            {"text": " ".join(each["text"].split()[:8]), "passage": each["passage"]} for each in taken["models"]
        ],
        "insights": taken["models"],
        "technical_terms": terms[:6],
    }


def lying(request: Request) -> dict[str, list[dict[str, Any]]]:
    """Returns findings like ``honest``, but each has a changed figure, or a word that is in no passage."""
    return {
        kind: [{**each, "text": _changed(each["text"])} for each in given] for kind, given in honest(request).items()
    }


def _changed(text: str) -> str:
    other = re.sub(r"\d+", lambda match: str(int(match.group()) + 7), text, count=1)
    return other if other != text else re.sub(r"\w+", "Zanzibar", text, count=1) + " Zanzibar paid 99,999 for it."


def answer(request: Request) -> Reply:
    if asks_for_book(request):
        return chat_stream(json.dumps(honest(request), ensure_ascii=False))
    if asks_for_section(request):
        return chat_stream(json.dumps(section(request), ensure_ascii=False))
    return chat_stream("This is a stand-in; it reads books out and answers nothing else.")


def main() -> None:
    with LocalServer(responder=answer) as server:
        print(f"{server.url}/v1", flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
