"""What is found and recalled for a question, of all tiers."""
