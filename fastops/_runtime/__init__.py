"""Machine code: how it is compiled, kept and loaded, and how many threads run it. Operators do not belong here."""
