"""Shapes and strides of views, as `domain.geometry` works them out, are PyTorch's."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
import torch

from inplace_lint.domain import geometry
from inplace_lint.domain.geometry import Geometry

Both = tuple[torch.Tensor, Geometry | None]
Taken = Callable[[torch.Tensor], torch.Tensor]


def of(tensor: torch.Tensor) -> Geometry:
    return Geometry(tuple(tensor.shape), tuple(tensor.stride()), int(tensor.storage_offset()))


def seen(shown: Geometry | None) -> object:
    """What can be told apart: strides of sizes 1 cannot."""
    if shown is None or 0 in shown.shape:
        return shown and shown.shape
    pairs = zip(shown.shape, shown.strides, strict=True)
    return shown.shape, tuple(stride for size, stride in pairs if size != 1), shown.offset


def permuted(rng: random.Random, t: torch.Tensor, g: Geometry) -> Both:
    dims = tuple(rng.sample(range(t.dim()), t.dim()))
    return t.permute(dims), geometry.permute(g, dims)


def selected(rng: random.Random, t: torch.Tensor, g: Geometry) -> Both:
    dim = rng.randrange(t.dim())
    index = rng.randrange(-t.shape[dim], t.shape[dim])
    return t.select(dim, index), geometry.select(g, dim, index)


def sliced(rng: random.Random, t: torch.Tensor, g: Geometry) -> Both:
    dim, start = rng.randrange(t.dim()), rng.choice([None, 0, 1, -2])
    part = slice(start, None, rng.choice([1, 2]))
    return t[(slice(None),) * dim + (part,)], geometry.cut(g, dim, part)


def unsqueezed(rng: random.Random, t: torch.Tensor, g: Geometry) -> Both:
    dim = rng.randint(-t.dim() - 1, t.dim())
    return t.unsqueeze(dim), geometry.unsqueeze(g, dim)


def expanded(rng: random.Random, t: torch.Tensor, g: Geometry) -> Both:
    shape = (rng.choice([1, 2]), *(rng.choice([-1, 3]) if n == 1 else n for n in t.shape))
    return t.expand(shape), geometry.expand(g, shape)


def diagonal(rng: random.Random, t: torch.Tensor, g: Geometry) -> Both:
    if t.dim() < 2:
        return t, g
    first, second = rng.sample(range(t.dim()), 2)
    shift = rng.randint(-1, 1)
    return t.diagonal(shift, first, second), geometry.diagonal(g, shift, first, second)


CHANGES = (permuted, selected, sliced, unsqueezed, expanded, diagonal)


@pytest.mark.parametrize("seed", range(8))
def test_views_of_views(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(200):
        tensor = torch.rand([rng.choice([1, 2, 3, 4]) for _ in range(rng.randint(1, 3))])
        assert of(tensor) == geometry.rows(tuple(tensor.shape))
        for _ in range(3):
            if tensor.dim() == 0 or tensor.numel() == 0:
                break
            tensor, shown = rng.choice(CHANGES)(rng, tensor, of(tensor))
            assert seen(shown) == seen(of(tensor))
            assert of(tensor).contiguous == tensor.is_contiguous()


@pytest.mark.parametrize("shape", [(-1,), (2, -1), (3, 4), (4, 3), (1, -1), (2, 6), (12, 1), (5,)])
@pytest.mark.parametrize("turned", [False, True])
def test_view_or_copy(shape: tuple[int, ...], turned: bool) -> None:
    tensor = torch.rand(3, 4).t() if turned else torch.rand(3, 4)
    try:
        wanted: Geometry | None = of(tensor.view(shape))
    except RuntimeError:
        wanted = None
    assert seen(geometry.view(of(tensor), shape)) == seen(wanted)


@pytest.mark.parametrize(
    ("written", "read", "refused"),
    [
        (lambda t: t[1:], lambda t: t[:-1], True),
        (lambda t: t[:, 1:], lambda t: t[:, :-1], False),
        (lambda t: t, lambda t: t[0], True),
        (lambda t: t, lambda t: t.t(), True),
        (lambda t: t, lambda t: t, False),
        (lambda t: t[:2], lambda t: t[2:4], False),
    ],
)
def test_overlap(written: Taken, read: Taken, refused: bool) -> None:
    base = torch.rand(4, 4)
    target, source = written(base), read(base)
    assert geometry.partly_overlap(of(target), of(source)) == refused
    try:
        target.copy_(source)
        raised = False
    except RuntimeError:
        raised = True
    assert raised == refused
