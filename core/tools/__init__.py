"""Tools beside the documents: *queries* → pages of the web."""
