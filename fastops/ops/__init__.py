"""The operators, one file each: the lowering to plans, which is pure, then the public function."""
