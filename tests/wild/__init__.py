"""A run over published packages, every finding of which is read and labelled; never in CI."""
