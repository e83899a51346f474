"""Shows the original document: images of its pages, the position of a quote, and other formats as HTML."""
