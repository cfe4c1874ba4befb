"""Lowering turns an operator's arguments into geometry: readers of arguments, and pure functions of integers."""
