"""Reads workbooks: the visible content of a sheet, for every file format."""
