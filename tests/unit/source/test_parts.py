"""Which parts of a file's statements store, by syntax: what the gate rests on."""

from __future__ import annotations

import pytest

from inplace_lint.source import from_text
from inplace_lint.source.parts import Part
from inplace_lint.source.plain import plain

STORES = r"""
x.add_(1)
x[0] = 1
x[i] = y
x += 1
x.grad[0] *= 2
x.data = y
x.data, y = y, x
self.state[i] = y
for x[0] in y: pass
y = [t.mul_(2) for t in x]
count = 0; count += x
total = 0; total += x.sum()
rows = [] if x else y; rows[0] = x
rows = list(x); rows[0].add_(1)
buf = torch.zeros(3); y = buf.exp(); buf[0] = 1
buf = torch.zeros(3)\nfor i in range(3): buf[i] = f(buf)
buf = torch.zeros(3)\nfor i in range(3):\n    buf[i] = 1\n    y = buf.exp()
buf = torch.zeros(3); buf.exp_(); buf.add_(1)
buf = torch.zeros(3, requires_grad=True); buf[0] = 1
buf = x.expand(3); buf[0] = 1
buf = torch.zeros(3); g = lambda: buf.exp(); buf[0] = g()
for row in torch.zeros(3): row.add_(1)
if scale: x.mul_(2)
if not inplace: x.mul_(2)
nn.init.zeros_(x)
"""
NONE = r"""
y = x.add(1)
x["a"] = y
x[f"{i}"] = y
names += ["a"]
names += "a"
self.blocks[0] = nn.Linear(1, 2)
self.head[0] = None
count = 0; count += 1
count = len(x); count += x.size(0)
for j in range(3): j += 1
rows = []; rows[0] = x
rows = {}; rows[x] = x
groups = defaultdict(list); groups[x] = x
x.requires_grad_(False)
torch.zeros(3).uniform_(0, 1)
buf = torch.zeros(3); buf[0] = x; return buf
buf = x.new_empty(3).bernoulli_(p); buf.div_(p); return x * buf
buf = torch.zeros(3)\nfor i in range(3): buf[i] = f(i)
if inplace: x.mul_(2)
y = x.mul_(2) if self.inplace else x * 2
if self.inplace and x.ndim: x.mul_(2)
"""


def part_of(body: str, head: str = "def f(self, x, y, i, p, inplace=False):") -> Part:
    """The part of a function with this body."""
    inner = body.replace("; ", "\n").split("\n")
    text = head + "".join(f"\n    {line}" for line in inner) + "\n"
    file = from_text(text)
    assert file.error is None
    (part,) = file.units[0].parts or ()
    return part


def lines(table: str) -> list[str]:
    """The bodies of a table: one a line, their own lines parted by `; `."""
    return [line.replace(r"\n", "\n") for line in table.split("\n") if line]


@pytest.mark.parametrize("body", lines(STORES))
def test_what_stores(body):
    assert part_of(body).stores


@pytest.mark.parametrize("body", lines(NONE))
def test_what_does_not(body):
    assert not part_of(body).stores


BUILT = "def __init__(self, n, depths, scale: torch.Tensor, rates: Dict[str, float] = None):"


@pytest.mark.parametrize(
    "body",
    [
        "n += 1",
        "total = 0\nfor depth in depths: total += depth",
        "cur = 0; cur += depths[0]",
        "nn.init.zeros_(self.weight)",
        "trunc_normal_(self.weight, std=0.02)",
        "self.weight.data.mul_(2)",
    ],
)
def test_a_constructor_only_sets(body):
    part = part_of(body, BUILT)
    assert part.stores
    assert not part.builds


@pytest.mark.parametrize(
    "body",
    [
        "scale += 1",
        "self.weight.mul_(2)",
        "for p in self.parameters(): p += 1",
        "w = self.weight.view(-1); w[0] = 1",
    ],
)
def test_a_constructor_stores(body):
    assert part_of(body, BUILT).builds


NUMBERS = "def f(h: int, w: int, eps: float = 1e-5, device: Optional[torch.device] = None):"


@pytest.mark.parametrize(
    ("body", "stores"),
    [
        ("m = torch.tensor([[1.0]]); m[0, 0] = m[0, 0] * 2 / w; return m", False),
        ("m = torch.stack([torch.arange(h)]); d = m - m.t(); d[0] += w - 1; return d", False),
        ("m = torch.ones(h).expand(w, h); m += 1; return m", True),
        ("m = torch.zeros(h); m -= m[0]; return m", True),
        ("m = nn.Parameter(torch.zeros(h)); m += 1; return m", True),
        ("m = torch.zeros(h, requires_grad=True); m += 1; return m", True),
        ("m = self.weight * 2; m += 1; return m", True),
    ],
)
def test_a_function_of_numbers_makes_data(body, stores):
    assert part_of(body, NUMBERS).stores is stores


CLASS = """\
@decorated
class A(Base):
    width = 3

    def __init__(self):
        self.cache = {}
        self.count = 0
        self.state = torch.zeros(3)

    @property
    def half(self):
        return self.width / 2

    size = 4

    def step(self, x, i):
        self.cache[i] = x
        self.count += 1

    def write(self, i):
        self.state[i] = 1

    def init_weights(self):
        self.weight.fill_(1)
"""


def test_the_parts_of_a_class():
    unit = from_text(CLASS).units[0]
    parts = {part.name: part for part in unit.parts or ()}
    assert list(parts) == ["", "__init__", "half", "step", "write", "init_weights"]
    assert unit.text_of(parts["half"]).startswith("    @property")
    rest = unit.text_of(parts[""])
    assert "@decorated" in rest
    assert "size = 4" in rest
    assert "def " not in rest
    assert [name for name, part in parts.items() if part.stores] == ["write"]
    assert parts["init_weights"].quiet


def test_plain_code_keeps_what_f_strings_hold():
    text = "x = 'a#b' + f'{y.add_(1)}'  # z.add_(1)\n'''doc\n'it'''\nw = \"\"\n"
    assert plain(text).split() == ["x", "=", "+", "f'{y.add_(1)}'", "w", "="]
