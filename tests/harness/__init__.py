"""What the tests stand on: literate programs, the linter in process, real PyTorch as the oracle."""
