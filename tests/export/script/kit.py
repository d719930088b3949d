"""What the tests of exported scripts share: which modules a script may import, and running scripts in a process of their own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path
from typing import Any

DRIVER = Path(__file__).with_name("driver.py")
NEEDS = ("langgraph", "langchain-openai")
KEY = "sk-planted-77d1c04e"


@cache
def allowed_modules() -> list[str]:
    """The top-level modules of what a script may import, and of all that this needs itself."""
    wanted, left = set[str](), [*NEEDS]
    while left:
        name = plain(left.pop())
        if name in wanted:
            continue
        wanted.add(name)
        try:
            left += [r for r in requires(name) or [] if "extra ==" not in r]
        except PackageNotFoundError:  # needed on another system only
            continue
    return sorted(m for m, origins in packages_distributions().items() if wanted & {plain(o) for o in origins})


def plain(requirement: str) -> str:
    """The name in a requirement, in its one form."""
    named = re.match(r"[A-Za-z0-9._-]+", requirement)
    return re.sub(r"[-_.]+", "-", named[0] if named else "").lower()


def run_scripts(cases: list[dict[str, Any]], folder: Path, python: str = sys.executable) -> list[dict[str, Any]]:
    """Run scripts one after the other in a clean interpreter; for each what it printed and, from its last line, its path."""
    told = json.dumps({"allowed": allowed_modules(), "cases": cases})
    done = subprocess.run(
        [python, "-I", str(DRIVER)], input=told, capture_output=True, text=True, cwd=folder, check=False, timeout=150
    )
    assert done.returncode == 0, done.stderr
    return [told_by(json.loads(line)) for line in done.stdout.splitlines()]


def told_by(result: dict[str, Any]) -> dict[str, Any]:
    """A script's result with what its last line tells."""
    last = result["printed"].strip().rpartition("\n")[2]
    return result | (json.loads(last) if last.startswith("{") else {})
