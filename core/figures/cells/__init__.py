"""Answers simple questions with one table cell, whose row and column the question names."""
