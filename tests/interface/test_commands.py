"""Tests the ``palimpsest`` command with and without a running server: output, exit codes, and error messages."""

from __future__ import annotations

import json
import os
import socket
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from core.store.data_directory import LOCK, TOKEN, find_holder
from tests.interface.commands import Commands
from tests.interface.conftest import Served, free_port

pytestmark = pytest.mark.interface

SAMPLES = Path(__file__).parents[2] / "sample_docs"
POLICY = SAMPLES / "travel-and-expense-policy-2024.md"
QUESTION = "What is the lodging limit in Israel?"
HEBREW = {"LANG": "he_IL.UTF-8", "LC_ALL": ""}


@pytest.fixture(scope="module")
def served(serve: Callable[..., Served]) -> Served:
    return serve(PALIMPSEST_DENSE_ENABLED="false")


@pytest.fixture(scope="module")
def commands(served: Served) -> Commands:
    found = Commands.beside(served)
    assert found("add", str(POLICY)).code == 0
    return found


def test_a_file_is_added_and_read(served: Served, tmp_path: Path) -> None:
    commands = Commands.beside(served)
    file = tmp_path / "pumps.md"
    file.write_text("# Pumps\n\nThe pumps are serviced in April.\n")
    added = commands("add", str(file), str(tmp_path / "nowhere.md"), "--json")
    assert added.code == 1
    taken, refused = added.json["documents"]
    assert (taken["status"], taken["document"]["state"], taken["document"]["searchable"]) == (
        "accepted",
        "completed",
        1,
    )
    assert refused["status"] == "refused"
    assert "nowhere.md" in added.err
    again = commands("add", str(file))
    assert (again.code, again.out.strip()) == (0, "Pumps: already in the library")
    file.write_text("# Pumps\n\nThe pumps are serviced in May.\n")
    other = commands("add", str(file))
    assert other.code == 1
    assert "--replace" in other.out
    assert commands("add", "--replace", str(file)).code == 0
    found = commands("search", "when are the pumps serviced", "--json").json
    assert "May" in found["passages"][0]["text"]


def test_each_file_of_an_archive_has_a_line_of_its_own(served: Served, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("valves.md", "# Valves\n\nThe valves are changed in June.\n")
        archive.writestr("film.mp4", "x")
    added = Commands.beside(served)("add", str(tmp_path / "all.zip"), "--json")
    taken, refused = added.json["documents"]
    assert (taken["status"], taken["document"]["state"]) == ("accepted", "completed")
    assert (refused["status"], refused["name"], added.code) == ("refused", "film.mp4", 1)
    assert "film.mp4" in added.err


def test_an_answer_is_printed_with_its_sources(commands: Commands) -> None:
    printed = commands("ask", QUESTION)
    assert printed.code == 0, printed.err
    assert "620" in printed.out
    assert "[1] " in printed.out
    given = commands("ask", "-", "--json", stdin=QUESTION).json
    assert given["outcome"] == "answered"
    assert given["sources"][0]["filename"] == POLICY.name
    further = commands("ask", "And abroad?", "--conversation", given["conversation_id"], "--json").json
    assert further["conversation_id"] == given["conversation_id"]


def test_words_are_searched(commands: Commands) -> None:
    printed = commands("search", "lodging", "limit", "--limit", "1")
    assert printed.code == 0
    assert "ILS 620" in printed.out
    assert "[mem_" in printed.out
    nothing = commands("search", "zebrafish")
    assert (nothing.code, nothing.out.split("\n")[0]) == (0, "Nothing was found.")
    assert commands("search", "zebrafish", "--json").json["passages"] == []


def test_what_is_asked_back_is_answered_by_another_command(commands: Commands) -> None:
    asked = commands("ask", "Compare it.", "--action", "compare", "--json")
    assert asked.code == 3
    pending = asked.json["interrupt"]
    printed = commands("answer", asked.json["run_id"], "ask_of_another", "--cancel")
    assert printed.code == 1
    ended = commands("answer", asked.json["run_id"], pending["interrupt_id"], "--cancel", "--json")
    assert (ended.code, ended.json["outcome"]) == (0, "cancelled")
    shown = commands("ask", "Compare it.", "--action", "compare")
    assert shown.code == 3
    assert "interrupt_id: ask_" in shown.out


def test_errors_are_told_in_the_person_s_language_and_their_details_to_the_log(served: Served) -> None:
    hebrew = Commands.beside(served, **HEBREW)
    unknown = hebrew("ask", "שאלה", "--conversation", "conv_" + "0" * 32, "--json")
    assert unknown.code == 1
    assert "השיחה" in unknown.err
    assert unknown.json["problem"]["what"] in unknown.err
    assert "Traceback" not in unknown.err
    assert "refused by the server" not in unknown.err
    log = served.home / "command.log"
    assert "refused by the server" in log.read_text()
    if os.name == "posix":
        assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert "לשאול שאלה" in hebrew("--help").out
    wrong = hebrew("ask", "שאלה", "--mode", "slow")
    assert wrong.code == 2
    assert "בפקודה" in wrong.err
    other = Commands.beside(served, **HEBREW, PALIMPSEST_HOST="0.0.0.0")("search", "x")
    assert other.code == 2
    assert "בהגדרות" in other.err


def test_somebody_who_is_not_there_is_not_spoken_for(served: Served) -> None:
    refused = Commands.beside(served)("search", "lodging", "--user", "carla")
    assert refused.code == 1
    assert "refused this command" in refused.err


def test_each_person_is_spoken_for_alone(serve: Callable[..., Served], tmp_path: Path) -> None:
    served = serve(PALIMPSEST_DENSE_ENABLED="false", PALIMPSEST_USERS='{"ada": "analytical", "נועה": "loom-1945"}')
    commands = Commands.beside(served)
    file = tmp_path / "secret.md"
    file.write_text("# Secret\n\nThe zebrafish swims at night.\n")
    assert commands("add", str(file), "--user", "נועה").code == 0
    assert commands("search", "zebrafish", "--user", "נועה", "--json").json["passages"]
    for person in ([], ["--user", "ada"]):
        assert commands("search", "zebrafish", *person, "--json").json["passages"] == []


def test_people_are_looked_after_beside_the_server(serve: Callable[..., Served]) -> None:
    served = serve(PALIMPSEST_DENSE_ENABLED="false")
    commands = Commands.beside(served)
    assert commands("users").out.strip() == "No accounts exist yet."
    first = commands("users", "add", "ada", stdin="analytical engine\n")
    assert (first.code, "as an administrator" in first.err) == (1, True)
    assert commands("users", "add", "ada", "--administrator", stdin="analytical engine\n").code == 0
    short = commands("users", "add", "נועה", "--json", stdin="short\n")
    assert (short.code, "problem" in short.json, "short" in short.out) == (1, True, False)
    assert commands("users", "add", "נועה", stdin="loom of 1945\n").code == 0
    assert _signs_in(served, "נועה", "loom of 1945")
    assert commands("users", "password", "נועה", stdin="another loom\n").code == 0
    assert not _signs_in(served, "נועה", "loom of 1945")
    assert _signs_in(served, "נועה", "another loom")
    assert commands("users", "role", "נועה", "administrator").code == 0
    listed = {each["name"]: each["role"] for each in commands("users", "list", "--json").json["people"]}
    assert listed == {"ada": "administrator", "נועה": "administrator"}
    assert commands("users", "group", "נועה", "Office").code == 0
    assert "Office" in commands("users").out
    assert commands("users", "group", "נועה").code == 0
    assert "Office" not in commands("users").out
    assert "--yes" in commands("users", "remove", "נועה").err
    assert commands("users", "remove", "נועה", "--yes").code == 0
    assert not _signs_in(served, "נועה", "another loom")
    assert commands("users", "role", "ada", "person").code == 1, "somebody is always administrator"


def _signs_in(served: Served, name: str, password: str) -> bool:
    reply = httpx.post(f"{served.url}/login", data={"name": name, "password": password})
    return reply.status_code == 303


def test_the_plain_door_takes_json_of_who_is_let_in(served: Served) -> None:
    holder = find_holder(served.home)
    assert holder
    known = {"Authorization": f"Bearer {holder.token}"}
    api = f"{served.url}/api"
    assert httpx.post(f"{api}/list_documents", json={}, headers=known).status_code == 200
    assert httpx.post(f"{api}/list_documents", json={}).status_code == 200, "nobody logs in here"
    assert httpx.post(f"{api}/list_documents", json={}, headers={"Authorization": "Bearer pal_x"}).status_code == 401
    plain = httpx.post(f"{api}/list_documents", content=b"{}", headers={"Content-Type": "text/plain"})
    assert (plain.status_code, plain.json()["problem"]["what"]) == (400, "This request cannot be read.")
    assert httpx.post(f"{api}/list_documents", json=[1]).status_code == 400
    assert httpx.post(f"{api}/no_such_thing", json={}).status_code == 404
    assert httpx.post(f"{api}/search", json={"query": ""}).status_code == 400
    foreign = httpx.post(f"{api}/list_documents", json={}, headers={"Origin": "http://elsewhere.example"})
    assert foreign.status_code == 403
    big = httpx.post(f"{api}/add_document", content=b'{"name": "' + b"x" * 5_000_000, headers={
        "Content-Type": "application/json"
    })  # fmt: skip
    assert big.status_code == 400
    hebrew = httpx.post(f"{api}/no_such_thing", json={}, headers={"Accept-Language": "he"})
    assert "נקודת קצה" in hebrew.json()["problem"]["what"]
    wanted = {"Accept": "application/x-ndjson"}
    lines = httpx.post(f"{api}/ask", json={"question": QUESTION}, headers=wanted).text.splitlines()
    assert len(lines) > 1
    assert json.loads(lines[-1])["outcome"] == "answered"


def test_the_token_is_of_this_start_and_goes_with_the_server(served: Served) -> None:
    first = find_holder(served.home)
    assert first
    assert first.address == served.url
    if os.name == "posix":
        assert stat.S_IMODE((served.home / TOKEN).stat().st_mode) == 0o600
    served.stop()
    assert not (served.home / TOKEN).exists()
    assert (served.home / LOCK).read_text() == ""
    served.start()
    second = find_holder(served.home)
    assert second
    assert second.token != first.token
    served.kill()
    assert find_holder(served.home) == second, "a kill leaves it"
    served.start()
    third = find_holder(served.home)
    assert third
    assert third.token not in (first.token, second.token)
    assert httpx.get(served.url + "/api", headers={"Authorization": f"Bearer {second.token}"}).status_code == 401


def test_without_a_server_a_command_opens_the_folder_itself_and_others_share_it(tmp_path: Path) -> None:
    commands = Commands.on(tmp_path / "palimpsest", free_port())
    file = tmp_path / "pumps.md"
    file.write_text("# Pumps\n\nThe pumps are serviced in April.\n")
    assert commands("add", str(file)).code == 0
    both = [commands.begun("search", "pumps", "--json") for _ in range(2)]
    for process in both:
        out, err = process.communicate(timeout=180)
        assert process.returncode == 0, err
        assert "April" in json.loads(out)["passages"][0]["text"]
    assert not (tmp_path / "palimpsest" / TOKEN).exists()
    assert (tmp_path / "palimpsest" / LOCK).read_text() == ""


def test_what_is_run_is_looked_after_beside_the_server(served: Served, tmp_path: Path) -> None:
    """Backup, dry run, restore, check, reindex, doctor: one sequence, in the order of a real incident."""
    commands = Commands.beside(served)
    assert commands("add", str(POLICY)).code == 0
    made = commands("backup", str(tmp_path), "--json").json
    path = Path(made["path"])
    assert (path.parent, path.stat().st_mode & 0o077) == (tmp_path, 0)
    assert made["summary"]["kinds"]["documents"]["total"] > 0
    would = commands("restore", str(path), "--dry-run")
    assert would.out.strip().endswith("Nothing was changed."), would.err
    assert "Unchanged" in would.out
    assert commands("restore", str(path), "--json").json["summary"]["kinds"]["documents"]["added"] == 0
    path.write_bytes(path.read_bytes()[:-100])
    damaged = Commands.beside(served, **HEBREW)("restore", str(path))
    assert (damaged.code, "גיבוי" in damaged.err) == (1, True)
    assert commands("backup", "--list").out.strip() == "There are no backups yet."
    assert commands("check").code == 0
    assert commands("check", "--repair", "--json").json["differences"] == 0
    rebuilt = commands("reindex", "--json")
    assert (rebuilt.code, rebuilt.json["last"]["state"]) == (0, "completed"), rebuilt.err
    assert "in use again" in commands("reindex", "--roll-back").out
    looked = commands("doctor", "--json")
    found = {each["check"]: each for each in looked.json["findings"]}
    assert found["index"]["state"] == "green"
    assert found["meaning"]["warning"] == "meaning_switched_off"
    assert looked.code == int(any(each["state"] == "red" for each in found.values()))


def test_a_folder_that_nobody_serves_is_looked_after_too(tmp_path: Path) -> None:
    home, port = tmp_path / "palimpsest", free_port()
    commands = Commands.on(home, port)
    assert "There is nothing to back up yet." in commands("doctor").out
    assert commands("add", str(POLICY)).code == 0
    made = commands("backup", str(tmp_path / "all.zip"))
    assert made.out.startswith(f"Written to {tmp_path / 'all.zip'}"), made.err
    other = Commands.on(tmp_path / "other", port)
    assert other("restore", str(tmp_path / "all.zip")).code == 0
    assert other("search", "lodging", "--json").json["passages"]
    (home / "truth.sqlite").write_bytes(b"scribble" * 4000)
    looked = commands("doctor", "--json")
    assert looked.code == 1
    assert "truth_unreadable" in {each["warning"] for each in looked.json["findings"]}
    refused = commands("serve")
    assert (refused.code, refused.out) == (1, "")
    assert "cannot be read" in refused.err
    assert commands("restore", str(tmp_path / "all.zip")).code == 0
    assert commands("search", "lodging", "--json").json["passages"]
    assert [each.name for each in home.glob("damaged-*/*")] == ["truth.sqlite"]
    for name in ("truth.sqlite", "truth.sqlite-wal", "truth.sqlite-shm"):
        (home / name).unlink(missing_ok=True)
    assert commands("rebuild").out.strip() == "Files being read again: 1."
    assert commands("search", "lodging", "--json").json["passages"]


def test_a_port_in_use_is_said_before_anything_is_promised(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = Commands.on(tmp_path / "palimpsest", port)("serve")
    assert (refused.code, refused.out) == (1, "")
    assert [str(port) in line for line in refused.err.splitlines() if "INFO" not in line][-1]
    assert "Traceback" not in refused.err
