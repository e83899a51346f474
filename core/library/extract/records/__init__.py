"""Reads JSON, XML and YAML: objects with the same fields become tables, everything else lines of path and value."""
