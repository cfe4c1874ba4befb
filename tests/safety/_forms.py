"""What takes long because kernels are compiled once more, in their checked form."""

from __future__ import annotations

import os

import pytest

from tests.helpers.seeds import scale

#: Tests that compile all kernels in their checked form.
in_checked_form = pytest.mark.skipif(
    not scale(os.environ.get("FASTOPS_FULL"), "1"), reason="runs with FASTOPS_FULL=1: it compiles all kernels once more"
)
