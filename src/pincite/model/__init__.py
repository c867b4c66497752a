"""Frozen dataclasses that cross a folder or a process. They hold data and their own laws, and import nothing of pincite but errors."""
