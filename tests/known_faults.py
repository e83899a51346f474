"""Known vulnerabilities of the packages in ``requirements.lock``, as text lines.

``python -m tests.known_faults [ADDRESS]`` asks the OSV service, or a mirror of it at ``ADDRESS``. If the service does
not answer, this is reported and does not count as a failure.
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
    """A vulnerability; ``fix_versions`` are the package versions in which it is fixed."""

    id: str
    fix_versions: list[str] = []


class Dependency(BaseModel):
    """A package in the report. If it could not be checked, ``skip_reason`` says why."""

    name: str
    version: str = ""
    vulns: list[Fault] = []
    skip_reason: str | None = None


class Report(BaseModel):
    """The output of ``pip-audit --format json``."""

    dependencies: list[Dependency]


def asked(service: str, lock: Path = LOCK) -> Report | None:
    """Returns the report, or ``None`` if the service does not answer. Installs nothing: the versions come from the lock
    file."""
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
    """Returns one line per vulnerability, then the number of checked packages."""
    found = [
        f"{each.name} {each.version}: {fault.id}, mended in {', '.join(fault.fix_versions) or 'no version yet'}"
        for each in report.dependencies
        for fault in each.vulns
    ]
    looked_at = sum(each.skip_reason is None for each in report.dependencies)
    return [*found, f"{len(found)} known faults in {looked_at} packages"]


def main(arguments: list[str]) -> int:
    """Returns 1 if there are vulnerabilities."""
    service = arguments[0] if arguments else SERVICE
    report = asked(service)
    if report is None:
        print(f"Known faults could not be asked for: {service} does not answer.")
        return 0
    print("\n".join(lines(report)))
    return int(any(each.vulns for each in report.dependencies))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
