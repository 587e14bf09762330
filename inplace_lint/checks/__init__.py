"""The checks: one file a code, each a row of data (`base`), found by `registry`.

`wording.diagnose` turns a story of the interpreter into a diagnostic.
"""
