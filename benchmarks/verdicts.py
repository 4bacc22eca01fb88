"""How often dynamic mode has something to say: the verdicts on the fixed packages, counted.

    python benchmarks/verdicts.py --cache DIR [--recorded] [--budget SECONDS] [--out FILE] [PACKAGE ...]

Judged are jaxlint's default findings, and besides them every *candidate*: a place in a function that the static
engine believes traced where Python could ask a tracer for its value, whether or not there is anything wrong with it:
a condition that can depend on a value, a cast, a NumPy call, an item store.  The claim that is tried for a candidate
is that a tracer is asked for its value there.

Decisive are `confirmed`, `confirmed-if`, `refuted-for` and `host-only`.  A column of its own counts what ran under a
trace with made-up inputs only and showed nothing: dynamic mode calls that `not-reached`, because it refutes nothing.

Without ``--recorded`` nothing is given but the sources; with it, what `jaxlint record` has written to
`.jaxlint-recorded.jsonl` in the folder of the unpacked package counts.  ``--out`` keeps each verdict as a line of JSON.
"""

from __future__ import annotations

import argparse
import ast
import collections
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from packages import DEFAULT_CACHE, Package, obtain

from jaxlint.dynamic.broker import Options, jax_versions, run_jobs
from jaxlint.dynamic.plan import RECORDINGS, plan
from jaxlint.dynamic.progress import Progress
from jaxlint.dynamic.verdicts import QUESTIONS, Judge
from jaxlint.project.program import Program
from jaxlint.running.once import Run
from jaxlint.settings.configuration import Configuration
from jaxlint.vocabulary.findings import Finding, Location, Proof

NAMES = "optax rlax mctx chex dm-haiku distrax blackjax evosax jaxopt numpyro flax".split()
HARMLESS = "harmless-if"
DECISIVE = [state.value for state in Proof if state.is_decisive]
OTHERS = [state.value for state in Proof if not state.is_decisive]


@dataclass(frozen=True)
class Row:
    """One verdict.  ``what`` is the rule of a finding, or the kind of a candidate."""

    package: str
    file: str
    line: int
    column: int
    what: str
    state: str
    jax: str
    evidence: tuple[str, ...]
    assumptions: tuple[str, ...]

    @property
    def is_finding(self) -> bool:
        return self.what.startswith("JAX")


# --------------------------------------------------------------------------------------------- candidates


def candidates(program: Program, traced: list[Location]) -> Iterator[Finding]:
    """Every place in a traced function where Python could ask a tracer for its value."""
    wanted: dict[str, set[tuple[int, int]]] = collections.defaultdict(set)
    for place in traced:
        wanted[place.path].add((place.line, place.column))
    for path, starts in wanted.items():
        document = program.by_path[str(Path(path).resolve())].document
        if document.tree is None:
            continue
        numpy = set(_numpy_names(document.tree))
        for function in ast.walk(document.tree):
            if isinstance(function, (ast.FunctionDef, ast.Lambda)):
                place = document.location(function)
                if (place.line, place.column) in starts:
                    for node in _own(function):
                        for kind, asked in _questions(node, numpy):
                            yield Finding(kind, kind, "", document.location(asked))


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when the function does: those of functions and classes inside it do not."""
    body = function.body if isinstance(function.body, list) else [function.body]  # type: ignore[attr-defined]
    pending = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        yield node
        pending.extend(ast.iter_child_nodes(node))


def _questions(node: ast.AST, numpy: set[str]) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, (ast.If, ast.While, ast.Assert, ast.IfExp)) and not _is_trivial(node.test):
        yield "condition", node.test
    elif isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        is_cast = name in _CASTS and node.args and not isinstance(node.args[0], ast.Constant)
        is_reader = isinstance(node.func, ast.Attribute) and node.func.attr in _READERS and not node.args
        if is_cast or is_reader:
            yield "cast", node
        elif isinstance(node.func, ast.Attribute) and name.partition(".")[0] in numpy:
            yield "numpy", node
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield "store", node


_CASTS = frozenset({"bool", "int", "float", "complex"})
_READERS = frozenset({"item", "tolist"})
_TESTS = frozenset({"isinstance", "issubclass", "callable", "hasattr"})


def _is_trivial(test: ast.expr) -> bool:
    """Whether a condition cannot ask a tracer, whatever its names mean."""
    if isinstance(test, ast.BoolOp):
        return all(map(_is_trivial, test.values))
    if isinstance(test, ast.UnaryOp):
        return _is_trivial(test.operand)
    if isinstance(test, ast.Compare):
        return all(isinstance(operator, (ast.Is, ast.IsNot)) for operator in test.ops)
    if isinstance(test, ast.Call):
        return isinstance(test.func, ast.Name) and test.func.id in _TESTS
    return isinstance(test, ast.Constant)


def _numpy_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.asname or "numpy" for each in node.names if each.name.partition(".")[0] == "numpy")


# ------------------------------------------------------------------------------------------------ verdicts


def judged(package: Package, options: Options, jax: str, recorded: bool) -> list[Row]:
    """The verdicts on everything in one package that is no test."""
    rows: list[Row] = []

    def refine(program: Program, findings: list[Finding], traced: list[Location]) -> list[Finding]:
        claims = [finding for finding in findings if not _is_test(finding.path)]
        functions = [place for place in traced if not _is_test(place.path)]
        places = list(candidates(program, functions))
        planned = plan(program, claims + places)
        jobs = [replace(job, recordings=str(package.root / RECORDINGS) if recorded else "") for job in planned.jobs]
        judge = Judge(list(run_jobs(jobs, options, Progress())), jax)
        for claim in claims + places:
            expected = None if claim in claims else QUESTIONS
            verdict = judge.verdict(claim, planned.targets[claim], expected)
            state = verdict.state.value
            if verdict.state is Proof.NOT_REACHED and judge.ran_under_trace(claim.location):
                state = HARMLESS
            file, at = package.relative(claim.path), claim.location
            rows.append(
                Row(
                    package.name, file, at.line, at.column, claim.code,
                    state, jax, verdict.evidence, verdict.assumptions,
                )
            )  # fmt: skip
        return []

    Run.over([str(package.root)], Configuration(str(package.root), isolated=True)).findings(refine)
    return rows


def _is_test(path: str) -> bool:
    parts = Path(path).parts
    name = parts[-1]
    return (
        name.startswith("test_")
        or name.endswith(("_test.py", "_test_util.py"))
        or "tests" in parts
        or "_tests" in parts
    )


# --------------------------------------------------------------------------------------------------- table


def header() -> str:
    return (
        f"{'':12s}{'n':>6s}" + "".join(f"{name:>14s}" for name in [*DECISIVE, "decisive", HARMLESS, "with it"]) + "  s"
    )


def line(name: str, rows: list[Row], seconds: float) -> str:
    counts = collections.Counter(row.state for row in rows)
    decisive = sum(counts[state] for state in DECISIVE)
    whole = max(len(rows), 1)
    cells = [*(counts[state] for state in DECISIVE), f"{decisive / whole:.0%}", counts[HARMLESS]]
    cells.append(f"{(decisive + counts[HARMLESS]) / whole:.0%}")
    rest = ", ".join(f"{counts[state]} {state}" for state in OTHERS if counts[state])
    return f"{name:12s}{len(rows):6d}" + "".join(f"{cell:>14}" for cell in cells) + f"  {seconds:.0f}  {rest}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", help="names from packages.toml; the eleven of the table by default")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="where the sources are kept")
    parser.add_argument("--recorded", action="store_true", help="use what was recorded in the packages' folders")
    parser.add_argument("--budget", type=float, default=240.0, help="seconds for each package, default %(default)s")
    parser.add_argument("--out", type=Path, help="a file for every verdict, as a line of JSON each")
    arguments = parser.parse_args()
    options = Options(budget=arguments.budget)
    jax = jax_versions(options)["jax"]
    rows: list[Row] = []
    lines: dict[bool, list[str]] = {True: [], False: []}
    began = time.monotonic()
    for package in obtain(arguments.cache, arguments.packages or NAMES):
        start = time.monotonic()
        found = judged(package, options, jax, arguments.recorded)
        rows += found
        for is_finding, table in lines.items():
            own = [row for row in found if row.is_finding is is_finding]
            table.append(line(package.name, own, time.monotonic() - start))
        print(lines[True][-1], lines[False][-1], sep="\n", file=sys.stderr, flush=True)
        if arguments.out:
            arguments.out.write_text("".join(json.dumps(asdict(row)) + "\n" for row in rows), encoding="utf-8")
    for is_finding, title in ((True, "findings"), (False, "candidates")):
        own = [row for row in rows if row.is_finding is is_finding]
        print(f"{title} (jax {jax})", header(), *lines[is_finding], sep="\n")
        print(line("all", own, time.monotonic() - began), end="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
