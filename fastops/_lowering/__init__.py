"""The words of frameworks to plans: arguments to integers, integers to geometry. No memory; of arrays, dtypes alone."""
