"""Run `ask`: one question, one strategy, in the foreground."""

from __future__ import annotations

from argparse import Namespace

from rag_graphs import SettingsError
from rag_graphs.cli.console import Console
from rag_graphs.cli.follow_run import RunCommand
from rag_graphs.cli.options import chosen_settings, opened


def ask(args: Namespace, console: Console) -> int:
    """Load the sources, run, print. With --json one document goes to standard output, whatever happens."""
    return Ask(args, console).execute()


class Ask(RunCommand):
    def run(self) -> int:
        from rag_graphs import build_components, checked, get_strategy, open_workspace, run

        strategy, question = get_strategy(self.args.strategy), checked(self.args.question)
        _printable(question)
        talk: str = self.args.conversation or ""
        with opened(self.args) as (chosen, workspace, kept):
            # only the store is opened there: its index may belong to a server that runs
            keeper = workspace if kept or not talk else open_workspace(chosen_settings(self.args))
            turns = keeper.history("", talk) if talk else []
            settings = chosen.change(conversing=bool(turns))
            build_components(settings, workspace.library, [])  # a missing key is reported before anything is loaded
            sources = self.load(workspace, settings)
            components = build_components(settings, workspace.library, sources)
            events = run(strategy, question, components, settings, history=turns, conversation=talk, sources=sources)
            code = self.follow(events, strategy.title)
            if kept or talk:
                self.keep(keeper)
        return code


def _printable(question: str) -> None:
    """Refuse a question with bytes that are no text: they cannot be searched, stored or printed."""
    try:
        question.encode()
    except UnicodeEncodeError:
        raise SettingsError("The question is not valid text in this terminal's encoding.") from None
