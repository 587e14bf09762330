"""Random programs that PyTorch and the linter both judge: `python -m tests.fuzz --help`."""
