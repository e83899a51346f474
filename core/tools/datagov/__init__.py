"""Answers from government open data: *question in Hebrew or English* → a data set, its rows, its source."""
