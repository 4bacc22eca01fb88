"""The process of `jaxlint record`: a script, a module or pytest, run as Python would, with the recorder on."""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Sequence

from jaxlint.dynamic.inputs.late_environment import import_jax

try:
    import_jax()
    from jaxlint.dynamic.inputs.recorder import project_files, recording, stop_on_sigterm
    from jaxlint.dynamic.target import module_from_path
except ModuleNotFoundError as error:
    sys.exit(f"error: {sys.executable} runs the command and has no {error.name}: record where the project runs")


def main(argv: Sequence[str], where: str = "") -> None:
    """``OUT SOURCES -m MODULE ARGUMENTS`` or ``OUT SOURCES FILE ARGUMENTS``; the sources joined as paths are, and
    followed by ``--tests`` where test files are among them.

    ``where`` is the folder that modules are found in, where that is not the one that the command runs in.
    """
    out, sources, *words = argv
    tests = words[0] == "--tests"
    words = words[tests:]
    folders = [folder for folder in sources.split(os.pathsep) if folder] or [os.getcwd()]
    if words[:2] == ["-m", "pytest"]:
        options = ["--jaxlint-record", f"--jaxlint-record-file={out}"]
        options += [f"--jaxlint-record-source={os.path.abspath(folder)}" for folder in folders]
        options += ["--jaxlint-record-tests"] if tests else []
        # The plugin that an installed jaxlint registers is this one again.
        plugin = ["-p", "no:jaxlint", "-p", "jaxlint.dynamic.inputs.pytest_plugin"]
        sys.path.insert(0, where or os.getcwd())
        _keep_from_rewriting()
        _run_module("pytest", [*plugin, *options, *words[2:]])
        return
    script = "" if words[0] == "-m" else words[0]
    files = [path for folder in folders for path in project_files(folder, tests)]
    with recording(out, files, script) as active:
        stop_on_sigterm(active)
        try:
            if words[0] == "-m":
                sys.path.insert(0, where or os.getcwd())
                _run_module(words[1], words[2:])
            else:
                sys.argv[:] = words
                module_from_path("__main__", os.path.realpath(words[0]))
        finally:
            active.flush()
            active.outcome().tell()


def _keep_from_rewriting() -> None:
    """Tells pytest to let jaxlint's modules be.

    It rewrites the assertions of plugins, and warns of those that are imported already: where warnings are errors, that
    is the end of the run.
    """
    for name, module in sys.modules.items():
        if name.partition(".")[0] == "jaxlint":
            module.__doc__ = f"{module.__doc__ or ''}\nPYTEST_DONT_REWRITE"


def _run_module(name: str, arguments: Sequence[str]) -> None:
    sys.argv[:] = [name, *arguments]
    runpy.run_module(name, run_name="__main__", alter_sys=True)
