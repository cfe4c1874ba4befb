"""Geometry, in integers alone: tuples without methods, and functions of them. No memory, no frameworks, no plans."""
