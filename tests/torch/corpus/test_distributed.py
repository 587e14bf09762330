"""What DistributedDataParallel does to buffers between two forwards: nothing that backward minds.

Earlier versions counted the broadcast of buffers as a write, so that a second forward before the
backward raised (issue 175024 of PyTorch); 2.13 keeps their version counters while it broadcasts.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import distributed, nn


class Scaled(nn.Module):
    """A buffer that backward needs."""

    scale: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.register_buffer("scale", torch.ones(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.linear(x) * self.scale
        return result


@pytest.fixture
def group(tmp_path: Path) -> Iterator[None]:
    """A process group of this process alone."""
    distributed.init_process_group(
        "gloo", init_method=f"file://{tmp_path / 'store'}", rank=0, world_size=1
    )
    yield
    distributed.destroy_process_group()


@pytest.mark.usefixtures("group")
@pytest.mark.parametrize(
    "make", [Scaled, lambda: nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))]
)
def test_two_forwards_before_one_backward(make: type[nn.Module]) -> None:
    model = nn.parallel.DistributedDataParallel(make())
    one, two = model(torch.randn(4, 3)), model(torch.randn(4, 3))
    (one.sum() + two.square().sum()).backward()
    assert all(parameter.grad is not None for parameter in model.parameters())
