"""Arguments of frameworks to geometry: readers of arguments, and a pure function of integers for each family."""
