"""Definitions and statements for `tests.fuzz.grown`, one a line; `shaped` shares the definitions.

`A`, `B` stand for any value, `V` for one that is written, `L` for a local one that an augmented
assignment may bind, `R` for a fresh name. `Name:` before a template says which definitions it
needs.
"""

from __future__ import annotations

HELPERS = {
    "Cube": """
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        ctx.save_for_backward(t)
        return t ** 3

    @staticmethod
    def backward(ctx, g):
        (t,) = ctx.saved_tensors
        return g * 3 * t**2
""",
    "Exp": """
class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        out = t.exp()
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, g):
        (out,) = ctx.saved_tensors
        return g * out
""",
    "Same": """
class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        return t.view_as(t)

    @staticmethod
    def backward(ctx, g):
        return g
""",
    "Twice_": """
class Twice_(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        t.mul_(2)
        ctx.mark_dirty(t)
        return t

    @staticmethod
    def backward(ctx, g):
        return g * 2
""",
    "Pair": """
class Pair(torch.autograd.Function):
    @staticmethod
    def forward(ctx, s, t):
        ctx.save_for_backward(s, t)
        return s * t, s + t

    @staticmethod
    def backward(ctx, g, h):
        s, t = ctx.saved_tensors
        return g * t + h, g * s + h
""",
    "Unread": """
class Unread(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        ctx.save_for_backward(t)
        return t * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2
""",
    "Box": """
class Box:
    def __init__(self, value):
        self.value = value

    def scale(self, factor):
        self.value *= factor
        return self.value

    def grow(self):
        self.value = self.value * 2
        return self

    @property
    def shown(self):
        return self.value.exp()

    def __call__(self, t):
        return self.value * t
""",
    "Point": """
@dataclasses.dataclass
class Point:
    first: torch.Tensor
    second: torch.Tensor

    def norm(self):
        return (self.first * self.second).tanh()
""",
    "Named": """
Named = collections.namedtuple("Named", ["left", "right"])
""",
    "Net": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.scale = nn.Parameter(torch.ones(3))
        self.register_buffer("seen", torch.zeros(3, 3))

    def forward(self, t):
        out = self.fc(t) * self.scale
        self.seen += out.detach()
        return out


net = Net()
""",
    "Deep": """
class Block(nn.Module):
    def __init__(self, act):
        super().__init__()
        self.fc = nn.Linear(3, 3, bias=False)
        self.act = act
        self.norm = nn.LayerNorm(3)

    def forward(self, t):
        return t + self.act(self.fc(self.norm(t)))


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(nn.ReLU(inplace=True)), Block(nn.Tanh())])
        self.head = nn.Sequential(nn.Linear(3, 3), nn.SiLU(inplace=True))

    def forward(self, t):
        for block in self.blocks:
            t = block(t)
        return self.head(t)


deep = Deep()
""",
    "Table": """
table = nn.Embedding(4, 3)
""",
    "Conv": """
conv = nn.Conv1d(3, 3, 1)
""",
    "Cell": """
cell = nn.GRUCell(3, 3)
""",
    "Norm": """
norm = nn.BatchNorm1d(3)
""",
    "Frozen": """
frozen = nn.Linear(3, 3).requires_grad_(False)
""",
    "scale_": """
def scale_(t, factor=2):
    t.mul_(factor)
    return t
""",
    "gate": """
def gate(t):
    return t * t.sigmoid()
""",
    "both": """
def both(first, second):
    return first.exp(), second
""",
    "fill_all": """
def fill_all(*tensors, value=0.5):
    for t in tensors:
        t.fill_(value)
""",
    "counter": """
def counter():
    total = torch.zeros(3, 3)

    def add(t):
        nonlocal total
        total = total + t * t
        return total

    return add


add = counter()
""",
    "keeper": """
def keeper():
    total = torch.zeros(3, 3)

    def keep(t):
        total.add_(t)
        return total

    return keep


keep = keeper()
""",
    "pairs": """
def pairs(*tensors):
    for t in tensors:
        yield t, t * 2
""",
    "quiet": """
@torch.no_grad()
def quiet(t):
    t.mul_(0.5)
    return t
""",
    "held": """
@contextlib.contextmanager
def held(t):
    t.add_(1)
    yield t
    t.sub_(1)
""",
}
"""Definitions by name; those that bind instances do so under the name their templates use."""


def _lines(text: str) -> list[tuple[tuple[str, ...], str]]:
    found = []
    for line in text.strip().split("\n"):
        head, mark, tail = line.partition(" :: ")
        needs, template = (tuple(head.split()), tail) if mark else ((), line)
        found.append((needs, template))
    return found


BINDS = _lines("""
R = A[:]
R = A.t()
R = A.view(3, 3)
R = A.detach()
R = A.unsqueeze(0)[0]
R = A.chunk(1)[0]
R = torch.stack(A.unbind())
R, _ = torch.stack([A, B])
R = torch.stack([A, B])[1]
R, *_ = [A, B]
R = A.mean(0, keepdim=True).expand(3, 3)
R = A[:1].expand(3, -1)
R = A[0].expand_as(A)
R = A.as_strided((3, 3), (1, 3))
R = A.data
R = A.narrow(0, 0, 3)
R = A.reshape(9).reshape(3, 3)
R = A[ii][:1] + B
R = A[m].sum() + B
R = A.T.contiguous()
R = A.flatten().unflatten(0, (3, 3))
R = A.repeat(1, 1)
R = A.diag().diag()
R = +A
R = -A
R = abs(A)
R = A + B
R = A - B
R = A * B
R = A / (B + 2)
R = A @ B
R = A ** 2
R = 2 ** A
R = A ** B.abs()
R = A * 2
R = 1 - A
R = (A > 0) * A
R = A * (B > 0.5)
R = A.softmax(-1).t()
R = A.sum() + B
R = A * A.norm()
R = A.mean(0, keepdim=True) + B
R = torch.einsum("ij,jk->ik", A, B)
R = torch.einsum("ij->ji", A)
R = torch.tensor([[2.0]]) * A
R = A * w
R = x * A
R = A @ w
R = copy.copy(A)
R = copy.deepcopy(A.detach())
R = nn.Parameter(A.detach())
R = nn.Parameter(A.data)
R = (lambda t: t.tanh())(A)
R = sum([A, B])
R = max([A, B], key=lambda t: 0)
R = functools.reduce(torch.mul, [A, B])
R = functools.partial(torch.mul, A)(B)
R = list(map(torch.exp, [A, B]))[0]
R = [t.sigmoid() for t in (A, B)][1]
R = {"a": A, "b": B}["b"]
R = {k: t * 2 for k, t in {"a": A}.items()}["a"]
R = [A, B][0]
R = (A, B)[-1]
R = A if c is not None else B
R = A if A.requires_grad else B
R = A or B if False else A
R = getattr(A, "exp")()
R = operator.mul(A, B)
R = torch.Tensor.exp(A)
R = F.dropout(A, 0.5, training=False)
R = F.dropout(A, 0.5)
R = torch.as_tensor(A)
R = A.float()
R = A.to(torch.float64).float()
R = A.double().float()
R = A.clone()
R = A.detach().clone().requires_grad_()
R = torch.zeros(3, 3)
R = A.new_zeros(3, 3)
R = torch.empty_like(A).copy_(B)
R = torch.zeros(3, 3).add_(A)
R = torch.where(A > 0, A, B)
R = A.masked_fill(m, 0.0)
R = torch.cat([A, B])[3:]
R = A.split(3)[0]
R = A.tensor_split(1)[0]
R = F.pad(A, (0, 0))
R = A.relu().view(3, 3)
R = F.linear(A, w)
R = F.normalize(A, dim=0)
R = torch.real(A)
R = A.contiguous()
R = A.max(0, keepdim=True).values + B
R = A.sort(0)[0]
R = A.cumsum(0)
R = torch.func.functional_call(linear, dict(linear.named_parameters()), (A,))
R = linear(A)
R = nn.Sequential(nn.Linear(3, 3), nn.ReLU(inplace=True))(A)
R = nn.Sequential(nn.ReLU(), nn.Dropout(0.0))(A)
R = nn.Identity()(A)
Net :: R = net(A)
Deep :: R = deep(A)
Table :: R = table(ii)[:1] + A
Conv :: R = conv(A)
Cell :: R = cell(A, B)
Norm :: R = norm(A)
Norm :: R = norm.eval()(A)
Frozen :: R = frozen(A)
gate :: R = gate(A)
both :: R, _ = both(A, B)
both :: _, R = both(A, B)
scale_ :: R = scale_(A)
scale_ :: R = scale_(A.clone())
Box :: R = Box(A).shown
Box :: R = Box(A)(B)
Box :: R = Box(A).grow().value
Box :: R = Box(A).value
Point :: R = Point(A, B).norm()
Point :: R = dataclasses.replace(Point(A, B), first=B).first
Named :: R = Named(A, B).right
Named :: R, _ = Named(A, B)
Cube :: R = Cube.apply(A)
Exp :: R = Exp.apply(A)
Same :: R = Same.apply(A)
Twice_ :: R = Twice_.apply(A)
Pair :: R, _ = Pair.apply(A, B)
Pair :: _, R = Pair.apply(A, B)
Unread :: R = Unread.apply(A)
counter :: R = add(A)
keeper :: R = keep(A)
pairs :: R = [t * u for t, u in pairs(A, B)][0]
quiet :: R = quiet(A)
quiet :: R = quiet(A.clone())
gate :: R = checkpoint(gate, A, use_reentrant=False)
gate :: R = checkpoint(gate, A, use_reentrant=True)
Deep :: R = checkpoint(deep, A, use_reentrant=False)
""")

WRITES = _lines("""
V.add_(1)
V.mul_(B)
L *= 2
L += B
L -= 1
L /= 2
L @= B
L **= 2
L = L * 2
L = L + B
V[0] = 0
V[:, 1] += 1
V[0] += B[0]
V[0, 0] = 1
V[...] = B
V[:] = 0
V[-1] *= 2
V.zero_()
V.copy_(B)
V.t().mul_(2)
V[0].mul_(2)
V[:2].add_(1)
V.data.add_(1)
V.data[0] += 1
V.detach().add_(1)
V.detach().numpy()[0] += 1
V.numpy(force=True)[:] += 1
numpy.add(V.detach().numpy(), 1, out=V.detach().numpy())
torch.from_numpy(V.detach().numpy()).add_(1)
torch.from_dlpack(V.detach()).add_(1)
copy.copy(V.detach()).add_(1)
V[m] = 0.5
V[m] += 1
V[ii] = B[ii]
V[ii, ii] = 0.2
V[[0, 2]] *= 2
V[V > 0.5] = 0.5
nn.init.zeros_(V)
nn.init.normal_(V)
F.relu(V, inplace=True)
F.dropout(V, 0.5, inplace=True)
F.dropout(V, 0.5, training=False, inplace=True)
nn.ReLU(True)(V)
V.exp_()
V.sigmoid_()
V.tanh_().mul_(2)
torch.exp(V, out=V)
torch.mul(A, B, out=V)
torch.add(V, B, out=V)
torch.cumsum(A.detach(), 0, out=V)
torch._foreach_mul_([V], 2)
torch._foreach_add_([V, A], 1)
V.diagonal().add_(1)
V.clamp_(0.1, 0.9)
V.requires_grad_(False)
V.requires_grad_()
V.view(-1)[0] = 2
V.sub_(V[0])
V.add_(V.t())
V.mul_(V)
V.mul_(V.sigmoid())
V[1:] = V[:-1]
V[1:] = V[:-1].clone()
V.masked_fill_(m, 0.1)
V.index_add_(0, ii, B[ii])
V.index_copy_(0, ii, B[ii])
V.scatter_(1, idx, B)
V.unsqueeze_(0).squeeze_(0)
V.t_()
V.swapaxes(0, 1).sub_(1)
V.chunk(3)[1].zero_()
V.unbind()[0].add_(1)
V.tensor_split(3)[0].add_(1)
V.resize_(3, 3)
V.detach_()
V.grad = None
V.normal_()
V.uniform_().mul_(2)
V.requires_grad or V.add_(1)
V.is_leaf or V.mul_(2)
x.data.add_(1)
w.mul_(2)
w.data.mul_(2)
w.detach().add_(1)
x[0] = 1
w.grad = None
[t.mul_(2) for t in [V]]
list(map(lambda t: t.add_(1), [V]))
operator.iadd(V, 1)
torch.Tensor.mul_(V, 2)
getattr(V, "add_")(1)
scale_ :: scale_(V)
scale_ :: scale_(V[0], factor=3)
fill_all :: fill_all(V, value=0.1)
quiet :: quiet(V)
Box :: Box(V).scale(3)
Named :: Named(V, B).left.add_(1)
Net :: net.seen.zero_()
Net :: net.scale.data.add_(1)
Net :: net.fc.weight.data.mul_(0.9)
Net :: net.fc.weight.mul_(0.9)
Net :: net.load_state_dict(net.state_dict())
Net :: net.eval()
Net :: net.zero_grad()
Net :: nn.init.zeros_(net.fc.weight)
Net :: [p.data.add_(1) for p in net.parameters()]
Deep :: deep.requires_grad_(False)
Deep :: deep.blocks[0].fc.weight.data.add_(1)
Norm :: norm.reset_running_stats()
Table :: table.weight.data.zero_()
held :: with held(V): pass
keeper :: keep(A)
""")

RUNS = _lines("""
(A.sum() + w.sum()).backward(retain_graph=True)
(A.sum() + w.sum()).backward()
(A * B + w).sum().backward()
((A + B) @ w).sum().backward(retain_graph=True)
torch.autograd.grad((A + w).sum(), w)
torch.autograd.grad((A * w).sum(), [x, w], allow_unused=True, retain_graph=True)
torch.autograd.backward([(A * w).sum(), (B + w).sum()])
(A + w).mean().backward(inputs=[w])
(A + w).backward(torch.ones(3, 3))
A.requires_grad and A.sum().backward()
kept.append(A)
kept.append(A.detach())
sum(kept, w * 1).sum().backward(retain_graph=True)
kept.clear()
A.requires_grad and A.register_hook(lambda g: g * 2)
opt.step()
opt.zero_grad()
(w * B).sum().backward(); opt.step()
nn.utils.clip_grad_norm_([x, w], 1.0)
""")

HOLDERS = _lines("""
Box :: R = Box(A) -> R.value
Point :: R = Point(A, B) -> R.first R.second
R = [A, B] -> R[0] R[1] R[-1]
R = {"h": A} -> R["h"]
R = (A, B) -> R[0] R[1]
R = collections.deque([A], maxlen=2) -> R[0]
Named :: R = Named(A, B) -> R.left
R = types.SimpleNamespace(h=A) -> R.h
R = nn.Linear(3, 3) -> R.weight
R = nn.ParameterList([nn.Parameter(A.detach().clone())]) -> R[0]
""")
"""Objects that hold tensors, and where in them."""

REBINDS = _lines("""
H = A
H = H * 2
H *= 2
H += B
H = H.exp()
H.mul_(B)
H, _ = B, A
""")
"""Changes of what a holder holds (`H`)."""

BLOCKS = [
    "with torch.no_grad():",
    "with torch.enable_grad():",
    "with torch.inference_mode():",
    "with torch.set_grad_enabled(False):",
    "with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):",
    "if linear.training:",
    "if c.requires_grad:",
    "if x.requires_grad:",
    "for _ in range(2):",
    "for t in [A, B]:",
    "for i, t in enumerate((A, B)):",
    "for t in A:",
    "for t in kept:",
    "while len(kept) < 2:",
    "try:",
]

OPTIMIZERS = [
    "torch.optim.SGD(PARAMS, lr=0.1)",
    "torch.optim.SGD(PARAMS, lr=0.1, momentum=0.9)",
    "torch.optim.SGD(PARAMS, lr=0.1, foreach=True)",
    "torch.optim.Adam(PARAMS)",
    "torch.optim.AdamW(PARAMS, lr=0.1)",
    "torch.optim.RMSprop(PARAMS)",
    "torch.optim.Adagrad(PARAMS)",
]
