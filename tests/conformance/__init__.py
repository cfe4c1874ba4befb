"""Random cases that frameworks and fastops compute side by side."""
