"""Contains data files about models: prices, and the known properties of embedding models."""
