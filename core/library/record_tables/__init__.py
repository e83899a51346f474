"""Reads tables of records of any length in pieces, so that every row is searchable by keyword."""
