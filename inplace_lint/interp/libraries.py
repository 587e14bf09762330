"""Other libraries, told in PyTorch's own words: the files of `rules/library`.

    timm.models.layers.DropPath  ->  class DropPath of rules/library/timm.py

A name is found by its last component below the library's path. These functions run like the
project's own, but what they do is told at the call in first-party code.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from inplace_lint.opdb.load import folder
from inplace_lint.source import from_text

if TYPE_CHECKING:
    from collections.abc import Collection

    from inplace_lint.source import SourceFile

PREFIXES: dict[str, tuple[tuple[str, str], ...]] = {
    "torch": (
        ("torch.distributions.", "torch_distributions"),
        ("torch.optim.lr_scheduler.", "torch_schedulers"),
        ("torch.optim.swa_utils.", "torch_training"),
        ("torch.amp.", "torch_training"),
        ("torch.cuda.amp.", "torch_training"),
        ("torch.vander", "torch_functions"),
    ),
    "accelerate": (("accelerate.", "accelerate"),),
    "einops": (("einops.layers.", "einops"),),
    "lightning": (("lightning.fabric.", "accelerate"), ("lightning.", "lightning")),
    "lightning_fabric": (("lightning_fabric.", "accelerate"),),
    "mmcv": (("mmcv.runner.", "mmengine"), ("mmcv.cnn.", "mmengine")),
    "mmengine": (("mmengine.model.", "mmengine"),),
    "pytorch_lightning": (("pytorch_lightning.", "lightning"),),
    "timm": (("timm.", "timm"),),
    "torchvision": (
        ("torchvision.ops.", "torchvision"),
        ("torchvision.transforms.", "torchvision"),
    ),
    "transformers": (("transformers.", "transformers"),),
}
"""By first component: where the library's names begin, and the file that tells them."""
FABRIC = "lightning.Fabric"
LIBRARY = "library:"
"""How the paths of these files begin."""


@functools.cache
def find(path: str) -> SourceFile | None:
    """The file that tells what a library's name is."""
    known = PREFIXES.get(path.partition(".")[0])
    if known is None:
        return None
    name = path.rpartition(".")[2]
    for prefix, stem in known:
        if path.startswith(prefix):
            file = source_of("accelerate" if path == FABRIC else stem)
            return file if name in file.bindings else None
    return None


def may_tell(path: str, words: Collection[str]) -> bool:
    """Whether one of the files may tell what a name is that `path` and some of the words make."""
    for prefix, _ in PREFIXES.get(path.partition(".")[0], ()):
        if path.startswith(prefix):
            return True
        if prefix.startswith(f"{path}."):
            following = prefix[len(path) + 1 :].partition(".")[0]
            if not following or following in words:
                return True
    return False


@functools.cache
def source_of(stem: str) -> SourceFile:
    """One of the files, read once; it lies in no project, so that it imports nothing of one."""
    text = (folder() / "library" / f"{stem}.py").read_text(encoding="utf-8")
    return from_text(text, f"{LIBRARY}{stem}")
