"""jaxlint from Python: lint paths or a text, get findings.

```python
from jaxlint.api import lint_paths

for finding in lint_paths(["src"]):
    print(finding.location.path, finding.location.line, finding.code, finding.message)
```
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from jaxlint.project.discovery import MissingPathError
from jaxlint.project.documents import document_of_python
from jaxlint.project.program import Program
from jaxlint.running.once import Run, findings_of
from jaxlint.settings.configuration import Configuration, ConfigurationError
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Applicability, Certainty, Edit, Finding, Fix, Location, Related, Severity

__all__ = [
    "Applicability",
    "Certainty",
    "ConfigurationError",
    "Edit",
    "Finding",
    "Fix",
    "Location",
    "MissingPathError",
    "Related",
    "Settings",
    "Severity",
    "lint_paths",
    "lint_source",
]


def lint_paths(paths: Iterable[str | os.PathLike[str]], settings: Settings | None = None) -> list[Finding]:
    """The findings in files and below folders, sorted by path and line.

    Paths may be globs and are relative to the current folder; findings carry absolute paths.  Without ``settings``
    the closest configuration file holds, as for the command.  Raises MissingPathError for a path that does not
    exist and ConfigurationError for a configuration that cannot be used; nothing in a linted file raises.
    """
    return Run.over([os.fspath(path) for path in paths], Configuration(os.getcwd(), fixed=settings)).findings()


def lint_source(text: str, filename: str | None = None, settings: Settings | None = None) -> list[Finding]:
    """The findings in a text.

    With a ``filename`` the text stands for that file (which need not exist) among the files of its program, as an
    editor's buffer does; without one it is a program of its own, and its findings have the path ``<string>``.
    Raises ConfigurationError as `lint_paths` does.
    """
    if filename is not None:
        buffers = {filename: text.encode("utf-8", "surrogatepass")}
        return Run.over([], Configuration(os.getcwd(), fixed=settings), buffers).findings()
    document = document_of_python(os.path.join(os.getcwd(), "<string>"), text)
    program = Program(os.getcwd(), settings or Settings(), [document], [document.path])
    return [finding.at("<string>") for finding in findings_of(program)]
