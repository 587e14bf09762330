"""Shapes and strides of results, as far as literals tell: for views, for new tensors, for indices.

By the name an op is called by. What is not here, or rests on a size that is not known, has no
geometry, and the table's flags (`expands`, `noncontig`) decide instead.
"""

from __future__ import annotations

import itertools
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from inplace_lint.domain import geometry as g
from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    Const,
    ListValue,
    SliceValue,
    TupleValue,
    Value,
    literal,
    settle,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inplace_lint.domain.geometry import Geometry

    Args: TypeAlias = "Sequence[object]"
    Shaper: TypeAlias = "Callable[[Geometry, Args], Geometry | None]"

LARGEST = 1 << 40


def give(tensor: Tensor, geometry: Geometry | None) -> None:
    """Set what is known; the flags follow from it."""
    tensor.geometry = geometry
    if geometry is not None:
        tensor.expanded = geometry.expanded
        tensor.noncontig = not geometry.contiguous
        tensor.ndim = len(geometry.shape)


def sizes(value: object) -> g.Sizes | None:
    """A literal as sizes: an int or a tuple of ints."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = (value,)
    if isinstance(value, tuple) and len(value) == 1 and isinstance(value[0], tuple):
        value = value[0]
    if not isinstance(value, tuple):
        return None
    whole = all(isinstance(v, int) and not isinstance(v, bool) for v in value)
    return value if whole and abs(prod(value)) < LARGEST else None


def _int(args: Args, position: int, default: int | None = None) -> int | None:
    value = args[position] if position < len(args) else default
    return value if isinstance(value, int) and not isinstance(value, bool) else None


# ---- views ---------------------------------------------------------------------------------


def _swap(of: Geometry, args: Args) -> Geometry | None:
    first, second = _int(args, 0), _int(args, 1)
    return None if first is None or second is None else g.transpose(of, first, second)


def _turn(of: Geometry, args: Args) -> Geometry | None:
    return g.permute(of, tuple(reversed(range(len(of.shape)))))


def _turn_last(of: Geometry, args: Args) -> Geometry | None:
    return g.transpose(of, -1, -2)


def _permute(of: Geometry, args: Args) -> Geometry | None:
    dims = sizes(args[0]) if args else None
    return None if dims is None else g.permute(of, dims)


def _view(of: Geometry, args: Args) -> Geometry | None:
    shape = sizes(args[0]) if args else None
    return None if shape is None else g.view(of, shape)


def _flatten(of: Geometry, args: Args) -> Geometry | None:
    shape = _flat(of.shape, args)
    return None if shape is None else g.view(of, shape)


def _flat(shape: g.Sizes, args: Args) -> g.Sizes | None:
    start, end, ndim = _int(args, 0, 0), _int(args, 1, -1), len(shape)
    if start is None or end is None:
        return None
    if ndim == 0:
        return (1,)
    start, end = start % ndim, end % ndim
    return (*shape[:start], prod(shape[start : end + 1]), *shape[end + 1 :])


def _squeeze(of: Geometry, args: Args) -> Geometry | None:
    if not args:
        return g.squeeze(of, None)
    dims = sizes(args[0])
    return None if dims is None else g.squeeze(of, dims)


def _unsqueeze(of: Geometry, args: Args) -> Geometry | None:
    dim = _int(args, 0)
    return None if dim is None else g.unsqueeze(of, dim)


def _select(of: Geometry, args: Args) -> Geometry | None:
    dim, index = _int(args, 0), _int(args, 1)
    return None if dim is None or index is None else g.select(of, dim, index)


def _narrow(of: Geometry, args: Args) -> Geometry | None:
    dim, start, length = _int(args, 0), _int(args, 1), _int(args, 2)
    if dim is None or start is None or length is None:
        return None
    if start < 0 and -len(of.shape) <= dim < len(of.shape):
        start += of.shape[dim]
    return g.cut(of, dim, slice(start, start + length))


def _diagonal(of: Geometry, args: Args) -> Geometry | None:
    shift, first, second = _int(args, 0, 0), _int(args, 1, 0), _int(args, 2, 1)
    if shift is None or first is None or second is None:
        return None
    return g.diagonal(of, shift, first, second)


def _expand(of: Geometry, args: Args) -> Geometry | None:
    shape = sizes(args[0]) if args else None
    return None if shape is None else g.expand(of, shape)


def _as_strided(of: Geometry, args: Args) -> Geometry | None:
    size, stride = (sizes(arg) for arg in (*args, None, None)[:2])
    start = _int(args, 2, of.offset) if len(args) > 2 and args[2] is not None else of.offset
    if size is None or stride is None or start is None or len(size) != len(stride):
        return None
    return g.Geometry(size, stride, start)


def _same(of: Geometry, args: Args) -> Geometry | None:
    return of


VIEWS: dict[str, Shaper] = {
    **dict.fromkeys(("transpose", "swapaxes", "swapdims"), _swap),
    **dict.fromkeys(("t", ".T"), _turn),
    **dict.fromkeys((".mT", "adjoint"), _turn_last),
    "permute": _permute,
    **dict.fromkeys(("view", "reshape"), _view),
    **dict.fromkeys(("flatten", "ravel"), _flatten),
    "squeeze": _squeeze,
    "unsqueeze": _unsqueeze,
    "select": _select,
    "narrow": _narrow,
    "diagonal": _diagonal,
    **dict.fromkeys(("expand", "broadcast_to"), _expand),
    "as_strided": _as_strided,
    **dict.fromkeys(("contiguous", "detach", "alias"), _same),
}
"""What a view by this name shows; `reshape` and its kin give None where they have to copy."""

LIKE = frozenset({"view_as", "reshape_as", "expand_as"})
"""Views that take their shape from the other operand."""

REWRITTEN = frozenset("t_ transpose_ swapaxes_ swapdims_ squeeze_ unsqueeze_".split())
"""In place on the geometry: the view of the same name without `_`."""


def of_view(name: str, of: Geometry | None, args: Args, like: Geometry | None) -> Geometry | None:
    """The geometry of a view."""
    if of is None:
        return None
    if name in LIKE:
        args = (like.shape,) if like is not None else ()
        name = name.removesuffix("_as")
    shaper = VIEWS.get(name)
    return shaper(of, args) if shaper is not None else None


def copies(name: str, of: Geometry | None, args: Args, like: Geometry | None) -> bool | None:
    """Whether reshape(), flatten(), contiguous() ... have to copy; None where it is not known."""
    if of is None:
        return None
    if name == "contiguous":
        return not of.contiguous
    if of_view(name, of, args, like) is not None:
        return False
    return True if moved(name, of, args, like) is not None else None


def moved_of(name: str, tensor: Tensor, args: Args, like: Geometry | None) -> Geometry | None:
    """The same, of a tensor that may have no geometry."""
    known = tensor.geometry
    return moved(name, known, args, like) if known is not None else None


def moved(name: str, of: Geometry, args: Args, like: Geometry | None) -> Geometry | None:
    """The geometry of the copy that reshape() and its kin make."""
    return of_view(name, g.rows(of.shape), args, like)


# ---- several views -------------------------------------------------------------------------


def pieces(name: str, of: Geometry | None, args: Args) -> list[Geometry | None] | None:
    """What chunk, split, unbind and tensor_split show, where their number is known."""
    if of is None:
        return None
    dim = _int(args, 0 if name in {"unbind", "iteration"} else 1, 0)
    if dim is None or not -len(of.shape) <= dim < len(of.shape):
        return None
    size = of.shape[dim]
    if name in {"unbind", "iteration"}:
        return [g.select(of, dim, n) for n in range(size)]
    bounds = _bounds(name, size, args[0] if args else None)
    if bounds is None:
        return None
    return [g.cut(of, dim, slice(*pair)) for pair in itertools.pairwise(bounds)]


def _bounds(name: str, size: int, given: object) -> list[int] | None:
    """Where the pieces begin and end."""
    listed = sizes(given)
    if listed is None:
        return None
    one = listed[0] if isinstance(given, int) else None
    if name == "tensor_split":
        return _even(size, one) if one is not None else [0, *listed, size]
    if one is None:
        return [sum(listed[:n]) for n in range(len(listed) + 1)] if name == "split" else None
    if one <= 0 or name not in {"chunk", "split"}:
        return None
    step = max(-(-size // one), 1) if name == "chunk" else one
    return [*range(0, size, step), size] if size else [0, 0]


def _even(size: int, count: int) -> list[int] | None:
    if count <= 0:
        return None
    short, longer = divmod(size, count)
    return [n * short + min(n, longer) for n in range(count + 1)]


# ---- new tensors ---------------------------------------------------------------------------

POINTWISE = frozenset(
    "+ - * / ** % // == != < <= > >= & | ^ ~ neg exp exp2 expm1 log log2 log10 log1p sqrt "
    "rsqrt square abs sign sgn sin cos tan asin acos atan sinh cosh tanh asinh acosh "
    "atanh sigmoid relu relu6 gelu silu mish elu selu celu leaky_relu softplus hardtanh "
    "hardswish hardsigmoid softsign tanhshrink softshrink hardshrink logsigmoid erf erfc "
    "erfinv floor ceil round trunc frac reciprocal clamp clip clamp_min clamp_max add sub "
    "mul div multiply divide subtract true_divide floor_divide pow fmod remainder maximum "
    "minimum fmax fmin atan2 lerp addcmul addcdiv hypot xlogy where masked_fill logit "
    "nan_to_num sinc digamma lgamma eq ne lt le gt ge logical_and logical_or logical_not "
    "isnan isfinite clone float double half bfloat16 long int bool to type_as dropout "
    "zeros_like ones_like rand_like randn_like empty_like full_like "
    "absolute negative arccos arccosh arcsin arcsinh arctan arctan2 arctanh fix deg2rad rad2deg "
    "angle copysign heaviside igamma igammac ldexp logaddexp logaddexp2 nextafter rsub polygamma "
    "threshold leakyrelu alphadropout featurealphadropout frexp "
    "__radd__ __rmul__ __rsub__ __rtruediv__ __rfloordiv__ __rmod__ "
    "airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 entr erfcx expit gammainc gammaincc gammaln "
    "i0 i0e i1 i1e log_ndtr ndtr ndtri psi xlog1py zeta spherical_bessel_j0 modified_bessel_i0 "
    "modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 scaled_modified_bessel_k0 "
    "scaled_modified_bessel_k1 chebyshev_polynomial_t chebyshev_polynomial_u "
    "chebyshev_polynomial_v chebyshev_polynomial_w shifted_chebyshev_polynomial_t "
    "shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w "
    "hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p".split()
)
"""Elementwise: operands are broadcast, the order of strides is kept."""

UNREDUCED = frozenset("mse_loss l1_loss smooth_l1_loss huber_loss kl_div".split())
"""The same with `reduction="none"`."""

SAME_SHAPE = frozenset(
    "softmax log_softmax cumsum cumprod flip roll tril triu layer_norm nn.LayerNorm batch_norm "
    "nn.BatchNorm1d nn.BatchNorm2d group_norm nn.GroupNorm rms_norm nn.RMSNorm sort cummax cummin "
    "normalize logcumsumexp renorm contiguous nn.Softmax nn.LogSoftmax nn.Softmin softmin "
    "gumbel_softmax mvlgamma multigammaln masked_scatter scatter scatter_add scatter_reduce put "
    "fliplr flipud msort fftshift ifftshift matrix_exp matrix_power alias_copy __rpow__".split()
)
"""As large as the input, row-major."""

SOLVED = frozenset(
    "inverse inv inv_ex solve solve_ex solve_triangular triangular_solve cholesky_inverse "
    "cholesky_solve cholesky_ex lu_solve".split()
)
"""Of square matrices: column-major."""

JOINED = frozenset({"cat", "concat", "concatenate", "stack"})
"""A list of tensors, one after the other."""

SIZED = frozenset("rand randn zeros ones empty full new_zeros new_ones new_empty new_full".split())
"""Made with a literal size."""

REDUCED = frozenset(
    "sum mean amax amin logsumexp norm std var prod max min median mode argmax argmin "
    "nansum".split()
)
"""Over a dim, or all of them."""


def of_new(name: str, operands: list[Tensor], args: Callable[[str], object]) -> Geometry | None:
    """The geometry of a new tensor. `args(parameter)` gives a literal."""
    if name in SIZED:
        shape = sizes(args("size"))
        return g.rows(shape) if shape is not None and -1 not in shape else None
    first = operands[0].geometry if operands else None
    if first is None:
        return None
    if name in SAME_SHAPE:
        return g.rows(first.shape) if first.contiguous else None
    if name in REDUCED:
        return _reduced(first.shape, args)
    if name == "nn.Linear":
        wide = sizes(args("out_features"))
        return g.rows((*first.shape[:-1], *wide)) if wide is not None and first.shape else None
    known = [t.geometry for t in operands if t.geometry is not None]
    return _of_known(name, known, args) if len(known) == len(operands) else None


def _of_known(name: str, known: list[Geometry], args: Callable[[str], object]) -> Geometry | None:
    """Where all operands are known."""
    base = name.removeprefix("nn.").lower() if name.startswith("nn.") else name
    if base in POINTWISE or (base in UNREDUCED and args("reduction") == "none"):
        return _pointwise(known)
    if name in {"matmul", "mm", "@", "__rmatmul__"}:
        return _product(known if name != "__rmatmul__" else known[::-1])
    if name == "addmm" and len(known) == 3:
        return _product(known[1:])
    if name == "linear" and len(known) in {2, 3} and len(known[1].shape) == 2 and known[0].shape:
        return g.rows((*known[0].shape[:-1], known[1].shape[0]))
    if name in SOLVED and len({one.shape for one in known}) == 1 and len(known[0].shape) == 2:
        return g.transpose(g.rows(known[0].shape), 0, 1)
    if name in {"gather", "index_select"} and len(known) == 2:
        return _picked(name, known, args("dim"))
    return _joined(name, known, args)


def _pointwise(known: list[Geometry]) -> Geometry | None:
    shape = g.broadcast([one.shape for one in known])
    if shape is None:
        return None
    full = [one for one in known if one.shape == shape]
    if full and all(one.dense for one in full):
        return g.Geometry(shape, full[0].strides)  # the first operand's order of dimensions wins
    return g.rows(shape) if all(one.contiguous for one in known) else None


def _reduced(shape: g.Sizes, args: Callable[[str], object]) -> Geometry | None:
    dim = args("dim")
    if dim is None:
        return g.rows(())
    dims, keep = sizes(dim), args("keepdim")
    if dims is None or not isinstance(keep, bool) or not shape:
        return None
    gone = {d % len(shape) for d in dims}
    if keep:
        return g.rows(tuple(1 if d in gone else size for d, size in enumerate(shape)))
    return g.rows(tuple(size for d, size in enumerate(shape) if d not in gone))


def _product(known: list[Geometry]) -> Geometry | None:
    if len(known) == 2 and all(len(one.shape) == 2 for one in known):
        return g.rows((known[0].shape[0], known[1].shape[1]))
    return None


def _picked(name: str, known: list[Geometry], dim: object) -> Geometry | None:
    """As large as the index, in one dimension or in all."""
    shape, picked = known[0].shape, known[1].shape
    if name == "gather":
        return g.rows(picked)
    if not isinstance(dim, int) or not shape:
        return None
    dim %= len(shape)
    return g.rows((*shape[:dim], prod(picked), *shape[dim + 1 :]))


def _joined(name: str, known: list[Geometry], args: Callable[[str], object]) -> Geometry | None:
    dim, shape = args("dim"), known[0].shape
    if name not in JOINED or not isinstance(dim, int):
        return None
    if not all(one.contiguous and len(one.shape) == len(shape) for one in known):
        return None
    if name == "stack":
        place = dim % (len(shape) + 1)
        return g.rows((*shape[:place], len(known), *shape[place:]))
    place = dim % max(len(shape), 1)
    total = sum(one.shape[place] for one in known) if shape else 0
    return g.rows((*shape[:place], total, *shape[place + 1 :])) if shape else None


def of_literal(value: Value, depth: int = 4) -> g.Sizes | None:
    """The shape of nested lists of numbers: `torch.tensor([[1, 2]])`."""
    value = settle(value)
    if isinstance(value, Const):
        return ()
    if isinstance(value, (ListValue, TupleValue)) and depth and value.items:
        inner = of_literal(value.items[0], depth - 1)
        whole = getattr(value, "rest", None) is None and getattr(value, "more", None) is None
        return (len(value.items), *inner) if inner is not None and whole else None
    return None


# ---- indices -------------------------------------------------------------------------------


def of_index(of: Geometry | None, index: Value) -> Geometry | None:
    """The geometry of `x[index]` for ints, slices, None and `...`."""
    if of is None:
        return None
    parts = [settle(p) for p in (index.items if isinstance(index, TupleValue) else (index,))]
    taken = sum(not _adds(part) for part in parts)
    result: Geometry | None = of
    dim = 0
    for part in parts:
        if result is None:
            return None
        if isinstance(part, Const) and part.value is ...:
            dim += len(of.shape) - taken
            continue
        result, moved_on = _one(result, dim, part)
        dim += moved_on
    return result


def _adds(part: Value) -> bool:
    """None and `...` take no dimension."""
    return isinstance(part, Const) and (part.value is None or part.value is ...)


def _one(of: Geometry, dim: int, part: Value) -> tuple[Geometry | None, int]:
    """One part of an index, and by how many dimensions it moves on."""
    if isinstance(part, SliceValue):
        bounds = [None if b is None else literal(b) for b in (part.lower, part.upper, part.step)]
        if all(b is None or type(b) is int for b in bounds):
            return g.cut(of, dim, slice(*bounds)), 1
        return None, 1
    if isinstance(part, Const) and part.value is None:
        return g.unsqueeze(of, dim), 1
    position = literal(part)
    return (g.select(of, dim, position), 0) if type(position) is int else (None, 0)
