"""These tests ask PyTorch; where it is not installed they are left out, and the header says so."""

from __future__ import annotations

import importlib.util

HAVE_TORCH = importlib.util.find_spec("torch") is not None
collect_ignore_glob = [] if HAVE_TORCH else ["*"]
