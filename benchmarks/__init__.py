"""The asv suites, and the table of cases that they share with the tests."""
