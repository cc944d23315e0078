"""Chunkers, one a file."""
