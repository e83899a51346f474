"""Answers questions in Hebrew or English from government open data: finds a data set and shows its rows with their
source."""
