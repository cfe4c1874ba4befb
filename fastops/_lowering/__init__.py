"""The words of frameworks to plans: arguments to integers, and integers to geometry. No arrays, and no memory."""
