"""Runs exported scripts in an interpreter that knows nothing but the standard library and the modules that it is told.

Started as a process of its own: `python -I driver.py < cases`. A case is {script, arguments, environment}; for each one line of
JSON with what the script printed, its exit code and its last words.
"""

import contextlib
import importlib.abc
import io
import json
import os
import runpy
import sys
import traceback


class Refusing(importlib.abc.MetaPathFinder):
    """Finds nothing, and lets no other finder look for what is not allowed."""

    def __init__(self, allowed):
        self.allowed = frozenset(allowed) | sys.stdlib_module_names

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in self.allowed and not top.startswith("_sysconfigdata"):  # part of the library, named by the system
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def run(case):
    """One script, as `python SCRIPT ARGUMENTS` runs it."""
    printed, code, failed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), 0, ""
    os.environ.update(case["environment"])
    sys.argv = [case["script"], *case["arguments"]]
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(case["script"], run_name="__main__")
    except SystemExit as left:
        code, failed = 1, str(left.code)
    except Exception:  # noqa: BLE001 - whatever it is, the test shows it
        code, failed = 1, traceback.format_exc()
    for name in case["environment"]:
        del os.environ[name]
    printed.flush()
    return {"printed": printed.buffer.getvalue().decode(), "code": code, "failed": failed}


def main():
    told = json.load(sys.stdin)
    sys.meta_path.insert(0, Refusing(told["allowed"]))
    for case in told["cases"]:
        sys.__stdout__.write(json.dumps(run(case)) + "\n")
    sys.__stdout__.flush()


if __name__ == "__main__":
    main()
