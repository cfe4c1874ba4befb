"""What belongs to the process and not to a call: warnings, signals, late names. No arrays, and no plans."""
