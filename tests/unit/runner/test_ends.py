"""How a run ends before its time: Ctrl-C, a reader that goes away, a full disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.command import HAZARD, environment

COMMAND = [sys.executable, "-m", "inplace_lint", "check", "--no-cache", "-j2", "--no-progress"]
posix = pytest.mark.skipif(os.name != "posix", reason="signals and /proc are POSIX's")


def start(*arguments: str) -> subprocess.Popen[bytes]:
    """The command in a session of its own, so that all its processes can be found."""
    return subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )


def members(session: int) -> list[int]:
    """The processes of a session that still run."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def wait_for(true, seconds: float = 30.0) -> bool:
    """Whether something comes true; generous, since only a failure waits that long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.05)
    return False


@posix
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_ctrl_c_leaves_no_process_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in range(160):
        text = HAZARD + "".join(f"def f{n}(x):\n    return x.exp_()\n" for n in range(400))
        Path(f"m{number}.py").write_text(text)
    run = start(".")
    assert wait_for(lambda: len(members(run.pid)) == 3)  # the command and two workers
    run.send_signal(signal.SIGINT)
    out, err = run.communicate()
    assert (run.returncode, out, err) == (130, b"", b"")
    assert wait_for(lambda: not members(run.pid))


@posix
def test_a_reader_that_goes_away_is_no_traceback(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(HAZARD)
    run = start("a.py")
    assert run.stdout is not None
    assert run.stderr is not None
    run.stdout.close()
    assert run.stderr.read() == b""
    assert run.wait() == 2


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told_in_a_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(HAZARD)
    run = start("a.py", "--output-file", "/dev/full")
    _, err = run.communicate()
    assert run.returncode == 2
    assert err.startswith(b"inplace-lint: cannot write /dev/full: ")
    assert err.count(b"\n") == 1
