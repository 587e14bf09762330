"""Random programs that are valid Python and make no sense: every construct beside every other."""

from __future__ import annotations

import random
from collections.abc import Callable

NAMES = "x y z self model loss w torch nn F opt data i f g Net cls".split()
ATTRIBUTES = (
    "data grad add_ exp mul_ backward step forward T shape weight parameters __class__ __dict__ "
    "detach requires_grad_ copy_ append items apply pop register_hook state_dict to view"
).split()
CONSTANTS = "0 1 -1 2.5 1e400 1j None True ... 'x' b'y' '' 10**9".split()
BINARY = "+ - * / // % ** @ & | ^ << >> and or == is in < not\tin".split(" ")
PATHS = (
    "torch.no_grad torch.zeros nn.Linear torch.cat getattr super setattr map zip type len".split()
)


class Writer:
    """Writes one program; `fuel` ends the recursion."""

    def __init__(self, seed: int, fuel: int = 120) -> None:
        self.rng = random.Random(seed)
        self.fuel = fuel

    def name(self) -> str:
        """Some name."""
        return self.rng.choice(NAMES)

    def pick(self, *of: Callable[[], str]) -> str:
        """What one of the writers writes."""
        return self.rng.choice(of)()

    def expression(self) -> str:
        """Any expression."""
        self.fuel -= 1
        if self.fuel < 0 or self.rng.random() < 0.3:
            return self.pick(self.name, self.name, lambda: self.rng.choice(CONSTANTS))
        return self.rng.choice(EXPRESSIONS)(self)

    def target(self) -> str:
        """What can be assigned to."""
        return self.pick(
            self.name,
            self.name,
            lambda: f"{self.name()}.{self.attribute()}",
            lambda: f"{self.name()}[{self.expression()}]",
            lambda: f"{self.name()}, *{self.name()}",
            lambda: f"({self.name()}, [{self.name()}, {self.name()}])",
        )

    def place(self) -> str:
        """A target that is one thing."""
        text = self.target()
        return self.name() if "," in text else text

    def attribute(self) -> str:
        """Some attribute."""
        return self.rng.choice(ATTRIBUTES)

    def arguments(self) -> str:
        """Arguments of a call."""
        parts = [self.expression() for _ in range(self.rng.randrange(3))]
        if self.rng.random() < 0.2:
            parts.append(f"*{self.name()}")
        if self.rng.random() < 0.2:
            parts.append(f"{self.name()}={self.expression()}")
        if self.rng.random() < 0.1:
            parts.append(f"**{self.name()}")
        return ", ".join(parts)

    def primary(self) -> str:
        """What a dot, a bracket or a call may follow."""
        return self.pick(self.name, self.name, lambda: f"({self.expression()})")

    def parameters(self, annotated: bool = True) -> str:
        """Parameters of a function."""
        names = self.rng.sample(NAMES, self.rng.randrange(4))
        bare = 0.6 if annotated else 1
        parts = [n if self.rng.random() < bare else f"{n}: {self.name()}" for n in names]
        if names and self.rng.random() < 0.4:
            parts[-1] += f" = {self.expression()}"
        tail = self.rng.choice(["", "", "*args", "**kwargs", "*, key=None", "*args, **kwargs"])
        return ", ".join([*parts, tail] if tail else parts)

    def block(self, depth: int) -> str:
        """Indented statements."""
        count = self.rng.randrange(1, 4)
        return "".join(self.statement(depth) for _ in range(count))

    def statement(self, depth: int = 0) -> str:
        """Any statement, with what stands in it."""
        self.fuel -= 1
        if self.fuel > 0 and depth < 6 and self.rng.random() < 0.4:
            return self.rng.choice(COMPOUND)(self, depth)
        return "    " * depth + self.rng.choice(SIMPLE)(self) + "\n"


def _call(w: Writer) -> str:
    return f"{w.primary()}({w.arguments()})"


def _method(w: Writer) -> str:
    return f"{w.primary()}.{w.attribute()}({w.arguments()})"


def _operation(w: Writer) -> str:
    return f"({w.expression()} {w.rng.choice(BINARY)} {w.expression()})"


def _comprehension(w: Writer) -> str:
    start, end = w.rng.choice([("[", "]"), ("(", ")"), ("{", "}")])
    condition = f" if {w.expression()}" if w.rng.random() < 0.3 else ""
    loops = f"for {w.name()} in {w.expression()}{condition}"
    return f"{start}{w.expression()} {loops} for {w.name()}, _ in {w.expression()}{end}"


EXPRESSIONS: tuple[Callable[[Writer], str], ...] = (
    _call,
    _call,
    _method,
    _method,
    _operation,
    _comprehension,
    lambda w: f"{w.rng.choice(PATHS)}({w.arguments()})",
    lambda w: f"{w.primary()}.{w.attribute()}",
    lambda w: f"{w.primary()}[{w.expression()}]",
    lambda w: f"{w.primary()}[{w.expression()}:{w.expression()}:, ..., None]",
    lambda w: f"(lambda {w.parameters(False)}: {w.expression()})",
    lambda w: f"({w.expression()} if {w.expression()} else {w.expression()})",
    lambda w: f"[{w.expression()}, *{w.name()}]",
    lambda w: f"({w.expression()}, {w.expression()})",
    lambda w: f"{{{w.expression()}: {w.expression()}, **{w.name()}}}",
    lambda w: f"{{{w.expression()}, {w.expression()}}}",
    lambda w: f"({w.name()} := {w.expression()})",
    lambda w: f"(yield {w.expression()})",
    lambda w: f"(yield from {w.expression()})",
    lambda w: f"(await {w.expression()})",
    lambda w: f"(-{w.expression()})",
    lambda w: f"(not {w.expression()})",
    lambda w: f"({w.name()} < {w.name()} <= {w.expression()})",
    lambda w: f"f'{{{w.name()}!r:>{{{w.name()}}}}} {{{w.name()}=}}'",
)


def _if(w: Writer, depth: int) -> str:
    pad = "    " * depth
    text = f"{pad}if {w.expression()}:\n{w.block(depth + 1)}"
    text += f"{pad}elif {w.expression()}:\n{w.block(depth + 1)}" if w.rng.random() < 0.3 else ""
    return text + (f"{pad}else:\n{w.block(depth + 1)}" if w.rng.random() < 0.4 else "")


def _loop(w: Writer, depth: int) -> str:
    pad = "    " * depth
    head = w.pick(
        lambda: f"for {w.target()} in {w.expression()}",
        lambda: f"while {w.expression()}",
        lambda: f"with {w.expression()} as {w.place()}",
        lambda: f"async for {w.name()} in {w.expression()}",
    )
    return f"{pad}{head}:\n{w.block(depth + 1)}"


def _try(w: Writer, depth: int) -> str:
    pad = "    " * depth
    star = w.rng.choice(["", "", "*"])
    text = f"{pad}try:\n{w.block(depth + 1)}"
    text += f"{pad}except{star} {w.name()} as {w.name()}:\n{w.block(depth + 1)}"
    text += f"{pad}else:\n{w.block(depth + 1)}" if w.rng.random() < 0.3 else ""
    return text + (f"{pad}finally:\n{w.block(depth + 1)}" if w.rng.random() < 0.3 else "")


def _function(w: Writer, depth: int) -> str:
    pad = "    " * depth
    decorator = f"{pad}@{w.name()}\n" if w.rng.random() < 0.3 else ""
    kind = w.rng.choice(["def", "def", "async def"])
    return f"{decorator}{pad}{kind} {w.name()}({w.parameters()}):\n{w.block(depth + 1)}"


METHODS = "forward __init__ __call__ __getattr__ __enter__ backward step x f".split()


def _class(w: Writer, depth: int) -> str:
    pad = "    " * depth
    base = w.rng.choice(["nn.Module", "torch.autograd.Function", "Net", "x", "type", "dict", ""])
    text = f"{pad}class {w.name()}({base}):\n{pad}    {w.name()} = {w.expression()}\n"
    for name in w.rng.sample(METHODS, 2):
        parameters = ", ".join(filter(None, ["self", w.rng.choice(["", "x", "*args", "x, *y"])]))
        decorator = w.rng.choice(["", "", "", "property", "staticmethod", "classmethod"])
        text += f"{pad}    @{decorator}\n" if decorator else ""
        text += f"{pad}    def {name}({parameters}):\n{w.block(depth + 2)}"
    return text


def _match(w: Writer, depth: int) -> str:
    pad = "    " * (depth + 1)
    pattern = w.rng.choice(["[x, *y]", "{'a': z}", "Net(x=1, data=y)", "1 | 2", "str() as f", "x"])
    head = f"{'    ' * depth}match {w.expression()}:\n"
    return f"{head}{pad}case {pattern} if {w.expression()}:\n{w.block(depth + 2)}"


COMPOUND = (_if, _if, _loop, _loop, _try, _function, _function, _class, _match)
SIMPLE: tuple[Callable[[Writer], str], ...] = (
    lambda w: w.expression(),
    lambda w: w.expression(),
    lambda w: f"{w.target()} = {w.expression()}",
    lambda w: f"{w.target()} = {w.expression()}",
    lambda w: f"{w.target()} = {w.target()} = {w.expression()}",
    lambda w: f"{w.place()} {w.rng.choice('+ - * / @ ** >> |'.split())}= {w.expression()}",
    lambda w: f"{w.place()}: {w.expression()} = {w.expression()}",
    lambda w: f"del {w.place()}",
    lambda w: f"return {w.expression()}",
    lambda w: f"raise {w.expression()} from {w.name()}",
    lambda w: f"assert {w.expression()}, {w.expression()}",
    lambda w: w.rng.choice(["pass", "break", "continue", "return", "raise"]),
    lambda w: f"{w.rng.choice(['global', 'nonlocal'])} {w.name()}",
    lambda w: f"import {w.rng.choice(['os', 'torch.nn', 'numpy as x', 'm.n'])}",
    lambda w: f"from {w.rng.choice(['.', '..x', 'torch', 'torch.nn'])} import {w.name()}",
)


def program(seed: int) -> str:
    """A program of a few dozen lines."""
    writer = Writer(seed)
    text = "".join(writer.statement() for _ in range(12))
    return f"import torch\nfrom torch import nn\nimport torch.nn.functional as F\n{text}"
