"""`pytest --jaxlint-record`: what the project's functions are called with in its tests goes into a file.

Loaded by every pytest run where jaxlint is installed, so nothing is imported, pytest included, until the option is
given.
"""

from __future__ import annotations

import os
import sys
from typing import Any

_OPTION = "--jaxlint-record"


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("jaxlint")
    group.addoption(
        _OPTION, action="store_true", help="record the calls of the project's functions for `jaxlint --dynamic`"
    )
    group.addoption(
        f"{_OPTION}-file", metavar="FILE", default="", help="where to record, default .jaxlint-recorded.jsonl"
    )
    group.addoption(
        f"{_OPTION}-source", metavar="DIR", action="append", default=[], help="record functions below this folder"
    )
    group.addoption(f"{_OPTION}-tests", action="store_true", help="record what is defined in test files, too")


def pytest_load_initial_conftests(early_config: Any) -> None:
    """Starts before any conftest.py imports the project: pytest's own implementation of this hook runs last."""
    options = early_config.known_args_namespace
    if not options.jaxlint_record:
        return
    from jaxlint.dynamic.inputs.late_environment import import_jax

    import_jax()
    from jaxlint.dynamic.inputs.recorder import project_files, recording
    from jaxlint.dynamic.inputs.recordings import DEFAULT_FILE

    root = str(early_config.rootpath)
    folders = options.jaxlint_record_source or [root]
    files = [path for folder in folders for path in project_files(folder, options.jaxlint_record_tests)]
    active = recording(options.jaxlint_record_file or f"{root}/{DEFAULT_FILE}", files)
    early_config.pluginmanager.register(_Session(active), "jaxlint-recording")


class _Session:
    """The recording of one pytest process."""

    def __init__(self, active: Any) -> None:
        self._active = active
        self._recording = active.__enter__()
        self._tests = 0
        self._uncollected: list[str] = []
        self._reason = ""

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self._uncollected.append(os.path.abspath(report.nodeid.partition("::")[0]))

    def pytest_runtest_logfinish(self) -> None:
        self._tests += 1
        self._recording.flush()

    def pytest_sessionfinish(self, session: Any) -> None:
        """Fails a run that has recorded nothing, unless somebody else collects what several processes say."""
        from jaxlint.dynamic.inputs.outcome import STATUS, why_nothing

        self._recording.flush()
        outcome = self._recording.outcome(self._tests, self._uncollected)
        outcome.tell()
        several = hasattr(session.config, "workerinput") or session.config.pluginmanager.hasplugin("dsession")
        if not several and STATUS not in os.environ and (reason := why_nothing([outcome])):
            self._reason = f"jaxlint: nothing was recorded: {reason}"
            session.exitstatus = 2

    def pytest_unconfigure(self) -> None:
        self._active.__exit__(None, None, None)
        if self._reason:
            print(self._reason, file=sys.stderr)
