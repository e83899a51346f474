"""Implements the workbench without its pages: it reads documents, answers questions with citations, and learns from
feedback."""
