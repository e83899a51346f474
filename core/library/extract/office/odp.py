"""Reads ODP files with the reader of ODT, one page per slide."""

from core.library.extract.office.odt import extract_odp as extract_odp
