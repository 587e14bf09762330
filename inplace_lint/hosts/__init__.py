"""Where the linter lives inside of other programs: the Python API and the flake8 plugin."""
