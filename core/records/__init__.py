"""Defines records that several packages write and pages read: answers, a question's subject, the memory's
contribution."""
