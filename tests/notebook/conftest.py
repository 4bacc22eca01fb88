"""An IPython shell in this process, and what it publishes."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from jaxlint.notebook import client


class Shell:
    """A shell with the extension; it shows nothing, and keeps what there would be to show."""

    def __init__(self) -> None:
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.xmode = "Minimal"  # others hang trees on nodes that `ast` shares, in this process
        self.shell = InteractiveShell(config=config)
        self.published: list[dict[str, Any]] = []
        self.shell.display_pub.publish = lambda data, *_, **__: self.published.append(data)

    def run(self, source: str) -> list[str]:
        """The texts that are shown below the cell, in a terminal."""
        self.published.clear()
        self.shell.run_cell(source, store_history=True)
        return [data["text/plain"] for data in self.published]


@contextmanager
def shell_in(folder: Path) -> Iterator[Shell]:
    """A shell in a folder, without what there is of settings and history."""
    hooks = sys.displayhook, sys.excepthook
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(client, "PATIENCE", 100.0)  # other tests may keep the machine busy
        patch.setenv("IPYTHONDIR", str(folder / "ipython"))
        patch.delenv("JPY_SESSION_NAME", raising=False)
        made = Shell()
        yield made
        made.shell.run_line_magic("unload_ext", "jaxlint")
        atexit.unregister(made.shell.atexit_operations)
        made.shell.atexit_operations()
    sys.displayhook, sys.excepthook = hooks


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    with shell_in(tmp_path) as made:
        yield made
