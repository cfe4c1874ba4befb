"""The scheduler: plans as words, lowered to memory, as the table that the movers run. Plain code over words."""
