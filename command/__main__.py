"""Runs ``python -m command``, which is the same as ``palimpsest``."""

import sys

from command.main import main

if __name__ == "__main__":
    sys.exit(main())
