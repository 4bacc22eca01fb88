"""What is traced by what: which transform runs which function, and which functions those call in turn.

A ``CallGraph`` listens to an interpreter (``Interpreter.called``) and keeps plain data.  Only calls under a trace,
or from a trace out to the host, are edges; a call by code that is not traced is none, it is where roots begin.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from jaxlint.flow.domain.contexts import Context
from jaxlint.flow.domain.values import Function
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText
from jaxlint.vocabulary.findings import Location

CALLBACK = "callback"
"""What the step out of a trace, to a function that runs on the host, is called."""


@dataclass(frozen=True, slots=True, order=True)
class Callee:
    """A function of the program: where it is defined and what it is called (`Model.__call__`, `make.step`)."""

    location: Location
    name: str


@dataclass(frozen=True, slots=True, order=True)
class Call:
    """A function runs another under a trace.

    ``transforms`` are those that the call itself applies, outermost first (`jax.jit`, `jax.grad`), and ``place`` is
    where they are applied; a plain call has none, and ``place`` is the call.  ``followed`` is false where the analysis
    stopped: what the callee calls is not known there.
    """

    caller: Callee
    callee: Callee
    transforms: tuple[str, ...]
    place: Location
    followed: bool = True


@dataclass(frozen=True, slots=True, order=True)
class Root:
    """Where tracing begins: transforms, outermost first, that code outside of any trace applies to a function."""

    place: Location
    transforms: tuple[str, ...]
    function: Callee


Traces = dict[Root, list[Call]]
"""Every root, sorted, with the calls that it leads to, each once, callers before what they call."""


@dataclass(slots=True)
class CallGraph:
    """Everything that was seen: under each root the calls that were seen there, each once, in no order."""

    calls: dict[Root, set[Call]] = field(default_factory=dict)
    _roots: dict[Context, Root] = field(default_factory=dict)
    _names: dict[ast.AST, Callee] = field(default_factory=dict)
    _closures: set[Callee] = field(default_factory=set)
    _certain: set[Root] = field(default_factory=set)

    def __call__(self, it: Interpreter, function: Function, node: ast.AST, followed: bool) -> None:
        """``function`` is called at ``node`` of the running code, in the interpreter's present context.

        ``followed`` says whether its body is run.
        """
        outside = it.activation.context
        entered = _steps(it.ctx, outside)
        if not it.ctx.tracing and not (entered and outside.tracing):
            return
        transforms = tuple(step.transform for step in entered)
        place = _placed(it.frame.scope, node)
        if entered and entered[0].provenance is not None:
            place = _placed(entered[0].provenance.scope, entered[0].provenance.node)
        callee = self._callee(function)
        if not outside.tracing:
            root = Root(place, transforms, callee)
            self._roots[entered[0]] = root
            self.calls.setdefault(root, set())
            if len(it.stack) > 1:
                self._certain.add(root)
        elif it.activation.function is not None:
            within = self._roots.get(_outermost(outside))
            if within is not None:
                caller = self._callee(it.activation.function)
                self.calls[within].add(Call(caller, callee, transforms, place, followed))

    def traces(self) -> Traces:
        """What was seen, root by root.

        A call that a summary tells of was seen under another root: where nothing was seen of a function
        under this one, what was seen of it anywhere counts.  What a closure calls depends on what it closes over, and
        is never summarised.
        """
        anywhere = _by_caller(set().union(*self.calls.values()))
        for closure in self._closures:
            anywhere.pop(closure, None)
        found = {root: list(_reached(root, _by_caller(seen), anywhere)) for root, seen in self.calls.items()}
        inside = _bodies(
            {call.callee for calls in found.values() for call in calls} | {root.function for root in found}
        )
        # Every function is also analysed as code that nobody knows might call it, outside of any trace: a guess that
        # is not needed for one that is known to run under a trace.
        return {
            root: found[root]
            for root in sorted(found)
            if not _is_step_of_another(root, found)
            and (
                root in self._certain
                or not any(_contains(body, root.place) for body in inside.get(root.place.path, ()))
            )
        }

    def _callee(self, function: Function) -> Callee:
        found = self._names.get(function.node)
        if found is None:
            name = f"{function.owner.name}.{function.name}" if function.owner else function.name
            frame = function.frame
            if function.owner is None and frame is not None and frame.function is not None:
                name = f"{self._callee(frame.function).name}.{name}"
            found = self._names[function.node] = Callee(_placed(function.scope, function.node), name)
            if frame is not None:
                self._closures.add(found)
        return found


def _placed(scope: ModuleText, node: ast.AST) -> Location:
    """Where a node is in its file, in a notebook in its cell."""
    return scope.module.document.place(scope.location(node))


def _steps(ctx: Context, outside: Context) -> list[Context]:
    """The contexts that were entered since ``outside``, oldest first, those that only stop staging left out."""
    steps: list[Context] = []
    step: Context | None = ctx
    while step is not None and step is not outside:
        if (step.tracing or step.host) and not step.concrete:
            steps.append(step)
        step = step.parent
    return steps[::-1]


def _outermost(ctx: Context) -> Context:
    """The first of the traces that a context is inside of."""
    while ctx.parent is not None and ctx.parent.tracing:
        ctx = ctx.parent
    return ctx


def _is_step_of_another(root: Root, roots: Iterable[Root]) -> bool:
    """The `vmap(f)` of `jit(vmap(f))`, which was seen by itself too."""
    return any(
        len(other.transforms) > len(root.transforms)
        and other.transforms[-len(root.transforms) :] == root.transforms
        and other.function == root.function
        and _contains(other.place, root.place)
        for other in roots
    )


def _bodies(functions: set[Callee]) -> dict[str, list[Location]]:
    """Where functions are, by the path of the file."""
    found: dict[str, list[Location]] = {}
    for function in functions:
        found.setdefault(function.location.path, []).append(function.location)
    return found


def _contains(outer: Location, inner: Location) -> bool:
    return (outer.path, outer.cell) == (inner.path, inner.cell) and (
        (outer.line, outer.column) <= (inner.line, inner.column)
        and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    )


def _reached(root: Root, here: dict[Callee, list[Call]], anywhere: dict[Callee, list[Call]]) -> Iterator[Call]:
    waiting, seen = [root.function], {root.function}
    while waiting:
        caller = waiting.pop()
        for call in here.get(caller) or anywhere.get(caller) or []:
            yield call
            if call.callee not in seen:
                seen.add(call.callee)
                waiting.append(call.callee)


def _by_caller(calls: set[Call]) -> dict[Callee, list[Call]]:
    found: dict[Callee, list[Call]] = {}
    for call in sorted(calls):
        found.setdefault(call.caller, []).append(call)
    return found
