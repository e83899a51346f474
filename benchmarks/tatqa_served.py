"""Runs TAT-QA through the served workbench: a library of one context at a time, each question in a new conversation."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from gradio_client import Client, handle_file

from benchmarks.served import Answer, last, served, wait
from benchmarks.tatqa import Ask, Json, Told, page

_READING = 120.0
_MOST_REPLIES = 3
_GO_ON = ("all", "continue", "inquire")


@contextmanager
def asking() -> Iterator[Ask]:
    """Yields a workbench on a separate data directory, without a model."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder, "home")
        home.mkdir()
        with served(home) as client:

            def ask(number: int, context: Json, questions: Sequence[str]) -> Iterator[Told]:
                path = Path(folder, f"context_{number:04d}.html")
                path.write_text(page(context), encoding="utf-8")
                document = _upload(client, path)
                for question in questions:
                    yield _told(_answer(client, question, document))
                client.predict(document, api_name="/delete_document")

            yield ask


def _upload(client: Client, path: Path) -> str:
    """Returns the document's id once keyword search and embeddings can find it."""
    told = client.predict(handle_file(str(path)), path.name, "keep_both", api_name="/upload_document")
    if "document" not in told:
        raise RuntimeError(f"{path.name}: {told}")

    def ready() -> bool:
        rows = client.predict("", api_name="/list_documents")
        return bool(rows) and all(row["state"] in ("completed", "failed") for row in rows)

    wait(ready, _READING)
    identifier: str = client.predict("", api_name="/list_documents")[0]["id"]
    return identifier


def _answer(client: Client, question: str, document: str) -> Answer:
    """Answers in a separate conversation; if the workbench asks back, chooses the document or to continue."""
    answer = last(client.submit(question, "", "enhanced", "", "", False, api_name="/ask"))
    replies = 0
    while answer.get("interrupt") and replies < _MOST_REPLIES:
        replies += 1
        waits = answer["interrupt"]
        ids = [choice["id"] for choice in waits["choices"]]
        chosen = next((each for each in (document, *_GO_ON) if each in ids), ids[0] if ids else None)
        answer = last(
            client.submit(
                answer["run_id"], waits["interrupt_id"], [chosen] if chosen else [], "", not chosen,
                api_name="/resume_run",
            )
        )  # fmt: skip
    return answer


def _told(answer: Answer) -> Told:
    return Told(answer.get("answer"), "high" if answer.get("state") == "found" else None)
