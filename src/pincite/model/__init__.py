"""Frozen dataclasses that cross a folder or a process: data and their own laws. They import nothing of pincite but errors."""
