"""What a text names, and which of it is related: text → entities, terms and relations."""
