"""A corpus program written differently keeps its verdict: rewritings and their judge."""
