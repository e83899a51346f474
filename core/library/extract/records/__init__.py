"""Reads tree-structured data: JSON, XML and YAML → tables if objects have the same fields, otherwise lines of path and
value."""
