"""Known faults of what the workbench is made of: ``requirements.lock`` -> what a service knows of it, as lines.

``python -m tests.known_faults [ADDRESS]`` asks OSV, or a mirror of it at ``ADDRESS``; where nobody answers, that is
said and is no failure.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from pydantic import BaseModel

SERVICE = "https://api.osv.dev/v1/query"
LOCK = Path(__file__).parents[1] / "requirements.lock"


class Fault(BaseModel):
    """``fix_versions`` are those that no longer have it."""

    id: str
    fix_versions: list[str] = []


class Dependency(BaseModel):
    """One that was asked about; ``skip_reason`` where it was not."""

    name: str
    version: str = ""
    vulns: list[Fault] = []
    skip_reason: str | None = None


class Report(BaseModel):
    """What ``pip-audit --format json`` prints."""

    dependencies: list[Dependency]


def asked(service: str, lock: Path = LOCK) -> Report | None:
    """``None`` where the service does not answer. Nothing is installed or resolved: versions are those of the lock."""
    with tempfile.TemporaryDirectory() as cache:
        options = ["--require-hashes", "--disable-pip", "--requirement", str(lock), "--progress-spinner", "off"]
        options += ["--vulnerability-service", "osv", "--osv-url", service, "--cache-dir", cache, "--format", "json"]
        command = [sys.executable, "-m", "pip_audit", *options]
        told = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return Report.model_validate(json.loads(told.stdout))
    except ValueError:
        return None


def lines(report: Report) -> list[str]:
    """A fault a line, then how many packages were asked about."""
    found = [
        f"{each.name} {each.version}: {fault.id}, mended in {', '.join(fault.fix_versions) or 'no version yet'}"
        for each in report.dependencies
        for fault in each.vulns
    ]
    looked_at = sum(each.skip_reason is None for each in report.dependencies)
    return [*found, f"{len(found)} known faults in {looked_at} packages"]


def main(arguments: list[str]) -> int:
    """1 where there are faults."""
    service = arguments[0] if arguments else SERVICE
    report = asked(service)
    if report is None:
        print(f"Known faults could not be asked for: {service} does not answer.")
        return 0
    print("\n".join(lines(report)))
    return int(any(each.vulns for each in report.dependencies))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
