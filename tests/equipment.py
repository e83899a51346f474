"""Finds or installs the programs that the tests need: Chromium, Redis, nginx, LibreOffice. Run it with ``python -m
tests.equipment``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
"""Chromium's headless version, which Playwright uses as well: it shows the same pages with a seventh less processor
time."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)


def find_browser() -> str | None:
    """The path of a Chromium on this machine, Playwright's own included."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return found or next((place for place in PLACES if Path(place).exists()), None) or _playwrights()


def find_nginx() -> str | None:
    """Returns the path of nginx. Debian installs it in a folder that is only on an administrator's ``PATH``."""
    return shutil.which("nginx") or next((place for place in ("/usr/sbin/nginx",) if Path(place).exists()), None)


def find_office() -> str | None:
    """Returns the path of LibreOffice, which recalculates the formulas of exported workbooks."""
    return next((path for name in ("soffice", "libreoffice") if (path := shutil.which(name))), None)


def _playwrights() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install(*packages: str) -> bool:
    """Installs Debian packages (names, and options of apt-get), if this is Debian and we have the rights."""
    if not (shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0):
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=False, env=environment)
    command = ["apt-get", "install", "-y", "-qq", *packages]
    return subprocess.run(command, check=False, env=environment, stdout=subprocess.DEVNULL).returncode == 0


def main() -> int:
    """Installs what is missing. Without a browser the tests cannot run; without an OCR engine, tests of scanned pages
    are skipped."""
    if find_browser() is None and not install("chromium", "fonts-noto-core"):
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if shutil.which(SHELL) is None:
        install(SHELL)  # If the headless version is not available, the full Chromium works as well.
    if shutil.which("tesseract") is None and not install("tesseract-ocr", "tesseract-ocr-heb"):
        print(
            "no tesseract, so scanned pages are not tested. On Debian: apt-get install tesseract-ocr tesseract-ocr-heb"
        )
    if shutil.which("redis-server") is None and not install("redis-server"):
        print("no redis-server, so tests of several processes fail. On Debian: apt-get install redis-server")
    if find_nginx() is None and not install("nginx-light"):
        print("no nginx, so tests of servers behind one address fail. On Debian: apt-get install nginx-light")
    office = ("--no-install-recommends", "libreoffice-calc", "libreoffice-writer")
    if find_office() is None and not install(*office):
        print("no LibreOffice, so the test of exported formulas fails. On Debian: apt-get install libreoffice-calc")
    path = find_browser()
    if path is None:
        print(
            "The interface tests need a Chromium and none could be installed. Run one of:\n"
            "  sudo apt-get install chromium\n"
            f"  {sys.executable} -m playwright install --with-deps chromium",
            file=sys.stderr,
        )
        return 1
    print(f"browser: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
