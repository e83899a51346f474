"""Answers simple questions for one table cell, whose row and column the question names."""
