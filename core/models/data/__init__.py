"""Data of models: prices, and what is known of embedding models."""
