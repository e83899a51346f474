"""Builds the tree of a document's sections: blocks with headings → sections with levels, paths and roles."""
