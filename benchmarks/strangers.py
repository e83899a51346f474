"""Measures the product with texts that other people wrote: ``python -m benchmarks.strangers --data FOLDER --suffix dev
[--part NAME] [--json FILE]``.

A folder contains texts by people who know nothing of this project, with the expected results, one file per part, named
``PART_SUFFIX.yaml``. A part whose file is missing is reported and skipped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import strangers_audit, strangers_compare, strangers_pdf, strangers_support, strangers_utterances
from benchmarks.report import Report

Part = Callable[[Path, str, Report], None]
"""Measures one part: takes folder and suffix, and adds its figures to the report."""

PARTS: dict[str, Part] = {
    "utterances": strangers_utterances.measure,
    "audit": strangers_audit.measure,
    "support": strangers_support.measure,
    "compare": strangers_compare.measure,
    "pdf_text": strangers_pdf.measure,
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with PART_SUFFIX.yaml and pdfs/")
    parser.add_argument("--suffix", default="dev", help="which of several sets of the folder")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this one; may be given again")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args(arguments)
    report = Report(f"Strangers ({options.suffix})")
    for name in options.part or PARTS:
        source = options.data / f"{name}_{options.suffix}.yaml"
        if source.exists():
            PARTS[name](options.data, options.suffix, report)
        else:
            report.notes.append(f"Left out: {source} does not exist.")
    return report.finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
