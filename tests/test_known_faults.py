"""Tests ``make audit``: it lists known vulnerabilities, or reports that no service answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.known_faults import LOCK, asked, main
from tests.servers.local import LocalServer, Reply, Request, json_reply

FAULT = {
    "id": "PYSEC-2026-1",
    "summary": "It reads what it should not.",
    "affected": [
        {
            "package": {"name": "httpx", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "99.0"}]}],
        }
    ],
}


def knows_one(request: Request) -> Reply:
    """Replies like the OSV service: one vulnerability of httpx, and no entries for other packages."""
    faulty = request.body["package"]["name"] == "httpx"
    return json_reply({"vulns": [FAULT]} if faulty else {})


def test_a_known_fault_is_told_with_the_version_that_mends_it(capsys: pytest.CaptureFixture[str]) -> None:
    with LocalServer(responder=knows_one) as server:
        assert main([f"{server.url}/v1/query"]) == 1
        lock = LOCK.read_text(encoding="utf-8")
        names = {line.split("==")[0] for line in lock.splitlines() if "==" in line and not line.startswith(" ")}
        assert {request.body["package"]["name"] for request in server.requests} <= names
    fault, counted = capsys.readouterr().out.splitlines()
    assert fault.startswith("httpx ")
    assert fault.endswith("PYSEC-2026-1, mended in 99.0")
    assert counted.startswith("1 known faults in ")


def test_without_faults_all_is_well(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text("httpx==0.28.1 \\\n    --hash=sha256:" + "0" * 64 + "\n", encoding="utf-8")
    with LocalServer(responder=lambda _: json_reply({})) as server:
        report = asked(f"{server.url}/v1/query", lock)
    assert report is not None
    assert [(each.name, each.vulns) for each in report.dependencies] == [("httpx", [])]


def test_that_nobody_answers_is_said_in_one_line_and_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["http://127.0.0.1:9/v1/query"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Known faults could not be asked for: http://127.0.0.1:9/v1/query does not answer."
    ]
