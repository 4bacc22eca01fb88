"""Short programs with marks: jaxlint has to report the marked lines and nothing else, and JAX judges the marks.

They lie in `tests/programs`, a file a theme; the folder says how JAX judges:

traced, values  ``main()`` raises on a marked line, or runs if only codes are marked that JAX is silent about
keys            ``main(key)``, or ``main(key, callee)`` with something that jaxlint cannot look into and that draws from
                every key it is given, raises KeyReuseError under ``jax.debug_key_reuse`` if a line is marked, or runs
equal_draws     what that checker does not see: ``main`` gives pairs, equal ones if a line is marked
certainty       not at all: it would say the same of all; marks say how sure a finding is, whatever that is

Elsewhere a mark may say `possible`: what JAX does there is so, and jaxlint only tells it who asks for all.
"""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import numpy as np
import pytest

from jaxlint.api import Certainty, Settings, lint_paths, lint_source
from tests.programs_support import MAIN, Program, programs

RAISING = {
    *("JAX110", "JAX112", "JAX201", "JAX202", "JAX203", "JAX204", "JAX207", "JAX211", "JAX213", "JAX214", "JAX215"),
    *("JAX216", "JAX217", "JAX221", "JAX222", "JAX223", "JAX224", "JAX301", "JAX303", "JAX304", "JAX306", "JAX308"),
    *(
        "JAX312",
        "JAX314",
        "JAX317",
        "JAX321",
        "JAX504",
        "JAX506",
        "JAX508",
        "JAX511",
        "JAX515",
        "JAX601",
        "JAX602",
        "JAX603",
        "JAX612",
        "JAX701",
        "JAX702",
        "JAX704",
        "JAX705",
    ),
    *("JAX316", "JAX408", "JAX411", "JAX513", "JAX706", "JAX707", "JAX708", "JAX710", "JAX712", "JAX715"),
    "JAX801",
}
"""Everything but these codes is silent under JAX: the program runs, with the wrong result."""

OF_CALLERS = {"JAX317", "JAX715"}
"""What may raise in the program's code that the marked call runs: JAX317 in the `__call__` of an unbound module."""

SILENT = {
    "traced/loops_and_branches/branches-that-a-loop-a-comprehension-of-a-dict-or-a-helper-makes-read-the-variable-of-the-last-pass",
    "traced/static_arguments/static-argument-that-the-function-does-not-take",
    "traced/writes_to_arrays/sort-discarded",
    "values/handed_back/the-loss-is-taken-for-the-gradient-in-a-step-or-beside-the-parameters",
    "values/handed_back/the-loss-is-taken-for-the-gradient-where-both-come-out-of-a-compiled-function",
    "values/results_dropped",
}
"""JAX303 where the method exists, and returns a copy (one program, or all of a theme), JAX705 where another branch
runs than was meant, and JAX603 where the loss is taken for the gradient of one array."""


def each(folders: Iterable[str]) -> Any:
    """Runs a test on each program of these folders."""
    chosen = [program for program in programs() if program.folder in folders]
    return pytest.mark.parametrize("program", chosen, ids=str)


@pytest.fixture
def folder(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the files of a program lie; one that is a single file need not be written."""
    if [*program.files] == [MAIN]:
        return Path("nowhere")
    folder = tmp_path_factory.mktemp("program")
    program.write(folder)
    return folder


@pytest.fixture
def run(program: Program, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Any]]:
    """Runs a program as a module of its own and calls its ``main``; what it imports is gone afterwards."""

    def call_main() -> Any:
        module = ModuleType("program")
        monkeypatch.setitem(sys.modules, "program", module)
        exec(compile(program.files[MAIN], folder / MAIN, "exec"), vars(module))
        wanted = [p for p in inspect.signature(module.main).parameters.values() if p.default is p.empty]
        return jax.block_until_ready(module.main(*[jax.random.key(0), Callee()][: len(wanted)]))

    if len(program.files) > 1:
        monkeypatch.syspath_prepend(folder)
    before = set(sys.modules)
    yield call_main
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(folder)):
            del sys.modules[name]


class Callee:
    """Draws from each key among its arguments, under whatever name it is called."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        return sum(jax.random.normal(leaf) for leaf in jax.tree.leaves((args, options)) if is_key(leaf))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return self

    def next(self, key: jax.Array) -> jax.Array:
        return jax.random.split(key)[0]


def is_key(leaf: object) -> bool:
    return isinstance(leaf, jax.Array) and jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key)


@each({"traced", "values"})
def test_jax_stops_where_a_mark_says_so(program: Program, folder: Path, run: Callable[[], Any]) -> None:
    raising = {(path, line) for path, line, code in program.expected if code in RAISING}
    if not raising or not SILENT.isdisjoint((str(program), program.theme)):
        run()
        return
    with pytest.raises(Exception) as caught:  # noqa: PT011 - which exception it is the cards say
        run()
    frames = traceback.extract_tb(caught.value.__traceback__)
    own = {str(folder / path): path for path in program.files}
    places = [(own[frame.filename], frame.lineno) for frame in frames if frame.filename in own]
    told = places if any(code in OF_CALLERS for _, _, code in program.expected) else places[-1:]
    assert not raising.isdisjoint(told)


@each({"keys"})
def test_jax_sees_the_reuse_of_a_key(program: Program, run: Callable[[], Any]) -> None:
    with jax.debug_key_reuse(True):
        if program.expected:
            with pytest.raises(jax.errors.KeyReuseError):
                run()
        else:
            run()


@each({"equal_draws"})
def test_equal_draws_prove_the_marks(program: Program, run: Callable[[], Any]) -> None:
    for pair in run():
        left, right = (np.asarray(jax.random.key_data(x) if is_key(x) else x) for x in pair)
        assert np.array_equal(left, right) == bool(program.expected)


@each({"traced", "values", "keys", "equal_draws"})
def test_jaxlint_reports_exactly_the_marked_lines(program: Program, folder: Path) -> None:
    possible = {mark for mark in program.marks if mark[-1] == "possible"}
    findings = found(program, folder, Settings(preview=True))
    shown = program.expected - {mark[:-1] for mark in possible}
    assert {(path, line, code) for path, line, code, _ in findings} == shown
    if possible:
        assert possible <= found(program, folder, Settings(certainty=Certainty.POSSIBLE, preview=True))


@each({"certainty"})
def test_a_finding_is_as_sure_as_its_mark(program: Program, folder: Path) -> None:
    assert found(program, folder, Settings(certainty=Certainty.POSSIBLE, preview=True)) == program.marks


def found(program: Program, folder: Path, settings: Settings) -> set[tuple[str, int, str, str]]:
    """(file, line, code, certainty) of each finding."""
    if [*program.files] == [MAIN]:
        findings = lint_source(program.files[MAIN], settings=replace(settings, jax_version=">=0.10.2"))
        return {(MAIN, finding.location.line, finding.code, finding.certainty.label) for finding in findings}
    places: set[tuple[str, int, str, str]] = set()
    for finding in lint_paths([folder], settings):
        path = Path(finding.path).relative_to(folder).as_posix()
        line = program.line_of(path, finding.location.line, finding.location.cell)
        places.add((path, line, finding.code, finding.certainty.label))
    return places
