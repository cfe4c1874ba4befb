"""Geometry, in integers alone: modes, axis maps, slice plans, range plans, their JSON. Nothing of memory or of frameworks."""
