"""Where nothing can be forked: a process of its own for each target, which imports jax and the module again."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

from jaxlint.dynamic.launch import Options, command, environment
from jaxlint.dynamic.observations import Job, Outcome, Result, from_json, to_json
from jaxlint.dynamic.scratch import discard

_GRACE = 5.0  # seconds from the soft limit to the hard one: jax has to be imported too
_IMPORT_JAX = 20.0


class Spawner:
    """Runs the jobs on threads that each wait for one process. Results come out of `poll`."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._root = Path(tempfile.mkdtemp(prefix="jaxlint-"))
        self._results: queue.Queue[tuple[int, Result]] = queue.Queue()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._urgent = 0  # how many targets that findings wait for are not traced yet
        self._later: list[Callable[[], object]] = []  # what comes after those
        self._pool = ThreadPoolExecutor(options.workers)

    def submit(self, number: int, job: Job) -> None:
        """Queues a job; what findings wait for is submitted before the rest."""
        with self._lock:
            self._urgent += job.claimed is not None
        if job.claimed is not None:
            self._pool.submit(self._settling, self._import, number, job)
        else:
            self._after(lambda: self._pool.submit(self._import, number, job))

    def poll(self, seconds: float) -> Iterator[tuple[int, Result]]:
        """What has come in within ``seconds``."""
        try:
            yield self._results.get(timeout=seconds)
            while True:
                yield self._results.get_nowait()
        except queue.Empty:
            return

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for process in self._running:
                _kill(process)
        self._pool.shutdown(cancel_futures=True)
        discard(str(self._root))

    def _import(self, number: int, job: Job) -> None:
        """The first target's process tells of the import too; only a module that can be imported gets more of them."""
        urgent, later = job.parts() if job.claimed is not None else ((), job.targets)
        targets = [*urgent, *later]
        first = targets[0] if targets else ""
        imported, traced = self._run(job, first)
        self._results.put((number, imported))
        if imported.outcome is not Outcome.DONE:
            for target in targets:
                detail = f"its import: {imported.detail}"
                self._results.put((number, Result(job.module, target, imported.outcome, detail)))
            return
        if traced is not None:
            self._results.put((number, traced))
        for target in targets[1:]:
            self._target_of(number, job, target, target in urgent)

    def _target_of(self, number: int, job: Job, target: str, urgent: bool) -> None:
        """Queues one target of a module that can be imported."""
        if not urgent:
            self._after(lambda: self._pool.submit(self._target, number, job, target))
        elif not self._closed:
            with self._lock:
                self._urgent += 1
            self._pool.submit(self._settling, self._target, number, job, target)

    def _settling(self, run: Callable[..., None], *arguments: Any) -> None:
        """Runs something that a finding waits for; the last of that lets the rest begin."""
        try:
            run(*arguments)
        finally:
            with self._lock:
                self._urgent -= 1
                ready, self._later = (self._later, []) if not self._urgent else ([], self._later)
            for begin in ready:
                self._begin(begin)

    def _after(self, begin: Callable[[], object]) -> None:
        """Begins now, or once nothing is left that a finding waits for."""
        with self._lock:
            waits = self._urgent > 0
            if waits:
                self._later.append(begin)
        if not waits:
            self._begin(begin)

    def _begin(self, begin: Callable[[], object]) -> None:
        if not self._closed:
            with contextlib.suppress(RuntimeError):  # the pool was shut down in between
                begin()

    def _target(self, number: int, job: Job, target: str) -> None:
        imported, traced = self._run(job, target)
        if traced is None:
            traced = Result(job.module, target, imported.outcome, f"its import: {imported.detail}")
        self._results.put((number, traced))

    def _run(self, job: Job, target: str) -> tuple[Result, Result | None]:
        """One process: what it said of the import and, if it got that far and there is a ``target``, of that."""
        folder = Path(tempfile.mkdtemp(dir=self._root))
        try:
            (folder / "scratch").mkdir()
            request = [self._options.to_json(), to_json(job), target]
            (folder / "request").write_text("\n".join(request), encoding="utf-8")
            ending = self._wait(folder)
            answer = folder / "answer"
            lines = answer.read_text(encoding="utf-8", errors="replace").splitlines() if answer.exists() else []
        finally:
            discard(str(folder))
        results = [each for each in map(_result, lines) if each is not None][:2]
        for result, qualname in zip(results, ("", target)):  # they say what was seen, and not of whom
            result.module, result.qualname = job.module, qualname
        if not results:
            return Result(job.module, "", *ending), None
        if len(results) == 1 and target and results[0].outcome is Outcome.DONE:
            results.append(Result(job.module, target, *ending))
        return results[0], results[1] if len(results) > 1 else None

    def _wait(self, folder: Path) -> tuple[Outcome, str]:
        with self._lock:
            if self._closed:
                return Outcome.TIMED_OUT, "the run was ended"
            process = subprocess.Popen(
                command(self._options.python, "jaxlint.dynamic.worker", str(folder), str(os.getpid())),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=environment(self._options),
                start_new_session=True,
            )
            self._running.add(process)
        said: deque[bytes] = deque(maxlen=1)
        assert process.stdout is not None
        reader = threading.Thread(target=_drain, args=(process.stdout, said), daemon=True)
        reader.start()
        limit = self._options.timeout
        try:
            code = process.wait(_IMPORT_JAX + 2 * limit + _GRACE)
        except subprocess.TimeoutExpired:
            return Outcome.TIMED_OUT, f"took longer than {limit:g} s and did not stop"
        finally:
            _kill(process)
            process.wait()
            reader.join(1)
            with self._lock:
                self._running.discard(process)
        words = b"".join(said).decode(errors="replace").strip().splitlines()
        last = f": {words[-1].strip()[:200]}" if words else ""
        how = f"killed by signal {-code}" if code < 0 else f"ended itself with exit code {code}"
        return Outcome.CRASHED, how + last


def _result(line: str) -> Result | None:
    try:
        result = from_json(line)
    except ValueError:  # the process was killed while it wrote
        return None
    return result if isinstance(result, Result) else None


def _drain(stream: IO[bytes], said: deque[bytes]) -> None:
    """Keep the end of what a process says, so that it never waits for a reader."""
    tail = b""
    with stream:
        while chunk := os.read(stream.fileno(), 1 << 16):
            tail = (tail + chunk)[-4096:]
            said.append(tail)


def _kill(process: subprocess.Popen[bytes]) -> None:
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except OSError:
        pass
