"""Tests every page for accessibility: axe findings, sizes of click targets, and content that fits small screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pages.kept_files import kept
from tests.interface.conftest import READY, ROOT, Served
from tests.interface.tour import go, tour, with_samples

pytestmark = pytest.mark.interface

AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
GRAVE = ("serious", "critical")
LOOK = """async ([rules, grave]) => (await axe.run(document, { resultTypes: ["violations"], ...rules })).violations
    .filter(({ impact }) => grave.includes(impact))
    .map(({ id, nodes }) => [id, ...nodes.map(({ target, html }) => `${target.join(" ")}: ${html.slice(0, 160)}`)])"""
COLOURS = {"runOnly": ["color-contrast"]}
SMALLEST = 24
"""Minimum width and height in pixels of a click target (WCAG 2.5.8)."""
TOO_SMALL = """(least) => {
    const clicked = 'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=option]';
    const large = (node) => {
        const { width, height } = node.getBoundingClientRect();
        return width >= least && height >= least;
    };
    const shown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    return [...document.querySelectorAll(clicked)]
        .filter((node) => shown(node) && node.getClientRects().length && !node.disabled)
        .filter((node) => !large(node) && ![...(node.labels ?? [])].some(large))
        .map((node) => node.outerHTML.slice(0, 160));
}"""
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"
PREFER = f"async (preferred) => (await import('{kept('/page/shared/bus.js')}')).send('preferred', preferred)"
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def served(serve: Callable[..., Served]) -> Served:
    return serve(PALIMPSEST_DENSE_ENABLED="false", PALIMPSEST_USERS='{"ada": "analytical"}')


@pytest.fixture
def entered(served: Served, opened: Callable[..., Page]) -> Page:
    """Opens a page before sign-in, without animation: during a fade-in, contrast is only half."""
    page = opened(f"{served.url}/login", until="form")
    page.emulate_media(reduced_motion="reduce")
    return page


def sign_in(page: Page) -> None:
    page.fill("input[name=name]", "ada")
    page.fill("input[name=password]", "analytical")
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    page.wait_for_load_state("networkidle")  # By then, the page has received this user's preferences.


def prefer(page: Page, **preferred: str) -> None:
    page.evaluate(PREFER, preferred)
    for name, attribute in (("language", "lang"), ("theme", "data-theme")):
        if name in preferred:
            expect(page.locator("html")).to_have_attribute(attribute, preferred[name])
    if "language" in preferred:
        page.wait_for_load_state("networkidle")


def grave(page: Page, rules: dict[str, Any]) -> list[list[str]]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: list[list[str]] = page.evaluate(LOOK, [rules, GRAVE])
    return found


def misfits(page: Page) -> list[str]:
    """Returns elements that are too small or too wide, on a large screen and on a small one."""
    found = []
    for size in (NARROW, WIDE):
        page.set_viewport_size(size)
        found += [f"{size['width']} px: {each}" for each in page.evaluate(TOO_SMALL, SMALLEST)]
        found += [f"{size['width']} px: scrolls sideways"] if page.evaluate(SIDEWAYS) > 0 else []
    return found


def test_every_page_is_for_everybody_in_both_languages_themes_and_sizes(entered: Page) -> None:
    """In the second theme only colours are checked: nothing else changes."""
    page = entered
    faults: list[Any] = [("login", each) for each in [*grave(page, {}), *misfits(page)]]
    sign_in(page)
    languages, theme = ["en", "he"], "light"
    for place in tour(page):
        for language in languages:
            prefer(page, language=language)
            faults += [(place, language, each) for each in [*grave(page, {}), *misfits(page)]]
            theme = "dark" if theme == "light" else "light"
            prefer(page, theme=theme)
            faults += [(place, language, theme, each) for each in grave(page, COLOURS)]
        languages.reverse()
    assert not faults, "\n".join(map(str, faults))


def test_what_is_wrong_is_seen(entered: Page) -> None:
    page = entered
    page.evaluate("() => document.body.insertAdjacentHTML('beforeend', '<button></button><img src=data:,>')")
    assert {each[0] for each in grave(page, {})} >= {"button-name", "image-alt"}
    page.evaluate("() => document.body.insertAdjacentHTML('beforeend', '<p style=width:2000px>wide</p>')")
    assert {"390 px: scrolls sideways", "1440 px: scrolls sideways"} < set(misfits(page))


def test_the_dock_is_as_wide_as_it_was_put_and_its_memory_searches_filters_and_pins(entered: Page) -> None:
    page = entered
    sign_in(page)
    prefer(page, language="en", theme="light")  # Sets this user's theme, whatever was chosen before.
    edge, dock = page.locator("[role=separator]"), page.locator(".dock")
    expect(page.locator(".welcome h1")).to_be_visible()
    edge.focus()
    for key, width in (("Home", 240), ("ArrowLeft", 256), ("End", 520), ("ArrowLeft", 520), ("ArrowRight", 504)):
        page.keyboard.press(key)
        expect(edge).to_have_attribute("aria-valuenow", str(width))
        assert dock.bounding_box()["width"] == width
    box = edge.bounding_box()
    page.mouse.move(box["x"] + 12, 400)
    page.mouse.down()
    page.mouse.move(box["x"] + 12 + 104, 400, steps=4)
    page.mouse.up()
    expect(edge).to_have_attribute("aria-valuenow", "400")
    page.reload()
    page.wait_for_load_state("networkidle")  # By then, the page has received this user's preferences.
    expect(edge).to_have_attribute("aria-valuenow", "400")
    prefer(page, language="he")
    edge.focus()
    page.keyboard.press("ArrowRight")
    expect(edge).to_have_attribute("aria-valuenow", "416")
    prefer(page, language="en")

    with_samples(page)
    go(page, "chat")
    dock.locator("[data-view=memory]").click()
    dock.locator("[name=query]").fill("households water")
    dock.locator("[name=query]").press("Enter")
    hits = dock.locator(".hit")
    expect(hits.first).to_be_visible()
    dock.locator("[data-tier=books]").click()
    expect(dock.locator(".hit .tier:not(.books)")).to_have_count(0)
    expect(hits.first).to_contain_text("Hadar")
    dock.locator("[data-tier=books]").click()
    hits.get_by_role("button", name="Add to the memory bank").first.click()
    dock.locator("form.entry button[type=submit]").click()
    expect(page.locator(".pal-notices .toast")).to_be_visible()
