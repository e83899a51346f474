"""Tests a client that is generated from the served API description; it calls a served workbench without any of our
code."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

from tests.interface.conftest import ROOT, Served

pytestmark = pytest.mark.interface

POLICY = ROOT / "sample_docs" / "travel-and-expense-policy-2024.md"
NAME = "palimpsest_client"
PATIENCE = 60.0


@pytest.fixture(scope="module")
def served(serve: Callable[..., Served]) -> Served:
    return serve(PALIMPSEST_DENSE_ENABLED="false", PALIMPSEST_USERS='{"ada": "analytical"}')


@pytest.fixture(scope="module")
def key(served: Served) -> str:
    with httpx.Client(base_url=served.url) as ada:
        assert ada.post("/login", data={"name": "ada", "password": "analytical"}).status_code == 303
        made = ada.post("/api/create_api_key", json={"name": "a generated client"}).json()
    return str(made["secret"])


@pytest.fixture(scope="module")
def generated(served: Served, key: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder with the package, generated from the server's own description."""
    folder = tmp_path_factory.mktemp("generated")
    told = httpx.get(f"{served.url}/api/openapi.json", headers={"Authorization": f"Bearer {key}"}).json()
    (folder / "openapi.json").write_text(json.dumps(told), encoding="utf-8")
    # Turns off the code formatter that the generator would run afterwards; it is not part of this test.
    (folder / "config.yaml").write_text("post_hooks: []\n", encoding="utf-8")
    generator = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning"]
    made = subprocess.run(
        [*generator, "--path", "openapi.json", "--config", "config.yaml", "--output-path", NAME],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


class Called:
    """Calls an endpoint by its name and fields through the generated package; returns the reply as the package parses
    it."""

    def __init__(self, served: Served, key: str) -> None:
        self._client: Any = import_module(f"{NAME}.client").AuthenticatedClient(
            base_url=served.url, token=key, timeout=httpx.Timeout(PATIENCE), raise_on_unexpected_status=True
        )
        self.models: Any = import_module(f"{NAME}.models")

    def __call__(self, endpoint: str, **fields: object) -> Any:
        made = "".join(part.capitalize() for part in endpoint.split("_"))
        return self.module(endpoint).sync(client=self._client, body=getattr(self.models, f"{made}Request")(**fields))

    def upload(self, content: bytes) -> Any:
        file: Any = import_module(f"{NAME}.types").File(payload=BytesIO(content))
        return self.module("put_upload").sync(client=self._client, body=file)

    def module(self, endpoint: str) -> ModuleType:
        return import_module(f"{NAME}.api.default.{endpoint}")


def test_nobody_is_told_without_signing_in(served: Served) -> None:
    assert httpx.get(f"{served.url}/api/openapi.json").status_code == 401


def test_it_uploads_asks_reads_the_answer_and_says_how_it_did(served: Served, generated: Path, key: str) -> None:
    call = Called(served, key)
    taken = call.upload(POLICY.read_bytes())
    assert isinstance(taken, call.models.Uploaded)
    submitted = call("upload_document", file=taken.path, name=POLICY.name)
    assert submitted["status"] == "accepted"

    answer = call("ask", question="How soon must expenses be submitted?")
    assert isinstance(answer, call.models.AnswerGiven)
    assert answer.outcome == "answered"
    assert [source.title for source in answer.sources]
    passage = call("read_passage", item_id=answer.sources[0].passages[0].item_id)
    assert isinstance(passage, call.models.PassageRead)
    assert answer.quotes[0].text[:40] in passage.text

    said = call(
        "record_feedback", message_id=answer.message_id, outcome=call.models.RecordFeedbackRequestOutcome.WORKED
    )
    assert isinstance(said, call.models.FeedbackGiven)
    assert said.outcome == "worked"

    refused = call("get_document", document_id="doc_00000000000000000000000000000000")
    assert isinstance(refused, call.models.Problem)
    assert refused.problem.what


def test_who_accepts_lines_is_given_each_reply_as_it_comes(served: Served, key: str) -> None:
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/x-ndjson"}
    asked = {"question": "How soon must expenses be submitted?"}
    told = httpx.post(f"{served.url}/api/ask", json=asked, headers=headers, timeout=PATIENCE)
    assert told.headers["content-type"].startswith("application/x-ndjson")
    replies = [json.loads(line) for line in told.text.splitlines()]
    assert len(replies) > 1
    assert replies[-1]["outcome"] == "answered"
