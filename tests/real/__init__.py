"""Public commits that fixed an in-place autograd error, as facts: where they are, which lines."""
