"""Does jaxlint judge key reuse as JAX's own checker does?  Asks JAX's tests of that checker.

    python benchmarks/key_reuse_test.py --file tests/key_reuse_test.py        from a checkout of JAX
    python benchmarks/key_reuse_test.py --repository jax.git --version 0.10.2  from a clone, at its tag jax-v0.10.2

JAX's wheels and source archives leave the tests out, hence the two ways to name them.  Every program that the
tests hand to the checker becomes a file of its own in a scratch folder, is linted, and is compared: what JAX rejects
must have a finding JAX401, JAX402 or JAX403, what JAX accepts must have none.  `assert_consumed(k)` in a test says
that one more use of `k` there would be rejected, `assert_unconsumed(k)` that it would be accepted, so each of them
gives a program, too.  `--verify` asks the installed JAX whether it really judges the programs so.
Exits 1 when jaxlint (or with `--verify` JAX) disagrees.  Nothing of the tests is kept.
"""

from __future__ import annotations

import argparse
import ast
import collections
import copy
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CODES = "JAX401,JAX402,JAX403"
ASSERTIONS = {"assert_consumed": True, "assert_unconsumed": False}
PRIVATE = {"apply_unknown_primitive", "assert_consumed", "assert_unconsumed", "consume", "_core"}
MAKES_BATCH = re.compile(r"\[None\]$|random\.split\(|\.reshape\(|concatenate\(")
HEADER = """\
import operator
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

"""


@dataclass(frozen=True)
class Program:
    """One program and whether JAX's checker rejects it."""

    name: str
    rejected: bool
    text: str


def programs(tests: ast.Module) -> Iterator[Program]:
    """Every program in the test file, named after its test; private helpers of JAX are spelled out or left out."""
    counts: collections.Counter[str] = collections.Counter()
    for group in (node for node in tests.body if isinstance(node, ast.ClassDef)):
        for test in group.body:
            if not isinstance(test, ast.FunctionDef) or not test.name.startswith("test_"):
                continue
            for rejected, statements in _programs_of(test):
                statements = [ast.fix_missing_locations(s) for s in statements]
                if any(isinstance(node, ast.Name) and node.id in PRIVATE for s in statements for node in ast.walk(s)):
                    continue
                counts[test.name] += 1
                text = HEADER + "\n".join(ast.unparse(statement) for statement in statements) + "\n"
                yield Program(f"{test.name}_{counts[test.name]}", rejected, text)


def _programs_of(test: ast.FunctionDef) -> Iterator[tuple[bool, list[ast.stmt]]]:
    checks = list(_checks(test.body, rejected=False))
    for rejected, call in checks:
        target, arguments = call.args[0], call.args[1:]
        final = ast.Expr(ast.Call(target, arguments, []))
        setting = _parameters(test) + _definitions(test.body, final)
        batches = _batches(setting, final)
        yield rejected, [*_plain(setting, batches), final]
        if isinstance(target, ast.Name):
            yield from _asserted(setting, target.id, final, batches)
    if not checks and (raising := _first_raising(test.body)) is not None:
        yield raising, _parameters(test) + _plain(test.body)


def _checks(body: list[ast.stmt], rejected: bool) -> Iterator[tuple[bool, ast.Call]]:
    """The calls of `self.check_key_reuse`, and whether each is expected to raise."""
    for statement in body:
        if isinstance(statement, ast.With):
            yield from _checks(statement.body, rejected or _expects_raise(statement))
        elif isinstance(statement, ast.Expr) and ast.unparse(statement).startswith("self.check_key_reuse("):
            assert isinstance(statement.value, ast.Call)
            yield rejected, statement.value


def _expects_raise(statement: ast.With) -> bool:
    return any(ast.unparse(item.context_expr).startswith("self.assertRaises") for item in statement.items)


def _first_raising(body: list[ast.stmt]) -> bool | None:
    """Whether a test that uses keys directly expects an error; None when it is no test of programs."""
    text = "\n".join(ast.unparse(statement) for statement in body)
    if "jax.random." not in text or "KeyReuseSignature" in text or "signature" in text:
        return None
    return "assertRaises" in text


def _definitions(body: list[ast.stmt], final: ast.stmt) -> list[ast.stmt]:
    """The definitions and assignments that ``final`` needs, in their order."""
    wanted, kept = _names(final), []
    for statement in reversed(body):
        defines = _defined(statement)
        if defines & wanted:
            wanted |= _names(statement)
            kept.append(statement)
    return kept[::-1]


def _defined(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef):
        return {statement.name}
    if isinstance(statement, ast.Assign):
        return {node.id for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.Name)}
    return set()


def _names(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _parameters(test: ast.FunctionDef) -> list[ast.stmt]:
    """`op = operator.eq` for a test with that as its first `@parameterized.parameters`."""
    names = [argument.arg for argument in test.args.args[1:]]
    values = [decorator.args[:1] for decorator in test.decorator_list if isinstance(decorator, ast.Call)]
    return [
        ast.Assign([ast.Name(name, ast.Store())], value)
        for name, (value,) in zip(names, filter(None, values), strict=False)
        if not isinstance(value, ast.Starred)
    ]


def _asserted(
    setting: list[ast.stmt], name: str, final: ast.Expr, batches: frozenset[str]
) -> Iterator[tuple[bool, list[ast.stmt]]]:
    """One program for each assertion at the top of the checked function: the use of the key that it speaks of."""
    for at, outer in enumerate(setting):
        if not isinstance(outer, ast.FunctionDef) or outer.name != name:
            continue
        for position, statement in enumerate(outer.body):
            if (asserted := _assertion(statement)) is not None:
                changed = copy.deepcopy(outer)
                changed.body = [*changed.body[:position], ast.Return(_draw(asserted.args[0], batches))]
                rest = [*setting[:at], changed, *setting[at + 1 :]]
                yield ASSERTIONS[ast.unparse(asserted.func)], [*_plain(rest, batches), final]


def _assertion(statement: ast.stmt) -> ast.Call | None:
    if isinstance(statement, ast.Expr) and isinstance(call := statement.value, ast.Call) and len(call.args) == 1:
        return call if ast.unparse(call.func) in ASSERTIONS else None
    return None


def _batches(setting: list[ast.stmt], final: ast.Expr) -> frozenset[str]:
    """The names that hold several keys, which a sampler takes only under `vmap`."""
    assert isinstance(final.value, ast.Call)
    functions = [s for s in setting if isinstance(s, ast.FunctionDef)]
    assigned = [s for body in (setting, *(f.body for f in functions)) for s in body if isinstance(s, ast.Assign)]
    named = [(ast.unparse(s.targets[0]), ast.unparse(s.value)) for s in assigned if isinstance(s.targets[0], ast.Name)]
    names = {name for name, value in named if MAKES_BATCH.search(value)}
    for function in functions:
        if function.name == ast.unparse(final.value.func):
            pairs = zip(function.args.args, map(ast.unparse, final.value.args), strict=False)
            names |= {parameter.arg for parameter, text in pairs if MAKES_BATCH.search(text) or text in names}
    return frozenset(names)


def _draw(key: ast.expr, batches: frozenset[str]) -> ast.Call:
    sampler = "jax.vmap(jax.random.bits)" if ast.unparse(key) in batches else "jax.random.bits"
    return ast.Call(ast.parse(sampler, mode="eval").body, [copy.deepcopy(key)], [])


class _Plain(ast.NodeTransformer):
    """Drops what belongs to the tests and spells `consume(key)` as a draw."""

    def __init__(self, batches: frozenset[str]) -> None:
        self.batches = batches

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | None:
        if isinstance(node.value, ast.Call):
            function = ast.unparse(node.value.func)
            if function in ASSERTIONS or function.startswith("self."):
                return None
            if function == "consume":
                return ast.Expr(_draw(node.value.args[0], self.batches))
        return node

    def visit_If(self, node: ast.If) -> ast.stmt | None:
        return None if "self.skipTest" in ast.unparse(node) else node

    def visit_With(self, node: ast.With) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        return node.body if _expects_raise(node) else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node


def _plain(statements: list[ast.stmt], batches: frozenset[str] = frozenset()) -> list[ast.stmt]:
    transformed = [_Plain(batches).visit(copy.deepcopy(statement)) for statement in statements]
    flat = [item if isinstance(item, list) else [item] for item in transformed if item is not None]
    return [statement for items in flat for statement in items]


def reported_by_jaxlint(cases: list[Program]) -> dict[str, list[str]]:
    """Program name to what jaxlint says of it, as `CODE:line`."""
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            (Path(folder) / f"of_{case.name}.py").write_text(case.text, encoding="utf-8")
        command = [sys.executable, "-m", "jaxlint", "check", "--isolated", "--no-cache", "--select", CODES]
        result = subprocess.run([*command, "--output-format", "json", folder], capture_output=True, text=True)
        if result.returncode not in (0, 1):
            raise SystemExit(f"jaxlint ended with exit code {result.returncode}\n{result.stderr[-2000:]}")
    said: dict[str, list[str]] = {case.name: [] for case in cases}
    for row in json.loads(result.stdout):
        said[Path(row["filename"]).stem.removeprefix("of_")].append(f"{row['code']}:{row['location']['row']}")
    return said


def judged_by_jax(case: Program) -> str:
    """`rejects`, `accepts`, or the unrelated error that kept JAX from judging."""
    import jax
    from jax.errors import KeyReuseError
    from jax.experimental.key_reuse._core import check_key_reuse  # the function under test in JAX's file

    jax.clear_caches()
    code = compile(case.text, case.name, "exec")
    try:
        check_key_reuse(lambda: exec(code, {"__name__": case.name}))
    except KeyReuseError:
        return "rejects"
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0][:60]}"
    return "accepts"


def source_of(options: argparse.Namespace) -> str:
    if options.file:
        return str(options.file.read_text(encoding="utf-8"))
    name = f"jax-v{options.version}:tests/key_reuse_test.py"
    command = ["git", "-C", str(options.repository), "show", name]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--file", type=Path, help="JAX's tests/key_reuse_test.py")
    where.add_argument("--repository", type=Path, help="a git clone of JAX, bare or not")
    parser.add_argument("--version", default="0.10.2", help="the JAX version whose tests to take from the clone")
    parser.add_argument("--verify", action="store_true", help="run every program under the installed JAX, too")
    parser.add_argument("--show", metavar="NAME", help="print one program and stop")
    options = parser.parse_args()
    cases = list(programs(ast.parse(source_of(options))))
    if options.show:
        print("\n".join(case.text for case in cases if case.name == options.show))
        return 0
    said = reported_by_jaxlint(cases)
    wrong = 0
    for case in cases:
        expected = "rejects" if case.rejected else "accepts"
        agrees = bool(said[case.name]) == case.rejected
        measured = judged_by_jax(case) if options.verify else expected
        wrong += not agrees or measured != expected
        note = "" if measured == expected else f"   (this JAX: {measured})"
        sign = "ok  " if agrees else "DIFF"
        print(f"{sign} {case.name:42s} JAX {expected}  jaxlint {' '.join(said[case.name]) or '-'}{note}")
    print(f"{len(cases)} programs, {wrong} judged differently")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
