"""Files that no run wrote: refused with a reason, or drawn harmless, wherever a trace is taken in."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from rag_graphs.cli.main import main
from rag_graphs.errors import TraceError
from rag_graphs.export import as_html, as_json, as_svg, file_name
from rag_graphs.runs.comparison import compare
from rag_graphs.runs.events import TRACE_VERSION
from rag_graphs.runs.trace import Trace
from rag_graphs.runs.trace_reader import read_file
from rag_graphs.runs.whatif import offers_at
from rag_graphs.store import Store
from tests.traces.conftest import ME, recorded
from tests.traces.test_export import NASTY, harmless

GOOD = recorded("self-rag", run_id="r1").to_json()
Data = dict[str, Any]


def event(data: Data, kind: str) -> Data:
    found: Data = next(e for e in data["events"] if e["kind"] == kind)
    return found


def changed(change: Callable[[Data], Any]) -> str:
    data = deepcopy(GOOD)
    change(data)
    return json.dumps(data)


def head(**fields: Any) -> str:
    """A trace whose first event has other values."""
    return changed(lambda d: d["events"][0].update(fields))


def first(kind: str, **fields: Any) -> str:
    """A trace whose first event of a kind has other values."""
    return changed(lambda d: event(d, kind).update(fields))


def everywhere(text: str) -> str:
    """A trace whose every text is this one, but for those of which the format knows all."""
    fixed = ("kind", "strategy", "target", "node", "aspect", "origin", "outcome", "stop_reason")
    shorter = {"run_id": 64, "parent": 64, "conversation": 64, "started": 32}

    def put(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {k: put(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [put(v, name) for v in value]
        return text[: shorter.get(name)] if isinstance(value, str) and name not in fixed else value

    return json.dumps(put(deepcopy(GOOD)))


def deep(levels: int) -> str:
    return head(settings={"x": 0}).replace('{"x": 0}', '{"x": ' + "[" * levels + "]" * levels + "}")


def number(written: str) -> str:
    return first("node_started", at=7).replace('"at": 7', f'"at": {written}')


DOCUMENTS = event(GOOD, "retrieved")["documents"]
PAIR = [{"kind": "node_started", "node": "retrieve"}, {"kind": "node_finished", "node": "retrieve"}]
TWICE = [e for e in GOOD["events"] for _ in range(2)]
ODD_SETTINGS = {"k": "<b>", "max_rewrites": [[1]], "model": "x" * 500, "prompts": 3, "evil": {"a": 1}}

REFUSED: dict[str, tuple[str | bytes, str]] = {
    "empty": (b"", "not JSON"),
    "half": (json.dumps(GOOD)[:4000], "not JSON"),
    "binary": (bytes(range(256)) * 16, "not JSON"),
    "deep nesting": ("[" * 200_000, "not JSON"),
    "deep nesting inside": (deep(5000), "not JSON"),
    "not a number": (number("NaN"), "numbers"),
    "infinite": (number("1e999"), "numbers"),
    "a huge number": (head(settings={"k": 10**300}), "numbers"),
    "a number of 5000 digits": (number("9" * 5000), "not JSON"),
    "half a character": (json.dumps(GOOD).replace("Why?", "\\ud800"), "not JSON"),
    "a list": ("[]", "no events"),
    "no version": (changed(lambda d: d.pop("version")), "version None"),
    "a later version": (changed(lambda d: d.update(version=TRACE_VERSION + 1)), "newer version of the program"),
    "a version that never was": (changed(lambda d: d.update(version=-1)), "version -1"),
    "a version in words": (changed(lambda d: d.update(version="1")), "version 1"),
    "a yes for a version": (changed(lambda d: d.update(version=True)), "version True"),
    "events of a wrong type": (changed(lambda d: d.update(events={"0": {}})), "no run writes"),
    "wrong types": (head(question=["Why?"]), "no run writes"),
    "unknown kinds": (changed(lambda d: d["events"].insert(3, {"kind": "exec", "code": "1"})), "no run writes"),
    "unknown fields": (first("edge_taken", __class__="os.system"), "no run writes"),
    "a wrong id": (head(run_id="x" * 5000), "no run writes"),
    "a number for an id": (head(run_id=1), "no run writes"),
    "a time before the start": (first("node_started", at=-1), "no run writes"),
    "a grade of no document": (first("graded", index=10_000), "no run writes"),
    "a field of Python": (first("node_finished", update={"__init__": 1}), "no run writes"),
    "too many documents": (first("retrieved", documents=DOCUMENTS * 200), "no run writes"),
    "out of order": (changed(lambda d: d["events"].reverse()), "order"),
    "two swapped": (changed(lambda d: d["events"].insert(2, d["events"].pop(4))), "order"),
    "duplicated": (changed(lambda d: d.update(events=TWICE)), "order"),
    "two starts": (changed(lambda d: d["events"].insert(5, d["events"][0])), "order"),
    "on after the end": (changed(lambda d: d["events"].append(d["events"][1])), "order"),
    "longer than any run": (changed(lambda d: d.update(events=[d["events"][0], *PAIR * 3000])), "order"),
    "forked beyond its end": (head(forked_at=10**6), "order"),
}

HARMLESS: dict[str, str] = {
    "scripts in every text": everywhere(NASTY),
    "markup that ends the page": everywhere("</style></title></svg></body></html><h1 onclick=x>"),
    "very long texts": everywhere("W" * 2000),
    "marks that turn writing": everywhere("\u202e\u2066\u200fabc\x1b[31m\x07\x00"),
    "path tricks": head(run_id="../../../etc/passwd", parent="..\\..\\x", question="../../x"),
    "its own parent": head(parent="r1", forked_at=3),
    "an unknown strategy": head(strategy="<script>"),
    "unknown nodes": json.dumps(GOOD).replace("grade_documents", "<img src=x>"),
    "settings that are none": head(settings=ODD_SETTINGS),
    "addresses of scripts": json.dumps(GOOD).replace("https://example.org/a", "javascript:alert(1)//"),
    "the same key twice": json.dumps(GOOD).replace(
        f'"version": {TRACE_VERSION}, "events"', f'"version": 9, "version": {TRACE_VERSION}, "events"'
    ),
    "cut off": changed(lambda d: d.update(events=d["events"][:7])),
    "times that run backwards": changed(lambda d: [e.update(at=float(100 - i)) for i, e in enumerate(d["events"])]),
    "deep but bounded": deep(50),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_with_a_reason(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, says = REFUSED[name]
    with pytest.raises(TraceError, match=says):
        Trace.from_json(text)
    file = tmp_path / "hostile.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    for command in (["replay"], ["export", "--format", "html"], ["fork", "--at", "START"]):
        assert main([command[0], str(file), *command[1:]]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert says in err


@pytest.mark.parametrize("name", HARMLESS)
def test_it_is_drawn_harmless(name: str, store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = Trace.from_json(HARMLESS[name])
    harmless(as_html(trace))
    if trace.head.strategy == "self-rag":
        root = ElementTree.fromstring(as_svg(trace))
        assert not [e for e in root.iter() if e.tag.endswith(("script", "image", "foreignObject"))]
        for visit in range(-1, len(trace.visits)):
            offers_at(trace, visit)
    compare(trace, trace)
    assert "/" not in file_name(trace, "html")
    assert Trace.from_json(as_json(trace)).path == trace.path

    run_id = store.import_trace(trace, ME)
    assert run_id not in (trace.head.run_id, trace.head.parent)
    assert [r.id for r in store.history(ME)] == [run_id]

    file = tmp_path / "hostile.json"
    file.write_text(HARMLESS[name], encoding="utf-8")
    assert main(["replay", str(file), "--speed", "0"]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_a_file_of_200_megabytes_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "large.json"
    with file.open("wb") as sparse:
        sparse.truncate(200_000_000)
    monkeypatch.setattr(Path, "open", None)
    with pytest.raises(TraceError, match="larger than 20 MB"):
        read_file(file)


def test_a_file_without_an_end_is_refused_in_time() -> None:
    with pytest.raises(TraceError, match="larger than 20 MB"):
        read_file(Path("/dev/zero"))


def test_a_recorded_address_gets_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    from rag_graphs.settings import Settings

    mine = Settings(openai_api_key="sk-mine", max_calls=5)  # type: ignore[arg-type]
    recorded_ = {
        "openai_base_url": "https://attacker.example",
        "max_calls": 0,
        "data_dir": "/etc",
        "k": 7,
        "guarded": (),
    }
    used = mine.as_recorded({**recorded_, "allow_hosts": "10.0.0.1:80", "openai_api_key": "sk-other", "timeout": 600})
    assert (used.openai_base_url, used.max_calls, used.data_dir, used.timeout) == ("", 5, mine.data_dir, 60.0)
    assert used.openai_api_key == mine.openai_api_key
    assert (used.allow_hosts, used.k) == ("", 7)


def test_a_file_of_an_older_version_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    """No version is older than the first; the step that a later one will bring is played through with a made-up version 0."""
    from rag_graphs.runs import trace_reader as reading

    def step(events: list[Data]) -> list[Data]:
        return [
            {**{k: v for k, v in e.items() if k != "seconds_since_start"}, "at": e["seconds_since_start"]}
            for e in events
        ]

    old = deepcopy(GOOD)
    old["version"] = 0
    for made in old["events"]:
        made["seconds_since_start"] = made.pop("at")
    with pytest.raises(TraceError, match="version 0"):
        Trace.from_json(old)
    monkeypatch.setattr(reading, "UPGRADES", {0: step, **reading.UPGRADES})
    assert Trace.from_json(json.dumps(old)).events == Trace.from_json(GOOD).events
