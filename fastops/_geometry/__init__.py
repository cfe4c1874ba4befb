"""Geometry, in integers alone: modes, axis maps, slice plans, range plans, their JSON. No memory, and no frameworks."""
