"""What belongs to the process and not to a call: warnings, signals, forks, names that load late. Nothing of arrays or plans."""
