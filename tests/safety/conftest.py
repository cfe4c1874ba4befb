"""pytest must not collect the programs, which compile kernels when they are imported; tests run them."""

collect_ignore = ["programs"]
