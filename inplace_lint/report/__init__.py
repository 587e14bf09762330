"""The reports: one file a format, found by `registry`; each turns a `base.Run` into text."""
