"""Programs of every shape that small code has: the ops of the table inside ordinary Python.

Functions that change their arguments, closures, loops that carry state, tensors held by objects,
modules with parameters and buffers, training loops with an optimizer, grad modes, several
backwards, custom Functions, checkpoints, writes past the counter. All values are 3 x 3 (but for
some that are only written and summed), so that any statement may follow any other.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from tests.fuzz import templates
from tests.fuzz.pool import pool

PRELUDE = """\
import collections
import contextlib
import copy
import dataclasses
import functools
import operator
import types

import numpy
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

x = torch.rand(3, 3, requires_grad=True)
w = torch.rand(3, 3, requires_grad=True)
c = torch.rand(3, 3)
m = torch.eye(3).bool()
idx = torch.zeros(3, 3, dtype=torch.long)
ii = torch.tensor([0, 2])
linear = nn.Linear(3, 3)
opt = {opt}
kept = []
{helpers}
torch.manual_seed(0)
"""

PARAMS = ("[w]", "[x, w]", "[w, *linear.parameters()]")
WORD = re.compile(r"(?<![\w.'\"])([ABVLHR])(?!['\"\w])")
"""A hole in a template."""


@dataclass(slots=True)
class Writer:
    """A program under construction. `names` are readable; `local` may be bound where we are.

    `odd` are values of other shapes, `held` places inside objects.
    """

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=lambda: ["x", "w", "c"])
    local: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    needs: dict[str, None] = field(default_factory=dict)
    depth: int = 0
    count: int = 0
    loops: int = 0
    inside: bool = False

    # ---- holes ------------------------------------------------------------------------------

    def put(self, line: str) -> None:
        """One line where we are."""
        self.lines.append("    " * self.depth + line)

    def fresh(self) -> str:
        """A new name."""
        self.count += 1
        return f"v{self.count}"

    def read(self) -> str:
        """A value, the latest more often."""
        if self.held and self.rng.random() < 0.15:
            return self.rng.choice(self.held)
        return self.rng.choice(self.names[-3:] if self.rng.random() < 0.4 else self.names)

    def written(self) -> str:
        """A value to be written: seldom a leaf."""
        if self.held and self.rng.random() < 0.2:
            return self.rng.choice(self.held)
        if self.odd and self.rng.random() < 0.1:
            return self.rng.choice(self.odd)
        inner = [name for name in self.names if name not in ("x", "w", "c")]
        return self.rng.choice(inner) if inner and self.rng.random() < 0.9 else self.read()

    def fill(self, template: str, fresh: str = "R", hole: str = "H") -> str:
        """A template with values in it."""
        local = self.rng.choice(self.local) if self.local else self.fresh()
        fixed = {"V": self.written(), "L": local, "R": fresh, "H": hole}
        return WORD.sub(lambda found: fixed.get(found[1]) or self.read(), template)

    def pick(self, rows: list[tuple[tuple[str, ...], str]]) -> str:
        """A template, its definitions being noted."""
        needs, template = self.rng.choice(rows)
        if needs and self.rng.random() < 0.3:
            needs, template = self.rng.choice(rows)
        self.needs.update(dict.fromkeys(needs))
        return template

    # ---- statements -------------------------------------------------------------------------

    def bind(self, template: str) -> None:
        """A new value, or another one for an old name."""
        again = bool(self.local) and self.rng.random() < 0.15
        name = self.rng.choice(self.local) if again else self.fresh()
        self.put(self.fill(template, name))
        if not again:
            self.names.append(name)
            self.local.append(name)

    def op(self) -> None:
        """An op of the table."""
        kind = self.rng.random()
        if kind < 0.6:
            self.bind(f"R = {self.rng.choice(pool().values)}")
        elif kind < 0.7:
            name = self.fresh()
            self.put(self.fill(f"R = {self.rng.choice(pool().odd)}", name))
            self.odd += [name] if not self.depth else []
        else:
            self.put(self.fill(self.rng.choice(pool().writes)))

    def hold(self) -> None:
        """An object that holds tensors."""
        needs, template = self.rng.choice(templates.HOLDERS)
        template, _, places = template.partition(" -> ")
        self.needs.update(dict.fromkeys(needs))
        name = self.fresh()
        self.put(self.fill(template, name))
        self.held += [self.fill(place, name) for place in places.split()]

    def statement(self) -> None:
        """One statement of any kind."""
        kind = self.rng.random()
        if kind < 0.26:
            self.op()
        elif kind < 0.5:
            self.bind(self.pick(templates.BINDS))
        elif kind < 0.72:
            self.put(self.fill(self.pick(templates.WRITES)))
        elif kind < 0.77:
            self.hold()
        elif kind < 0.81 and (places := [h for h in self.held if not h.endswith(FIXED)]):
            place = self.rng.choice(places)
            self.put(self.fill(self.pick(templates.REBINDS), hole=place))
        elif kind < 0.88 and not self.inside:
            self.put(self.fill(self.pick(templates.RUNS)))
        elif self.depth < 2:
            self.rng.choice(COMPOUND)(self)

    def body(self, least: int, most: int) -> None:
        """An indented body."""
        self.depth += 1
        for _ in range(self.rng.randint(least, most)):
            self.statement()
        self.put("pass")
        self.depth -= 1

    # ---- compound statements ----------------------------------------------------------------

    def block(self) -> None:
        """A block; the new names of a loop are not used outside."""
        opener = self.fill(self.rng.choice(templates.BLOCKS))
        loop = opener.startswith(("for", "while"))
        if loop and self.loops:
            return
        before = self.state()
        self.put(opener)
        target = re.match(r"for (?:\w+, )?(t) in", opener)
        if target:
            self.names.append("t")
        self.loops += loop
        self.body(1, 2)
        self.loops -= loop
        if opener.startswith("while"):
            self.lines[-1] = "    " * (self.depth + 1) + f"kept.append({self.read()})"
        if opener == "try:":
            self.put("finally:")
            self.body(1, 1)
        if loop or opener.startswith("if c"):
            self.restore(before)
        self.names = [name for name in self.names if name != "t"]

    def carry(self) -> None:
        """A loop that carries a state from round to round."""
        if self.loops:
            return
        state = self.fresh()
        self.put(self.fill("R = A", state))
        self.put(f"for _ in range({self.rng.randint(1, 3)}):")
        before = self.state()
        self.names.append(state)
        self.local.append(state)
        self.loops += 1
        self.depth += 1
        for _ in range(self.rng.randint(1, 3)):
            self.statement()
        step = self.rng.choice(STEPS)
        self.put(self.fill(step.replace("STATE", state)))
        self.depth -= 1
        self.loops -= 1
        self.restore(before)
        self.names.append(state)
        self.local.append(state)

    def function(self) -> None:
        """A function of two tensors, called once or twice."""
        if self.inside or self.loops:
            return
        name, before = f"f{self.fresh()}", self.state()
        if self.rng.random() < 0.1:
            self.put(self.rng.choice(("@torch.no_grad()", "@torch.enable_grad()")))
        self.put(f"def {name}(a, b{self.rng.choice(('', '=None', '=c'))}):")
        if self.lines[-1].endswith("=None):"):
            self.put("    b = a if b is None else b")
        outer = self.names if self.rng.random() < 0.3 else ["x", "w", "c"]
        self.names, self.local, self.held, self.odd = [*outer, "a", "b"], ["a", "b"], [], []
        self.inside = True
        self.body(1, 4)
        self.inside = False
        self.lines[-1] = "    " * (self.depth + 1) + f"return {self.rng.choice(self.local)}"
        self.restore(before)
        for _ in range(self.rng.randint(1, 2)):
            self.bind(f"R = {name}(A, B)")

    def module(self) -> None:
        """A module of its own, called; its tensors are held."""
        if self.inside or self.loops or self.depth:
            return
        name, before = f"M{self.fresh()}", self.state()
        self.put(f"class {name}(nn.Module):")
        self.put("    def __init__(self):")
        for line in ("super().__init__()", *INIT):
            self.put(f"        {line}")
        self.put(f"        self.act = {self.rng.choice(ACTS)}")
        self.put("    def forward(self, t):")
        self.names, self.local, self.held, self.odd = ["t", "c"], ["t"], list(SELF), []
        self.inside = True
        self.depth += 1
        self.body(1, 4)
        self.depth -= 1
        self.inside = False
        ret = self.rng.choice(RETURNS).replace("STATE", self.rng.choice(self.local))
        self.lines[-1] = f"        return {ret}"
        self.restore(before)
        made = self.fresh()
        self.put(f"{made} = {name}()")
        self.held += [f"{made}.weight", f"{made}.seen"]
        self.bind(f"R = {made}(A)")
        if self.rng.random() < 0.6:
            self.train(made)

    def train(self, model: str | None = None) -> None:
        """A training loop, its steps in any order."""
        if self.inside or self.loops or self.depth:
            return
        model = model or "linear"
        params = self.rng.choice((f"{model}.parameters()", f"[w, *{model}.parameters()]"))
        optimizer = self.rng.choice(templates.OPTIMIZERS).replace("PARAMS", params)
        own = f"opt{self.fresh()}"
        self.put(f"{own} = {optimizer}")
        self.put("for _ in range(2):")
        before = self.state()
        self.loops += 1
        self.depth += 1
        steps = list(TRAIN)
        if self.rng.random() < 0.5:
            moved = steps.pop(self.rng.choice((0, -1)))
            steps.insert(self.rng.randrange(len(steps) + 1), moved)
        for step in steps:
            self.put(self.fill(step.replace("MODEL", model).replace("OPT", own)))
            if self.rng.random() < 0.2:
                self.statement()
        self.depth -= 1
        self.loops -= 1
        self.restore(before)

    # ---- scopes -----------------------------------------------------------------------------

    def state(self) -> tuple[list[str], ...]:
        """The names as they are."""
        return list(self.names), list(self.local), list(self.odd), list(self.held)

    def restore(self, state: tuple[list[str], ...]) -> None:
        """Names again as they were."""
        self.names, self.local, self.odd, self.held = state

    def finish(self) -> str:
        """Sum some values, run backward; the program's text."""
        last = [name for name in self.names if name not in ("x", "w", "c")]
        roots = sorted({last[-1], self.rng.choice(last), *self.odd[-1:], *self.held[-1:]})
        total = " + ".join(["(w * 1).sum()", *(f"{root}.float().sum()" for root in roots)])
        body = [*self.lines, f"loss = {total}", "loss.backward()", ""]
        helpers = "".join(templates.HELPERS[n] for n in templates.HELPERS if n in self.needs)
        opt = self.rng.choice(templates.OPTIMIZERS).replace("PARAMS", self.rng.choice(PARAMS))
        return PRELUDE.format(opt=opt, helpers=helpers) + "\n".join(body)


COMPOUND = (
    Writer.block,
    Writer.block,
    Writer.block,
    Writer.carry,
    Writer.block,
    Writer.carry,
    Writer.function,
    Writer.function,
    Writer.module,
    Writer.train,
)
STEPS = (
    "STATE = STATE * A",
    "STATE = STATE + A",
    "STATE = (STATE @ w).tanh()",
    "STATE *= 2",
    "STATE.mul_(A)",
    "STATE = STATE.detach()",
    "STATE = STATE.exp().mul_(2)",
    "kept.append(STATE)",
)
FIXED = (".weight", ".left")
"""Places that are not bound to any tensor: a parameter, a field of a named tuple."""
SELF = ("self.weight", "self.seen")
INIT = (
    "self.fc = nn.Linear(3, 3)",
    "self.weight = nn.Parameter(torch.rand(3, 3))",
    "self.register_buffer('seen', torch.zeros(3, 3))",
)
ACTS = (
    "nn.ReLU(inplace=True)",
    "nn.LeakyReLU(0.1, inplace=True)",
    "nn.Sigmoid()",
    "nn.Dropout(0.5, inplace=True)",
    "nn.Softmax(-1)",
    "nn.Sequential(nn.Linear(3, 3), nn.ELU(inplace=True))",
    "nn.Identity()",
)
RETURNS = (
    "self.act(STATE)",
    "self.act(self.fc(STATE))",
    "self.fc(STATE) + STATE",
    "STATE * self.weight",
    "self.fc(self.act(STATE))",
    "STATE",
)
TRAIN = (
    "OPT.zero_grad()",
    "out = MODEL(A)",
    "loss = (out * B + w).sum()",
    "loss.backward()",
    "OPT.step()",
)


def program(seed: int) -> str:
    """The program of a seed."""
    writer = Writer(random.Random(seed))
    writer.bind("R = x * 0.5 + 0.1")
    writer.bind("R = w + 0.2")
    for _ in range(writer.rng.randint(2, 7)):
        writer.statement()
    return writer.finish()
