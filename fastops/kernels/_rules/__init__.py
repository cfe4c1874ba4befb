"""Rules lower the arguments of an operator, for a source of a given shape, to the words of plans.

There is one function of integers for each family of operators; all dialects share it. A rule writes no words for
arguments that are wrong or rare: Python lowers those, and raises the errors. Words of a rule may read coordinates that
their mode does not allow, because all words are checked before they run. Nothing here reads Python objects.
"""
