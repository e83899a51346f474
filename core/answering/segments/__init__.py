"""Parts of a company: which segment, category or nominee is ahead, grew most, or is more than a share of the whole."""
