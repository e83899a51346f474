"""The document itself, as people see it: pictures of its pages, the place of a quote, other formats to read."""
