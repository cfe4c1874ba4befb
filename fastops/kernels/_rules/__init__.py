"""Rules: what the arguments of an operator mean for a source of a shape, as the words of plans.

Functions of integers, a family of operators each, which dialects share. What a rule does not take, because it is wrong
or because it is rare, has no words: Python lowers that, and says what is wrong. Coordinates that a mode does not allow
are in the words; whoever runs them checks all words. No reading of objects.
"""
