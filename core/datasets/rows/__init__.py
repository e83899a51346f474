"""Finds rows of long datasets by the words of a question, since such rows are not passages."""
