"""Finds a Chromium for the interface tests, or installs one: ``python -m tests.browser``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)


def find_browser() -> str | None:
    """The path of a Chromium on this machine, Playwright's own included."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return found or next((place for place in PLACES if Path(place).exists()), None) or _playwrights()


def _playwrights() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install_browser() -> None:
    """The system's package when we are root on Debian, else Playwright's download."""
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], check=False, env=environment)
        packages = ["chromium", "fonts-noto-core"]
        if subprocess.run(["apt-get", "install", "-y", "-qq", *packages], check=False, env=environment).returncode == 0:
            return
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> int:
    if find_browser() is None:
        install_browser()
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
