"""Which files the engine is asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lint.runner.gate import Gate
from inplace_lint.runner.project import DiskProject


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "pyproject.toml": "",
        "pkg/__init__.py": "",
        "pkg/plain.py": "import os\n",
        "pkg/deep.py": "from .tensors import f\n",
        "pkg/tensors.py": "import torch\n",
        "pkg/maker.py": "make = lambda name: __import__(name)\n",
        "pkg/ring.py": "from . import ring2, tensors\n",
        "pkg/ring2.py": "from . import ring\n",
        "pkg/circle.py": "from . import circle2\n",
        "pkg/circle2.py": "from . import circle\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize(
    ("text", "matters"),
    [
        ("x = 1\n", False),
        ("", False),
        ("import os, sys\nfrom json import loads\n", False),
        ("import numpy as np\na += 1\n", False),
        ("import torch\n", True),
        ("# typed for torch\n", True),
        ("import fastai\n", True),
        ("import os, fastai.vision as v\n", True),
        ("def f():\n    from lightning import x\n", True),
        ("x = 1; import fastai\n", True),
        ("if x: import fastai\n", True),
        ('"""As in\n\nimport fastai\n"""\nimport os\n', False),
        ('"""As in\n\nimport fastai\n"""\nimport fastai\n', True),
        ("import \\\n  fastai\n", True),
        ("from \\\n  fastai import x\n", True),
        ("importlib.import_module(name)\n", False),
        ("importlib.import_module(name).loss(x).backward()\n", True),
        ("from .maker import make\n", False),
        ("from .maker import make\nmake('opt').zero_grad()\n", True),
        ("from .plain import f\n", False),
        ("from pkg.plain import f\n", False),
        ("from .deep import f\n", True),
        ("from . import deep\n", True),
        ("from . import (\n    plain,\n    tensors,\n)\n", True),
        ("from . import plain, tensors as t\n", True),
        ("import pkg.tensors\n", True),
        ("from pkg import tensors\n", True),
        ("from .circle import f\n", False),
        ("from .missing import f\n", False),
        ("important = 1\nfrom_x = 2\n", False),
    ],
)
def test_matters(text, matters):
    path = Path("pkg/asked.py")
    path.write_text(text)
    assert Gate(DiskProject((), {})).matters(path) is matters
    assert Gate(DiskProject((), {})).matters(Path("pkg/other.py"), text.encode()) is matters


@pytest.mark.parametrize("order", [("ring", "ring2", "circle"), ("circle", "ring2", "ring")])
def test_the_order_of_asking_does_not_matter(order):
    gate = Gate(DiskProject((), {}))
    for name in order * 2:
        path = Path(f"pkg/{name}.py")
        assert gate.matters(path, path.read_bytes()) is (name != "circle")
