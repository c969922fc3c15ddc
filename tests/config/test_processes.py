"""No process is left behind, also where a signal was lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.live.service import wait_for

ROOT = Path(__file__).parent.parent.parent
CHILD = """
import ctypes, os, signal, sys, time
from config.processes import end_with_parent
signal.signal(signal.SIGTERM, {handler})
end_with_parent(os.getppid(), float(sys.argv[1]))
print(os.getpid(), flush=True)
time.sleep(600)
"""
PARENT = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", *sys.argv[1:]])
time.sleep(600)
"""


@pytest.mark.parametrize(
    "handler",
    [
        pytest.param("signal.SIG_IGN", id="that hears no signal"),  # as if it had come too early
        pytest.param("lambda *_: ctypes.PyDLL(None).sleep(600)", id="that holds the interpreter's lock"),
    ],
)
def test_a_process_ends_after_its_parent(handler: str) -> None:
    command = [sys.executable, "-c", PARENT, CHILD.format(handler=handler), "1"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = Path(f"/proc/{int(parent.stdout.readline())}/exe")
        assert child.exists()
        parent.kill()
        wait_for(lambda: not child.exists(), 60, "the end of the child")


# As if a signal came at each line of what sets it, clears it and waits for it.
AT_EACH_LINE = """
import sys
from config.processes import Interrupt
interrupt, lines = Interrupt(), set()
def signalled(frame, event, _):
    if event == "line":
        lines.add((frame.f_code.co_name, frame.f_lineno))
        interrupt.set()
    return signalled
sys.settrace(lambda frame, event, _: signalled)
interrupt.set()
interrupt.clear()
interrupt.wait()
sys.settrace(None)
print(sorted({name for name, _ in lines}))
"""


def test_an_interrupt_bears_a_signal_at_any_moment() -> None:
    """The `threading.Event` that granian has stands still: its lock is held by whom the signal interrupts."""
    ended = subprocess.run(
        [sys.executable, "-c", AT_EACH_LINE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.stdout, ended.stderr) == ("['clear', 'set', 'wait']\n", "")


def test_a_process_whose_parent_has_gone_does_not_begin() -> None:
    code = "import sys; from config.processes import end_with_parent; end_with_parent(1, 1.0); print('began')"
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout) == (1, "")
