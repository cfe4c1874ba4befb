"""fastops' speed: one table of cases, which the gate, asv and the comparison with other libraries measure."""

import sys
from pathlib import Path

# The timer and the tables of results are those of asv-gate, whose sources lie beside this folder.
sys.path.append(str(Path(__file__).parents[1] / "gate"))
