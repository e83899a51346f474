"""Scanned pages recognised in the background: what was read of them, and the job that reads them."""
