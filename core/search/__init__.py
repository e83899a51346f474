"""Searches passages and memories: question and scopes → best hits first, with every part of their score."""
