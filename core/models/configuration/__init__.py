"""Configures which models answer: lists providers and their models, keeps the choice, and tries models out."""
