"""The process that imports one module of the user's, and the processes it forks to trace one target each.

What it says goes up a pipe, one line at a time: its mark and the number of what it was asked, which is 0 for the
import, then a word and what belongs to it:

    quiet RESULT               the module was imported, or was not, and there it ends
    busy RESULT                the same, and it left threads behind
    driven RESULT              the same, and an accelerator's driver runs in it, which no fork survives
    job PID                    a target's process runs
    result RESULT              of the target asked for, or of the import; the last one counts, whatever happens then
    ended STATUS               the target's process ended (as `os.waitpid` says; -1: not known)

What it is asked comes down another: ``fork QUALNAME``, or ``alone QUALNAME`` to trace in its own process, once.
User code shares this process and may have broken it in any way. Whoever reads the pipe trusts nothing but its end: a
line without the mark is somebody else's, and one that has it speaks of nothing but this module.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from types import ModuleType
from typing import NoReturn, Protocol, cast

from jaxlint.dynamic import boundary, fences
from jaxlint.dynamic.launch import Options
from jaxlint.dynamic.observations import Job, Outcome, Result, from_json, to_json
from jaxlint.dynamic.scratch import furnish


class Target(Protocol):
    """The module that does the work, `jaxlint.dynamic.target`.

    ``so_far`` is told what to keep if it gets no further.
    """

    so_far: Callable[[Result], None]

    def prepare(self, job: Job, end: float) -> None: ...
    def is_driven(self) -> bool: ...
    def load(self, job: Job) -> tuple[ModuleType | None, Result]: ...
    def trace(self, job: Job, module: ModuleType, qualname: str) -> Result: ...


@dataclass(slots=True)
class Loaded:
    """A module of the user's, imported behind the fences."""

    target: Target
    options: Options
    job: Job
    fence: fences.Fence
    module: ModuleType | None
    result: Result

    def trace(self, qualname: str) -> Result:
        """The result of one target, whatever happens there short of the end of the process."""
        module = cast(ModuleType, self.module)
        result = _within_limits(
            lambda: self.target.trace(self.job, module, qualname),
            lambda outcome, detail: Result(self.job.module, qualname, outcome, detail),
            Outcome.CRASHED,
            self.options,
        )
        result.qualname = qualname
        return result


def fenced(options: Options, scratch: str, reach: str = "") -> fences.Fence:
    """Put the fences up. From here on this process is other people's code's.

    ``reach``: the folder that the scratch folders of its own and of all processes that are forked from it are in, where
    that is another one.
    """
    furnish(os.path.join(scratch, "0"))
    fences.limit_resources(options.memory if options.platform == "cpu" else None)
    fence = fences.Fence(scratch)
    fence.install()
    if options.boundary:
        boundary.first(reach or scratch, options.platform)
    sys.dont_write_bytecode = True
    return fence


def load(
    job: Job,
    options: Options,
    scratch: str,
    fence: fences.Fence | None = None,
    so_far: Callable[[Result], None] | None = None,
) -> Loaded:
    """Import the job's module behind ``fence``, that of the process this one was forked from, or a new one."""
    # Imported before user code can have broken anything; in the clean parent it has been long since.
    target = cast(Target, importlib.import_module(options.target))
    if so_far is not None:
        target.so_far = so_far
    if fence is None:
        fence = fenced(options, scratch)
    else:
        fence.confine(scratch)
        furnish(os.path.join(scratch, "0"))
        if options.boundary:
            boundary.within(scratch, options.platform)

    sys.argv[:] = [job.path]  # what asks for arguments finds none
    module: ModuleType | None = None

    def imported() -> Result:
        nonlocal module
        module, result = target.load(job)
        return result

    result = _within_limits(
        imported, lambda outcome, detail: Result(job.module, "", outcome, detail), Outcome.NOT_IMPORTABLE, options
    )
    return Loaded(target, options, job, fence, module if result.outcome is Outcome.DONE else None, result)


def _within_limits(
    run: Callable[[], Result], failed: Callable[[Outcome, str], Result], outcome: Outcome, options: Options
) -> Result:
    """What ``run`` returns or, where it does not, how it failed: with ``outcome`` if it raises."""
    began = monotonic()
    try:
        with fences.deadline(options.timeout):
            result = run()
    except fences.OutOfTime:
        result = failed(Outcome.TIMED_OUT, f"took longer than {options.timeout:g} s")
    except MemoryError:
        result = failed(Outcome.CRASHED, f"needed more than {options.memory / (1 << 30):.1f} GiB of memory")
    except BaseException as error:  # SystemExit and KeyboardInterrupt of user code among them
        result = failed(outcome, _first_line(error))
    result.seconds = monotonic() - began
    return result


def _first_line(error: BaseException) -> str:
    try:
        text = str(error).strip().split("\n")[0][:300]
    except BaseException:  # user code again
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def serve(
    job: Job,
    options: Options,
    scratch: str,
    pipes: tuple[int, int],
    mark: str,
    fence: fences.Fence | None = None,
) -> NoReturn:
    """The life of a module worker: import, then trace what is asked for until nothing more is.

    ``pipes``: what it is asked, and what it says. ``fence`` is the one that is up where this process was forked from
    one that has run other people's code.
    """
    commands, answers = pipes
    number = 0

    def say(word: str, what: object) -> None:
        # A process may have been killed in the middle of its line: the new one starts on its own.
        line = memoryview(f"\n{mark} {number} {word} {what}\n".encode())
        while line:
            line = line[os.write(answers, line) :]

    try:
        loaded = load(job, options, scratch, fence, lambda result: say("result", to_json(result)))
        say(_how_it_is(loaded), to_json(loaded.result))
        with os.fdopen(commands, encoding="utf-8", closefd=False) as asked:
            for number, line in enumerate(asked, 1):
                word, _, qualname = line.rstrip("\n").partition(" ")
                if loaded.module is None:
                    break
                if word == "alone":
                    if loaded.options.boundary:
                        boundary.settle(loaded.options.platform)
                    furnish(os.path.join(scratch, str(number)))
                    say("result", to_json(loaded.trace(qualname)))
                    break
                say("ended", _fork(loaded, qualname, (scratch, str(number)), say, commands))
    finally:
        # No atexit handlers, no joining of threads, no flushing: those are user code's.
        os._exit(0)


def _fork(
    loaded: Loaded, qualname: str, scratch: tuple[str, str], say: Callable[[str, object], None], commands: int
) -> int:
    """Has a process of its own trace one target in a folder of the scratch folder; how that ended."""
    parent = os.getpid()
    with loaded.fence.forking():
        process = os.fork()
    if process == 0:
        try:
            os.setpgid(0, 0)
            fences.die_with(parent)
            say("job", os.getpid())
            os.close(commands)  # these are the worker's
            furnish(os.path.join(*scratch))
            if loaded.options.boundary:
                with suppress(Exception):  # of a Python that user code has broken; the worker's boundary is there
                    boundary.within(scratch[0], loaded.options.platform)
                    boundary.settle(loaded.options.platform)
            say("result", to_json(loaded.trace(qualname)))
        finally:
            os._exit(0)
    try:
        return os.waitpid(process, 0)[1]
    except ChildProcessError:  # user code ignores SIGCHLD
        return -1


def _how_it_is(loaded: Loaded) -> str:
    if loaded.options.platform != "cpu" and loaded.target.is_driven():
        return "driven"
    return "busy" if is_busy() else "quiet"


def is_busy() -> bool:
    """Whether there are threads, Python's or C's. None survives a fork, and a JAX backend waits for its own."""
    try:
        return len(os.listdir("/proc/self/task")) > 1
    except OSError:
        threaded = getattr(ctypes.CDLL(None), "pthread_is_threaded_np", None)  # macOS has this instead
        return threaded is None or bool(threaded())


def own_names(job: Job) -> set[str]:
    """The top-level names of the project: its modules, and what lies in the folders it is imported from."""
    names = {job.module.partition(".")[0]}
    for folder in job.search:
        names.update(entry.partition(".")[0] for entry in _entries(folder) if not entry.startswith("."))
    return names


def _entries(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def main(arguments: list[str]) -> None:
    """A process of its own for one target, or for the import alone: where nothing can be forked.

    Arguments: a folder, in which "request" says what to do and "answer" gets the results, and who waits for them.
    """
    folder, parent = arguments
    if hasattr(signal, "SIGINT"):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the command's to handle
    fences.die_with(int(parent))
    with open(os.path.join(folder, "request"), encoding="utf-8") as stream:
        chosen, job, qualname = stream.read().split("\n")
    options, scratch = Options.from_json(chosen), os.path.join(folder, "scratch")
    importlib.import_module(options.target)
    with open(os.path.join(folder, "answer"), "w", encoding="utf-8") as answers:
        fence = fenced(options, scratch)
        if options.boundary:
            boundary.settle(options.platform)
        loaded = load(from_json(job), options, scratch, fence)
        answers.write(to_json(loaded.result) + "\n")
        answers.flush()
        if qualname and loaded.module is not None:
            answers.write(to_json(loaded.trace(qualname)) + "\n")
            answers.flush()
        os._exit(0)
