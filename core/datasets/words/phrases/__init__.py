"""Cuts phrases out of a question before it is read as a query: exchange rates, names of files, words that deny."""
