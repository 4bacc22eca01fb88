"""Calls that somebody really makes, where nobody has recorded any: scripts and tests of the project are run for them.

What runs is the `if __name__ == "__main__":` of files that findings are in, then that of files that import these, then
the tests that do.  Each runs under the recorder in a process of its own, behind the fences and for a limited time: what
was called until it ended, failed or was cut short is recorded.  The records are a file like that of `jaxlint record`.
"""

from __future__ import annotations

import ast
import importlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from jaxlint.dynamic import fences
from jaxlint.dynamic.cache import Cache
from jaxlint.dynamic.inputs import recordings
from jaxlint.dynamic.launch import Options, command, environment
from jaxlint.dynamic.plan import RECORDINGS
from jaxlint.dynamic.stopping import Stop
from jaxlint.project.concern import targets
from jaxlint.project.import_lines import imports_in
from jaxlint.project.program import Module, Program

MOST_SCRIPTS = 6
"""How many files are run; all tests together are one more."""

_SHARE = 0.4  # of the budget
_START = 20.0  # seconds for jax to be imported
_GRACE = 3.0
_POLL = 0.05


@dataclass(frozen=True, slots=True)
class _Part:
    """One process: the words of a Python command line, as `jaxlint record` takes them."""

    words: tuple[str, ...]


@contextmanager
def rehearsed(
    program: Program, modules: Iterable[str], options: Options, stop: Stop, cache: Cache | None
) -> Iterator[str]:
    """The file of what was recorded, there while the block runs; empty where there was nothing to run or to record.

    ``modules`` are the names of those that findings are in.
    """
    parts = list(_parts(program, list(modules)))
    if not parts or os.path.isfile(os.path.join(program.root, RECORDINGS)):
        yield ""
        return
    folder = tempfile.mkdtemp(prefix="jaxlint-")

    def run() -> tuple[list[str], bool]:
        began = monotonic()
        left = None if options.budget is None else (options.budget - stop.spent) * _SHARE
        is_whole = _run(parts, program, options, stop, folder, None if left is None else began + left)
        stop.spent += monotonic() - began
        return _lines(folder), is_whole

    try:
        about = f"{folder.count(os.sep)} {options.timeout} {parts}"  # files are named from where records are written
        lines = run()[0] if cache is None else cache.rehearsed(program.by_path, about, run)
        yield _written(folder, lines) if lines else ""
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# -- what is run -------------------------------------------------------------------------------------------------


def _parts(program: Program, modules: list[str]) -> Iterator[_Part]:
    own = [program.modules[name] for name in dict.fromkeys(modules) if name in program.modules]
    users = [module for module in program.modules.values() if _imports_any(program, module, {*modules})]
    scripts = [module for module in (*own, *users) if _is_script(module)]
    for module in list({module.path: module for module in scripts}.values())[:MOST_SCRIPTS]:
        yield _Part((os.path.realpath(module.path),))
    tests = [os.path.realpath(module.path) for module in (*own, *users) if _is_test_file(module)]
    if tests:
        # What the project gives pytest as options may start processes, or ask for plugins that are not here.
        yield _Part(("-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", *dict.fromkeys(tests)))


def _imports_any(program: Program, module: Module, names: set[str]) -> bool:
    found = set(targets(program, module, list(imports_in(module.document.text))))
    return not names.isdisjoint(found)


def _is_script(module: Module) -> bool:
    """Whether it does something when it is run that importing it does not do."""
    tree = module.document.tree
    is_file = module.path.endswith(".py") and not module.is_test
    return is_file and tree is not None and any(_asks_for_main(statement) for statement in tree.body)


def _asks_for_main(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.If) or not isinstance(statement.test, ast.Compare):
        return False
    sides = (statement.test.left, *statement.test.comparators)
    named = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    return named and any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)


def _is_test_file(module: Module) -> bool:
    name = os.path.basename(module.path)
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


# -- running -----------------------------------------------------------------------------------------------------


def _run(parts: list[_Part], program: Program, options: Options, stop: Stop, folder: str, end: float | None) -> bool:
    """Whether all parts were run, each for as long as it may."""
    waiting = [(str(number), part) for number, part in enumerate(parts)]
    running: dict[subprocess.Popen[bytes], float] = {}
    try:
        while (waiting or running) and not stop.signal and (end is None or monotonic() < end):
            while waiting and len(running) < options.workers:
                name, part = waiting.pop(0)
                process = _start(part, program, options, os.path.join(folder, name))
                running[process] = monotonic() + _START + options.timeout + _GRACE
            for process in [each for each, limit in running.items() if each.poll() is not None or monotonic() > limit]:
                del running[process]
                _end(process)
            sleep(_POLL)
        return not (waiting or running)
    finally:
        for process in running:
            _end(process)


def _start(part: _Part, program: Program, options: Options, folder: str) -> subprocess.Popen[bytes]:
    os.makedirs(folder)
    search = os.pathsep.join(map(os.path.realpath, program.source_roots))
    arguments = (str(os.getpid()), folder, options.to_json(), os.path.realpath(program.root), search, *part.words)
    return subprocess.Popen(
        command(options.python, "jaxlint.dynamic.rehearsal", *arguments),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        # Nobody waits for what is computed.
        env={**environment(options), "JAX_DISABLE_MOST_OPTIMIZATIONS": "1"},
        start_new_session=True,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _lines(folder: str) -> list[str]:
    """The records of all parts."""
    paths = sorted(Path(folder).glob(f"*/{_SCRATCH}/{_OUT}"))
    return list(dict.fromkeys(line for path in paths for line in recordings.lines(str(path))))


def _written(folder: str, lines: Sequence[str]) -> str:
    """One file with the records.  They name files from where they were written: it lies as deep as that."""
    joined = Path(folder, "all", _SCRATCH, _OUT)
    joined.parent.mkdir(parents=True)
    joined.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", errors="surrogatepass")
    return str(joined)


_SCRATCH, _OUT = "scratch", "recorded.jsonl"


def main(arguments: list[str]) -> None:
    """The process of one part. Arguments: who waits for it, a folder, the options, the root, what is searched, the
    words of the command line."""
    parent, folder, chosen, root, search, *words = arguments
    fences.die_with(int(parent))
    options = Options.from_json(chosen)
    run_recorded = importlib.import_module("jaxlint.dynamic.inputs.run_recorded")  # which imports jax

    scratch = os.path.join(folder, _SCRATCH)
    fences.furnish(scratch)
    fences.limit_resources(options.memory if options.platform == "cpu" else None)
    fences.Fence(scratch).install()
    sys.dont_write_bytecode = True
    os.chdir(root)  # what is read is found, and nothing there can be written
    sys.path[:0] = [entry for entry in search.split(os.pathsep) if entry not in sys.path]
    try:
        with fences.deadline(options.timeout):
            run_recorded.main([os.path.join(scratch, _OUT), root, *words])
    finally:
        os._exit(0)
