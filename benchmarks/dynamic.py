"""What isolation costs: starting the workers, forking a process for each target, doing without fork, many modules.

    python benchmarks/dynamic.py [--repeat N] [--targets N]

All in one run on one machine: medians, and ratios to the two costs that no design avoids, importing jax and tracing
the same functions in one process without isolation. The workers run `jaxlint.dynamic.target` as the command does.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from jaxlint.dynamic.broker import Options, run_jobs
from jaxlint.dynamic.observations import Common, Job

MODULE = """
import jax
import jax.numpy as jnp
{constant}
def step(x, n):
    def body(carry, row):
        return jnp.tanh(carry @ row), jnp.sum(carry)
    return jax.lax.scan(body, x, jnp.stack([jnp.ones((3, 3)) * i for i in range(n)]))
"""
FUNCTION = """
def f{number}(x: jax.Array):
    return step(jnp.reshape(x, (-1,))[:3], {size})
"""

BARE = """
import sys, time
sys.path.insert(0, sys.argv[1])
began = time.perf_counter()
import jax, numpy
imported = time.perf_counter()
import many
for number in range(int(sys.argv[2])):
    jax.make_jaxpr(getattr(many, f"f{number}"))(jax.ShapeDtypeStruct((3,), numpy.float32))
print(imported - began, time.perf_counter() - imported)
"""


def write(folder: Path, name: str, targets: int, constant: str = "") -> Job:
    path = folder / f"{name}.py"
    functions = "".join(FUNCTION.format(number=number, size=number % 5 + 2) for number in range(targets))
    path.write_text(MODULE.format(constant=constant) + functions, encoding="utf-8")
    names = tuple(f"f{number}" for number in range(targets))
    return Job(name, str(path), (str(folder),), names, (), (str(path),))


def package(folder: Path, modules: int) -> list[Job]:
    """Modules that import each other and SciPy, as those of a package do, with one target each."""
    names = [f"part{number}" for number in range(modules)]
    for number, name in enumerate(names):
        others = "".join(f"import {other}\n" for other in names[:number])
        text = MODULE.format(constant="import scipy.stats\n" + others) + FUNCTION.format(number=0, size=2) * 20
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    paths = tuple(str(folder / f"{name}.py") for name in names)
    common = Common(paths, (("jax.numpy", ()), ("scipy.stats", ())))
    return [Job(name, path, (str(folder),), ("f0",), (), paths, common=common) for name, path in zip(names, paths)]


def bare(folder: Path, targets: int) -> tuple[float, float]:
    """Seconds to import jax and to trace all targets, without any isolation."""
    done = subprocess.run(
        [sys.executable, "-c", BARE, str(folder), str(targets)],
        capture_output=True,
        text=True,
        check=True,
        env={"JAX_PLATFORMS": "cpu"},
    )
    imported, traced = map(float, done.stdout.split())
    return imported, traced


def run(jobs: list[Job], options: Options) -> tuple[float, float]:
    """Seconds to the first import's result, and from there to the last target's."""
    began = time.perf_counter()
    results = run_jobs(jobs, options)
    next(results)
    started = time.perf_counter()
    count = sum(1 for result in results if result.qualname)
    ended = time.perf_counter()
    assert count == sum(len(job.targets) for job in jobs)
    return started - began, ended - started


def medians(measure: Callable[[], tuple[float, float]], repeat: int) -> tuple[float, float]:
    first, second = zip(*(measure() for _ in range(repeat)))
    return statistics.median(first), statistics.median(second)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--targets", type=int, default=60)
    parser.add_argument("--modules", type=int, default=20, help="modules of the package, default %(default)s")
    arguments = parser.parse_args()
    one = Options(workers=1)
    few = max(arguments.targets // 20, 1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        many = write(folder, "many", arguments.targets)
        busy = write(folder, "busy", arguments.targets, "CONSTANT = jnp.ones((3, 3))")
        some = replace(many, targets=many.targets[:few])
        parts = package(folder, arguments.modules)
        alone = [replace(job, common=None) for job in parts]
        imports, traced = medians(lambda: bare(folder, arguments.targets), arguments.repeat)
        rows = {
            label: (medians(partial(run, jobs, options), arguments.repeat), sum(len(job.targets) for job in jobs))
            for label, jobs, options in (
                ("one worker", [many], one),
                ("two workers", [many], replace(one, workers=2)),
                ("backend started at import", [busy], one),
                ("without fork", [some], replace(one, fork=False)),
                (f"{len(parts)} modules, each anew", alone, one),
                (f"{len(parts)} modules, in common", parts, one),
            )
        }
    each = traced / arguments.targets
    print(f"import jax {imports:.2f} s, trace {1000 * each:.1f} ms a target without isolation\n")
    print(f"{'':28s}{'start s':>9s}{'/ import':>9s}{'ms/target':>11s}{'/ trace':>9s}")
    for label, ((start, total), count) in rows.items():
        print(f"{label:28s}{start:9.2f}{start / imports:9.2f}{1000 * total / count:11.1f}{total / count / each:9.1f}")


if __name__ == "__main__":
    main()
