"""The clean parent: it has imported jax and nothing of the user's, and forks the processes that do.

One worker imports one module and forks a process for each of its targets (`worker.py`). Workers of jobs that have much
in common are forked from a process that has done that once (`nursery.py`). This process reads what they say, keeps
their time and memory, and ends what is left of them. It runs no user code, starts no JAX backend and no thread, so a
fork of it is always sound.

The broker speaks to it over two pipes of their own, in lines: ``NUMBER JOB`` comes down, ``NUMBER RESULT`` goes up,
after one line, ``hello`` or ``failed REASON``. The end of the pipe is the end of everything.
"""

from __future__ import annotations

import gc
import importlib
import os
import secrets
import selectors
import signal
import sys
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

from jaxlint.dynamic import fences, worker
from jaxlint.dynamic.launch import GIB, Options
from jaxlint.dynamic.nursery import Nursery
from jaxlint.dynamic.observations import Common, Job, Outcome, Result, from_json, to_json
from jaxlint.dynamic.scratch import discard

_TICK = 0.1  # seconds between two looks at time and memory
_GRACE = 2.0  # seconds from the soft limit to the hard one
_STALLED = 6  # ticks without any work after which a process forked beside threads counts as hanging
_CHUNK = 1 << 16
_LONGEST = 1 << 26  # bytes of one result
_MOST_SAID = 1 << 28  # bytes of all that is said of one target
_TAIL = 4096  # bytes of output that are kept
_CHUNKS = 16  # that are read of the output of what has ended
_SPLIT = 8  # targets that are worth a second worker
_SHARING = 2  # jobs that are worth a nursery
_RUNNING = -1
_DIGITS = 12  # of a number that somebody says


@dataclass(slots=True)
class Task:
    """Targets of a job for one worker. ``announce``: the import's own result is still owed.

    ``later`` are those that no finding waits for: they come when no task is ``urgent`` any more, which is one that a
    finding waits for.
    """

    number: int
    job: Job
    pending: deque[str]
    later: deque[str] = field(default_factory=deque)
    urgent: bool = False
    announce: bool = True
    alone: bool = False  # the target is traced in the worker itself, because forked processes hang or crash


@dataclass(slots=True, eq=False)
class Worker:
    """A module worker and the process it has forked, as seen from here."""

    task: Task
    process: int
    scratch: str
    mark: str  # what its lines begin with; user code writes some, too
    commands: int
    answers: int
    output: int
    deadline: float
    asked: int = 0  # how many targets it was asked for
    said: int = 0  # bytes since then
    started: float = field(default_factory=monotonic)
    loaded: float = 0.0  # seconds the import took; 0: not yet
    busy: bool = False
    current: str | None = None
    traced: int = 0
    job_process: int = 0
    result: Result | None = None
    verdict: tuple[Outcome, str] | None = None  # why it was killed
    stalled: int = 0
    work: int = _RUNNING  # what the process had worked when last looked at
    unread: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)

    def say(self, chunk: bytes) -> None:
        self.tail = (self.tail + chunk)[-_TAIL:]

    def mean(self) -> float:
        return (monotonic() - self.started - self.loaded) / max(self.traced, 1)


class Server:
    """All workers of one run."""

    def __init__(self, options: Options, root: str, requests: int, replies: int, *, nurses: bool = False) -> None:
        self._options = options
        self._nurses = nurses
        self._nursery: Nursery | None = None
        self._barren: Common | None = None  # what no nursery could be had for
        self._root = root
        self._requests, self._replies = requests, replies
        self._asked, self._owed = bytearray(), bytearray()
        self._tasks: deque[Task] = deque()
        self._workers: list[Worker] = []
        self._selector = selectors.DefaultSelector()
        self._open = True
        self._count = 0
        self._process = os.getpid()

    def run(self) -> None:
        os.set_blocking(self._requests, False)
        os.set_blocking(self._replies, False)
        self._selector.register(self._requests, selectors.EVENT_READ, None)
        looked = monotonic()
        try:
            while self._open:
                self._start_workers()
                for key, _ in self._selector.select(_TICK):
                    if isinstance(key.data, Nursery):
                        self._nursed(key.data)
                    else:
                        self._ready(key.fd, key.data)
                if monotonic() - looked >= _TICK:
                    looked = monotonic()
                    for each in list(self._workers):
                        self._watch(each)
                    if self._nursery is not None and not self._nursery.is_well():
                        self._renew(self._nursery)
                self._reply()
        finally:
            for each in list(self._workers):
                self._end(each)
            self._close_nursery()
        discard(self._root)

    # -- the broker

    def _ready(self, descriptor: int, owner: Worker | None) -> None:
        if descriptor == self._replies or (owner is not None and owner not in self._workers):
            return  # there is room again for what is owed; or the worker was ended by what was read a moment ago
        chunk = _read(descriptor)
        if chunk is None:
            return
        if owner is None:
            self._open = bool(chunk)
            self._asked += chunk
            for line in _lines(self._asked, chunk):
                number, _, record = line.partition(" ")
                job = from_json(record)
                first, rest = job.parts()
                self._tasks.append(Task(int(number), job, deque(first), deque(rest), job.claimed is not None))
        elif descriptor == owner.output:
            owner.say(chunk)
            if not chunk:
                self._selector.unregister(descriptor)
        elif chunk:
            owner.unread += chunk
            owner.said += len(chunk)
            for line in _lines(owner.unread, chunk):
                if owner in self._workers:
                    self._heard(owner, line)
            if owner in self._workers and (len(owner.unread) > _LONGEST or owner.said > _MOST_SAID):
                self._kill(owner, Outcome.CRASHED, "said more than can be a result", all_of_it=True)
        else:
            self._gone(owner)

    def _send(self, task: Task, result: Result) -> None:
        self._owed += f"{task.number} {to_json(result)}\n".encode()

    def _reply(self) -> None:
        try:
            while self._owed:
                del self._owed[: os.write(self._replies, self._owed[:_CHUNK])]
        except BlockingIOError:
            # The broker is slow; nobody else waits for it.
            if self._replies not in self._selector.get_map():
                self._selector.register(self._replies, selectors.EVENT_WRITE, None)
        except BrokenPipeError:
            self._open = False
        else:
            if self._replies in self._selector.get_map():
                self._selector.unregister(self._replies)

    # -- a worker's life

    def _start_workers(self) -> None:
        while len(self._workers) < self._options.workers:
            if self._tasks and self._expects(self._tasks[0].job):
                return
            urgent = bool(self._tasks) and not self._tasks[0].urgent
            task = self._split(urgent) or (self._tasks.popleft() if self._tasks else None)
            if task is None:
                return
            self._start(task)

    def _split(self, urgent: bool) -> Task | None:
        """Half of the targets of a worker that has far more to do than another import costs.

        That is for workers who find nothing else to do; where what they would do is less ``urgent`` it comes first.
        """
        for each in self._workers if urgent or not self._tasks else ():
            if urgent and not each.task.urgent:
                continue
            pending = each.task.pending
            if len(pending) >= _SPLIT and each.traced and len(pending) * each.mean() > 4 * each.loaded > 0:
                half = [pending.pop() for _ in range(len(pending) // 2)]
                return replace(each.task, pending=deque(reversed(half)), later=deque(), announce=False)
        return None

    def _folder(self) -> str:
        """A new scratch folder's path."""
        self._count += 1
        return os.path.join(self._root, str(self._count))

    def _start(self, task: Task) -> None:
        scratch = self._folder()
        os.makedirs(scratch)
        ask, answer, output = os.pipe(), os.pipe(), os.pipe()
        mark = secrets.token_hex(16)
        process = self._nursed_process(task.job, scratch, (ask[0], answer[1], output[1]), mark) or os.fork()
        if process == 0:
            try:
                os.setpgid(0, 0)
                fences.die_with(self._process)
                for descriptor in self._descriptors():
                    os.close(descriptor)
                self._selector.close()
                for descriptor in (ask[1], answer[0], output[0]):
                    os.close(descriptor)
                for standard in (1, 2):
                    os.dup2(output[1], standard)
                os.close(output[1])
                worker.serve(task.job, self._options, scratch, (ask[0], answer[1]), mark)
            finally:
                os._exit(1)
        for descriptor in (ask[0], answer[1], output[1]):
            os.close(descriptor)
        for descriptor in (answer[0], output[0], ask[1]):
            os.set_blocking(descriptor, False)
        each = Worker(task, process, scratch, mark, ask[1], answer[0], output[0], self._limit())
        self._workers.append(each)
        self._selector.register(each.answers, selectors.EVENT_READ, each)
        self._selector.register(each.output, selectors.EVENT_READ, each)

    def _descriptors(self) -> list[int]:
        """What a new worker has inherited and must not hold: the pipes of the others would never end."""
        of_workers = [fd for each in self._workers for fd in (each.commands, each.answers, each.output)]
        of_nursery = [] if self._nursery is None else [self._nursery.socket.fileno()]
        return [self._requests, self._replies, *of_workers, *of_nursery]

    def _limit(self) -> float:
        return monotonic() + self._options.timeout + _GRACE

    # -- the nursery

    def _expects(self, job: Job) -> bool:
        """Whether a worker for ``job`` is better started a little later, from a nursery that is getting ready."""
        if not self._nurses or job.common is None or job.common == self._barren:
            return False
        if self._nursery is None or self._nursery.common != job.common:
            if sum(task.job.common == job.common for task in self._tasks) < _SHARING:
                return False
            self._close_nursery()
            self._open_nursery(job, frozenset())
        return self._nursery is not None and not self._nursery.ready

    def _open_nursery(self, job: Job, left_out: frozenset[str]) -> None:
        self._nursery = Nursery(job, self._options, self._folder(), left_out, self._descriptors())
        self._selector.register(self._nursery.socket, selectors.EVENT_READ, self._nursery)

    def _nursed(self, nursery: Nursery) -> None:
        if nursery is self._nursery and not nursery.listen():
            self._renew(nursery)

    def _renew(self, nursery: Nursery) -> None:
        """Try again without what was at fault; if that was no import, this is not tried again."""
        self._close_nursery()
        if nursery.fault:
            self._open_nursery(nursery.job, nursery.left_out | {nursery.fault})
        else:
            self._barren = nursery.common

    def _close_nursery(self) -> None:
        if self._nursery is not None:
            self._selector.unregister(self._nursery.socket)
            self._nursery.socket.close()
            _kill_group(self._nursery.process)
            _reap(self._nursery.process)
            discard(self._nursery.scratch)
            self._nursery = None

    def _nursed_process(self, job: Job, scratch: str, pipes: tuple[int, int, int], mark: str) -> int | None:
        """A new worker's process from the nursery for this job; None if there is none, or it has not delivered."""
        nursery = self._nursery
        if nursery is None or not nursery.ready or nursery.common != job.common:
            return None
        process = nursery.fork(job, scratch, pipes, mark)
        if process is None:
            self._renew(nursery)
        return process

    def _heard(self, each: Worker, line: str) -> None:
        mark, _, said = line.partition(" ")
        number, _, said = said.partition(" ")
        word, _, rest = said.partition(" ")
        if mark != each.mark or number != str(each.asked):
            return  # user code found the pipe, or half a line of a process that was killed
        try:
            what: Any = int(rest[:_DIGITS]) if word in ("job", "ended") else from_json(rest)
        except ValueError:
            return
        if isinstance(what, Result):  # it says what was seen, and not of whom
            what.module, what.qualname = each.task.job.module, each.current or ""
        if word in ("quiet", "busy", "driven") and not each.loaded and isinstance(what, Result):
            self._loaded(each, word, what)
        elif word == "job" and _is_child(what, each.process):
            each.job_process = what
        elif word == "result" and isinstance(what, Result):
            each.result = what
        elif word == "ended" and each.current is not None:
            self._traced(each, what)

    def _loaded(self, each: Worker, word: str, result: Result) -> None:
        each.busy, each.loaded = word == "busy", monotonic() - each.started
        self._announce(each.task, result)
        if result.outcome is Outcome.DONE:
            if word == "driven" and not each.task.alone:
                self._part(each.task)
            self._next(each)
        else:
            self._give_up(each.task, result.outcome, result.detail)
            self._end(each)

    def _part(self, task: Task) -> None:
        """Makes a task of each target, for a worker of its own: what is forked from this one cannot use its device."""
        task.alone = True
        if not task.pending:
            task.pending, task.later, task.urgent = task.later, deque(), False
        rest, later = [*task.pending][1:], task.later
        task.pending, task.later = deque([*task.pending][:1]), deque()
        for target in reversed(rest):
            self._again(self._only(task, target))
        for target in later:
            self._again(replace(self._only(task, target), urgent=False))

    def _only(self, task: Task, target: str) -> Task:
        return replace(task, pending=deque([target]), later=deque(), announce=False)

    def _next(self, each: Worker) -> None:
        each.current = each.result = each.verdict = None
        each.job_process, each.stalled, each.work = 0, 0, _RUNNING
        each.asked, each.said = each.asked + 1, 0
        each.tail.clear()
        if not each.task.pending:
            self._postpone(each.task)
        if not each.task.pending:
            self._end(each)
            return
        each.current = each.task.pending.popleft()
        each.deadline = self._limit()
        # Beside threads a forked process may hang. Where that can be seen it is tried all the same.
        word = "alone" if each.task.alone or (each.busy and _worked(each.process) is None) else "fork"
        with suppress(OSError):  # if it has ended, the end of its pipe will say so
            os.write(each.commands, f"{word} {each.current}\n".encode())

    def _postpone(self, task: Task) -> None:
        """Goes on to what no finding waits for: here, or in a new worker if other tasks have something to do first."""
        rest = replace(task, pending=task.later, later=deque(), urgent=False, announce=False)
        task.later = deque()
        if any(other.urgent for other in self._tasks):
            self._again(rest)
        else:
            task.pending, task.urgent = rest.pending, False

    def _again(self, task: Task) -> None:
        """Queues what is left of a task, in front of what is less urgent."""
        if task.urgent:
            self._tasks.appendleft(task)
        elif task.pending or task.later:
            self._tasks.append(task)

    def _traced(self, each: Worker, status: int) -> None:
        """The process of the current target has ended."""
        if each.job_process:
            _kill_group(each.job_process)
        if each.verdict == _HANGS and each.current is not None and each.result is None:
            self._again(replace(self._only(each.task, each.current), alone=True))
        elif each.current is not None:
            self._send(each.task, self._judge(each, _ending(status)))
        each.traced += 1
        self._next(each)

    def _judge(self, each: Worker, ending: str) -> Result:
        if each.result is not None and each.current is not None:
            return each.result
        for _ in range(_CHUNKS):  # its end may be heard of before its last words; what goes on writing is cut short
            if not (chunk := _read(each.output)):
                break
            each.say(chunk)
        words = bytes(each.tail).decode(errors="replace").strip().splitlines()
        said = f": {words[-1].strip()[:200]}" if words and each.verdict is None else ""
        outcome, detail = each.verdict or (Outcome.CRASHED, ending + said)
        seconds = monotonic() - (each.deadline - self._options.timeout - _GRACE)
        seen = each.result.traced if each.result is not None else []
        return Result(each.task.job.module, each.current or "", outcome, detail, seconds, seen)

    def _gone(self, each: Worker) -> None:
        """The worker has ended by itself, or was killed: what it was at is lost, the rest goes to a new one."""
        _kill_group(each.process)
        status = _reap(each.process)
        task, ending = each.task, _ending(status)
        if not each.loaded:
            result = self._judge(each, ending)
            self._announce(task, result)
            self._give_up(task, result.outcome, result.detail)
        else:
            if each.current is None and task.pending:
                each.current = task.pending.popleft()  # it ended between two; so that each new start gets further
            if each.current is not None:
                self._send(task, self._judge(each, ending))
            if task.pending or task.later:
                self._again(task)
        self._end(each)

    def _announce(self, task: Task, result: Result) -> None:
        if task.announce:
            self._send(task, result)
            task.announce = False

    def _give_up(self, task: Task, outcome: Outcome, detail: str) -> None:
        for target in (*task.pending, *task.later):
            self._send(task, Result(task.job.module, target, outcome, f"its import: {detail}"))

    # -- limits

    def _watch(self, each: Worker) -> None:
        seconds = f"{self._options.timeout:g} s"
        late = self._late(each)
        if late > _GRACE:
            self._kill(each, Outcome.TIMED_OUT, f"took longer than {seconds} and did not stop", all_of_it=True)
        elif late > 0 and each.verdict is None:
            self._kill(each, Outcome.TIMED_OUT, f"took longer than {seconds} and did not stop")
        elif max(map(fences.resident, (each.process, each.job_process or each.process))) > self._options.memory:
            self._kill(each, Outcome.CRASHED, f"held more than {self._options.memory / GIB:.1f} GiB of memory")
        elif each.busy and each.job_process and each.verdict is None and not each.task.alone:
            work = _worked(each.job_process)
            each.stalled = each.stalled + 1 if work == each.work and work != _RUNNING else 0
            each.work = _RUNNING if work is None else work
            if each.stalled >= _STALLED:
                each.verdict = _HANGS
                _kill_group(each.job_process)

    def _late(self, each: Worker) -> float:
        """Seconds past the limit of what it is at, less those in which it had no processor to run on."""
        late = monotonic() - each.deadline
        if late <= 0:
            return late
        at_work = each.process if not each.loaded else each.job_process
        waited = fences.starved(at_work) if at_work else 0.0
        return late - min(waited, fences.MOST_STARVED * self._options.timeout)

    def _kill(self, each: Worker, outcome: Outcome, detail: str, *, all_of_it: bool = False) -> None:
        """Kill the target's process; the worker tells when that has ended. ``all_of_it``: the worker too."""
        each.verdict = each.verdict or (outcome, detail)
        if each.job_process:
            _kill_group(each.job_process)
        if all_of_it or not each.job_process:
            self._gone(each)

    def _end(self, each: Worker) -> None:
        self._workers.remove(each)
        for descriptor in (each.answers, each.output):
            if descriptor in self._selector.get_map():
                self._selector.unregister(descriptor)
        for descriptor in (each.commands, each.answers, each.output):
            os.close(descriptor)
        for process in (each.job_process, each.process):
            if process:
                _kill_group(process)
        _reap(each.process)
        nursery = {self._nursery.process} if self._nursery is not None else set()
        _sweep({other.process for other in self._workers} | nursery)
        discard(each.scratch)


_HANGS = (Outcome.CRASHED, "hangs after a fork")


def _read(descriptor: int) -> bytes | None:
    """What there is to read, empty at the end, None when there is nothing for now."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _lines(buffer: bytearray, chunk: bytes) -> list[str]:
    """The whole lines in ``buffer``, taken out of it, now that ``chunk`` was added."""
    if b"\n" not in chunk:
        return []  # a result may be long: it is not searched again with every piece of it
    end = buffer.rfind(b"\n") + 1
    lines = buffer[:end].decode(errors="replace").split("\n")
    del buffer[:end]
    return [line for line in lines if line]


def _worked(process: int) -> int | None:
    """Ticks of processor time of ``process`` so far, `_RUNNING` while it runs; None where nobody tells."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as stream:
            fields = stream.read().rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[11]) + int(fields[12]) if fields[0] == "S" else _RUNNING


def _ending(status: int) -> str:
    """How a process ended, in words."""
    if status == -1:
        return "ended in a way that cannot be told"
    try:
        code = os.waitstatus_to_exitcode(status)
    except (ValueError, OverflowError):  # none that a system gives
        return "ended in a way that cannot be told"
    if code < 0:
        try:
            return f"killed by {signal.Signals(-code).name}"
        except ValueError:
            return f"killed by signal {-code}"
    return f"ended itself with exit code {code}"


def _is_child(process: int, parent: int) -> bool:
    """Whether ``parent`` has started it, or else, where only the system knows, whether it belongs to this run."""
    if sys.platform == "linux":
        return process > 0 and fences.parent_of(process) == parent
    else:
        with suppress(OSError, OverflowError):
            return process > 0 and process != os.getpid() and os.getsid(process) == os.getsid(0)
        return False


def _kill_group(process: int) -> None:
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            kill(process, signal.SIGKILL)


def _reap(process: int) -> int:
    try:
        return os.waitpid(process, 0)[1]
    except ChildProcessError:
        return -1


def _sweep(known: set[int]) -> None:
    """End and bury what ended workers have left behind and this process has inherited."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as stream:
            children = {int(each) for each in stream.read().split()}
    except OSError:
        return
    for process in children - known:
        _kill_group(process)
        _reap(process)


def main(arguments: list[str]) -> None:
    """Serve one broker. Arguments: the descriptors of its two pipes, the scratch folder, the options."""
    requests, replies = map(int, arguments[:2])
    root, options = arguments[2], Options.from_json(arguments[3])
    for ignored in (signal.SIGINT, signal.SIGPIPE):
        signal.signal(ignored, signal.SIG_IGN)
    try:
        hello = "hello"
        importlib.import_module("jax")
        importlib.import_module(options.target)
    except Exception as error:
        hello = f"failed {type(error).__name__}: {error}".split("\n")[0]
    try:
        os.write(replies, f"{hello}\n".encode())
    except BrokenPipeError:  # somebody has killed the broker meanwhile
        discard(root)
        return
    if hello.startswith("failed"):
        return
    adopts = fences.adopt_orphans()
    if options.platform == "cpu" and options.boundary:
        fences.leave_network()
    gc.collect()
    gc.freeze()  # a collection in a fork would touch, and so copy, every page of jax
    Server(options, root, requests, replies, nurses=adopts).run()
