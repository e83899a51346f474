"""Tests that only lines of code are counted: no blank lines, comments or docstrings."""

from __future__ import annotations

from benchmarks.lines_of_code import python_lines, script_lines


def test_python_without_words_about_it() -> None:
    source = (
        '"""What."""\n\n# why\nA = """two\nlines"""\n"""Of A."""\n\n\ndef b():\n    """It."""\n    return A  # it\n'
    )
    assert python_lines(source) == 4


def test_scripts_without_words_about_them() -> None:
    assert script_lines('/** what\n * it is */\n\n// why\nconst a = "https://x";  // here\nrun(a);\n') == 2
