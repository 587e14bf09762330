"""Inputs that nobody would write: mutated real files and random syntax must not break a run."""
