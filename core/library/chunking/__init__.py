"""From the blocks of a document to chunks that fit a token budget."""
