"""Words in English and Hebrew: what language they are in, where they end, and by what they are found."""
