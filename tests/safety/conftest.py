"""Programs are run by tests, not collected: some import what only ``tox -e torture`` installs."""

collect_ignore = ["programs"]
