"""What all operators share: how a call of a public function finds its prepared call, and runs it. No operator itself."""
