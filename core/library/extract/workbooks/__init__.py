"""Workbooks: what a person sees in a sheet, whatever the format of the file."""
