"""A server that is killed in the middle of a run loses at most the run's last event."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rag_graphs.runs.trace import Trace
from rag_graphs.workspace.workspace import Workspace
from tests.conftest import ROOT, clean_environment
from tests.traces.conftest import ME

SERVER = """
import sys
from pathlib import Path
import rag_graphs.engines.build
from rag_graphs.settings import Settings
from rag_graphs.workspace.workspace import Workspace
from tests.fakes import fake

rag_graphs.engines.build.build_components = lambda settings, library, ids: fake(relevant=[[False], [True]])
workspace = Workspace(Path(sys.argv[1]))
me = sys.argv[2]
workspace.store.save_shelf(me, ["s1"])
settings = Settings(pace=float(sys.argv[3]))
whole = workspace.ask("naive", "Before?", settings.change(pace=0), [], owner=me)
while not whole.ended:
    whole.wait(99, 1)
while not workspace.store.history(me, stop_reason="answered"):
    pass
run = workspace.ask("self-rag", "Why?", settings, [], owner=me, stepping=sys.argv[4] == "steps")
seen = 0
while run.wait(seen, 60):
    seen = len(run.events())
    print(run.id, seen, flush=True)
"""


@pytest.mark.parametrize(("pace", "mode", "until"), [("0.3", "on", 12), ("0.3", "on", 19), ("0", "steps", 2)])
def test_what_had_happened_is_there_after_a_kill(pace: str, mode: str, until: int, tmp_path: Path) -> None:
    command = [sys.executable, "-c", SERVER, str(tmp_path), ME, pace, mode]
    server = subprocess.Popen(command, cwd=ROOT, env=clean_environment(), stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    run_id, seen = "", 0
    while seen < until:
        line = server.stdout.readline()
        assert line, "the server ended by itself"
        run_id, count = line.split()
        seen = int(count)
    server.send_signal(signal.SIGKILL)
    server.wait(20)
    server.stdout.close()

    again = Workspace(tmp_path)
    runs = again.runs  # the start of a server
    cut, whole = again.store.history(ME)
    assert (cut.id, cut.question, cut.stop_reason) == (run_id, "Why?", "interrupted")
    trace = runs.trace(run_id)
    assert (trace.interrupted, trace.stop_reason) == (True, "interrupted")
    assert len(trace) >= seen - 1
    assert (whole.question, whole.stop_reason) == ("Before?", "answered")
    assert runs.trace(whole.id).stop_reason == "answered"
    assert again.store.shelf(ME) == ["s1"]
    assert Trace.from_json(trace.to_json()).events == trace.events
    again.store.close()
