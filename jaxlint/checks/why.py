"""``jaxlint why``: everything the analysis knows about one line, in words.

The findings on the line come from the same run as a check's.  A second run, with the interpreter's ``watch``
set, looks at each name of the line whenever it is evaluated, once for every trace the line belongs to.
"""

from __future__ import annotations

import ast
import itertools
import os
from collections.abc import Callable, Collection, Iterator
from typing import Any

from jaxlint.checks.base import APPLIED, traced_since, used_at
from jaxlint.checks.run import analyse, on_deep_stack
from jaxlint.flow.domain.contexts import Context
from jaxlint.flow.domain.met import Met
from jaxlint.flow.domain.values import (
    CONCRETE,
    GRAD,
    NUMPY_FLOAT,
    Array,
    At,
    ClassValue,
    Const,
    Container,
    External,
    ExternalInstance,
    Frame,
    Function,
    HostArray,
    Instance,
    Key,
    KeyId,
    Method,
    ModuleScope,
    ModuleValue,
    Opaque,
    Partial,
    Ref,
    Static,
    Stream,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.domain.values import Iterator as OneShot
from jaxlint.flow.engine.calling.calls import told_of
from jaxlint.flow.engine.entries import Engine
from jaxlint.flow.engine.machine import Machine
from jaxlint.flow.limits import Limit
from jaxlint.flow.models.keys.keys import is_known_key, key_of
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import FunctionNode
from jaxlint.project.program import Program
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Related
from jaxlint.vocabulary.work import SILENT, Work

Answer = tuple[str, ...]
"""What is known of one value: the first line says what it is, the others why."""


class NoSuchLine(Exception):
    """There is none of this number; the message is the line to print."""


def explain_line(
    program: Program, settings: Settings, path: str, line: int, cell: int = 0, work: Work = SILENT
) -> list[str]:
    """The lines to print about a line of the file ``path`` of ``program``, in a notebook about one of a cell.

    First the line itself, then each finding on it with its reasons (those below the configured certainty too),
    then each name and attribute on it with what is known of its value; a line that runs under several
    transforms gives several answers.  Last the limits that ended the analysis of what begins there.
    Raises NoSuchLine, and nothing for anything the program contains.
    """
    document = program.by_path[path].document
    shown = Location(path, line, cell=cell)
    where = _written(shown)
    if document.problem is not None:
        return [f"{shown_path(path)}: {document.problem.message}"]
    if not cell and 0 not in document.parts:
        example = f"'{shown_path(path)}:cell 3:{line}'"
        raise NoSuchLine(f"{where}: in a notebook lines are those of a cell, such as {example}")
    lines = document.source_lines(cell)
    length = len(lines) - (lines[-1:] == [""])
    if not 1 <= line <= length:
        raise NoSuchLine(f"{where}: the {'cell' if cell else 'file'} has {length} line{'' if length == 1 else 's'}")
    told = [f"{where}: {lines[line - 1].strip()}".rstrip()]
    place = document.virtual(shown)
    if place is None:
        return [*told, "", "nothing is known about this line: it is no Python"]
    line = place.line
    met = Met()
    found = analyse(program, settings, work, met=met)
    findings = [finding for finding in found if (finding.path, finding.location.line) == (path, line)]
    watcher = Watcher(path, line)
    watcher.watch(program, settings)
    names = watcher.report()
    for finding in findings:
        told += ["", *_finding_lines(finding, program)]
    if names:
        told += ["", *names]
    elif not findings:
        told += ["", "nothing is known about this line: no name on it is evaluated"]
    for limit, count in met.at(path, line).items():
        told += ["", *_limit_lines(limit, count)]
    return told


def explain_name(
    program: Program,
    settings: Settings,
    path: str,
    node: ast.expr | ast.arg,
    cancelled: Callable[[], bool],
    modules: Collection[str] | None = None,
) -> list[str]:
    """What is known of one name, attribute or parameter of the file ``path``, as `explain_line` says it, but of
    several reasons for the same only the shortest.

    With ``modules``, by their names, as far as running these shows it.  Empty when it is never evaluated, and when
    ``cancelled()`` has said that nobody waits for the answer.
    """
    watcher = Watcher(path, node.lineno, cancelled)
    watcher.watch(program, settings, modules)
    label = node.arg if isinstance(node, ast.arg) else dotted(node)
    return watcher.report(
        lambda column, name: column == node.col_offset and name.partition(",")[0] == label, brief=True
    )


def traced_parameters(
    program: Program,
    settings: Settings,
    path: str,
    cancelled: Callable[[], bool],
    modules: Collection[str] | None = None,
) -> list[tuple[ast.arg, list[str]]]:
    """The parameters of functions in the file ``path`` that are tracers under some transform, and why they are.

    With ``modules``, by their names, as far as running these shows it.  Empty when ``cancelled()`` has said that
    nobody waits for the answer.
    """
    watcher = _ParameterWatcher(path, 0, cancelled)
    watcher.watch(program, settings, modules)
    return [] if cancelled() else list(watcher.traced.values())


def traced_functions(
    program: Program,
    settings: Settings,
    path: str,
    cancelled: Callable[[], bool],
    modules: Collection[str] | None = None,
) -> list[tuple[FunctionNode, list[Related]]]:
    """The functions in the file ``path`` that have tracers for parameters, and where each of the transforms is applied
    by which they are.

    ``modules`` and what comes of ``cancelled()`` are as for `traced_parameters`.
    """
    watcher = _ParameterWatcher(path, 0, cancelled)
    watcher.watch(program, settings, modules)
    return [] if cancelled() else [(node, list(roots)) for node, roots in watcher.roots.items() if roots]


def shown_path(path: str) -> str:
    """Relative to the current folder when it lies below, as given otherwise."""
    inside = os.getcwd().rstrip(os.sep) + os.sep
    return path.removeprefix(inside)


def _finding_lines(finding: Finding, program: Program) -> Iterator[str]:
    claim = "" if finding.certainty is Certainty.CERTAIN else f" ({finding.certainty.label})"
    yield f"{finding.code} [{finding.name}]{claim} {finding.message}"
    yield from _steps(finding.related, program)
    if finding.other_ways:
        yield f"  {finding.other_ways}:"
        for reason in finding.others:
            first, *later = _steps(reason, program)
            yield from (f"  - {first.strip()}", *(f"  {step}" for step in later))
    if finding.more:
        yield f"  - {finding.more} more"
    if finding.help:
        yield f"  help: {finding.help}"


def _limit_lines(limit: Limit, count: int) -> Iterator[str]:
    times = "" if count == 1 else f" ({count} times)"
    yield f"the analysis gave up here{times}: {limit.name} ({limit.most})"
    yield f"  not known: {limit.lost}"


def _steps(related: tuple[Related, ...], program: Program) -> Iterator[str]:
    for step in related:
        yield f"  {_written(program.place(step.location))}: {step.message}"


def _place(scope: ModuleScope, node: ast.AST) -> str:
    return _written(scope.module.document.place(scope.location(node)))


def _written(location: Location) -> str:
    cell = f"cell {location.cell}:" if location.cell else ""
    return f"{shown_path(location.path)}:{cell}{location.line}"


class Watcher:
    """Collects the answers for each name on one line, in the order of the columns."""

    def __init__(self, path: str, line: int, cancelled: Callable[[], bool] = lambda: False) -> None:
        self.path = path
        self.line = line
        self.cancelled = cancelled
        self.answers: dict[tuple[int, str], dict[Answer, list[str]]] = {}
        self.seen: set[Frame] = set()
        self.outside: set[tuple[int, str]] = set()

    def watch(self, program: Program, settings: Settings, modules: Collection[str] | None = None) -> None:
        """Sees the program run, or some of its modules."""
        interpreter = Machine(program, {})
        interpreter.watch, interpreter.runs_in_place = self, True
        on_deep_stack(Engine(interpreter, modules).run)

    def __call__(self, scope: ModuleScope, node: ast.AST, value: Value, it: Interpreter) -> None:
        """Takes note of a name that was evaluated or bound; the interpreter calls it for every expression."""
        if self.cancelled():
            # The engine takes it for a defect of one entry point, and each of the others ends here too.
            raise NobodyWaits
        if scope.module.path != self.path or it.muted:
            return
        function = it.frame.function
        if function is not None and it.frame not in self.seen:
            self.seen.add(it.frame)
            self._parameters(function, it)
        if getattr(node, "lineno", None) == self.line and _is_chain(node):
            self._note(node, value, it)

    def _parameters(self, function: Function, it: Interpreter) -> None:
        """Parameters have values without being evaluated: those of a function whose head is on the line."""
        signature = function.node.args
        named = (*signature.posonlyargs, *signature.args, *signature.kwonlyargs)
        for parameter in (*named, signature.vararg, signature.kwarg):
            if parameter is not None and parameter.lineno == self.line:
                value = it.state.read(it.frame).get(parameter.arg)
                if value is not None:
                    self._note(parameter, value, it)

    def _note(self, node: ast.AST, value: Value, it: Interpreter) -> None:
        stored = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        label = node.arg if isinstance(node, ast.arg) else dotted(node)
        if isinstance(value, External) and value.name in (label, f"builtins.{label}") and not _source(value, it):
            return
        column = getattr(node, "col_offset", 0)
        place = (column, label + (", bound here" if stored else ""))
        if isinstance(value, (External, ModuleValue)):
            self.outside.add(place)
        if isinstance(node, ast.Attribute) and (inner := (column, dotted(node.value))) in self.outside:
            # `jnp.sin` says all there is to say of `jnp`.
            self.answers.pop(inner, None)
        contexts = self.answers.setdefault(place, {}).setdefault(answer(value, it), [])
        context = describe_context(it.ctx)
        if context not in contexts:
            contexts.append(context)

    def report(self, wanted: Callable[[int, str], bool] = lambda column, label: True, brief: bool = False) -> list[str]:
        """The answers, each with the transforms it holds under; ``wanted`` chooses by column (in bytes) and label.

        Of answers that differ in their reasons only, ``brief`` tells the shortest and how many others there are.
        """
        lines: list[str] = []
        told: set[tuple[str, Answer]] = set()
        for (column, label), answers in sorted(self.answers.items(), key=lambda entry: entry[0]):
            if not wanted(column, label):
                continue
            alike: dict[tuple[str, ...], list[tuple[Answer, str]]] = {}
            for known, contexts in answers.items():
                if (label, known) not in told:
                    told.add((label, known))
                    under = ", ".join(contexts)
                    alike.setdefault((known[0], under) if brief else known, []).append((known, under))
            for same in alike.values():
                (what, *reasons), under = min(same, key=lambda one: (len(one[0]), one[0]))
                lines += [f"{label}: {what} [{under}]", *reasons]
                if len(same) > 1:
                    lines.append(f"  (other reasons for the same: {len(same) - 1})")
        return lines


class NobodyWaits(Exception):
    """The question was called off."""


class _ParameterWatcher(Watcher):
    """Collects the parameters of a whole file that are tracers."""

    def __init__(self, path: str, line: int, cancelled: Callable[[], bool]) -> None:
        super().__init__(path, line, cancelled)
        self.traced: dict[ast.arg, tuple[ast.arg, list[str]]] = {}
        self.roots: dict[FunctionNode, dict[Related, None]] = {}

    def _parameters(self, function: Function, it: Interpreter) -> None:
        signature = function.node.args
        named = (*signature.posonlyargs, *signature.args, *signature.kwonlyargs)
        for parameter in (*named, signature.vararg, signature.kwarg):
            value = it.state.read(it.frame).get(parameter.arg) if parameter is not None else None
            if parameter is not None and value is not None and value.level != CONCRETE:
                applied = (step for step in traced_since(value) if step.message.endswith(APPLIED))
                self.roots.setdefault(function.node, {}).update(dict.fromkeys(itertools.islice(applied, 1)))
                what, *reasons = answer(value, it)
                told = [f"{what} [{describe_context(it.ctx)}]", *reasons]
                known = self.traced.get(parameter)
                if known is None or (len(told), told) < (len(known[1]), known[1]):
                    self.traced[parameter] = (parameter, told)


def _is_chain(node: ast.AST) -> bool:
    """A name, or attributes of one: `state.params`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def describe_context(context: Context) -> str:
    """The transforms that code runs under, innermost first; `eager` where there is none."""
    return " in ".join(transforms_around(context)) or "eager"


def transforms_around(context: Context) -> list[str]:
    """The names of the transforms that code runs under, innermost first; a host callback is the last."""
    names: list[str] = []
    current: Context | None = context
    while current is not None:
        if current.host:
            names.append("a host callback")
            break
        if current.transform and current.transform not in names[-1:]:
            names.append(current.transform)
        current = current.parent
    return names


def answer(value: Value, it: Interpreter) -> Answer:
    """What ``value`` is, why it is a tracer, and what has happened to it as a key so far."""
    lines = [describe(value)]
    if value.level != CONCRETE or isinstance(value, (Tree, Static, Opaque)):
        lines += _steps(traced_since(value), it.program)
    if is_known_key(value):
        lines += _key_history(key_of(value), it)
    source = _source(value, it)
    if source:
        lines.append(f"  {source} says what it does")
    return tuple(lines)


def _source(value: Value, it: Interpreter) -> str:
    """The file with a row that speaks of a function, or empty."""
    told = told_of(it, value) if isinstance(value, Function) else value
    return it.rows.source(told.name) if isinstance(told, External) else ""


def _key_history(key: KeyId | None, it: Interpreter) -> Iterator[str]:
    if key is None:
        return
    if key.site is not None:
        scope, node = key.site
        seed = ", from a constant seed" if key.seed is not None and key.parent is None else ""
        yield f"  {_place(scope, node)}: made here{seed}"
    history = [step for use in it.state.uses.get(key, ()) for step in _steps(used_at(use), it.program)]
    yield from dict.fromkeys(history or ["  not used before"])


def describe(value: Value) -> str:
    """One line about a value."""
    describer = _DESCRIBERS.get(type(value))
    return describer(value) if describer is not None else "unknown"


def _array(value: Array) -> str:
    shape = f"{value.ndim}-dimensional " if value.ndim else "scalar " if value.ndim == 0 else ""
    shape += f"{value.kind} " if value.kind else ""
    if value.level == CONCRETE:
        return f"a concrete {shape}jax array"
    note = ", computed from static values only" if value.of_statics else ""
    return f"traced {shape}array{note}{_grad_note(value)}"


def _tree(value: Tree) -> str:
    if value.level == CONCRETE:
        return "unknown"
    if value.array_like:
        return f"traced array{_grad_note(value)}"
    if not value.sure:
        return f"part of a traced argument, traced unless it is static{_grad_note(value)}"
    return f"traced array or pytree of traced arrays{_grad_note(value)}"


def _grad_note(value: Value) -> str:
    return " (a tracer that knows its value)" if value.level == GRAD else ""


def _key(value: Key) -> str:
    traced = "traced " if value.level != CONCRETE else ""
    if value.batch:
        return f"{traced}array of {value.size} PRNG keys" if value.size is not None else f"{traced}array of PRNG keys"
    return f"{traced}PRNG key"


def _const(value: Const) -> str:
    text = repr(value.value)
    return f"constant {text}" if len(text) <= 60 else f"constant {text[:57]}..."


def _static(value: Static) -> str:
    if value.tainted is not None:
        return "static: a string with the repr of a tracer in it"
    if value.of_shape:
        return "static: read off an array's shape or dtype"
    name = value.kind if value.kind == NUMPY_FLOAT else f"Python {value.kind}"
    return f"static: a {name}" if value.kind else "static Python value"


def _host_array(value: HostArray) -> str:
    return "NumPy array, a read-only view of a jax array" if value.readonly else "NumPy array"


def _opaque(value: Opaque) -> str:
    if is_known_key(value):
        return "PRNG key (jax.random has used it as one)"
    return "unknown, computed from a traced value by code that is not seen" if value.derived is not None else "unknown"


def _tuple(value: Tuple) -> str:
    shown = ", ".join(describe(item) for item in value.items[:4])
    return f"tuple of {len(value.items)}: ({shown}{', ...' if len(value.items) > 4 else ''})"


def _container(value: Container) -> str:
    return f"{value.kind} made under {describe_context(value.birth)}" if value.birth else value.kind


def _function(value: Function) -> str:
    return f"function `{value.name}` defined at {_place(value.scope, value.node)}"


def _transformed(value: Transformed) -> str:
    return f"`{value.name}` of {describe(value.function)}"


def _class(value: ClassValue) -> str:
    return f"class `{value.name}` defined at {_place(value.scope, value.node)}"


def _union(value: Union) -> str:
    return "one of: " + "; ".join(dict.fromkeys(describe(option) for option in value.options))


_DESCRIBERS: dict[type[Value], Callable[[Any], str]] = {
    Array: _array,
    At: lambda value: f"functional update of: {describe(value.array)}",
    ClassValue: _class,
    Const: _const,
    Container: _container,
    External: lambda value: f"`{value.name}`",
    ExternalInstance: lambda value: f"what `{value.made_by}` returned",
    Function: _function,
    HostArray: _host_array,
    Instance: lambda value: f"object of {_class(value.cls)}",
    Key: _key,
    Method: lambda value: f"method of: {describe(value.receiver)}",
    ModuleValue: lambda value: f"module `{value.scope.name}`",
    OneShot: lambda value: f"{value.kind} over: {describe(value.element)}",
    Opaque: _opaque,
    Partial: lambda value: f"partial of {describe(value.function)}",
    Ref: lambda value: "mutable reference",
    Static: _static,
    Stream: lambda value: f"`{value.name}`, which gives a fresh key at every draw",
    Transformed: _transformed,
    Tree: _tree,
    Tuple: _tuple,
    Union: _union,
}
