"""What all operators share: how a public function's call finds its words, and runs them. No operator itself."""
