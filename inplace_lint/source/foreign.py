"""Libraries that make no tensors by themselves."""

from __future__ import annotations

import sys

TENSOR_FREE = frozenset(
    {"numpy", "scipy", "pandas", "matplotlib", "PIL", "yaml", "requests", "pytest", "setuptools"}
    | {"click", "attr", "attrs", "typing_extensions", "packaging", "jinja2", "sphinx"}
    | {"IPython", "ipywidgets", "seaborn", "nbformat", "rich", "typer", "hypothesis", "six"}
    | {"pkg_resources", "_testcapi", "_testinternalcapi", "_testbuffer", "_testmultiphase"}
    | sys.stdlib_module_names
)
