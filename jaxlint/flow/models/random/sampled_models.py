"""Models of numpyro that the program hands to no sampler that is seen: what a sampler would find in them.

A function that draws sites by itself, under no handler, runs where a sampler or a handler does so.  Samplers trace it;
who calls it, or seeds it and calls the result, may have the values.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain.contexts import SUPPOSED, Context, Provenance, Why
from jaxlint.flow.domain.values import External, Function
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants

_SAMPLE = "numpyro.sample"
_HANDLERS = frozenset(
    "block collapse condition do infer_config lift mask reparam replay scale scope seed substitute trace uncondition "
    "log_density".split()
)


def as_sampled(it: Interpreter, function: Function) -> Context | None:
    """The trace of a sampler, for a function that is there for one as far as can be seen."""
    if it.ctx.tracing or not _draws_sites(it, function) or it.ask_program(may_be_run_itself, function.name):
        return None
    step = Provenance(Why.RUN, (SUPPOSED,), function.scope, function.node)
    return it.ctx.enter(SUPPOSED, step, True)


def _draws_sites(it: Interpreter, function: Function) -> bool:
    """Whether the function itself, and not one that it defines, calls `numpyro.sample`."""
    if isinstance(function.node, ast.Lambda) or not function.scope.mentions_numpyro:
        return False
    calls = [part for part in _own_parts(function.node) if isinstance(part, ast.Call) and dotted(part.func)]
    called = [call.func for call in calls if dotted(call.func).endswith("sample")]
    values = (it.eval_annotation(one, function) for one in called)
    return any(isinstance(value, External) and value.name == _SAMPLE for value in values)


def _own_parts(function: ast.AST) -> Iterator[ast.AST]:
    for part in ast.iter_child_nodes(function):
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield part
            yield from _own_parts(part)


def may_be_run_itself(it: Interpreter, name: str) -> bool:
    """Whether some module of the program calls a function of that name, or what a handler makes of one."""
    return any(it.ask_text(scope, _runs, name) for scope in list(it.scopes.values()))


def _runs(scope: ModuleText, name: str) -> bool:
    if name not in scope.module.document.text:
        return False
    return scope.tree is None or any(_runs_it(part, name) for part in descendants(scope.tree))


def _runs_it(part: ast.AST, name: str) -> bool:
    if not isinstance(part, ast.Call):
        return False
    called = _last(part.func)
    given = [*part.args, *(keyword.value for keyword in part.keywords)]
    return called == name or (called in _HANDLERS and any(_last(one) == name for one in given))


def _last(node: ast.AST) -> str:
    """The last part of a dotted name."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
