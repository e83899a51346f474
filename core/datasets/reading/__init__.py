"""Reads the record tables of a file: *a file* → datasets with typed columns, each stored as a Parquet file."""
