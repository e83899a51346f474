"""Offers stored figures as tools: looking up figures, and calculating with them."""
