"""Converts tables to records: grids of cells from any format → headers, units, periods, typed cells → text, CSV,
XLSX."""
