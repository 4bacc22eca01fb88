"""`--executor dask`: the workers of a cluster find what one process finds, whatever becomes of them."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster

from tests.command.test_jobs import project
from tests.processes import jaxlint

CHECK = ["check", "--no-cache", "--certainty", "possible", "--preview", "--exit-zero", "--output-format", "json"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """Two workers, each with a process of its own, which another one follows when it dies."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as begun:
        yield begun


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Distributions of a real library and their tests: 17,000 lines."""
    (place,) = importlib.util.find_spec("distrax").submodule_search_locations
    folder = tmp_path_factory.mktemp("library")
    shutil.copytree(Path(place, "_src", "distributions"), folder / "distributions")
    return folder


def command(cluster: LocalCluster) -> list[str]:
    return [sys.executable, "-m", "jaxlint", *CHECK, "--executor", "dask", "--scheduler", cluster.scheduler_address]


def units_at_work(cluster: LocalCluster) -> tuple[int, dict[str, int]]:
    """How many parts of the work are done, and how many each process has to do, by its id."""
    parts = [task for name, task in dict(cluster.scheduler.tasks).items() if name.startswith("run_part")]
    busy = [task.processing_on.nanny for task in parts if task.state == "processing" and task.processing_on]
    nannies = {nanny.address: nanny.process.pid for nanny in cluster.workers.values() if nanny.process is not None}
    return sum(task.state == "memory" for task in parts), {nannies[one]: busy.count(one) for one in busy}


def test_a_worker_that_is_killed_loses_nothing(cluster: LocalCluster, library: Path) -> None:
    for _ in range(10):  # a run may be over before anybody has seen it half done
        with subprocess.Popen(
            command(cluster), cwd=library, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as run:
            done, busy = 0, dict[int, int]()
            while run.poll() is None and not (done and busy):
                time.sleep(0.005)
                done, busy = units_at_work(cluster)
            if busy:
                os.kill(max(busy, key=lambda one: busy[one]), signal.SIGKILL)
            out, err = run.communicate(timeout=120)
        if busy:
            break
    assert busy
    assert err == ""
    found: list[dict[str, Any]] = json.loads(out)
    assert len({row["code"] for row in found}) > 2
    assert found == json.loads(jaxlint(library, *CHECK, "-j", "1").stdout)


def test_what_a_cluster_has_found_is_kept(cluster: LocalCluster, tmp_path: Path) -> None:
    project(tmp_path)
    kept = [argument for argument in command(cluster) if argument != "--no-cache"]
    runs = [subprocess.run(kept, cwd=tmp_path, capture_output=True, text=True, timeout=60) for _ in range(2)]
    nobody = ["check", *CHECK[2:], "--executor", "dask", "--scheduler", "tcp://127.0.0.1:1"]
    assert jaxlint(tmp_path, *nobody).stdout == runs[0].stdout == runs[1].stdout != "[]\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("--executor dask", "--executor dask needs the address of a cluster: --scheduler ADDRESS"),
        ("--scheduler tcp://x:1", "--scheduler is that of a cluster: only with --executor dask"),
        ("--executor dask --scheduler x -j 2", "--jobs is for one machine: not with --executor dask"),
        ("--executor dask --scheduler x", "--scheduler x: missing port number in address 'x'"),
        ("--executor dask --scheduler x://x:1", "--scheduler x://x:1: unknown address scheme 'x'"),
        ("--executor dusk", "argument --executor: expected processes or dask, found dusk, did you mean `dask`?"),
    ],
)
def test_what_is_no_cluster_is_told_in_a_line(tmp_path: Path, arguments: str, told: str) -> None:
    project(tmp_path)
    run = jaxlint(tmp_path, "check", "--no-cache", *arguments.split())
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith(f"jaxlint: {told}")
    assert run.stderr.count("\n") == 1


CHANGED = """\
import sys
{change}
from jaxlint.command.cli import main
sys.exit(main({arguments}))
"""


def changed(folder: Path, change: str, scheduler: str) -> str:
    """What a run says in which something is changed before it begins."""
    arguments = ["check", "--no-cache", "--executor", "dask", "--scheduler", scheduler]
    code = CHANGED.format(change=change, arguments=arguments)
    run = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout) == (2, "")
    return run.stderr


def test_a_cluster_needs_more_libraries(tmp_path: Path) -> None:
    told = changed(tmp_path, "sys.modules['distributed'] = None", "x")
    assert told == "jaxlint: dask: this needs more libraries: pip install 'jaxlint-sharp-bits[dask]'\n"


def test_nobody_is_waited_for_long(tmp_path: Path) -> None:
    project(tmp_path)
    told = changed(tmp_path, "import jaxlint.running.dask as dask; dask._PATIENCE = 1", "tcp://127.0.0.1:1")
    assert told.startswith("jaxlint: --scheduler tcp://127.0.0.1:1: Timed out")
    assert told.count("\n") == 1


def test_workers_have_the_same_jaxlint(cluster: LocalCluster, tmp_path: Path) -> None:
    project(tmp_path)
    change = "import jaxlint; jaxlint.__version__ = '0.0.1'"
    told = changed(tmp_path, change, cluster.scheduler_address)
    assert told.startswith(f"jaxlint: --scheduler {cluster.scheduler_address}: jaxlint 0.0.1 (")
    assert told.count("\n") == 1
