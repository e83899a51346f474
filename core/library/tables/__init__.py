"""Converts tables to records with headers, units, periods and typed cells, and these to text, CSV and XLSX."""
