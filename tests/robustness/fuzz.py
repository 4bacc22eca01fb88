"""Throws damaged real code and generated programs at jaxlint and reports what makes it crash, break off or hang.

    python tests/robustness/fuzz.py --count 20000 --seed 0
    python tests/robustness/fuzz.py --count 10000 ~/code/one ~/code/two

With folders, the code that is damaged is what lies below them, else that of installed JAX libraries.  Every input is
linted as a file of its own, in a process of its own.  An exception, a JAX004 that is a defect of jaxlint, or more than
ten seconds of work, is a failure: its input is kept in the --keep folder, and the number of the input alone reproduces
it (--only N).
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from generated_programs import random_program  # noqa: E402
from half_typed import half_typed  # noqa: E402
from mutations import damaged, damaged_file, excerpt, real_files  # noqa: E402

from jaxlint.api import lint_paths  # noqa: E402

TIME_LIMIT_S = 10
WAIT_FACTOR = 12  # a process may have a small part of a busy machine
LONGEST = 100_000  # characters of a file
LOADS_MOST = b"import jax\n\n@jax.jit\ndef f(x):\n    return x if x > 0 else -x\n"


class TooSlow(BaseException):
    """The watchdog's exception: nothing that handles an `Exception` may swallow it."""


@dataclass(frozen=True)
class Failure:
    number: int
    data: bytes
    why: str


def input_number(number: int, seed: int, files: Sequence[Path] = ()) -> bytes:
    """The input of this number, made of one of ``files`` if there are any; the same numbers give the same bytes."""
    random = Random(f"{seed}/{number}")
    while True:
        try:
            if files:
                return _half_typed_file(random.choice(files), random)
            if number % 3 == 2:
                return _half_typed_file(random.choice(real_files()), random)
            return damaged_file(random) if number % 3 else random_program(random).encode()
        except ValueError:
            continue  # nested f-strings that this Python's ast.unparse cannot write: draw again


def _half_typed_file(path: Path, random: Random) -> bytes:
    """A file, or a part of it, as it might be while somebody works on it; now and then damaged otherwise, too."""
    try:
        text = excerpt(path, random) if random.random() < 0.5 else path.read_text(encoding="utf-8")
    except (SyntaxError, UnicodeDecodeError):
        text = path.read_text(encoding="utf-8", errors="replace")
    data = half_typed(text[:LONGEST], random).encode("utf-8", "replace")
    return damaged(data, random) if random.random() < 0.2 else data


def files_below(folders: Sequence[Path]) -> list[Path]:
    """The Python files below some folders, sorted."""
    return sorted(path for folder in folders for path in folder.rglob("*.py") if path.is_file())


@contextlib.contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raises TooSlow in the main thread when the block takes more processor time, or WAIT_FACTOR times as long."""
    started, worked = time.monotonic(), time.process_time()

    def ring(*_: object) -> None:
        if time.process_time() - worked >= seconds or time.monotonic() - started >= WAIT_FACTOR * seconds:
            raise TooSlow
        signal.alarm(1)

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def failure_of(number: int, data: bytes, path: Path) -> Failure | None:
    """Lint one input written to ``path``; what went wrong, or None."""
    path.write_bytes(data)
    try:
        with time_limit(TIME_LIMIT_S):
            found = lint_paths([path])
    except TooSlow:
        return Failure(number, data, f"took longer than {TIME_LIMIT_S} s in\n{traceback.format_exc(limit=-12)}")
    except Exception:
        return Failure(number, data, traceback.format_exc(limit=-12))
    defects = [finding.message for finding in found if finding.code == "JAX004" and "broke off" in finding.message]
    return Failure(number, data, "\n".join(defects)) if defects else None


def run(numbers: range, seed: int, folder: Path) -> Iterator[Failure]:
    """Lint the inputs of these numbers inside ``folder``, yielding the failures as they come."""
    for number in numbers:
        if failure := failure_of(number, input_number(number, seed), folder / "current.py"):
            yield failure


def run_apart(numbers: range, seed: int, files: Sequence[Path], folder: Path) -> Iterator[Failure]:
    """The same with a process for each input, which is ended if it does not end: one that hangs delays no other."""
    context = multiprocessing.get_context("fork")
    failure_of(0, LOADS_MOST, folder / "current.py")  # what is loaded here need not be loaded in each process
    for number in numbers:
        data = input_number(number, seed, files)
        here, there = context.Pipe(duplex=False)
        child = context.Process(target=_send_failure, args=(number, data, folder / "current.py", there))
        child.start()
        there.close()
        try:
            why = here.recv() if here.poll((WAIT_FACTOR + 1) * TIME_LIMIT_S) else "the process does not answer"
        except EOFError:
            why = "the process ended"
        child.kill()
        child.join()
        here.close()
        if why is not None:
            yield Failure(number, data, why)


def _send_failure(number: int, data: bytes, path: Path, answer: Connection) -> None:
    failure = failure_of(number, data, path)
    answer.send(failure.why if failure is not None else None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*", metavar="FOLDER", help="where the code to damage lies")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--start", type=int, default=0, help="the number of the first input")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, metavar="N", help="run input N alone")
    parser.add_argument("--keep", type=Path, help="the folder for the inputs that failed; a new one by default")
    options = parser.parse_args()
    numbers = range(options.start, options.start + options.count)
    if options.only is not None:
        numbers = range(options.only, options.only + 1)
    keep = options.keep or Path(tempfile.mkdtemp(prefix="jaxlint-fuzz-"))
    keep.mkdir(parents=True, exist_ok=True)
    files = files_below(options.folders)
    if options.folders and not files:
        parser.error("no Python files there")
    started, failures = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:  # not among those kept: a folder is one program
        for failure in run_apart(numbers, options.seed, files, Path(folder)):
            failures += 1
            kept = keep / f"failure-{options.seed}-{failure.number}.py"
            kept.write_bytes(failure.data)
            print(f"input {failure.number}: {kept}\n{failure.why}", flush=True)
    print(f"{len(numbers)} inputs, {failures} failed, {time.monotonic() - started:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
