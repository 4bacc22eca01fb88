"""User code that misbehaves costs its own results and nothing else: no other result, no file, no process."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from jaxlint.dynamic.boundary import offered
from jaxlint.dynamic.broker import Options, Unavailable, jax_versions, run_jobs
from jaxlint.dynamic.launch import command, environment
from jaxlint.dynamic.observations import Common, Job, Outcome, Result, to_json
from jaxlint.dynamic.progress import Progress

HERE = Path(__file__).parent
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

NORMAL = """
    import jax.numpy as jnp
    def first(x): return jnp.sin(x)
    def second(x): return jnp.cos(x) @ first(x)
"""

# Each runs as a module of its own: the target "run", then the target "fine" (which every one of them has).
# What is said is how "run" ends, with a part of the detail.
HOSTILE_TARGETS: dict[str, tuple[str, Outcome, str]] = {
    "loops": ("def run():\n while True: pass", Outcome.TIMED_OUT, "1 s"),
    "loops_and_swallows": (
        """
        import time
        def run():
            while True:
                try: time.sleep(60)
                except BaseException: pass
        """,
        Outcome.TIMED_OUT,
        "did not stop",
    ),
    "loops_deaf": (
        """
        import signal, time
        def run():
            for each in range(1, 32):
                try: signal.signal(each, signal.SIG_IGN)
                except OSError: pass
            while True: time.sleep(1)
        """,
        Outcome.TIMED_OUT,
        "did not stop",
    ),
    "exits": ("import os\ndef run(): os._exit(3)", Outcome.CRASHED, "exit code 3"),
    "leaves": ("import sys\ndef run(): sys.exit('bye')", Outcome.CRASHED, "SystemExit: bye"),
    "kills_itself": ("import os\ndef run(): os.kill(os.getpid(), 9)", Outcome.CRASHED, "SIGKILL"),
    "aborts_in_c": (
        """
        import ctypes, os
        def run():
            os.write(2, b'check failed: the reason')
            ctypes.CDLL(None).abort()
        """,
        Outcome.CRASHED,
        "SIGABRT: check failed: the reason",
    ),
    "segfaults": ("import ctypes\ndef run(): ctypes.string_at(0)", Outcome.CRASHED, "SIGSEGV"),
    "allocates": ("import numpy as np\ndef run(): return np.ones(40 << 27).sum()", Outcome.CRASHED, "memory"),
    "recurses": ("def run(): return run()", Outcome.CRASHED, "RecursionError"),
    "raises_base": ("def run(): raise BaseException('odd')", Outcome.CRASHED, "BaseException: odd"),
    "raises_unprintable": (
        """
        class Odd(Exception):
            def __str__(self): raise BaseException
        def run(): raise Odd
        """,
        Outcome.CRASHED,
        "Odd",
    ),
    "floods": (
        """
        import os, sys
        def run():
            for _ in range(200):
                print("x" * 100_000)
                print("y" * 100_000, file=sys.stderr)
                os.write(1, b"z" * 100_000)
            return "through"
        """,
        Outcome.DONE,
        "through",
    ),
    "reads_input": (
        """
        import sys
        def run():
            try: input()
            except EOFError: return "end" + sys.stdin.read()
        """,
        Outcome.DONE,
        "end",
    ),
    "deletes_its_folder": (
        """
        import os, shutil, pathlib
        def run():
            shutil.rmtree(os.getcwd())
            return os.path.exists(pathlib.Path.home() / "..")
        """,
        Outcome.DONE,
        "True",
    ),
    "starts_threads": (
        """
        import threading, time
        def run():
            for daemon in (True, False):
                threading.Thread(target=time.sleep, args=(60,), daemon=daemon).start()
            return "started"
        """,
        Outcome.DONE,
        "started",
    ),
    "registers_exits": (
        """
        import atexit, time
        atexit.register(time.sleep, 60)
        def run():
            atexit.register(time.sleep, 60)
            return "registered"
        """,
        Outcome.DONE,
        "registered",
    ),
    "forks": ("import os\ndef run(): os.fork()", Outcome.CRASHED, "starting a process is refused"),
    "runs_programs": (
        """
        import subprocess
        def run(): subprocess.run(["touch", OUTSIDE + "/program"])
        """,
        Outcome.CRASHED,
        "starting a process is refused",
    ),
    "kills_others": ("import os\ndef run(): os.kill(os.getppid(), 9)", Outcome.CRASHED, "a signal to another process"),
    "connects": (
        "import socket\ndef run(): socket.create_connection(('127.0.0.1', 9))",
        Outcome.CRASHED,
        "the network is refused",
    ),
    "replaces_streams": (
        """
        import sys, os
        def run():
            sys.stdout = sys.stderr = sys.stdin = None
            for descriptor in (0, 1, 2): os.close(descriptor)
            return "replaced"
        """,
        Outcome.DONE,
        "replaced",
    ),
    "closes_everything": ("import os\ndef run(): os.closerange(0, 4096)", Outcome.CRASHED, "exit code"),
    "patches_builtins": (
        """
        import builtins
        def run():
            for name in ("open", "print", "len", "isinstance", "__import__", "str", "getattr"):
                setattr(builtins, name, None)
            return 1
        """,
        Outcome.CRASHED,
        "",
    ),
    "writes_files": (
        """
        import os, pathlib, shutil, tempfile
        WAYS = [
            lambda: open(OUTSIDE + "/new", "w"),
            lambda: open(OUTSIDE + "/kept", "r+"),
            lambda: open("../../../../" + OUTSIDE + "/new", "w"),
            lambda: os.open(OUTSIDE + "/new", os.O_CREAT | os.O_RDWR),
            lambda: pathlib.Path(OUTSIDE, "new").touch(),
            lambda: pathlib.Path(OUTSIDE, "kept").write_text(""),
            lambda: os.remove(OUTSIDE + "/kept"),
            lambda: os.rename(OUTSIDE + "/kept", "here"),
            lambda: os.rename(__file__, OUTSIDE + "/new"),
            lambda: os.replace(OUTSIDE + "/kept", OUTSIDE + "/new"),
            lambda: os.mkdir(OUTSIDE + "/new"),
            lambda: os.rmdir(OUTSIDE + "/empty"),
            lambda: os.truncate(OUTSIDE + "/kept", 0),
            lambda: os.chmod(OUTSIDE + "/kept", 0),
            lambda: os.utime(OUTSIDE + "/kept", (0, 0)),
            lambda: os.symlink("/", OUTSIDE + "/new"),
            lambda: os.link(OUTSIDE + "/kept", OUTSIDE + "/new"),
            lambda: os.link(OUTSIDE + "/kept", "linked"),
            lambda: (os.symlink(OUTSIDE, "way"), open("way/new", "w")),
            lambda: (os.chdir(OUTSIDE), open("new", "w")),
            lambda: shutil.rmtree(OUTSIDE),
            lambda: shutil.copy(OUTSIDE + "/kept", OUTSIDE + "/new"),
            lambda: tempfile.mkdtemp(dir=OUTSIDE),
            lambda: os.system("touch " + OUTSIDE + "/new"),
            lambda: __import__("sqlite3").connect(OUTSIDE + "/new"),
        ]
        def run():
            through = []
            for number, way in enumerate(WAYS):
                try: way()
                except PermissionError: continue
                except shutil.Error: continue
                through.append(number)
            return f"through: {through}"
        """,
        Outcome.DONE,
        "through: []",
    ),
    "writes_inside": (
        """
        import os, pathlib, shutil, tempfile
        def run():
            for folder in (pathlib.Path(), pathlib.Path.home(), pathlib.Path(tempfile.gettempdir())):
                (folder / "new").write_text("text")
                (folder / "new").rename(folder / "newer")
                shutil.copytree(folder, folder / "copy" , ignore=lambda *_: ["copy"])
                os.symlink("/usr", folder / "copy" / "link")
                shutil.rmtree(folder / "copy")
            with tempfile.TemporaryDirectory() as name, open(os.devnull, "w") as nowhere:
                pathlib.Path(name, "file").touch()
                print("nothing", file=nowhere)
            return "written"
        """,
        Outcome.DONE,
        "written",
    ),
}

# These do it while they are imported: no target of theirs can be traced, the others' can.
HOSTILE_IMPORTS: dict[str, tuple[str, Outcome, str]] = {
    "import_loops": ("while True: pass", Outcome.TIMED_OUT, "1 s"),
    "import_exits": ("import os; os._exit(0)", Outcome.CRASHED, "exit code 0"),
    "import_leaves": ("import sys; sys.exit(0)", Outcome.NOT_IMPORTABLE, "SystemExit: 0"),
    "import_killed": ("import os; os.kill(os.getpid(), 15)", Outcome.CRASHED, "SIGTERM"),
    "import_raises": ("raise BaseException('odd')", Outcome.NOT_IMPORTABLE, "BaseException: odd"),
    "import_cycle_one": ("from import_cycle_two import value", Outcome.NOT_IMPORTABLE, "import_cycle"),
    "import_cycle_two": ("from import_cycle_one import other\nvalue = 1", Outcome.NOT_IMPORTABLE, "import_cycle"),
    "import_breaks_builtins": ("import builtins\nbuiltins.__import__ = builtins.len = None", Outcome.CRASHED, ""),
}

# These leave the worker itself odd after an import that worked: both targets are traced all the same.
ODD_WORKERS = {
    "starts_backend": "import jax, jax.numpy as jnp\nX = jnp.ones(3)\ndef run(): return float(jnp.sin(X) @ X)",
    "has_thread": """
        import threading, time
        threading.Thread(target=time.sleep, args=(60,)).start()
        def run(): return 1
    """,
    "ignores_children": "import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\ndef run(): return 1",
    "own_alarm": "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_DFL)\ndef run(): return 1",
    "set_alarm": "import signal\nsignal.signal(signal.SIGALRM, lambda *_: 1 / 0)\nsignal.alarm(1)\ndef run(): return 1",
    "removed_folder": "import os, shutil\nshutil.rmtree(os.path.dirname(os.getcwd()))\ndef run(): return os.getcwd()",
    "prints": "print('x' * 1_000_000)\nimport builtins\nbuiltins.print = None\ndef run(): return 1",
}


@pytest.fixture(scope="module", autouse=True)
def _surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The workers find `isolation_target` beside this file, and nobody else's scratch folders lie beside theirs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("scratch")))
        patch.setenv("PYTHONPATH", str(HERE), prepend=os.pathsep)
        yield


def options(**changes: object) -> Options:
    """Only what never ends needs a short time: what a slow machine does late is not what is tested here."""
    return Options(**{"timeout": 20.0, "memory": 1 << 30, "target": "isolation_target", **changes})  # type: ignore[arg-type]


def write(folder: Path, name: str, source: str, targets: tuple[str, ...]) -> Job:
    path = folder / f"{name}.py"
    path.write_text(dedent(source))
    return Job(name, str(path), (str(folder),), targets, (), (str(path),))


def results_of(jobs: list[Job], chosen: Options) -> dict[tuple[str, str], Result]:
    results = list(run_jobs(jobs, chosen))
    assert len(results) == sum(len(job.targets) + 1 for job in jobs), "one result a target and one an import"
    return {(result.module, result.qualname): result for result in results}


def scratch_folders() -> list[Path]:
    return list(Path(tempfile.gettempdir()).glob("jaxlint-*"))


@pytest.fixture(scope="module")
def battlefield(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Result]:
    """The results of all hostile modules and of normal ones among them, each run of one nursery.

    Those that never end run apart: only they need a short limit, and a slow machine must not make the others meet it.
    """
    outside = tmp_path_factory.mktemp("outside")
    (outside / "kept").write_text("kept")
    (outside / "empty").mkdir()
    named = HOSTILE_TARGETS | HOSTILE_IMPORTS
    endless = [name for name, (_, outcome, _) in named.items() if outcome is Outcome.TIMED_OUT]
    sources = {name: source for name, (source, *_) in named.items()} | ODD_WORKERS
    results: dict[tuple[str, str], Result] = {}
    for limit, names in ((1.0, endless), (20.0, [name for name in sources if name not in endless])):
        folder, jobs = tmp_path_factory.mktemp("project"), []
        for number, name in enumerate(names):
            text = f"OUTSIDE = {str(outside)!r}\n{dedent(sources[name])}\ndef fine(x): return x + 1\n"
            jobs.append(write(folder, name, text, ("run", "fine")))
            if number % 8 == 0:
                jobs.append(write(folder, f"normal_{limit:.0f}_{number}", NORMAL, ("first", "second")))
        before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
        common = Common((), (("html.parser", ()), ("nothing_of_this_name", ())))
        results |= results_of([replace(job, common=common) for job in jobs], options(timeout=limit))
        assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    assert sorted(path.name for path in outside.iterdir()) == ["empty", "kept"]
    assert (outside / "kept").read_text() == "kept"
    assert not scratch_folders()
    return results


@pytest.mark.parametrize("name", HOSTILE_TARGETS)
def test_a_hostile_target_costs_its_own_result_only(battlefield: dict[tuple[str, str], Result], name: str) -> None:
    _, outcome, detail = HOSTILE_TARGETS[name]
    result = battlefield[name, "run"]
    assert (result.outcome, detail in result.detail) == (outcome, True), result
    assert "\n" not in result.detail
    assert battlefield[name, ""].outcome is Outcome.DONE
    assert battlefield[name, "fine"].outcome is Outcome.DONE


def test_what_can_be_interrupted_is_not_killed(battlefield: dict[tuple[str, str], Result]) -> None:
    assert battlefield["loops", "run"].detail == "took longer than 1 s"
    assert battlefield["loops_deaf", "run"].detail == "took longer than 1 s and did not stop"
    assert battlefield["loops", "run"].seconds >= 1


@pytest.mark.parametrize("name", HOSTILE_IMPORTS)
def test_a_hostile_import_is_reported_for_each_target(battlefield: dict[tuple[str, str], Result], name: str) -> None:
    _, outcome, detail = HOSTILE_IMPORTS[name]
    for target in ("run", "fine"):
        result = battlefield[name, target]
        assert (result.outcome, detail in result.detail) == (outcome, True), result


@pytest.mark.parametrize("name", ODD_WORKERS)
def test_a_worker_that_cannot_simply_fork_still_traces_all(
    battlefield: dict[tuple[str, str], Result], name: str
) -> None:
    assert [battlefield[name, target].outcome for target in ("run", "fine")] == [Outcome.DONE, Outcome.DONE]


def test_a_worker_that_dies_beside_its_target_is_replaced(tmp_path: Path) -> None:
    """It dies at each fork, before or after the target answers; each has a result, and the second a new worker."""
    source = "import os\nos.register_at_fork(after_in_parent=lambda: os._exit(5))\ndef run(): return 1\nrun_again = run"
    results = results_of([write(tmp_path, "dies", source, ("run", "run_again"))], options())
    for target in ("run", "run_again"):
        result = results["dies", target]
        assert result.outcome is Outcome.DONE or "exit code 5" in result.detail


def test_normal_modules_among_hostile_ones_are_intact(battlefield: dict[tuple[str, str], Result]) -> None:
    normal = [result for (module, _), result in battlefield.items() if module.startswith("normal")]
    assert len(normal) >= 12
    assert {result.outcome for result in normal} == {Outcome.DONE}
    assert all("cos" in result.traced[0].jaxpr for result in normal if result.qualname == "second")


# -- what jobs have in common


# Third-party modules that must not be imported before the workers are forked, each for a reason of its own.
HOSTILE_SHARED = {
    "make forks unsound": {
        "shared_threads": "import threading, time; threading.Thread(target=time.sleep, args=(60,)).start()",
        "shared_backend": "import jax.numpy as jnp; X = jnp.ones(3)",
        "shared_deaf": "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
    },
    "are half imported": {
        "shared_raises": "import nothing_of_this_name",
        "shared_project": "import project_0",
        "shared_writes": "import pathlib; pathlib.Path(__file__).with_suffix('.out').touch()",
    },
    "end the process": {
        "shared_loops": "while True: pass",
        "shared_exits": "os._exit(3)",
        "shared_killed": "os.kill(os.getpid(), 9)",
    },
}


def sharing(folder: Path, monkeypatch: pytest.MonkeyPatch, installed: dict[str, str]) -> list[Job]:
    """Three modules of a project that have the installed modules in common and say in which process each ran."""
    site, project = folder / "site", folder / "project"
    site.mkdir()
    project.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(site), prepend=os.pathsep)
    for name, source in installed.items():
        (site / f"{name}.py").write_text(f"import os\nPROCESS = os.getpid()\n{source}\n")
    lines = [f"try: import {name}\nexcept BaseException: {name} = None\n" for name in installed]
    body = "".join(lines) + f"def run(): return [getattr(each, 'PROCESS', 0) for each in ({', '.join(installed)},)]\n"
    common = Common((), tuple((name, ()) for name in installed))
    jobs = [write(project, f"project_{number}", body, ("run",)) for number in range(3)]
    return [replace(job, common=common) for job in jobs]


@LINUX
def test_what_jobs_have_in_common_is_imported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = results_of(sharing(tmp_path, monkeypatch, {"shared_one": "", "shared_two": ""}), options())
    told = {results[f"project_{number}", "run"].detail for number in range(3)}
    assert len(told) == 1
    assert "0" not in told.pop().strip("[]").split(", ")


@pytest.mark.skipif(not offered("cpu").is_whole, reason="this kernel has not all that holds C code back")
def test_c_code_is_held_back_in_what_is_imported_once_and_in_what_is_forked_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each worker writes to its own throwaway folder, and not to that of the process it was forked from."""
    outside = os.fsencode(tmp_path / "outside")
    source = f"import ctypes; creat = ctypes.CDLL(None).creat; TRIED = creat({outside!r}, 0o600); OWN = os.getcwd()"
    jobs = sharing(tmp_path, monkeypatch, {"shared_one": source})
    text = f"""
        import os, shared_one
        def new(folder): return shared_one.creat(os.fsencode(folder) + b"/new", 0o600) >= 0
        def run(): return [shared_one.PROCESS, shared_one.TRIED, new({str(tmp_path)!r}), new(shared_one.OWN), new(".")]
    """
    for job in jobs:
        Path(job.path).write_text(dedent(text))
    results = results_of(jobs, options())
    told = {results[f"project_{number}", "run"].detail.partition(", ") for number in range(3)}
    assert len(told) == 1
    assert told.pop()[2] == "-1, False, False, True]"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["project", "site"]


@LINUX
@pytest.mark.parametrize("what", HOSTILE_SHARED)
def test_imports_in_common_that_do_this_cost_only_that_they_are_not_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    jobs = sharing(tmp_path, monkeypatch, {"shared_one": "", **HOSTILE_SHARED[what], "shared_two": ""})
    if what == "end the process":  # a worker could not import them either
        for job in jobs:
            Path(job.path).write_text(
                "import shared_one, shared_two\ndef run(): return [shared_one.PROCESS, shared_two.PROCESS]"
            )
    results = results_of(jobs, options(timeout=2.0 if what == "end the process" else 20.0))
    told = [results[f"project_{number}", "run"] for number in range(3)]
    assert {result.outcome for result in told} == {Outcome.DONE}
    assert not list(tmp_path.rglob("*.out"))
    for number in (0, -1):
        assert len({result.detail.strip("[]").split(", ")[number] for result in told}) == 1


@LINUX
def test_without_any_sound_import_the_workers_are_started_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = {f"shared_{number}": HOSTILE_SHARED["make forks unsound"]["shared_threads"] for number in range(6)}
    results = results_of(sharing(tmp_path, monkeypatch, installed), options())
    assert {results[f"project_{number}", "run"].outcome for number in range(3)} == {Outcome.DONE}
    assert len({results[f"project_{number}", "run"].detail for number in range(3)}) == 3


@LINUX
def test_a_nursery_that_is_lost_is_no_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = sharing(tmp_path, monkeypatch, {"shared_one": ""})
    results = run_jobs(jobs, options(workers=1))
    taken = [next(results)]
    server = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()[-1]
    nursery, *_ = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    os.kill(int(nursery), signal.SIGKILL)
    taken += results
    assert [result.outcome for result in taken] == [Outcome.DONE] * 6


# -- limits


def test_the_budget_ends_the_run_and_says_so_of_what_was_not_reached(tmp_path: Path) -> None:
    jobs = [write(tmp_path, f"slow_{n}", "import time\ndef run(): time.sleep(60)", ("run",)) for n in range(4)]
    began = time.monotonic()
    results = results_of(jobs, options(timeout=50, budget=1.5))
    assert time.monotonic() - began < 30
    ended = [result for result in results.values() if result.qualname]
    assert {(result.outcome, result.detail) for result in ended} == {
        (Outcome.TIMED_OUT, "the budget of 1.5 s was spent"),
    }


HUNGRY = """
    import ctypes, numpy
    C = ctypes.CDLL(None)
    C.mmap.restype = ctypes.c_void_p
    def run():
        held = []
        try:
            while True: held.append(numpy.empty(1 << 24, "u1"))
        except MemoryError:
            had = 16 * len(held)
            held.clear()
        return had
    def run_in_c():
        for size in range(16, 1 << 20, 16):
            at = C.mmap(None, ctypes.c_size_t(size << 20), 3, 0x22, -1, ctypes.c_long(0))
            if at == ctypes.c_void_p(-1).value: return size
            C.munmap(ctypes.c_void_p(at), ctypes.c_size_t(size << 20))
    def run_and_use():
        held = []
        while True: held.append(b"x" * (1 << 24))
"""


@LINUX
def test_no_more_memory_is_had_than_the_limit_and_what_threads_map(tmp_path: Path) -> None:
    """A quarter of a GiB; each target has it all, and the one that has spent it costs the others nothing."""
    job = write(tmp_path, "hungry", HUNGRY, ("run", "run_in_c", "run_and_use"))
    results = results_of([job], options(memory=1 << 28))
    most = 256 + 128 * (os.cpu_count() or 1)
    for target in ("run", "run_in_c"):
        assert 200 <= int(results["hungry", target].detail) <= most, results["hungry", target]
    # What is used may be seen before it is all that there is.
    assert results["hungry", "run_and_use"].detail.endswith("more than 0.2 GiB of memory")


@LINUX
def test_memory_is_watched_where_address_space_cannot_be_limited(tmp_path: Path) -> None:
    """A GPU's driver maps more than any machine has, so there is no limit on that: no GPU is needed to see the rest."""
    source = "import time, numpy as np\ndef run():\n x = np.ones(1 << 27)\n time.sleep(60)\ndef fine(x): return x"
    results = results_of([write(tmp_path, "hungry", source, ("run", "fine"))], options(platform="cuda", timeout=9))
    assert results["hungry", "run"].detail == "held more than 1.0 GiB of memory"
    assert results["hungry", "fine"].outcome is Outcome.DONE


@LINUX
def test_nothing_is_forked_from_a_process_in_which_an_accelerators_driver_runs(tmp_path: Path) -> None:
    """CUDA ends a forked process. Each target is traced where its module was imported; no GPU is needed to see that."""
    names = ("run_one", "run_two", "run_three")
    source = "import os\nDRIVEN, IMPORTED = True, os.getpid()\n" + "".join(
        f"def {name}(): return os.getpid() == IMPORTED and os.getpid()\n" for name in names
    )
    job = write(tmp_path, "driven", source, names)
    results = results_of([job], options(platform="cuda", timeout=9))
    assert len({results["driven", name].detail for name in names} - {"False"}) == 3
    results = results_of([job], options(timeout=9))
    assert {results["driven", name].detail for name in names} == {"False"}


def test_a_reader_who_takes_his_time_costs_nobody_any(tmp_path: Path) -> None:
    """More than a pipe holds is waiting for him, and the hard limit of a target passes meanwhile."""
    names = ("run_one", "run_two", "run_three")
    body = "".join(f"def {name}(): return 'x' * 1_000_000\n" for name in names)
    results = run_jobs([write(tmp_path, "wordy", body, names)], options(timeout=1.5))
    taken = [next(results)]
    time.sleep(5)
    assert {result.outcome for result in [*taken, *results]} == {Outcome.DONE}


def test_a_large_result_arrives_whole(tmp_path: Path) -> None:
    results = results_of([write(tmp_path, "large", "def run(): return 'x' * 20_000_000", ("run",))], options(timeout=9))
    assert len(results["large", "run"].detail) == 20_000_000


# -- the surroundings of user code


def test_a_worker_has_an_empty_home_and_this_very_jaxlint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    source = """
        import os, pathlib, tempfile
        import jaxlint
        def run():
            places = [pathlib.Path(), pathlib.Path.home(), pathlib.Path(tempfile.gettempdir())]
            names = ["JAX_PLATFORMS", "WANDB_MODE", "MPLBACKEND", "PYTHONHASHSEED", "XDG_CACHE_HOME"]
            found = [list(place.iterdir()) for place in places]
            return [found, [os.environ.get(name) for name in names], jaxlint.__file__]
    """
    results = results_of([write(tmp_path, "looks", source, ("run",))], options())
    package = str(HERE.parents[1] / "jaxlint" / "__init__.py")
    assert results["looks", "run"].detail == str([[[], [], []], ["cpu", "disabled", "Agg", "0", None], package])


def test_beside_an_accelerator_there_is_the_hosts_platform_for_callbacks(tmp_path: Path) -> None:
    source = "import os\ndef run(): return os.environ['JAX_PLATFORMS']"
    results = results_of([write(tmp_path, "asks", source, ("run",))], options(platform="cuda"))
    assert results["asks", "run"].detail == "cuda,cpu"


def test_the_command_itself_never_imports_jax() -> None:
    code = "import sys, jaxlint.dynamic.broker; sys.exit('jax' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=HERE.parents[1]).returncode == 0


def test_without_jax_dynamic_mode_says_that_it_cannot_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "jax.py").write_text("raise ImportError('no jax here')")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{HERE}")
    with pytest.raises(Unavailable, match="no jax here"):
        list(run_jobs([write(tmp_path, "normal", NORMAL, ("first",))], options()))
    with pytest.raises(Unavailable, match="does not run"):
        jax_versions(options(python=str(tmp_path / "no-python")))


# -- several processes


@LINUX
def test_a_long_module_is_shared_by_two_workers(tmp_path: Path) -> None:
    names = tuple(f"run_{number}" for number in range(24))
    body = "".join(f"\ndef {name}(): time.sleep(0.1); return os.getppid()" for name in names)
    results = results_of([write(tmp_path, "long", f"import os, time{body}", names)], options())
    assert len({results["long", name].detail for name in names}) == 2


@LINUX
def test_the_clean_parent_may_be_lost_once(tmp_path: Path) -> None:
    jobs = [
        write(tmp_path, f"normal_{n}", f"import time; time.sleep(0.2)\n{dedent(NORMAL)}", ("first",)) for n in range(4)
    ]
    results = run_jobs(jobs, options())
    taken = [next(results)]
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    os.kill(int(children[-1]), signal.SIGKILL)
    taken += results
    assert len(taken) == 8
    assert {result.outcome for result in taken} == {Outcome.DONE}


COMMAND = """
import sys
from jaxlint.dynamic.boundary import offered
from jaxlint.dynamic.broker import Options, run_jobs
from jaxlint.dynamic.observations import from_json
jobs = [from_json(line) for line in open(sys.argv[1])]
chosen = Options(timeout=60, target="isolation_target", fork=sys.argv[2] == "fork")
for result in run_jobs(jobs, chosen):
    print(result.module, flush=True)
"""


@LINUX
@pytest.mark.parametrize(
    ("number", "start"),
    [
        (signal.SIGINT, "fork"),
        (signal.SIGTERM, "fork"),
        (signal.SIGKILL, "fork"),
        (signal.SIGINT, "spawn"),
        (signal.SIGTERM, "spawn"),
    ],
)
def test_an_interrupted_command_leaves_no_process_behind(tmp_path: Path, number: signal.Signals, start: str) -> None:
    loop = "import signal\ndef run():\n signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))\n while True: pass"
    jobs = [write(tmp_path, f"endless_{each}", loop, ("run",)) for each in range(2)]
    (tmp_path / "jobs").write_text("\n".join(map(to_json, jobs)))
    path = os.pathsep.join([str(HERE.parents[1]), str(HERE)])
    with subprocess.Popen(
        [sys.executable, "-c", COMMAND, str(tmp_path / "jobs"), start],
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        if start == "fork":
            process.stdout.readline()  # a module is imported
        _until(lambda: len(_processes_of(tmp_path)) >= (5 if start == "fork" else 3))
        process.send_signal(number)
        process.wait(10)
    _until(lambda: not _processes_of(tmp_path))
    if start == "fork" or number is signal.SIGINT:
        _until(lambda: not list(tmp_path.glob("jaxlint-*")))


def _processes_of(folder: Path) -> list[str]:
    """The processes that have a path in ``folder`` on their command line: the command and all it has started."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if os.fsencode(folder) in (entry / "cmdline").read_bytes():
                found.append(entry.name)
        except OSError:
            continue
    return found


def _until(holds: Callable[[], bool], seconds: float = 8.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "in time"
        time.sleep(0.05)


def test_an_iterator_that_is_dropped_ends_its_processes(tmp_path: Path) -> None:
    results = run_jobs([write(tmp_path, "endless", "def run():\n while True: pass", ("run",))], options(timeout=60))
    next(results)
    assert scratch_folders()
    results.close()  # type: ignore[attr-defined]
    assert not scratch_folders()


def test_without_fork_the_results_are_the_same(tmp_path: Path) -> None:
    names = ["exits", "floods", "writes_inside"]
    jobs = [write(tmp_path, "loops", HOSTILE_TARGETS["loops"][0] + "\n", ("run",))]
    jobs += [write(tmp_path, name, HOSTILE_TARGETS[name][0] + "\n", ("run",)) for name in names]
    jobs.append(write(tmp_path, "import_exits", HOSTILE_IMPORTS["import_exits"][0], ("run",)))
    jobs.append(write(tmp_path, "normal", NORMAL, ("first", "second")))
    results = results_of(jobs, options(fork=False, timeout=5.0))
    for name in names:
        _, outcome, detail = HOSTILE_TARGETS[name]
        assert results[name, "run"].outcome is outcome
        assert detail in results[name, "run"].detail
    assert results["loops", "run"].detail == "took longer than 5 s"
    assert results["import_exits", "run"].outcome is Outcome.CRASHED
    assert "cos" in results["normal", "second"].traced[0].jaxpr


@LINUX
def test_a_process_that_is_killed_before_it_has_answered_is_asked_again(tmp_path: Path) -> None:
    python = tmp_path / "python"
    once = tmp_path / "once"
    python.write_text(f'#!/bin/sh\n[ -e {once} ] || {{ touch {once}; kill -9 $$; }}\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    assert jax_versions(options(python=str(python))) == {**jax_versions(options()), "executable": str(python)}


@LINUX
def test_a_clean_parent_whose_broker_is_gone_leaves_no_folder(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    ask, answer = os.pipe(), os.pipe()
    os.close(answer[0])
    chosen = options()
    arguments = (str(ask[0]), str(answer[1]), str(tmp_path / "root"), chosen.to_json())
    started = command(sys.executable, "jaxlint.dynamic.forkserver", *arguments)
    assert subprocess.run(started, pass_fds=(ask[0], answer[1]), env=environment(chosen)).returncode == 0
    assert not (tmp_path / "root").exists()


@pytest.mark.skipif(not offered("cpu").is_whole, reason="this kernel has not all that holds C code back")
def test_without_fork_the_kernel_holds_c_code_back_too(tmp_path: Path) -> None:
    source = f"""
        import ctypes
        C = ctypes.CDLL(None)
        def run(): return [C.creat({str(tmp_path / "new").encode()!r}, 0o600), C.socket(2, 1, 0), C.fork()]
    """
    results = results_of([write(tmp_path, "in_c", source, ("run",))], options(fork=False))
    assert results["in_c", "run"].detail == "[-1, -1, -1]"


# -- progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _shown(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch, *, quiet: bool = False) -> str:
    """What is shown of a run of five steps, four seconds each."""
    clock = iter(range(0, 1000, 2))
    monkeypatch.setattr("jaxlint.dynamic.progress.monotonic", lambda: float(next(clock)))
    progress = Progress(stream, quiet=quiet)
    progress.begin(5)
    for number in range(5):
        progress.advance(f"module.f{number}")
        progress.tick()
    progress.end()
    return stream.getvalue()


def test_a_terminal_has_a_bar_that_is_wiped_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = _shown(Terminal(), monkeypatch)
    assert "] 5/5 module.f4" in shown
    assert "\n" not in shown
    assert shown.endswith("\r\x1b[K")


def test_elsewhere_there_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _shown(io.StringIO(), monkeypatch).splitlines()
    assert 1 < len(lines) < 5
    assert lines[0] == "traced 2 of 5, module.f1 was the last"


def test_what_is_told_stays_and_waits_until_the_run_is_a_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.0, 1.0, 1.0, 6.0, 6.0, 7.0, 7.0])
    monkeypatch.setattr("jaxlint.dynamic.progress.monotonic", lambda: next(clock))
    stream = Terminal()
    progress = Progress(stream)
    progress.begin(2)
    progress.tell("a.py:1:1: JAX201 [confirmed]")
    progress.advance("early")
    assert "JAX201" not in stream.getvalue()
    progress.advance("late")
    progress.tell("told at the end anyway")
    progress.end()
    assert "\r\x1b[Ka.py:1:1: JAX201 [confirmed]\n" in stream.getvalue()
    assert "anyway" not in stream.getvalue()


def test_quiet_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _shown(Terminal(), monkeypatch, quiet=True) == ""
