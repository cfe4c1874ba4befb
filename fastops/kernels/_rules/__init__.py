"""Rules: what the arguments of an operator mean for a source of a shape, as the words of plans.

Functions of integers, one for each family of operators, which all dialects share. They write no words for arguments
that are wrong or rare: Python lowers those, and raises the errors. Words may read coordinates that their mode does not
allow: all words are checked before they run. Nothing here reads Python objects.
"""
