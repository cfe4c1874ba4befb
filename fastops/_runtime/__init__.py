"""Machine code: where it comes from, how it is loaded and kept, and how many threads run it. No calls of operators."""
