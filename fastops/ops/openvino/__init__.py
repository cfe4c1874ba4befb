"""OpenVINO's operators that are not at the top level."""
