"""The answers that README gives about `x *= c` and `x = x * c`, asked of PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from tests.harness import markdown, oracle

README = Path(__file__).parents[3] / "README.md"


def kept(chain: Callable[[], object]) -> list[torch.Tensor]:
    """The tensors that autograd keeps for the backward of `chain`, one for each memory."""
    saved: dict[int, torch.Tensor] = {}

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        saved[tensor.untyped_storage()._cdata] = tensor
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        chain()
    return list(saved.values())


def memory(tensor: torch.Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)


def start() -> torch.Tensor:
    return torch.randn(3, requires_grad=True) + 1


@pytest.mark.parametrize("factor", [2.0, torch.full((3,), 2.0)], ids=["number", "untracked"])
def test_in_place_by_what_is_not_tracked_keeps_no_copy(factor: float | torch.Tensor) -> None:
    x = start()
    before = memory(x)
    saved = kept(lambda: x.mul_(factor))
    assert memory(x) == before
    assert {memory(t) for t in saved} <= {memory(t) for t in [factor] if torch.is_tensor(t)}


def test_in_place_by_what_is_tracked_keeps_a_private_copy_of_the_old_value() -> None:
    x, c = start(), torch.randn(3, requires_grad=True)
    old = x.detach().clone()
    saved = kept(lambda: x.mul_(c))
    copies = [t for t in saved if memory(t) not in (memory(x), memory(c))]
    assert len(copies) == 1
    assert torch.equal(copies[0], old)


@pytest.mark.parametrize("in_place", [True, False])
def test_a_chain_of_four_keeps_four_old_values_either_way(in_place: bool) -> None:
    x = start()
    factors = [torch.randn(3, requires_grad=True) for _ in range(4)]
    old: list[torch.Tensor] = []

    def chain() -> torch.Tensor:
        y = x
        for factor in factors:
            old.append(y.detach().clone())
            y = y.mul_(factor) if in_place else y * factor
        return y

    saved = kept(chain)
    values = [t for t in saved if memory(t) not in {memory(f) for f in factors}]
    assert len(values) == 4
    for value in old:
        assert any(torch.equal(value, kept_value) for kept_value in values)


def test_readme_programs_do_as_it_says(tmp_path: Path) -> None:
    sections = markdown.parse(README.read_text(encoding="utf-8"))
    blocks = [b for section in sections for b in section.blocks if b.language == "python"]
    told = [b for section in sections for b in section.blocks if b.language == "text"]
    programs = []
    for number, block in enumerate(blocks):
        (tmp_path / f"seed{number}.py").write_text(block.text, encoding="utf-8")
        programs.append(oracle.Program(tmp_path, f"seed{number}.py", (f"seed{number}.py",)))
    outcomes = [verdict.outcome for verdict in oracle.ask(programs)]
    assert outcomes == ["saved-modified", "clean", "saved-modified", "clean"]
    assert ["IPA" in block.text for block in told] == [o != "clean" for o in outcomes]


def test_the_shipped_example_breaks_and_its_twin_does_not() -> None:
    first = Path(__file__).parents[2] / "corpus" / "first"
    files = ("gated_mlp.py", "gated_mlp_fixed.py")
    broken, fixed = oracle.ask([oracle.Program(first, file, (file,)) for file in files])
    assert (broken.outcome, broken.mutated, broken.saved) == (
        "saved-modified",
        (("gated_mlp.py", 18),),
        (("gated_mlp.py", 16),),
    )
    assert fixed.outcome == "clean"
