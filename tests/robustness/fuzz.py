"""Throws damaged real code and generated programs at jaxlint and reports what makes it crash or hang.

    python tests/robustness/fuzz.py --count 20000 --seed 0

Every input is linted in this process, as a file of its own.  An exception, or more than ten seconds, is a failure:
its input is kept in the --keep folder, and the number of the input alone reproduces it (--only N).  The input being
linted lies there as `current.py`, in case the process itself is killed.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from generated_programs import random_program  # noqa: E402
from mutations import damaged_file  # noqa: E402

from jaxlint.api import lint_paths  # noqa: E402

TIME_LIMIT_S = 10


class TooSlow(BaseException):
    """The watchdog's exception: nothing that handles an `Exception` may swallow it."""


@dataclass(frozen=True)
class Failure:
    number: int
    data: bytes
    why: str


def input_number(number: int, seed: int) -> bytes:
    """The input of this number; the same numbers give the same bytes on every run."""
    random = Random(f"{seed}/{number}")
    while True:
        try:
            return damaged_file(random) if number % 2 else random_program(random).encode()
        except ValueError:
            continue  # nested f-strings that this Python's ast.unparse cannot write: draw again


@contextlib.contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raises TooSlow in the main thread when the block takes longer."""

    def ring(*_: object) -> None:
        raise TooSlow

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
            lint_paths([path])
    except TooSlow:
        return Failure(number, data, f"took longer than {TIME_LIMIT_S} s in\n{traceback.format_exc(limit=-12)}")
    except Exception:
        return Failure(number, data, traceback.format_exc(limit=-12))
    return None


def run(numbers: range, seed: int, folder: Path) -> Iterator[Failure]:
    """Lint the inputs of these numbers inside ``folder``, yielding the failures as they come."""
    for number in numbers:
        if failure := failure_of(number, input_number(number, seed), folder / "current.py"):
            yield failure


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
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
    started, failures = time.monotonic(), 0
    for failure in run(numbers, options.seed, keep):
        failures += 1
        kept = keep / f"failure-{options.seed}-{failure.number}.py"
        shutil.copyfile(keep / "current.py", kept)
        print(f"input {failure.number}: {kept}\n{failure.why}", flush=True)
    print(f"{len(numbers)} inputs, {failures} failed, {time.monotonic() - started:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
