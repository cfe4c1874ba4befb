"""From plans and arrays to a running kernel: calls, which are words and shapes, and what runs them."""
