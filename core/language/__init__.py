"""Processes English and Hebrew text: language detection, sentence splitting, and search terms."""
