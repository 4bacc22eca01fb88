"""The process that does once what the modules of several jobs have in common, and forks their workers.

It imports the third-party modules that the project's files import, and has the target prepare what is read of these
files (`Target.prepare`).  The project itself is not imported here.  A worker that is forked from it belongs to the
clean parent, which is made its parent by the process between them ending at once.

What is imported here is other people's code and may do anything: never end, end the process, start threads, after
which no fork is sound, or import the project.  The name that was at fault is left out of the next try; after some of
them nothing is imported at all, and a process that is lost is no loss: the clean parent forks the workers itself.

Words on the socket, a message each.  Up: ``import NAME`` (none: all are imported), ``fault``, ``ready``, ``born PID``.
Down: the path of a file with a job, the path of a scratch folder and the worker's mark, with the descriptors of its
three pipes.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from typing import NoReturn, cast

from jaxlint.dynamic import fences, worker
from jaxlint.dynamic.launch import Options
from jaxlint.dynamic.observations import Common, Job, from_json, to_json

MOST_FAULTS = 3
_LONGEST = 1 << 13  # bytes of one message
_MOST_WORDS = 1 << 10  # that are listened to at a time
_FORK = 5.0  # seconds in which a worker is born
_GRACE = 2.0


class Nursery:
    """The process, from the clean parent's side, for all jobs that have this in common."""

    def __init__(
        self, job: Job, options: Options, scratch: str, left_out: frozenset[str], inherited: list[int]
    ) -> None:
        """Fork it for the jobs like ``job``; it closes the descriptors ``inherited``."""
        assert job.common is not None
        self.common: Common = job.common
        self.job = job
        self.left_out = left_out
        self.scratch = scratch
        self.ready = False
        self.fault = ""  # the name that is being imported
        self._deadline = time.monotonic() + 2 * options.timeout + _GRACE
        self._memory = options.memory
        self.socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        parent = os.getpid()
        os.makedirs(scratch)
        self.process = os.fork()
        if self.process == 0:
            try:
                os.setpgid(0, 0)
                fences.die_with(parent)
                for descriptor in inherited:
                    os.close(descriptor)
                self.socket.close()
                _tend(job, options, scratch, left_out, other, parent)
            finally:
                os._exit(1)
        other.close()
        self.socket.setblocking(False)

    def listen(self) -> bool:
        """Take in what it says; False when it is at fault, or has ended, and there is nothing more to wait for."""
        try:
            for _ in range(_MOST_WORDS):  # what is imported may find the socket, and not stop talking
                if not (said := self.socket.recv(_LONGEST)):
                    return False
                word, _, rest = said.decode(errors="replace").partition(" ")
                if word == "import":
                    self.fault = rest
                elif word == "ready":
                    self.ready = True
                elif word == "fault":
                    return False
        except BlockingIOError:
            pass
        except OSError:
            return False
        return True

    def is_well(self) -> bool:
        """Whether it keeps to its time and memory."""
        late = not self.ready and time.monotonic() > self._deadline + fences.starved(self.process)
        return not late and fences.resident(self.process) <= self._memory

    def fork(self, job: Job, scratch: str, pipes: tuple[int, int, int], mark: str) -> int | None:
        """The process of a new worker (see `worker.serve`), a child of this one; None if none was born."""
        path = f"{scratch}.job"
        with open(path, "w", encoding="utf-8") as file:
            file.write(to_json(job))
        try:
            self.socket.settimeout(_FORK)
            socket.send_fds(self.socket, [f"{path}\n{scratch}\n{mark}".encode()], pipes)
            word, _, process = self.socket.recv(_LONGEST).decode(errors="replace").partition(" ")
            return int(process) if word == "born" and _becomes_ours(int(process)) else None
        except (OSError, ValueError):
            return None
        finally:
            self.socket.setblocking(False)
            os.remove(path)


def _becomes_ours(process: int) -> bool:
    """Whether it is a child of this process as soon as the one between them has ended: no other is ever killed."""
    end = time.monotonic() + _FORK
    while fences.parent_of(process) != os.getpid():
        if time.monotonic() > end:
            return False
        time.sleep(0.001)
    return True


# ------------------------------------------------------------------------------------------ in the process itself


def _tend(
    job: Job, options: Options, scratch: str, left_out: frozenset[str], orders: socket.socket, parent: int
) -> NoReturn:
    """The life of the process."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (1, 2):
        os.dup2(nowhere, standard)
    target = cast(worker.Target, importlib.import_module(options.target))
    fence = worker.fenced(options, scratch, os.path.dirname(scratch))
    try:
        with fences.deadline(options.timeout):
            is_sound = _import_all(job, left_out, orders)
    except fences.OutOfTime:
        is_sound = False
    if not is_sound:
        orders.send(b"fault")
        os._exit(0)
    orders.send(b"import ")
    target.prepare(job, time.monotonic() + options.timeout)
    gc.collect()
    gc.freeze()
    orders.send(b"ready")
    while True:
        said, descriptors, _, _ = socket.recv_fds(orders, _LONGEST, 3)
        if not said:
            os._exit(0)
        path, own, mark = said.decode().split("\n")
        with open(path, encoding="utf-8") as file:
            wanted = from_json(file.read())
        with fence.forking():
            between = os.fork()
            if between == 0:
                born = os.fork()
                if born:
                    orders.send(f"born {born}".encode())
                    os._exit(0)
        if between == 0:
            orders.close()
            _be_worker(wanted, options, own, fence, descriptors, parent, mark)
        os.waitpid(between, 0)
        for descriptor in descriptors:
            os.close(descriptor)


def _be_worker(
    job: Job, options: Options, scratch: str, fence: fences.Fence, pipes: list[int], parent: int, mark: str
) -> NoReturn:
    try:
        os.setpgid(0, 0)
        end = time.monotonic() + _FORK
        while os.getppid() != parent and time.monotonic() < end:
            time.sleep(0.001)  # the process between is ending
        fences.die_with(parent)
        commands, answers, output = pipes
        for standard in (1, 2):
            os.dup2(output, standard)
        os.close(output)
        worker.serve(job, options, scratch, (commands, answers), mark, fence)
    finally:
        os._exit(1)


def _import_all(job: Job, left_out: frozenset[str], orders: socket.socket) -> bool:
    """Import what the jobs have in common; False as soon as that has done what no worker must inherit."""
    assert job.common is not None
    if len(left_out) > MOST_FAULTS:
        return True
    own, before = worker.own_names(job), {*sys.modules}
    for name, asked in job.common.imports:
        if name in left_out or name.partition(".")[0] in own or not _is_there(name.partition(".")[0]):
            continue
        orders.send(f"import {name}".encode())
        try:
            __import__(name, fromlist=asked)
        except ModuleNotFoundError as error:
            if error.name != name:  # half of it may be there now
                return False
        except fences.OutOfTime:
            raise
        except BaseException:
            return False
        is_deaf = signal.getsignal(signal.SIGCHLD) != signal.SIG_DFL  # the next fork would wait for nothing
        if (
            is_deaf
            or worker.is_busy()
            or any(module.partition(".")[0] in own for module in sys.modules.keys() - before)
        ):
            return False
    return True


def _is_there(top: str) -> bool:
    with suppress(ImportError, ValueError):
        return top in sys.modules or importlib.util.find_spec(top) is not None
    return False
