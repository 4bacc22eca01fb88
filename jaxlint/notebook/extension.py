"""`%load_ext jaxlint`: each cell is checked when it has run, and `%jaxlint` answers questions.

Whatever goes wrong here is one line below the cell: the cell has run, and its result is the user's.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from jaxlint.notebook.client import Client, NoAnswer
from jaxlint.notebook.history import History
from jaxlint.notebook.run_places import RunPlaces

_USAGE = "%jaxlint on|off|why NAME|why CELL:LINE|confirm [NAME]"

_LOADED: dict[int, Extension] = {}
"""By the shell's identity: one for each."""


def load(shell: Any) -> None:
    """Checks what the shell runs from now on; what it has run before is known."""
    if id(shell) not in _LOADED:
        _LOADED[id(shell)] = Extension(shell)


def unload(shell: Any) -> None:
    """Leaves the shell as it was."""
    extension = _LOADED.pop(id(shell), None)
    if extension is not None:
        extension.leave()


class Extension:
    """What IPython calls, and what it is told."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.history = History()
        self.places = RunPlaces(shell)
        self.client = Client(_path(shell))
        self.is_on = True
        self._one_at_a_time = threading.Lock()
        self._untold = 0  # the number of the first cell whose findings are still to be shown; 0 when there is none
        self._guarded(self._take_earlier)
        shell.events.register("post_run_cell", self.after_cell)
        shell.register_magic_function(self.magic, "line", "jaxlint")

    def leave(self) -> None:
        self.shell.events.unregister("post_run_cell", self.after_cell)
        self.shell.magics_manager.magics["line"].pop("jaxlint", None)
        self.client.stop()

    def after_cell(self, result: Any) -> None:
        """A cell has run, or has not: then there is nothing to say of it."""
        self._guarded(lambda: self._after(result))

    def magic(self, line: str) -> None:
        """Switch the checking of cells `on` or `off`, ask `why NAME` or `why CELL:LINE`, or `confirm [NAME]`."""
        self._guarded(lambda: self._do(line))

    def _after(self, result: Any) -> None:
        number = result.execution_count
        if number is None or result.error_before_exec is not None:
            return
        self.history.add(number, result.info.raw_cell, result.error_in_exec is not None)
        self.places.add(number, result.info)
        if self.is_on:
            self._untold = min(self._untold or number, number)
            answer = self.client.ask(
                {
                    **self._cells(self._untold),
                    "do": "check",
                    "since": self._untold,
                    "raised at": self.places.lines_of(result.error_in_exec),
                    "colour": _is_terminal(),
                }
            )
            self._untold = 0
            self._show(answer)

    def _do(self, line: str) -> None:
        word, _, name = line.strip().partition(" ")
        name = name.strip()
        if word in ("on", "off") and not name:
            self._switch(word == "on")
        elif word == "why" and name:
            self._show(self.client.ask({**self._cells(0), "do": "why", "name": name}))
        elif word == "confirm":
            self._confirm(name)
        else:
            _say(f"usage: {_USAGE}")

    def _switch(self, on: bool) -> None:
        if on and not self.is_on:
            self._warm_up()
        self.is_on, self._untold = on, 0

    def _confirm(self, name: str) -> None:
        answer = self.client.ask({**self._cells(0), "do": "claims", "name": name})
        if "error" in answer:
            _say(answer["error"])
            return
        from jaxlint.notebook.confirming import confirm

        for line in confirm(answer["name"], answer["claims"], self.shell.user_ns, self.places):
            print(line)

    def _take_earlier(self) -> None:
        """The cells that have run before are known to IPython."""
        known = self.shell.history_manager.input_hist_raw
        raised = getattr(self.shell.history_manager, "exceptions", {})  # IPython before 8.35 does not note them
        for number, source in enumerate(known[1:], 1):
            self.history.add(number, source, number in raised)
        self._warm_up()

    def _warm_up(self) -> None:
        self.client.tell({**self._cells(0), "do": "warm up"})

    def _cells(self, since: int) -> dict[str, Any]:
        return {"cells": self.history.seen_from(since) if since else self.history.cells}

    def _show(self, answer: dict[str, Any]) -> None:
        if "error" in answer:
            _say(answer["error"])
        elif "html" in answer:
            self.shell.display_pub.publish({"text/plain": answer["plain"], "text/html": answer["html"]})

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            with self._one_at_a_time:  # a kernel may run cells of subshells beside each other
                work()
        except NoAnswer as error:
            if str(error):
                _say(str(error))
        except Exception as error:
            _say(f"{type(error).__name__}: {error}")


def _path(shell: Any) -> str:
    """The file that the cells are taken for: the notebook where the editor or Jupyter says which it is."""
    told = shell.user_ns.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME") or ""
    folder = os.getcwd()
    name = os.path.basename(told) if isinstance(told, str) and told.endswith(".ipynb") else "notebook.ipynb"
    return os.path.join(folder, name)


def _is_terminal() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _say(line: str) -> None:
    print(f"jaxlint: {' '.join(line.split())}", file=sys.stderr)
