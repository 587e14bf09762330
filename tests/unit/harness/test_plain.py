"""What is proven to be no tensor by syntax alone, and what is not."""

import pytest

from inplace_lint import harness, source
from inplace_lint.harness import survey, unmet
from inplace_lint.interp.state import Shared

PREFIX = "import torch\nfrom torch import nn\nimport numpy as np\n"

PROVEN = {
    "counter": "def f(t):\n    n = 0\n    for _ in range(3):\n        n += 1",
    "counter by a shape": "def f(t):\n    n = 0\n    n += t.shape[0]",
    "text": "def f(names):\n    s = ''\n    s += str(names)",
    "text of an unknown": "def f(s):\n    s += f'{s}'",
    "text key": "def f(d):\n    d['a'] = 1",
    "list": "def f(t):\n    l = [t]\n    l[0] = t",
    "list joined": "def f(xs):\n    l = []\n    l += xs",
    "keywords": "def f(**kwargs):\n    kwargs[f()] = 1",
    "annotated": "def f(n: int, d: dict[str, int]):\n    d[n] = 1",
    "global dict": "TABLE = {}\ndef f(k):\n    TABLE[k] = 1",
    "initialiser": "def f(w):\n    nn.init.zeros_(w)",
    "no method of a tensor": "def f(m):\n    return m.mean_",
    "attribute": (
        "class C:\n    def __init__(self):\n        self.n = 0\n"
        "    def f(self):\n        self.n += 1"
    ),
    "enumerated": "def f(xs):\n    for i, x in enumerate(xs):\n        i += 1",
}
NOT_PROVEN = {
    "argument": "def f(t):\n    t += 1",
    "sum that becomes a tensor": "def f(t):\n    n = 0\n    for x in t:\n        n += x",
    "item of a list": "def f(t):\n    l = [t]\n    l[0] += 1",
    "value behind a text key": "def f(d):\n    d['a'] += 1",
    "rebound": "def f(t):\n    l = []\n    l = t\n    l[0] = 1",
    "rebound by an inner function": (
        "def f(t):\n    l = []\n    def g():\n        nonlocal l\n        l = t\n    l[t] = 1"
    ),
    "global rebound": "T = {}\ndef g(t):\n    global T\n    T = t\ndef f(k):\n    T[k] = 1",
    "builtin shadowed": "def len(t):\n    return t\ndef f(t):\n    n = len(t)\n    n += 1",
    "attribute rebound": (
        "class C:\n    def __init__(self):\n        self.n = 0\n"
        "    def g(self, t):\n        self.n = t\n    def f(self):\n        self.n += 1"
    ),
    "buffer": (
        "class C(nn.Module):\n    def __init__(self):\n        self.n = 0\n"
        "        self.register_buffer('n', torch.zeros(1))\n    def f(self):\n        self.n += 1"
    ),
    "attribute of something else": "class C:\n    def f(self, o):\n        o.n += 1",
    "method": "def f(t):\n    t.zero_()",
    "data": "def f(t):\n    t.data = 0",
    "in an except": (
        "def f(t):\n    e = 0\n    try:\n        t()\n    except E as e:\n        e += 1"
    ),
    "list or tensor": "def f(t, xs):\n    l = [] if xs else t\n    l += xs",
    "with": "def f(t):\n    n = 0\n    with t as n:\n        n += 1",
    "optional": "def f(n: 'int | torch.Tensor'):\n    n += 1",
}


def sites(text: str) -> int:
    """How many sites are left that may be on a tensor, when nothing is entered."""
    file = source.from_text(PREFIX + text + "\n")
    shared = Shared(harness.NoProject())
    unmet.measure(survey.survey(file), shared, [])
    return shared.coverage["mutation sites"] - shared.coverage[unmet.PROVEN]


@pytest.mark.parametrize("name", PROVEN)
def test_proven(name):
    assert sites(PROVEN[name]) == 0


@pytest.mark.parametrize("name", NOT_PROVEN)
def test_not_proven(name):
    assert sites(NOT_PROVEN[name]) == 1
