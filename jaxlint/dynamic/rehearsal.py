"""Calls that somebody really makes, of functions of which nobody has recorded any: scripts and tests are run for them.

What runs is the `if __name__ == "__main__":` of files that findings are in, then the test files that get to these by
their imports, the nearest first, then other scripts that do.  Each runs under the recorder in a process of its own,
behind the fences and for a limited time: what was called until it ended, failed or was cut short is recorded.  It ends
when all functions that findings are in have been called.  The records are a file like that of `jaxlint record`.
"""

from __future__ import annotations

import ast
import importlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from jaxlint.dynamic import boundary, fences, worker
from jaxlint.dynamic.cache import Cache
from jaxlint.dynamic.inputs import recordings
from jaxlint.dynamic.inputs.late_environment import import_jax
from jaxlint.dynamic.launch import Options, command, environment
from jaxlint.dynamic.plan import RECORDINGS
from jaxlint.dynamic.scratch import discard
from jaxlint.dynamic.stopping import Stop
from jaxlint.project.concern import targets
from jaxlint.project.import_lines import imports_in
from jaxlint.project.program import Module, Program

MOST_SCRIPTS = 6
MOST_TESTS = 12
"""How many files are run."""

_SHARE = 0.4  # of the budget
_START = 20.0  # seconds for jax to be imported
_GRACE = 3.0
_POLL = 0.05


Function = tuple[str, str]
"""The real path of a file and the qualified name of a function in it; no name: the file's own code."""

_Part = tuple[str, ...]
"""One process: the words of a Python command line, as `jaxlint record` takes them."""


@contextmanager
def rehearsed(
    program: Program, wanted: Collection[Function], options: Options, stop: Stop, cache: Cache | None
) -> Iterator[str]:
    """The file of what was recorded, there while the block runs; empty where there was nothing to run or to record.

    ``wanted`` are the functions that findings are in; those with a record of their own are left alone.
    """
    known = recordings.called(os.path.join(program.root, RECORDINGS))
    wanted = {*wanted} - known
    parts = list(_parts(program, {path for path, _ in wanted}))
    if not parts:
        yield ""
        return
    folder = tempfile.mkdtemp(prefix="jaxlint-")

    def run() -> tuple[list[str], bool]:
        began = monotonic()
        left = None if options.budget is None else (options.budget - stop.spent) * _SHARE
        rehearsal = _Rehearsal(program, options, folder, {*wanted})
        is_whole = rehearsal.run(parts, stop, None if left is None else began + left)
        stop.spent += monotonic() - began
        return _lines(folder), is_whole

    try:
        only = sorted(wanted) if known else ""
        about = (
            f"{folder.count(os.sep)} {options.timeout} {parts} {only}"  # files are named from where records are written
        )
        lines = run()[0] if cache is None else cache.rehearsed(program.by_path, about, run)
        yield _written(folder, lines) if lines else ""
    finally:
        discard(folder)


# -- what is run -------------------------------------------------------------------------------------------------


def _parts(program: Program, files: set[str]) -> Iterator[_Part]:
    own = [program.by_path[path] for path in sorted(files) if path in program.by_path]
    users = list(_users(program, own))
    stems = {os.path.splitext(os.path.basename(path))[0] for path in files}
    tests = [module for module in (*own, *users) if _is_test_file(module)]
    tests.sort(key=lambda module: not any(stem in os.path.basename(module.path) for stem in stems))
    mains = [module for module in own if _is_script(module)][:MOST_SCRIPTS]
    others = [module for module in users if _is_script(module)][: MOST_SCRIPTS - len(mains)]
    for module in mains:
        yield (os.path.realpath(module.path),)
    for module in tests[:MOST_TESTS]:
        # What the project gives pytest as options may start processes, or ask for plugins that are not here.
        yield ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", os.path.realpath(module.path))
    for module in others:
        yield (os.path.realpath(module.path),)


def _users(program: Program, own: list[Module]) -> Iterator[Module]:
    """The modules whose imports get to any of ``own``, those that import it themselves before those that do so by way
    of others."""
    imported = {name: _imported(program, module) for name, module in program.modules.items()}
    reached, near = {module.name for module in own}, {module.name for module in own}
    while near:
        near = {name for name, found in imported.items() if name not in reached and not near.isdisjoint(found)}
        reached |= near
        yield from (program.modules[name] for name in sorted(near))


def _imported(program: Program, module: Module) -> set[str]:
    """What a module's imports run: the modules that they name and the packages around these."""
    found: set[str] = set()
    for name in targets(program, module, list(imports_in(module.document.text))):
        parts = name.split(".")
        found |= {".".join(parts[: end + 1]) for end in range(len(parts))} if name != module.name else set()
    return found


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


class _Rehearsal:
    """The processes of the parts, some at a time."""

    def __init__(self, program: Program, options: Options, folder: str, wanted: set[Function]) -> None:
        self._program = program
        self._options = options
        self._folder = folder
        self._wanted = wanted
        self._running: dict[subprocess.Popen[bytes], tuple[str, float]] = {}  # its folder, and when it is late

    def run(self, parts: list[_Part], stop: Stop, end: float | None) -> bool:
        """Whether all parts were run, each for as long as it may, or nothing was left to be seen."""
        waiting = [(os.path.join(self._folder, str(number)), part) for number, part in enumerate(parts)]
        try:
            while self._wanted and (waiting or self._running):
                if stop.signal or (end is not None and monotonic() > end):
                    return False
                while waiting and len(self._running) < self._options.workers:
                    folder, part = waiting.pop(0)
                    late = monotonic() + _START + self._options.timeout + _GRACE
                    self._running[self._start(part, folder)] = folder, late
                self._collect()
                sleep(_POLL)
            return True
        finally:
            for process in self._running:
                _end(process)

    def _collect(self) -> None:
        """Ends what is late, and notes what those that have ended have called."""
        for process, (folder, late) in list(self._running.items()):
            most = fences.MOST_STARVED * self._options.timeout
            if process.poll() is None and monotonic() < late + min(fences.starved(process.pid), most):
                continue
            del self._running[process]
            _end(process)
            self._wanted -= recordings.called(os.path.join(folder, _SCRATCH, _OUT))

    def _start(self, part: _Part, folder: str) -> subprocess.Popen[bytes]:
        os.makedirs(folder)
        options, root = self._options, os.path.realpath(self._program.root)
        search = os.pathsep.join(map(os.path.realpath, self._program.source_roots))
        arguments = (str(os.getpid()), folder, options.to_json(), root, search, *part)
        return subprocess.Popen(
            command(options.python, "jaxlint.dynamic.rehearsal", *arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=environment(options),
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
    import_jax(keeps_platform=True)
    run_recorded = importlib.import_module("jaxlint.dynamic.inputs.run_recorded")  # which imports jax

    scratch = os.path.join(folder, _SCRATCH)
    worker.fenced(options, scratch)
    if options.boundary:
        boundary.settle(options.platform)
    os.chdir(_linked(root, scratch))
    sys.path[:0] = [entry for entry in search.split(os.pathsep) if entry not in sys.path]
    try:
        with fences.deadline(options.timeout):
            run_recorded.main([os.path.join(scratch, _OUT), root, *words], root)
    finally:
        os._exit(0)


def _linked(root: str, scratch: str) -> str:
    """A folder to run in: what is read in the project's is found there, and what is written there is thrown away."""
    folder = os.path.join(scratch, os.path.basename(root) or "project")
    os.makedirs(folder)
    for entry in os.scandir(root):
        with suppress(OSError):
            os.symlink(entry.path, os.path.join(folder, entry.name))
    return folder
