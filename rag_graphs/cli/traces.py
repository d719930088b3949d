"""Declare the options of `replay`, `fork` and `export`. What they do is loaded when one of them runs."""

from __future__ import annotations

from argparse import ArgumentParser

from rag_graphs.cli.arguments import Commands, add_common, add_folder, add_json, add_models, add_sources

NAMED = "a trace's file, - for standard input, the id of a kept run, or the key of a shipped one"


def add_replay(commands: Commands) -> None:
    replay = commands.add_parser("replay", help="print a recorded run as it went; no model is asked")
    _add_trace(replay)
    replay.add_argument(
        "--speed", type=_speed, default=1.0, metavar="X", help="2: twice as fast as it ran; 0: at once; default: 1"
    )
    add_folder(replay)
    add_json(replay)
    replay.set_defaults(command="replay:replay")


def add_fork(commands: Commands) -> None:
    fork = commands.add_parser("fork", help="change something in a recorded run and go on from there as a new one")
    _add_trace(fork)
    fork.add_argument(
        "--at", required=True, metavar="NODE[:N]", help="after which node, for example grade_documents:2; or START"
    )
    fork.add_argument(
        "--change",
        metavar="JSON",
        help='for example \'{"change": "relevance", "document": 2, "passed": true}\'. Without it: what can be changed there',
    )
    add_sources(fork, "the run's own sources")
    add_models(fork)
    add_common(fork)
    fork.set_defaults(command="fork:fork")


def add_export(commands: Commands) -> None:
    export = commands.add_parser(
        "export", help="write a run as JSON, as a report in HTML, or its diagram as SVG or PNG"
    )
    _add_trace(export)
    export.add_argument("--format", required=True, choices=("json", "html", "svg", "png"))
    export.add_argument("--output", metavar="PATH", help="a file or a folder; default: standard output")
    add_folder(export)
    export.set_defaults(command="export:export")


def add_conversations(commands: Commands) -> None:
    conversations = commands.add_parser("conversations", help="list the conversations of ask --conversation")
    conversations.add_argument("id", nargs="?", metavar="ID", help="print the turns of this one instead")
    add_folder(conversations)
    add_json(conversations)
    conversations.set_defaults(command="conversations:conversations")


def _add_trace(command: ArgumentParser) -> None:
    command.add_argument("trace", metavar="FILE_OR_RUN", help=NAMED)


def _speed(text: str) -> float:
    speed = float(text)
    if not 0 <= speed <= 1e6:
        raise ValueError
    return speed
