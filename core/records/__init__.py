"""Defines records shared by several packages: answers, a question's subject, the memory's contribution."""
