"""Straight-line programs of tensor ops, in-place writes and one backward, from a seed.

All values are 3 x 3, so that any op may follow any other; every fact is in view, so the linter has
to agree with PyTorch on each program. `A`, `B` stand for any value, `V` for one that is written,
`W` for what is written to it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

PRELUDE = """\
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.rand(3, 3, requires_grad=True)
w = torch.rand(3, 3, requires_grad=True)
c = torch.rand(3, 3)
m = torch.eye(3).bool()
idx = torch.zeros(3, 3, dtype=torch.long)
ii = torch.tensor([0, 2])
linear = nn.Linear(3, 3)
frozen = nn.Linear(3, 3).requires_grad_(False)
layer_norm = nn.LayerNorm(3)
batch_norm = nn.BatchNorm1d(3)
relu_ = nn.ReLU(inplace=True)
silu = nn.SiLU()
block = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
"""


def alternatives(text: str) -> list[str]:
    """Templates, divided by lines or bars."""
    return text.strip().replace("\n", "|").split("|")


METHODS = """
exp() sigmoid() tanh() relu() sqrt() rsqrt() log() log1p() sin() cos() abs() square() neg() erf()
floor() round() sign() expm1() exp2() reciprocal() softmax(-1) log_softmax(-1) cumsum(0) cumprod(0)
clamp(0.1) clamp(min=0.1,max=0.9) clone() detach() sum(0,keepdim=True) mean(0,keepdim=True)
norm(dim=0,keepdim=True) std(0,keepdim=True) var(0,keepdim=True) amax(0,keepdim=True)
logsumexp(0,keepdim=True) t().contiguous().t() view(-1).view(3,3) reshape(3,3) flip(0) roll(1,0)
tril() triu() pow(2) pow(0.5) float() double().float() t() transpose(0,1) contiguous()
unsqueeze(0).squeeze(0) expand(3,3) masked_fill(m,0.5) gather(1,idx) index_select(0,ii)
nan_to_num() logit(0.1) atan() sinh() cosh() sgn() trunc() frac() xlogy(c) hypot(c) lerp(c,0.3)
digamma() lgamma() sinc() prod(0,keepdim=True) median(0,keepdim=True).values sort(0).values
topk(3,0).values diff(dim=0,prepend=c) renorm(2,0,1.0) cummax(0).values logcumsumexp(0)
""".split()

FUNCTIONS = """
F.relu F.gelu F.silu F.elu F.selu F.celu F.leaky_relu F.softplus F.mish F.hardtanh F.hardswish
F.hardsigmoid F.relu6 F.logsigmoid F.softsign F.tanhshrink F.softshrink F.hardshrink F.dropout
F.normalize linear frozen layer_norm batch_norm relu_ silu block
""".split()

BINARY = alternatives("""
A + B|A - B|A * B|A / (B + 2)|A @ B|torch.maximum(A, B)|torch.where(m, A, B)|A.addmm(A, B)
torch.cat([A, B])[:3]|torch.stack([A, B]).sum(0)|torch.atan2(A, B)|torch.addcmul(A, B, B)
F.mse_loss(A, B, reduction='none')|F.l1_loss(A, B, reduction='none')|torch.lerp(A, B, 0.5)
A ** 2|2 ** A|A ** B.abs()|A * 2|A / 3|3 / (A + 2)|1 - A|torch.einsum('ij,jk->ik', A, B)
F.linear(A, B)
""")

WRITES = alternatives("""
V.add_(1)|V.mul_(2)|V *= 2|V += 1|V /= 2|V *= W|V += W|V.zero_()|V[0] = 0|V[0] += 1|V[:, 1] *= 2
V.clamp_(min=0.2)|V.relu_()|V.exp_()|V.sigmoid_()|V.tanh_()|V.t_()|V.copy_(W)|V.fill_(1)|V[m] = 0.5
V[ii] = 0.5|V.view(-1).add_(1)|V.t().mul_(2)|V.detach().add_(1)|V.data.add_(1)|V.neg_()|V.sqrt_()
V.masked_fill_(m, 0.3)|F.relu(V, inplace=True)|F.leaky_relu(V, 0.1, inplace=True)|V.abs_()|V.pow_(2)
F.elu(V, inplace=True)|F.silu(V, inplace=True)|V.square_()|V.div_(W + 2)|V.sub_(W)|V.log_()
V.addcmul_(W, W)|V.lerp_(W, 0.5)|V.cumsum_(0)|V.round_()|V.floor_()|V.index_fill_(0, ii, 0.4)
V.mul_(V)|V.fill_diagonal_(0.3)|V.uniform_()|V.select(0, 1).mul_(3)|V.narrow(0, 0, 2).add_(1)
V.diagonal().mul_(2)|V.unsqueeze_(0).squeeze_(0)|V.chunk(2)[0].add_(1)|V.unbind()[0].mul_(2)
""")


@dataclass(slots=True)
class Writer:
    """A program under construction; `names` are its values, the untouched inputs first."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=lambda: ["x", "w", "c"])

    def bind(self, expression: str) -> None:
        """A new value."""
        name = f"v{len(self.names) - 2}"
        self.lines.append(f"{name} = {expression}")
        self.names.append(name)

    def value(self) -> str:
        """Any value but the leaves."""
        return self.rng.choice(self.names[2:])

    def compute(self) -> None:
        """One op on values at hand."""
        kind = self.rng.random()
        if kind < 0.45:
            self.bind(f"{self.value()}.{self.rng.choice(METHODS)}")
        elif kind < 0.65:
            self.bind(f"{self.rng.choice(FUNCTIONS)}({self.value()})")
        else:
            template = self.rng.choice(BINARY)
            self.bind(template.replace("A", self.value()).replace("B", self.rng.choice(self.names)))

    def write(self) -> None:
        """One in-place write."""
        template = self.rng.choice(WRITES)
        self.lines.append(
            template.replace("V", self.value()).replace("W", self.rng.choice(self.names))
        )

    def finish(self) -> str:
        """Sum the last value and perhaps another, run backward; the program's text."""
        roots = {self.names[-1], self.rng.choice(self.names[3:])}
        total = " + ".join(f"{name}.float().sum()" for name in sorted(roots))
        return PRELUDE + "\n".join([*self.lines, f"loss = {total}", "loss.backward()", ""])


def program(seed: int) -> str:
    """The program of a seed."""
    writer = Writer(random.Random(seed))
    writer.bind("x * 0.5 + 0.1")
    writer.bind("w + 0.2")
    for _ in range(writer.rng.randint(2, 5)):
        if writer.rng.random() < 0.8:
            writer.compute()
        else:
            writer.write()
    if writer.rng.random() < 0.85:
        writer.write()
    return writer.finish()
