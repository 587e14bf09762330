"""The small intermediate representation that the interpreter runs; see `ops`."""
