"""Holds data of models: prices, and the known properties of embedding models."""
