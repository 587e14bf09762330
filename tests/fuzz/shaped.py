"""Programs with Python around the ops: modes, functions, objects, containers, loops, steps.

Statements come from templates; `A`, `B` stand for any value at hand, `V` for one that is written,
`R` for a fresh name. All values are 3 x 3, so that any statement may follow any other.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from tests.fuzz import grammar, templates

HELPERS = ("Cube", "Same", "Box", "Net", "scale_", "gate", "both")
PRELUDE = (
    grammar.PRELUDE.replace("torch.manual_seed(0)\n", "")
    + """\
import copy
from torch.utils.checkpoint import checkpoint

"""
    + "".join(templates.HELPERS[name] for name in HELPERS)
    + """\

opt = torch.optim.SGD([w, *net.parameters()], lr=0.1)
kept = []
torch.manual_seed(0)
"""
)

BINDS = grammar.alternatives("""
R = A[:]|R = A.t()|R = A.view(3, 3)|R = A.detach()|R = A.unsqueeze(0)[0]|R = A.chunk(1)[0]
R = torch.stack(A.unbind())|R, _ = torch.stack([A, B])|R = A.expand(3, 3)|R = A.data
R = A.narrow(0, 0, 3)|R = A.reshape(9).reshape(3, 3)|R = A[ii][:1] + B|R = A[m].sum() + B
R = A.T.contiguous()|R = +A|R = net(A)|R = gate(A)|R, _ = both(A, B)|_, R = both(A, B)
R = scale_(A)|R = Box(A).shown|R = Cube.apply(A)|R = Same.apply(A)|R = Box(A).value
R = checkpoint(gate, A, use_reentrant=False)|R = A.clone()|R = A * w|R = x * A|R = A @ w
R = copy.copy(A)|R = nn.Parameter(A.detach())|R = (lambda t: t.tanh())(A)|R = sum([A, B])
R = {"a": A, "b": B}["b"]|R = [A, B][0]|R = A if c is not None else B
R = F.dropout(A, 0.5, training=False)|R = torch.as_tensor(A)|R = A.float()
R = A.to(torch.float64).float()|R = torch.where(A > 0, A, B)|R = A.masked_fill(m, 0.0)
R = torch.cat([A, B])[3:]|R = A.split(3)[0]|R = A.detach().clone().requires_grad_()
R = torch.zeros(3, 3)|R = A.new_zeros(3, 3)|R = A.softmax(-1).t()
""")

WRITES = grammar.alternatives("""
V.add_(1)|V.mul_(B)|V *= 2|V += B|V[0] = 0|V[:, 1] += 1|V.zero_()|V.copy_(B)|V.t().mul_(2)
V.data.add_(1)|V.detach().numpy()[0] = 7|V.numpy(force=True)[:] += 1|scale_(V)|Box(V).scale(3)
V[m] = 0.5|V[ii] = B[ii]|torch.from_numpy(V.detach().numpy()).mul_(2)|nn.init.zeros_(V)
F.relu(V, inplace=True)|V.exp_()|V.sigmoid_()|torch.exp(V, out=V)|torch._foreach_mul_([V], 2)
V.diagonal().add_(1)|V.clamp_(0.1, 0.9)|V.requires_grad_(False)|V.view(-1)[0] = 2|V.sub_(V[0])
V[1:] = V[:-1]|V.masked_fill_(m, 0.1)|V.grad = None|V.unsqueeze_(0).squeeze_(0)
torch.add(V, B, out=V)|V.index_add_(0, ii, B[ii])|V.swapaxes(0, 1).sub_(1)|V.requires_grad_()
x.data.add_(1)|w.mul_(2)|w.data.mul_(2)|w.detach().add_(1)|x[0] = 1|opt.step()
opt.zero_grad()|net.seen.zero_()|net.scale.data.add_(1)|net.fc.weight.data.mul_(0.9)
net.load_state_dict(net.state_dict())
""")

BLOCKS = grammar.alternatives("""
with torch.no_grad():|with torch.enable_grad():|with torch.inference_mode():
with torch.set_grad_enabled(False):|if net.training:|for _ in range(2):|for t in [A, B]:
if c.sum() > 0:|with torch.autograd.set_grad_enabled(True):
""")

RUNS = grammar.alternatives("""
A.sum().backward(retain_graph=True)|A.sum().backward()|opt.step()
torch.autograd.grad(A.sum(), w, allow_unused=True)|(A.sum() + B.sum()).backward(retain_graph=True)
kept.append(A)|opt.zero_grad()|A.mean().backward(inputs=[w])
""")


@dataclass(slots=True)
class Writer:
    """A program under construction."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=lambda: ["x", "w", "c"])
    indent: str = ""

    def fill(self, template: str) -> str:
        """A template with values in it."""
        text = re.sub(r"\b[AB]\b", lambda _: self.rng.choice(self.names), template)
        return re.sub(r"\bV\b", lambda _: written, text) if (written := self.value()) else text

    def value(self) -> str:
        """A value to be written: seldom a leaf."""
        return self.rng.choice(self.names[2:] if self.rng.random() < 0.9 else self.names)

    def bind(self, template: str) -> None:
        """A new value."""
        text = self.fill(template)
        name = f"v{sum(n.startswith('v') for n in self.names) + 1}"
        self.lines.append(self.indent + re.sub(r"\bR\b", name, text))
        self.names.append(name)

    def statement(self) -> None:
        """One statement of any kind."""
        kind = self.rng.random()
        if kind < 0.25:
            method = self.rng.choice(grammar.METHODS)
            self.bind(f"R = A.{method}")
        elif kind < 0.6:
            self.bind(self.rng.choice(BINDS))
        elif kind < 0.85:
            self.lines.append(self.indent + self.fill(self.rng.choice(WRITES)))
        elif kind < 0.93 and not self.indent:
            self.block()
        else:
            self.lines.append(self.indent + self.fill(self.rng.choice(RUNS)))

    def block(self) -> None:
        """A block with one or two statements, whose new names are not used outside."""
        opener = self.fill(self.rng.choice(BLOCKS))
        self.lines.append(opener)
        self.indent = "    "
        inner = ["t"] if opener.startswith("for t") else []
        before = list(self.names)
        self.names += inner
        for _ in range(self.rng.randint(1, 2)):
            self.statement()
        self.names = before if opener.startswith("for") else [n for n in self.names if n != "t"]
        self.indent = ""


def program(seed: int) -> str:
    """The program of a seed."""
    writer = Writer(random.Random(seed))
    writer.bind("R = x * 0.5 + 0.1")
    writer.bind("R = w + 0.2")
    for _ in range(writer.rng.randint(3, 7)):
        writer.statement()
    roots = sorted({writer.names[-1], writer.rng.choice(writer.names[3:])})
    total = " + ".join(["(w * 1).sum()", *(f"{name}.float().sum()" for name in roots)])
    return PRELUDE + "\n".join([*writer.lines, f"loss = {total}", "loss.backward()", ""])
