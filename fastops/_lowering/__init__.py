"""From the arguments of frameworks to geometry: readers of arguments, and for each family pure functions of integers."""
