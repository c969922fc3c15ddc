"""No process is left behind, also where a signal was lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.live.service import wait_for

ROOT = Path(__file__).parent.parent.parent
CHILD = """
import os, signal, sys, time
from config.processes import end_with_parent
signal.signal(signal.SIGTERM, signal.SIG_IGN)  # as if it had come too early
end_with_parent(os.getppid(), float(sys.argv[1]))
print(os.getpid(), flush=True)
time.sleep(600)
"""
PARENT = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", *sys.argv[1:]])
time.sleep(600)
"""


def test_a_process_that_hears_no_signal_ends_after_its_parent() -> None:
    command = [sys.executable, "-c", PARENT, CHILD, "1"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = Path(f"/proc/{int(parent.stdout.readline())}/exe")
        assert child.exists()
        parent.kill()
        wait_for(lambda: not child.exists(), 60, "the end of the child")


def test_a_process_whose_parent_has_gone_does_not_begin() -> None:
    code = "import sys; from config.processes import end_with_parent; end_with_parent(1, 1.0); print('began')"
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout) == (1, "")
