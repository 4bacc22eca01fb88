"""Changes jaxlint's conditions and constants, one at a time, and asks which changes the tests notice.

`python benchmarks/mutations.py --seeds 1 --count 60 --work DIR` draws changes at random over all of `jaxlint/`: a
condition negated, a comparison turned, `and` for `or`, a `not` left out, a number one off, `True` for `False`.  First
the tests run once on a copy of the tree that writes down which test reaches which of the drawn places (`--tests` names
fewer); then each change is made in another copy, and the tests that reach it run until one fails.  A change that all of
them pass *survives*, also one that no test reaches.  What the tests reached is kept in DIR: the same draw again maps
only what is new, and `--again` forgets the named tests first.

Those that no user could ever notice are written down with the reason in `benchmarks/mutations.toml` and counted apart.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from judging import tomllib

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "jaxlint"
EQUIVALENT = Path(__file__).with_suffix(".toml")

TURNED = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: (r"in\b", "not in"),
    ast.NotIn: (r"not\s+in\b", "in"),
    ast.Is: (r"is\b", "is not"),
    ast.IsNot: (r"is\s+not\b", "is"),
}

ONE_PROCESS = re.compile(r"tests/server/|tests/dynamic/\w+\.py")
"""Tests that share processes: a place that one of them reaches may be reached for another one of its file or folder."""

PROBE = '''\
"""Writes down which test reaches which place."""

import builtins
import contextlib
import fcntl
import os

# Not in the place of a stream that the test has closed.
_LOG = fcntl.fcntl(os.open({log!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT), fcntl.F_DUPFD_CLOEXEC, 100)
_SEEN = set()


def reached(place, value=None):
    test = os.environ.get("PYTEST_CURRENT_TEST", "")
    if (place, test) not in _SEEN:
        _SEEN.add((place, test))
        with contextlib.suppress(OSError):
            os.write(_LOG, f"{{place}}\\t{{test}}\\n".encode())
    return value


builtins.reached_place = reached
'''

FIRST = 3
"""So many files of tests are tried before the rest: most changes fail there, and it takes long to collect all."""


@dataclass(frozen=True)
class Mutation:
    """``start`` and ``end`` are offsets in the bytes of the file; at import time it is reached outside functions."""

    path: str
    line: int
    start: int
    end: int
    old: str
    new: str
    at_import: bool

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"

    @property
    def name(self) -> str:
        """What it changes into what, on one line."""
        return f"{self.place}: {' '.join(self.old.split())} -> {' '.join(self.new.split())}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--count", type=int, default=60, help="how many to draw with each seed")
    parser.add_argument("--work", type=Path, required=True, help="a folder for the copies and for what was reached")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="the test files or folders to use")
    parser.add_argument("--again", action="store_true", help="map the tests again, though they are mapped")
    parser.add_argument("--map-only", action="store_true", help="only find out which tests reach the drawn places")
    parser.add_argument("--judge", type=int, nargs="+", help="of the seeds, only these")
    parser.add_argument("--only", nargs="+", default=[], help="of those drawn, only these (path:line)")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored, by what tests start too
    possible = list(candidates(ROOT))
    drawn = [(seed, each) for seed in options.seeds for each in random.Random(seed).sample(possible, options.count)]
    work = options.work.resolve()
    reach = Reach(work / "-".join(map(str, options.seeds)))
    reach.add([each for _, each in drawn], options.tests, options.again)
    if options.map_only:
        return 0
    copy = copied(work / "mutated")
    equivalent = {each["change"] for each in tomllib.loads(EQUIVALENT.read_text("utf-8"))["equivalent"]}
    count: Counter[str] = Counter()
    for number, (seed, mutation) in enumerate(drawn):
        if seed not in (options.judge or options.seeds) or mutation.place not in (options.only or [mutation.place]):
            continue
        outcome, by = judged(copy, mutation, reach.tests(number, mutation), reach)
        if outcome == "survived" and mutation.name in equivalent:
            outcome = "equivalent"
        count[outcome] += 1
        print(f"{seed}: {outcome:<11}{mutation.name}{by}", flush=True)
    noticed = count["killed"] + count["timed out"]
    total = noticed + count["survived"]
    print(f"{noticed} of {total} noticed ({noticed / max(total, 1):.0%}), {count['equivalent']} equivalent beside them")
    return 0


def candidates(root: Path) -> Iterator[Mutation]:
    for path in sorted((root / PACKAGE).rglob("*.py")):
        text = path.read_bytes()
        yield from _Changes(path.relative_to(root).as_posix(), text).found


class _Changes(ast.NodeVisitor):
    """All changes of one file."""

    def __init__(self, path: str, text: bytes) -> None:
        self._path, self._text, self._functions = path, text, 0
        self._lines = [0]
        for line in text.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self.found: list[Mutation] = []
        self.visit(ast.parse(text))

    def _span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._lines[node.lineno - 1] + node.col_offset, self._lines[node.end_lineno - 1] + node.end_col_offset

    def _source(self, node: ast.expr) -> str:
        return self._text[slice(*self._span(node))].decode()

    def _change(self, node: ast.expr, new: str) -> None:
        old = self._source(node)
        # What stands in an f-string has wrong places before Python 3.12.
        try:
            same = ast.dump(ast.parse(f"({old})", mode="eval").body) == ast.dump(node)
        except SyntaxError:
            same = False
        if same:
            start, end = self._span(node)
            self.found.append(Mutation(self._path, node.lineno, start, end, old, new, not self._functions))

    def _condition(self, test: ast.expr) -> None:
        # Comparisons and `not` have a change of their own, which says the same.
        if not isinstance(test, ast.Compare | ast.Constant) and not _is_not(test):
            self._change(test, f"(not ({self._source(test)}))")

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" in ast.dump(node.test):
            for statement in node.orelse:
                self.visit(statement)
            return
        self._condition(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._condition(test)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        left, right = self._span(node.left), self._span(node.comparators[0])
        pattern, turned = TURNED[type(node.ops[0])]
        start, end = self._span(node)
        between = re.sub(pattern, turned, self._text[left[1] : right[0]].decode(), count=1)
        self._change(node, self._text[start : left[1]].decode() + between + self._text[right[0] : end].decode())
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = " or " if isinstance(node.op, ast.And) else " and "
        self._change(node, "(" + other.join(f"({self._source(value)})" for value in node.values) + ")")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if _is_not(node):
            self._change(node, f"({self._source(node.operand)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._change(node, str(not node.value))
        elif isinstance(node.value, int):
            self._change(node, str(node.value + 1))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if node.name == "__repr__":
            return
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self._functions += 1
        for statement in node.body:
            self.visit(statement)
        self._functions -= 1

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._functions += 1
        self.visit(node.body)
        self._functions -= 1

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        # Decorators are declarations: `frozen`, `slots`.
        for statement in node.body:
            self.visit(statement)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_MatchValue(self, node: ast.MatchValue) -> None:
        """A pattern is no condition."""


def _is_not(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


class Reach:
    """Which tests reach which of the drawn places."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._copy, self._log, self._ran = folder / "probed", folder / "reached.txt", folder / "ran.txt"
        self._read()

    def _read(self) -> None:
        self.seconds: dict[str, float] = {}
        failed = set()
        for line in self._ran.read_text("utf-8").splitlines() if self._ran.exists() else []:
            outcome, seconds, test = line.split("\t", 2)
            self.seconds[test] = float(seconds)
            (failed.discard if outcome == "passed" else failed.add)(test)
        for test in failed:
            del self.seconds[test]
        self._reached: dict[int, set[str]] = defaultdict(set)
        for line in self._log.read_text("utf-8").splitlines() if self._log.exists() else []:
            number, tab, test = line.partition("\t")
            if tab:
                self._reached[int(number)].add(test.rpartition(" (")[0])

    def add(self, drawn: list[Mutation], tests: list[str], again: bool) -> None:
        """Runs these tests on a copy that writes down what they reach; those mapped before are left out."""
        files = {file for test in tests for file in _files(ROOT / test)}
        mapped = set() if again else {test.split("::")[0] for test in self.seconds}
        if not (new := sorted(files - mapped)):
            return
        copied(self._copy)
        (self._copy / PACKAGE / "_reached.py").write_text(PROBE.format(log=str(self._log)))
        package = self._copy / PACKAGE / "__init__.py"
        for path in {mutation.path for mutation in drawn}:
            with_probes(self._copy / path, [(n, each) for n, each in enumerate(drawn) if each.path == path])
        package.write_text(package.read_text("utf-8") + f"\nimport {PACKAGE}._reached\n")
        pytest(self._copy, new, None, MUTATION_RAN=str(self._ran))
        self._read()

    def tests(self, number: int, mutation: Mutation) -> list[str]:
        """The tests that can notice it, those of its subject and of quick files first.

        A place in tables that only imports reach is everybody's.
        """
        reached = self._reached[number]
        subject = mutation.path.split("/")[1]
        shared = {found[0] for test in reached if (found := ONE_PROCESS.match(test))}
        if "" in reached:  # by a process with an environment of its own, which tells not for which test it is
            shared.add(f"tests/{subject}/")
        chosen = [test for test in self.seconds if test in reached or test.startswith(tuple(shared))]
        if not chosen and mutation.at_import:
            chosen = list(self.seconds)
        by_file: dict[str, list[str]] = defaultdict(list)
        for test in chosen:
            by_file[test.split("::")[0]].append(test)

        def order(file: str) -> tuple[bool, float]:
            tests = by_file[file]
            return subject not in file.split("/"), sum(self.seconds[test] for test in tests) / len(tests)

        quick = sorted(by_file, key=order)
        return [test for file in quick for test in by_file[file]]


def with_probes(path: Path, drawn: list[tuple[int, Mutation]]) -> None:
    """Writes calls of the probe around the expressions; for what is reached by imports, into the file's functions."""
    text = path.read_bytes()
    inserted: list[tuple[int, int, int, str]] = []
    for number, mutation in drawn:
        probe = f"reached_place({number}"
        if mutation.at_import:
            inserted += [(at, 1, 0, f"{probe}){end}") for at, end in _beginnings(text)]
        else:
            size = mutation.end - mutation.start
            inserted += [(mutation.start, 1, -size, f"{probe}, ("), (mutation.end, 0, size, "))")]
    for at, _, _, new in sorted(inserted, reverse=True):
        text = text[:at] + new.encode() + text[at:]
    path.write_bytes(text)


def _beginnings(text: bytes) -> Iterator[tuple[int, str]]:
    """Where the bodies of functions begin, and what ends a statement written there."""
    lines = text.splitlines(keepends=True)
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            body = function.body[ast.get_docstring(function) is not None :]
            for statement in body[:1]:
                decorators = getattr(statement, "decorator_list", [])
                line = min([statement.lineno, *(each.lineno for each in decorators)])
                column = statement.col_offset
                alone = not lines[line - 1][:column].strip()
                yield sum(map(len, lines[: line - 1])) + column, "\n" + " " * column if alone else "; "


def judged(copy: Path, mutation: Mutation, tests: list[str], reach: Reach) -> tuple[str, str]:
    """What became of a mutation, and by which test."""
    if not tests:
        return "survived", "  (no test reaches it)"
    path = copy / mutation.path
    text = path.read_bytes()
    chosen = copy.parent / "chosen.txt"
    # Two changes within a second may have the same size: compiled code would count as up to date.
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()
    path.write_bytes(text[: mutation.start] + mutation.new.encode() + text[mutation.end :])
    files = list(dict.fromkeys(test.split("::")[0] for test in tests))
    code: int | None = 0
    limit = 0.0
    try:
        for some in (files[:FIRST], files[FIRST:]):
            wanted = [test for test in tests if test.split("::")[0] in some]
            if wanted and code == 0:
                chosen.write_text("\n".join(wanted), "utf-8")
                limit = 90 + 4 * sum(reach.seconds[test] for test in wanted)
                code, output = pytest(copy, some, limit, MUTATION_CHOSEN=str(chosen))
    finally:
        path.write_bytes(text)
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()
    if code is None:
        return "timed out", f"  (after {limit:.0f} s)"
    if code == 0:
        return "survived", f"  ({len(tests)} tests)"
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
    return "killed", f"  ({failed[0] if failed else f'pytest exits with {code}'})"


def pytest(copy: Path, files: Iterable[str], limit: float | None, **variables: str) -> tuple[int | None, str]:
    """The exit code and the output of a run in a copy; None for the code when it ran past the limit."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "mutation_tests", "-rfE"]
    command += ["--tb=no", *(["-x"] if limit is not None else []), *files]
    paths = os.pathsep.join([str(copy), str(copy / "benchmarks")])
    environment = {**os.environ, "PYTHONPATH": paths, "JAX_PLATFORMS": "cpu", **variables}
    process = subprocess.Popen(
        command, cwd=copy, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    try:
        output, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, ""
    return process.returncode, output.decode("utf-8", "replace")


def copied(target: Path) -> Path:
    shutil.rmtree(target, ignore_errors=True)
    left_out = shutil.ignore_patterns(".git", "__pycache__", ".*_cache", "node_modules")
    shutil.copytree(ROOT, target, symlinks=True, ignore=left_out)
    return target


def _files(path: Path) -> list[str]:
    found = path.rglob("test_*.py") if path.is_dir() else [path]
    return sorted(each.relative_to(ROOT).as_posix() for each in found)


if __name__ == "__main__":
    sys.exit(main())
