"""Configures which models answer: lists providers and their models, stores the choice, and tests models."""
