"""The scheduler: it lowers plans, given as words, to the table that the movers run. Plain code over words."""
