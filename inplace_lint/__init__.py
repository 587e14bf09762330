"""inplace-lint: finds in-place mutations that break PyTorch's autograd, without running the code."""

__version__ = "0.1.0"
