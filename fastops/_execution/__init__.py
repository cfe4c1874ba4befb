"""From plans and arrays to a running kernel: prepared calls, and what runs them. No words of frameworks."""
