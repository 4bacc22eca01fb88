"""Imports point one way, and nothing but dynamic mode imports jax."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "jaxlint"

LAYERS = [
    {"vocabulary", "files"},
    {"syntax", "semantics"},
    {"settings"},
    {"project"},
    {"flow"},
    {"checks"},
    {"fixes", "silencing"},
    {"visitors"},
    {"running"},
    {"report"},
    {"dynamic"},
    {"server", "notebook"},
    {"command"},
    {"api", "cst"},
    {"__main__"},
]
"""Each room imports only from the rooms above it; those on one line do not know each other."""

ENGINE = """
limits.py  source  domain  port.py
models/names  models/keys  models/objects  models/arrays  models/traces  models/random
models/python  models/jax  models/outside
observers
engine/calling  engine/eval  engine
""".split()
"""The same inside `flow/`: each file belongs to one of these, and imports from that and from those before it."""

EXTRAS = {
    "dynamic": {"jax", "numpy"},
    "notebook/confirming.py": {"jax", "numpy"},
    "report": {"markdown_it", "pygments"},
    "running/dask.py": {"distributed"},
    "running/watching.py": {"watchfiles"},
    "server": {"lsprotocol", "pygls"},
}
"""What runs user code, in workers or where a kernel is asked to, is the only part that knows jax, the page the only one
that renders, the server the only one that talks to editors, `--watch` the only one that is woken by files; all are
extras."""

FLOW = PACKAGE / "flow"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")
IN_ENGINE = [path for path in MODULES if FLOW in path.parents and path.name != "__init__.py"]


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: absolute imports only"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer(part: str) -> int:
    return next(index for index, parts in enumerate(LAYERS) if part in parts)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    part = path.relative_to(PACKAGE).with_suffix("").parts[0]
    for name in imported(path):
        package, _, rest = name.partition(".")
        if package == "jaxlint":
            other = rest.split(".")[0]
            if other != "__version__":
                assert other == part or layer(other) < layer(part), name
        else:
            extra = EXTRAS.get(part, EXTRAS.get(path.relative_to(PACKAGE).as_posix(), set()))
            assert package in sys.stdlib_module_names or package in {"libcst", "pathspec", "tomli"} | extra, name


def place(name: str) -> int:
    """Where in the engine a module is, by its dotted name below `jaxlint.flow`."""
    parts = name.split(".")
    around = ["/".join(parts[:count]) for count in range(len(parts), 0, -1)]
    return next(ENGINE.index(part) for known in around for part in (known, f"{known}.py") if part in ENGINE)


@pytest.mark.parametrize("path", IN_ENGINE, ids=lambda path: str(path.relative_to(FLOW)))
def test_nothing_in_the_engine_imports_from_above(path: Path) -> None:
    here = place(".".join(path.relative_to(FLOW).with_suffix("").parts))
    for name in imported(path):
        package, _, rest = name.partition("jaxlint.flow.")
        assert package or not rest or place(rest) <= here, name


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Also not in functions or for types."""
    known = {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in MODULES
    }
    graph = {
        name: {
            module
            for target in imported(path)
            if (module := target if target in known else target.rpartition(".")[0]) in known and module != name
        }
        for name, path in known.items()
    }
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


ASKED_OF_TRACE = {"transform", "axes", "differentiated_by", "differentiations"}
"""What tells calls apart only where it is asked for: `OfTrace`."""

ASKING = {"ask_of_trace", "whole_context"}
CONTEXTS = {"ctx", "birth", "begun"}
"""What a context is called where models and observers have one."""


def test_what_is_asked_of_a_trace_is_noted() -> None:
    """What is read off a context by itself would be taken over by calls under other transforms."""
    silent = set[str]()
    for room in ("models", "observers", "engine/eval"):
        for path in (FLOW / room).rglob("*.py"):
            for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(function, ast.FunctionDef):
                    parts = [part for part in ast.walk(function) if isinstance(part, ast.Attribute)]
                    if any(map(_reads_off_context, parts)) and not any(part.attr in ASKING for part in parts):
                        silent.add(f"{path.stem}.{function.name}")
    assert silent == {"variables._note_lost", "variables._lost"}, "these two are called where it has been noted"


def _reads_off_context(node: ast.Attribute) -> bool:
    owner = node.value
    name = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
    return node.attr in ASKED_OF_TRACE and isinstance(node.ctx, ast.Load) and name in CONTEXTS
