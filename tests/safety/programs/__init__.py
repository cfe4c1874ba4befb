"""Programs that do what may end a process. Each prints one line if all went well, and fails otherwise."""
