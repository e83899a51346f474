"""Tests two users with logins in two browsers, and the endpoints without a login."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from gradio_client import Client, handle_file
from playwright.sync_api import Page, expect

from tests.interface.browsing import Browsing
from tests.interface.conftest import ROOT, Served, environment_for, free_port, until_healthy
from tests.servers.openid_provider import CLIENT, SECRET, OpenIdProvider

pytestmark = pytest.mark.interface

SAMPLES = Path(__file__).parents[2] / "sample_docs"
POLICY = SAMPLES / "travel-and-expense-policy-2024.md"


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenIdProvider]:
    with OpenIdProvider.serving_aside() as served:
        yield served


@pytest.fixture(scope="module")
def guarded(serve, provider: OpenIdProvider):
    return serve(
        PALIMPSEST_DENSE_ENABLED="false",
        PALIMPSEST_USERS='{"ada": "analytical", "bob": "builder"}',
        PALIMPSEST_OPENID__ISSUER=provider.issuer,
        PALIMPSEST_OPENID__CLIENT_ID=CLIENT,
        PALIMPSEST_OPENID__CLIENT_SECRET=SECRET,
        PALIMPSEST_OPENID__NAME="the office",
    )


@pytest.mark.parametrize(
    "path",
    [
        "/config",
        "/gradio_api/info",
        "/live/library",
        "/live/knowledge",
        "/live/open-data",
        "/live/runs/run_" + "1" * 32,
        "/gradio_api/file=/etc/hosts",
    ],
)
def test_nothing_answers_without_a_session(guarded, path: str) -> None:
    assert httpx.get(guarded.url + path).status_code in (401, 404)


def test_health_and_login_are_open(guarded) -> None:
    assert httpx.get(f"{guarded.url}/health").status_code == 200
    assert httpx.get(guarded.url).headers["location"] == "/login"
    assert httpx.post(f"{guarded.url}/login", data={"name": "ada", "password": "wrong"}).status_code == 401


def test_two_people_see_nothing_of_each_other(guarded, signed_in: Callable[..., Page]) -> None:
    ada = signed_in(guarded, "ada", "analytical")
    ada.locator("[role=tab][data-tab=library]").click()
    ada.locator(".pal-library input[type=file]").set_input_files(POLICY)
    expect(ada.locator(".pal-library .rows .row:not(.head)")).to_have_count(1, timeout=60_000)
    ada.locator("[role=tab][data-tab=chat]").click()
    ada.locator(".composer textarea").fill("What is the lodging limit in Israel?")
    ada.keyboard.press("Enter")
    expect(ada.locator(".answer:not(.live)")).to_be_visible()
    expect(ada.locator("[data-sign-out] button")).to_be_visible()
    conversation = ada.url.split("c=")[1]
    run = ada.locator(".answer").get_attribute("data-run")

    bob = signed_in(guarded, "bob", "builder")
    expect(bob.locator(".conversations .none")).to_be_visible()
    bob.locator("[role=tab][data-tab=library]").click()
    expect(bob.locator(".pal-library .empty")).to_be_visible()
    bob.goto(f"{guarded.url}/?tab=chat&c={conversation}")
    expect(bob.locator(".pal-notices .problem")).to_contain_text("This conversation does not exist")
    expect(bob.locator(".answer")).to_have_count(0)
    assert bob.request.get(f"{guarded.url}/live/runs/{run}").status == 404
    bob.goto(f"{guarded.url}/?tab=chat")
    bob.locator(".composer textarea").fill("What is the lodging limit in Israel?")
    bob.keyboard.press("Enter")
    expect(bob.locator(".answer:not(.live)")).to_contain_text("You have no documents to search yet")


def settings_of(page: Page) -> Page:
    page.locator("[role=tab][data-tab=settings]").click()
    expect(page.locator(".card.account")).to_be_visible()
    return page


def test_somebody_is_added_and_takes_another_password(guarded, signed_in: Callable[..., Page]) -> None:
    ada = settings_of(signed_in(guarded, "ada", "analytical"))
    new = ada.locator(".people-card > form")
    new.locator("[name=person]").fill("נגה בן־דוד")
    new.locator("[name=password]").fill("jacquard loom")
    new.locator("button").click()
    expect(ada.locator(".people li")).to_have_count(3)

    noga = settings_of(signed_in(guarded, "נגה בן־דוד", "jacquard loom"))
    expect(noga.locator(".account .who")).to_contain_text("נגה בן־דוד")
    expect(noga.locator(".card.people-card")).to_be_hidden()
    kept = noga.context.cookies()[0]["value"]
    form = noga.locator(".account > form")
    for name, typed in (("old", "jacquard loom"), ("fresh", "difference engine"), ("again", "difference engine")):
        form.locator(f"[name={name}]").fill(typed)
    form.locator("button").click()
    noga.wait_for_url("**/login")
    stale = httpx.get(f"{guarded.url}/config", headers={"cookie": f"palimpsest_session={kept}"})
    assert stale.status_code == 401
    assert stale.json()["problem"]["what"] == "You are signed out."
    settings_of(signed_in(guarded, "נגה בן־דוד", "difference engine"))

    ada.locator("[role=tab][data-tab=system]").click()
    trail = ada.locator(".audit .entries")
    expect(trail.locator("li.account_changed").first).to_contain_text("נגה בן־דוד")
    expect(trail.locator("li.account_made")).to_have_count(1)
    ada.locator(".audit select").select_option("account_made")
    expect(trail.locator("li")).to_have_count(1)
    settings_of(ada)
    row = ada.locator(".people li").nth(2)
    row.get_by_role("button", name="Remove נגה").click()
    row.locator("button.sure").click()
    expect(ada.locator(".people li")).to_have_count(2)
    left = httpx.post(f"{guarded.url}/login", data={"name": "נגה בן־דוד", "password": "difference engine"})
    assert left.status_code == 401


def put_into_a_group(administrator: Page, place: int, group: str) -> None:
    row = administrator.locator(".people li").nth(place)
    row.get_by_role("button", name="Group").click()
    row.locator("form.with input").fill(group)
    row.locator("form.with [type=submit]").click()
    expect(administrator.locator(".people li").nth(place).locator("small")).to_contain_text(group)


CASH = "# Petty cash rules\n\nPetty cash is counted on Thursdays by two people, and at most 740 shekels are kept.\n"


def test_a_group_reads_what_one_of_it_shares(guarded, signed_in: Callable[..., Page], shoot, tmp_path: Path) -> None:
    ada = settings_of(signed_in(guarded, "ada", "analytical"))
    for place in (0, 1):
        put_into_a_group(ada, place, "Finance")
    shoot(ada, "groups-people")
    ada.locator("[role=tab][data-tab=library]").click()
    file = tmp_path / "cash.md"
    file.write_text(CASH)
    ada.locator(".pal-library input[type=file]").set_input_files(file)
    hers = ada.locator(".pal-library .rows .row", has_text="Petty cash rules")
    expect(hers.locator(".cell.language")).to_contain_text("English")
    hers.locator(".pick input").click()
    ada.locator("[data-share]").click()
    expect(hers.locator(".sharing")).to_contain_text("shared with")
    shoot(ada, "groups-owner")

    bob = signed_in(guarded, "bob", "builder")
    bob.locator("[role=tab][data-tab=library]").click()
    his = bob.locator(".pal-library .rows .row:not(.head)")
    expect(his).to_have_count(1)
    expect(his.locator(".sharing")).to_have_attribute("title", re.compile("ada.*shares it with your group"))
    expect(his.locator(".act button")).to_have_count(0)
    his.locator(".cell.title").click()
    expect(bob.locator(".pal-library .detail .owner")).to_contain_text("Shared with your group by ada")
    expect(bob.locator(".pal-library .detail .edit")).to_have_count(0)
    shoot(bob, "groups-member")
    bob.set_viewport_size({"width": 390, "height": 844})
    bob.locator(".pal-library [data-close]").click()
    bob.get_by_role("button", name="עברית").click()
    expect(bob.locator("html")).to_have_attribute("dir", "rtl")
    shoot(bob, "groups-member-he-390")
    bob.set_viewport_size({"width": 1440, "height": 900})
    bob.locator(".pal-library .rows .row:not(.head) .cell.title").click()
    bob.wait_for_selector(".pal-library .detail .owner")
    shoot(bob, "groups-member-he")
    bob.get_by_role("button", name="English").click()
    bob.locator("[role=tab][data-tab=chat]").click()
    bob.locator(".composer textarea").fill("How many shekels of petty cash are kept?")
    bob.keyboard.press("Enter")
    answer = bob.locator(".answer:not(.live)")
    expect(answer).to_contain_text("740")
    shoot(bob, "groups-answer")

    ada.locator("[data-take-back]").click()
    expect(hers.locator(".sharing")).to_have_count(0)
    answer.locator("[data-cite]").first.click()
    expect(bob.locator("body")).to_contain_text("This document no longer exists.")
    shoot(bob, "groups-taken-back")
    bob.locator("[role=tab][data-tab=library]").click()
    expect(bob.locator(".pal-library .empty")).to_be_visible()


ENDPOINTS = Path(__file__).with_name("endpoints.txt")
"""The file with one line per endpoint and its parameters. After a change, run ``python tests/interface/test_users.py``
to write it again."""


def endpoints(client: Client) -> str:
    named = client.view_api(return_format="dict", print_info=False)["named_endpoints"]
    return "".join(f"{name}({_takes(named[name])})\n" for name in sorted(named))


def _takes(endpoint: dict[str, Any]) -> str:
    return ", ".join(f"{each['parameter_name']}: {each['python_type']['type']}" for each in endpoint["parameters"])


def test_the_endpoints(serve) -> None:
    served = serve(PALIMPSEST_DENSE_ENABLED="false")
    client = Client(served.url, verbose=False)
    assert endpoints(client) == ENDPOINTS.read_text(encoding="utf-8")

    given = client.predict(handle_file(POLICY), "policy.md", "ask", api_name="/upload_document")
    assert given["status"] == "accepted"
    ends = time.monotonic() + 60
    while not client.predict("", api_name="/list_documents")[0]["searchable"]:
        assert time.monotonic() < ends
    asked = client.submit("What is the lodging limit in Israel?", api_name="/ask")
    asked.result(timeout=60)
    answer = asked.outputs()[-1]
    assert answer["outcome"] == "answered"
    assert answer["kind"] == "extractive"
    assert answer["sources"][0]["filename"] == "policy.md"

    assert list(served.home.glob("uploads/**/policy*")) == []
    document = client.predict("", api_name="/list_documents")[0]
    assert client.predict(document["id"], api_name="/delete_document") == {"deleted": document["id"]}
    assert client.predict("", api_name="/list_documents") == []
    refused = client.submit("x" * 100_000, api_name="/ask")
    assert refused.result(timeout=30)["problem"]["what"] == "The question is too long."
    assert "problem" in client.predict("run_" + "0" * 32, api_name="/cancel_run")


def test_a_second_start_on_the_same_home_names_the_first(tmp_path: Path) -> None:
    """Both are started with the command as users do; the other tests in this file fork their servers."""
    home, port, log = tmp_path / "palimpsest", free_port(), tmp_path / "log"
    command, url = [sys.executable, "app.py"], f"http://127.0.0.1:{port}"
    home.mkdir()
    with (
        log.open("wb") as written,
        subprocess.Popen(command, cwd=ROOT, env=environment_for(home, port), stdout=written, stderr=written) as first,
    ):
        try:
            until_healthy(url, lambda: first.poll() is None, log)
            assert "gradio_config" in httpx.get(url).text
            again = subprocess.run(
                command,
                cwd=ROOT,
                env=environment_for(home, 1),
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
        finally:
            first.terminate()
    assert again.returncode == 1
    assert url in again.stderr
    assert "Traceback" not in again.stderr


def test_somebody_signs_in_at_a_provider(guarded, browsing: Browsing, provider: OpenIdProvider) -> None:
    page = browsing.take(guarded.url, width=390, height=800)
    page.goto(guarded.url)
    page.get_by_role("link", name="Sign in with the office").click()
    expect(page.locator(".pal-header [role=tab][aria-selected=true]")).to_be_visible(timeout=20_000)
    assert "palimpsest_session" in {each["name"] for each in page.context.cookies()}
    page.context.clear_cookies()
    page.goto(guarded.url)
    provider.lie = lambda claims: {**claims, "aud": "another"}
    page.get_by_role("link", name="Sign in with the office").click()
    expect(page.get_by_role("alert")).to_contain_text("You were not signed in.")
    assert not page.context.cookies()
    browsing.give_back()


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "palimpsest"
        home.mkdir()
        served = Served(home)
        served.start()
        ENDPOINTS.write_text(endpoints(Client(served.url, verbose=False)), encoding="utf-8")
        served.stop()
