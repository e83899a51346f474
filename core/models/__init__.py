"""Calls embedding models, cross-encoders and chat models through common interfaces, packaged or behind an address."""
