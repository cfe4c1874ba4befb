"""Pictures of plans, as text and as SVG. Pure Python: a drawing needs neither NumPy nor data."""
