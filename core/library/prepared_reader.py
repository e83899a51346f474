"""The process that reads known files ahead: an order on its standard input, a line for each."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import sys
from pathlib import Path

from core.library.reader import read
from core.library.reading import Order


def main() -> None:
    """Digest, tab and reading go to standard output as they are made; a file that cannot be read is left out."""
    order = json.load(sys.stdin)
    for digest, name in order["files"].items():
        path = Path(name)
        try:
            # Its progress is nobody's: the job of the document tells of it.
            with contextlib.redirect_stdout(io.StringIO()):
                reading = read(Order(path=path, filename=path.name, result=path, settings=order["settings"]))
        except Exception:
            logging.getLogger(__name__).exception("%s is left to its own job", path.name)
            continue
        print(f"{digest}\t{reading.model_dump_json()}", flush=True)


if __name__ == "__main__":
    main()
