"""Whether a rewritten program still means the same, asked of real PyTorch."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.harness import corpus, oracle
from tests.harness.corpus import Case
from tests.harness.oracle import Program, Verdict
from tests.metamorphic.judge import Changed


def verdicts(programs: Sequence[tuple[Case, dict[str, str]]]) -> list[Verdict]:
    """What PyTorch says of cases with other texts for their own files."""
    with tempfile.TemporaryDirectory() as folder:
        laid_out = [
            _laid_out(case, texts, Path(folder) / str(number))
            for number, (case, texts) in enumerate(programs)
        ]
        return oracle.ask(laid_out)


def _laid_out(case: Case, texts: dict[str, str], folder: Path) -> Program:
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    main = next(iter(texts))
    driver = corpus.ROOT / case.driver
    if driver.exists():
        main = driver.name
        shutil.copy(driver, folder)
    # A file that a part was moved to claims a line before the one it was moved from.
    return Program(folder, main, (*reversed(texts), main))


def kept(changed: Changed) -> bool:
    """Whether PyTorch's answer is that to the original."""
    (case,) = [c for c in corpus.cases() if c.name == changed.case]
    (verdict,) = verdicts([(case, changed.texts)])
    return verdict.outcome == case.outcome
