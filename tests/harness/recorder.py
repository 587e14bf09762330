"""The child's side of the oracle: run a program in this process, plain and traced."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import torch
import torch._dynamo  # backward loads it lazily, once in each child, if it is not there already
import torch.optim
from torch.utils._python_dispatch import TorchDispatchMode

from tests.harness.oracle import BASE_MODIFIED

if TYPE_CHECKING:
    from types import FrameType, TracebackType

    from tests.harness.oracle import Program

Spot = tuple[str, int] | None


def serve(programs: Sequence[Program], write: int) -> NoReturn:
    """Answer for each program with one line of JSON, then end this (forked) process."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    try:
        for program in programs:
            answer = [run(program, traced=False), run(program, traced=True)]
            os.write(write, json.dumps(answer).encode() + b"\n")
    finally:
        os._exit(0)


def run(program: Program, traced: bool) -> dict[str, Any]:
    """Execute a program and report its error, the saved tensors that changed, the last write."""
    paths = [str(program.folder / name) for name in program.files]
    main = str(program.folder / program.main)
    log = Log(paths)
    report: dict[str, Any] = {"message": None, "raised": None, "revealed": []}
    views: list[int] = []

    def reveal(value: object) -> object:
        if isinstance(value, torch.Tensor):
            spot = frame_spot(sys._getframe(1), paths)
            report["revealed"].append([spot, version_of(value), value.requires_grad])
        return value

    code = compile(Path(main).read_text(encoding="utf-8"), main, "exec")
    with fresh_process_state(program), contextlib.ExitStack() as stack:
        if traced:
            stack.enter_context(torch.autograd.graph.saved_tensors_hooks(log.pack, log.unpack))
            stack.enter_context(log)
        try:
            exec(code, {"__name__": "__main__", "__file__": main, "reveal": reveal})
        except SystemExit:
            pass
        except BaseException as error:  # every failure of the program is its answer
            report["message"] = f"{type(error).__name__}: {error}"[:400]
            report["raised"] = traceback_spot(error.__traceback__, paths)
            if BASE_MODIFIED in report["message"]:
                views = stale_views(error.__traceback__)
    return report | {"events": log.changed, "last_write": log.last_write(views)}


@contextlib.contextmanager
def fresh_process_state(program: Program) -> Iterator[None]:
    """Let a program find what a new process would hold, and take away what it left."""
    modules, path, argv = set(sys.modules), list(sys.path), list(sys.argv)
    random.seed(0)
    torch.manual_seed(0)
    os.chdir(program.folder)
    sys.path.insert(0, str(program.folder))
    sys.argv = [program.main]
    sink = io.StringIO()
    try:
        with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink):
            yield
    finally:
        sys.path[:], sys.argv[:] = path, argv
        for name in set(sys.modules) - modules:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(program.folder)):
                del sys.modules[name]
        torch.set_grad_enabled(True)
        torch.set_default_dtype(torch.float32)
        torch.autograd.set_detect_anomaly(False)


class Log(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Records every mutation and every saved tensor; `changed` is what backward met changed."""

    def __init__(self, paths: Sequence[str]) -> None:
        """`paths` are the program's files, in the order in which they claim a line."""
        super().__init__()  # type: ignore[no-untyped-call]
        self.paths = paths
        self.mutations: list[tuple[int, int | None, Spot]] = []
        self.statistics: set[int] = set()
        self.saves: list[tuple[torch.Tensor, int | None, torch.Tensor | None, Spot, int]] = []
        self.changed: list[dict[str, Any]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the op and note each tensor its schema says it writes."""
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        bound = list(zip(func._schema.arguments, args, strict=False))
        bound += [(a, kwargs[a.name]) for a in func._schema.arguments if a.name in kwargs]
        if "batch_norm" in func.name():
            self.note_statistics(bound)
        if func._schema.is_mutable:
            self.note_writes(bound, counted=func.name().startswith("aten::_foreach_"))
        return out

    def note_statistics(self, bound: Sequence[tuple[Any, Any]]) -> None:
        """Batch norm's kernel moves them unseen by autograd, and its backward does not use them."""
        for argument, value in bound:
            if argument.name.startswith("running_") and isinstance(value, torch.Tensor):
                self.statistics.add(storage_key(value))

    def note_writes(self, bound: Sequence[tuple[Any, Any]], counted: bool = False) -> None:
        """One mutation for each written tensor, lists of tensors included.

        `_foreach_*_` bumps no version under a dispatch mode, so it is done here (`counted`).
        """
        spot = frame_spot(sys._getframe(1), self.paths)
        written = [
            tensor
            for argument, value in bound
            if argument.alias_info is not None and argument.alias_info.is_write
            for tensor in (value if isinstance(value, (list, tuple)) else [value])
            if isinstance(tensor, torch.Tensor)
        ]
        for tensor in written:
            self.mutations.append((storage_key(tensor), version_of(tensor), spot))
            if counted and not tensor.is_inference():
                torch.autograd.graph.increment_version(tensor)

    def last_write(self, keys: Sequence[int]) -> list[Spot]:
        """Where one of these storages was written last; any of all, where none is named."""
        wrote = [spot for key, _, spot in self.mutations if key in keys or not keys]
        return wrote[-1:]

    def pack(self, tensor: torch.Tensor) -> int:
        """Autograd saves a tensor: keep its version and a copy of its bytes."""
        spot = frame_spot(sys._getframe(1), self.paths)
        with torch.no_grad():
            copy = tensor.detach().clone() if tensor.layout == torch.strided else None
        self.saves.append((tensor, version_of(tensor), copy, spot, len(self.mutations)))
        return len(self.saves) - 1

    def unpack(self, number: int) -> torch.Tensor:
        """Backward uses a saved tensor: compare. On the CPU it runs below its caller's frame."""
        tensor, version, copy, spot, before = self.saves[number]
        now, key = version_of(tensor), storage_key(tensor)
        if now != version or (differs(copy, tensor) and key not in self.statistics):
            # an op is logged before autograd bumps the counter, so its own bump is version + 1
            wrote = [
                where
                for storage, at, where in self.mutations[before:]
                if storage == key
                and (now == version or at is None or now is None or (version or 0) <= at < now)
            ]
            self.changed.append(
                {
                    "kind": "version" if now != version else "bytes",
                    "saved": spot,
                    "mutated": wrote,
                    "backward": frame_spot(sys._getframe(1), self.paths),
                }
            )
        return tensor


def stale_views(traceback: TracebackType | None) -> list[int]:
    """Storages of the variables that are views whose graph can't be brought up to date."""
    found: dict[int, None] = {}
    while traceback is not None:
        names = {**traceback.tb_frame.f_globals, **traceback.tb_frame.f_locals}
        found.update({storage_key(t): None for v in names.values() for t in inside(v) if stale(t)})
        traceback = traceback.tb_next
    return list(found)


def inside(value: Any) -> list[torch.Tensor]:
    """A tensor, or those a container or object holds."""
    items = value.values() if isinstance(value, dict) else getattr(value, "__dict__", {}).values()
    listed = value if isinstance(value, (list, tuple)) else [value, *items]
    return [item for item in listed if isinstance(item, torch.Tensor)]


def stale(tensor: torch.Tensor) -> bool:
    """Whether asking for its graph is an error."""
    try:
        _ = tensor.grad_fn
    except RuntimeError:
        return True
    return False


def storage_key(tensor: torch.Tensor) -> int:
    """What tensors on the same memory have in common, through numpy and DLPack too."""
    storage = tensor.untyped_storage()
    return storage.data_ptr() or int(storage._cdata)


def version_of(tensor: torch.Tensor) -> int | None:
    """The version counter, which inference tensors do not have."""
    return None if tensor.is_inference() else tensor._version


def differs(copy: torch.Tensor | None, tensor: torch.Tensor) -> bool:
    """Whether a saved tensor's bytes have changed."""
    return copy is not None and not torch.equal(
        torch.nan_to_num(copy), torch.nan_to_num(tensor.detach())
    )


def frame_spot(frame: FrameType | None, paths: Sequence[str]) -> Spot:
    """The line of the innermost frame that lies in the first of `paths` that has one."""
    lines: dict[str, int] = {}
    while frame is not None:
        lines.setdefault(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return first_spot(lines, paths)


def traceback_spot(traceback: TracebackType | None, paths: Sequence[str]) -> Spot:
    """The same for where an exception came from."""
    lines: dict[str, int] = {}
    while traceback is not None:
        lines[traceback.tb_frame.f_code.co_filename] = traceback.tb_lineno
        traceback = traceback.tb_next
    return first_spot(lines, paths)


def first_spot(lines: dict[str, int], paths: Sequence[str]) -> Spot:
    """A path's name and line, for the first path that has a line."""
    return next(((Path(p).name, lines[p]) for p in paths if p in lines), None)
