"""The side of dynamic mode that judges: it hands out jobs and collects results, and never imports jax nor user code."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import monotonic
from typing import Protocol

from jaxlint.dynamic.launch import Options, command, environment
from jaxlint.dynamic.observations import Job, Outcome, Result, from_json, to_json
from jaxlint.dynamic.progress import Progress
from jaxlint.dynamic.scratch import discard
from jaxlint.dynamic.spawn import Spawner
from jaxlint.dynamic.stopping import Stop

__all__ = ["MissingPlatform", "Options", "Unavailable", "jax_versions", "platform_there", "run_jobs"]

_POLL = 0.1
_START = 120.0  # seconds for jax to be imported, on a cold disk too
_GOODBYE = 3.0
_TRIES = 2
_SERVERS = 2  # how often the clean parent may be lost before its jobs are


class Unavailable(Exception):
    """Dynamic mode cannot run here; the text says why."""


class MissingPlatform(Exception):
    """JAX has no devices of the platform that was asked for; the text says of which it has."""


class _Backend(Protocol):
    def submit(self, number: int, job: Job) -> None: ...
    def poll(self, seconds: float) -> Iterator[tuple[int, Result]]: ...
    def close(self) -> None: ...


class _Lost(Exception):
    """The clean parent has ended unasked."""


def run_jobs(
    jobs: Iterable[Job], options: Options, progress: Progress | None = None, stop: Stop | None = None
) -> Iterator[Result]:
    """The results of ``jobs`` as they come: one of each import (its ``qualname`` is empty) and one of each target.

    A target that ends its process, or never ends, has a result that says so, and so has what ``stop`` or the budget
    leaves no time for. Raises `Unavailable` when nothing can be
    run at all. No process and no file is left behind once the iterator is exhausted, closed or collected.
    """
    owed = {number: (job, ["", *dict.fromkeys(job.targets)]) for number, job in enumerate(jobs)}
    progress, stop = progress or Progress(quiet=True), stop or Stop()
    progress.begin(sum(len(targets) for _, targets in owed.values()))
    began = monotonic()
    end = None if options.budget is None else began + options.budget - stop.spent
    reason = (Outcome.TIMED_OUT, f"the budget of {options.budget or 0:g} s was spent")
    servers = 0
    backend: _Backend | None = None
    try:
        while owed and not stop.signal and (end is None or monotonic() < end):
            try:
                if backend is None:
                    backend = _started(owed, options, end)
                    servers += 1
                for number, result in backend.poll(_POLL):
                    job, targets = owed.get(number, (None, []))
                    if result.qualname in targets:  # once each, whatever a second server repeats
                        targets.remove(result.qualname)
                        progress.advance(f"{result.module}.{result.qualname}".rstrip("."))
                        yield result
                    if not targets:
                        owed.pop(number, None)
                progress.tick()
            except _Lost as error:
                if backend is not None:
                    backend.close()
                backend = None
                if servers >= _SERVERS:
                    reason = (Outcome.CRASHED, f"the process that starts the workers ended: {error}")
                    break
    finally:
        if backend is not None:
            backend.close()
        progress.end()
        stop.spent += monotonic() - began
    if stop.signal:
        reason = (Outcome.TIMED_OUT, "the run was interrupted")
    if owed and reason[0] is Outcome.TIMED_OUT:
        stop.leave_out(reason[1], sum(bool(target) for _, targets in owed.values() for target in targets))
    for job, targets in owed.values():
        for target in targets:
            yield Result(job.module, target, *reason)


def _started(owed: dict[int, tuple[Job, list[str]]], options: Options, end: float | None) -> _Backend:
    backend: _Backend = _ForkServer(options, end) if options.fork else Spawner(options)
    for number, (job, targets) in owed.items():
        backend.submit(number, job.owing(targets))
    return backend


def jax_versions(options: Options) -> dict[str, str]:
    """The versions of jax and Python that jobs run under, and the executable. Raises `Unavailable` without jax."""
    try:
        process = _answer([options.python, "-c", _ASK], environment(options))
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{options.python} does not run: {error}") from error
    if process.returncode:
        raise Unavailable(f"{options.python} cannot import jax: {_last_line(process.stderr)}")
    jax, python = json.loads(process.stdout.splitlines()[-1])
    return {"jax": jax, "python": python, "executable": options.python}


def platform_there(name: str, options: Options) -> str:
    """What JAX calls the platform ``name`` when it is told to use it.  Raises `MissingPlatform`, `Unavailable`.

    Devices are looked for as JAX itself would, which takes seconds: nobody has to ask for a CPU.
    """
    if name == "cpu":
        return name
    names = {each: value for each, value in environment(options).items() if each != "JAX_PLATFORMS"}
    try:
        asked = command(options.python, "jaxlint.dynamic.selftest", "platforms")
        there: dict[str, str] = json.loads(_answer(asked, names).stdout.splitlines()[-1])
    except (OSError, subprocess.TimeoutExpired, ValueError, IndexError) as error:
        raise Unavailable(f"{options.python} cannot say which platforms there are: {error}") from error
    if name not in there:
        raise MissingPlatform(f"there is no {name!r} here, only {', '.join(sorted(there))}")
    return there[name]


def missing_capabilities(options: Options) -> tuple[str, ...]:
    """What the oracle cannot see with the installed jax; it takes ten small traces to know. Raises `Unavailable`."""
    try:
        process = _answer(command(options.python, "jaxlint.dynamic.selftest"), environment(options), apart=True)
        return tuple(json.loads(process.stdout.splitlines()[-1]))
    except (OSError, subprocess.TimeoutExpired, ValueError, IndexError) as error:
        raise Unavailable(f"the self-test of the oracle does not run under {options.python}: {error}") from error


def look_up(questions: list[tuple[str, str, str]], options: Options) -> list[tuple[str, str]]:
    """What the installed jax answers (`lookup.answer`). Raises `Unavailable` where it cannot be asked."""
    try:
        environ = {**environment(options), "JAX_PLATFORMS": "cpu"}
        asked = command(options.python, "jaxlint.dynamic.lookup")
        process = _answer(asked, environ, json.dumps(questions), apart=True)
        return [(state, text) for state, text in json.loads(process.stdout.splitlines()[-1])]
    except (OSError, subprocess.TimeoutExpired, ValueError, IndexError) as error:
        raise Unavailable(f"{options.python} cannot say what names jax has: {error}") from error


def _answer(
    asked: list[str], environ: dict[str, str], question: str | None = None, *, apart: bool = False
) -> subprocess.CompletedProcess[str]:
    """What a process of our own says.  One that fails is asked again: somebody may have killed it.

    ``apart``: Ctrl-C is for this process.  Raises OSError and TimeoutExpired.
    """
    for _ in range(_TRIES):
        ran = subprocess.run(
            asked, input=question, capture_output=True, text=True, env=environ, timeout=_START, start_new_session=apart
        )
        if not ran.returncode:
            break
    return ran


# What is installed says its version in a tenth of the time that importing it takes.
_ASK = """
import sys, json, platform, importlib.metadata
sys.path[:] = [folder for folder in sys.path if folder]
try:
    version = importlib.metadata.version("jax")
except importlib.metadata.PackageNotFoundError:
    version = __import__("jax").__version__
print(json.dumps([version, platform.python_version()]))
"""


class _ForkServer:
    """The clean parent (`forkserver.py`), from the outside."""

    def __init__(self, options: Options, end: float | None) -> None:
        self._root = tempfile.mkdtemp(prefix="jaxlint-")
        self._log = Path(self._root) / "log"
        requests, replies = os.pipe(), os.pipe()
        self._requests, self._replies = requests[1], replies[0]
        self._unread, self._unsent = bytearray(), bytearray()
        self._process: subprocess.Popen[bytes] | None = None
        self._greeted = False
        self._selector = selectors.DefaultSelector()
        try:
            with self._log.open("wb") as log:
                self._process = subprocess.Popen(
                    command(
                        options.python,
                        "jaxlint.dynamic.forkserver",
                        *(str(requests[0]), str(replies[1]), self._root, options.to_json()),
                    ),
                    pass_fds=(requests[0], replies[1]),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd=self._root,
                    env=environment(options),
                    start_new_session=True,  # Ctrl-C is for this process, which then ends that one
                )
        except OSError as error:
            self.close()
            raise Unavailable(f"{options.python} does not run: {error}") from error
        finally:
            os.close(requests[0])
            os.close(replies[1])
        os.set_blocking(self._requests, False)
        os.set_blocking(self._replies, False)
        self._selector.register(self._replies, selectors.EVENT_READ)

    def submit(self, number: int, job: Job) -> None:
        self._unsent += f"{number} {to_json(job)}\n".encode()

    def poll(self, seconds: float) -> Iterator[tuple[int, Result]]:
        """What has come in within ``seconds``. Raises `_Lost` when nothing more can come."""
        self._send()
        if not self._selector.select(seconds):
            return
        try:
            chunk = os.read(self._replies, 1 << 20)
        except OSError:
            chunk = b""
        self._unread += chunk
        while b"\n" in chunk and (end := self._unread.find(b"\n")) >= 0:
            line = self._unread[:end].decode()
            del self._unread[: end + 1]
            word, _, rest = line.partition(" ")
            if word == "failed":
                raise Unavailable(rest)
            if word == "hello":
                self._greeted = True
            else:
                yield int(word), from_json(rest)
        if not chunk:
            said = _last_line(self._log.read_text(errors="replace")) if self._log.exists() else ""
            raise _Lost(said or "it said nothing")

    def _send(self) -> None:
        try:
            while self._unsent:
                del self._unsent[: os.write(self._requests, self._unsent[: 1 << 16])]
        except (BlockingIOError, BrokenPipeError):
            pass  # busy importing jax; or gone, and then there is nothing to read either

    def close(self) -> None:
        """End it, and all that it has started: the end of its pipe tells it to."""
        self._selector.close()
        for descriptor in (self._requests, self._replies):
            os.close(descriptor)
        if self._process is not None:
            try:
                if self._greeted:
                    self._process.wait(_GOODBYE)
            except subprocess.TimeoutExpired:
                pass
            finally:
                self._process.kill()
                self._process.wait()
        discard(self._root)


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1]
