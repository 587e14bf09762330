"""How a run ends before its time, or without what it may expect: streams, disk, folder, files."""

from __future__ import annotations

import os
import shlex
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


def wait_for(true, seconds: float = 300.0) -> bool:
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


FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
FOUND = b"a.py:5:1: IPA101 `y` is changed in place after exp() saved it for backward\n"
FULL_DISK = b"No space left on device\n"


@FULL
@pytest.mark.parametrize(
    ("where", "told"),
    [
        (
            "--output-file /dev/full",
            (2, b"", b"inplace-lint: cannot write /dev/full: " + FULL_DISK),
        ),
        ("> /dev/full", (2, b"", b"inplace-lint: cannot write: " + FULL_DISK)),
        ("no.py 2> /dev/full", (2, FOUND, b"")),
        ("no.py > /dev/full 2>&1", (2, b"", b"")),
        (">&-", (1, b"", b"")),
        ("2>&-", (1, FOUND, b"")),
        ("no.py 2>&-", (2, FOUND, b"")),
        (">&- 2>&-", (1, b"", b"")),
        ("- <&-", (2, b"", b"inplace-lint: - (stdin) can't be given together with other paths\n")),
        ("--stdin-filename b.py <&-", (1, FOUND, b"")),
    ],
)
def test_streams_that_are_full_or_closed(where, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(HAZARD)
    assert shell(f"a.py {where}") == told


@posix
def test_nothing_comes_from_a_closed_stdin(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert shell("- <&-") == (0, b"", b"")


def shell(arguments: str, before: str = "") -> tuple[int, bytes, bytes]:
    """Exit code, stdout and stderr of the command with `arguments` to a shell."""
    command = f"{before} {shlex.join(COMMAND)} -q --format concise {arguments}"
    done = subprocess.run(
        command, shell=True, capture_output=True, env=environment(), check=False, timeout=300
    )
    return done.returncode, done.stdout, done.stderr


@posix
def test_a_working_folder_that_is_gone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = b"inplace-lint: the working folder: No such file or directory\n"
    assert shell("", "mkdir gone && cd gone && rmdir ../gone &&") == (2, b"", told)


@posix
def test_too_few_files_may_be_open(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(HAZARD)
    told = b"inplace-lint: a worker process could not start: Too many open files\n"
    assert shell("a.py", "ulimit -n 6 &&") == (2, b"", told)


@posix
def test_a_full_disk_under_the_cache_costs_only_time(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys.modules[__name__], "COMMAND", [c for c in COMMAND if "cache" not in c])
    Path("a.py").write_text(HAZARD)
    for _ in range(2):  # no file may grow: the first write fails
        assert shell("a.py", "ulimit -f 0 &&") == (1, FOUND, b"")
        assert not [path for path in Path(".inplace_lint_cache").iterdir() if path.stat().st_size]
    assert shell("a.py") == (1, FOUND, b"")
    assert len([*Path(".inplace_lint_cache").iterdir()]) == 3
