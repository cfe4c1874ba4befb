"""The layout of the int64 words of a call in users' compiled code, which lie on the stack of the user's function.

Behind the header are the arguments of the rule (`_tables._rules`), the description of a source and an output
(`_tables._arrays`), and room for the words of the plan (`_tables._words`).
"""

from __future__ import annotations

FILL = 0  # a fill value of data's dtype, in two words
RULE = 2  # family, option and second option
SRC_RANK = 5
WIDTH = 6  # bytes of an element
IS_FILLED = 7  # 1 if the call gives a fill value
ARRAYS = 8  # where the description of the arrays is
ARRAYS_WORDS = 9
WORDS = 10  # where the words of the plan are
N_WORDS = 11  # how many words there are; compiled code writes it
ARGUMENTS = 12  # where the arguments are
