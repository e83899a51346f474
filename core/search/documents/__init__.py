"""From hits to citations: the document stages of a search."""
