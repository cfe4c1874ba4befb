"""Operators and plans when they are called: views, windows, ranges, and data of each kind."""
