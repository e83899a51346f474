"""Data in trees: JSON, XML and YAML → tables where objects are alike, else lines of path and value."""
