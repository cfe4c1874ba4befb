"""What all operators share: how a public function's call finds its prepared call, and runs it. No operator itself."""
