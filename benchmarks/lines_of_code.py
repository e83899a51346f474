"""Counts a folder's lines of code without blanks, comments and docstrings; Python and page scripts are counted
separately.

``python -m benchmarks.lines_of_code [ROOT]``
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from pathlib import Path

ROOMS = ("command", "core", "pages", "viz")
_SILENT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
_COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)
"""Comments of a script: a block, or a line that contains only a comment."""


def python_lines(source: str) -> int:
    """Returns the number of lines that contain code. A string that is a statement by itself counts as a docstring."""
    silent: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            silent.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - silent)


def script_lines(source: str) -> int:
    """Returns the number of lines that are neither blank nor only a comment."""
    return sum(bool(line.strip()) for line in _COMMENT.sub("", source).splitlines())


def main() -> None:
    """Prints a line per package, and the sum."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    counts = {
        room: (
            sum(python_lines(path.read_text("utf-8")) for path in (root / room).rglob("*.py")),
            sum(script_lines(path.read_text("utf-8")) for path in (root / room).rglob("*.js")),
        )
        for room in ROOMS
    }
    counts["all"] = (sum(count[0] for count in counts.values()), sum(count[1] for count in counts.values()))
    for room, (python, scripts) in counts.items():
        print(f"{room:7} {python:7,} Python {scripts:7,} scripts")


if __name__ == "__main__":
    main()
