"""Compiled functions that a function makes anew whenever it is called, and that is called again and again.

What is compiled is kept by the function object (`semantics/compiling.py`): a function that hands a new one to `jax.jit`
and calls what it gets pays for a compilation at each of its own calls.  Where that is seen an event is told, which goes
up with the summaries, from call to call, until a loop is around one of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import External, Function, Made, Opaque, Partial, Transformed, Tuple, Value
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.random.ignored_keys import methods_in_reach
from jaxlint.flow.observers import recompilation
from jaxlint.flow.observers.recompilation import is_bound
from jaxlint.flow.port import Activation, Interpreter
from jaxlint.flow.source.modules import loops_in
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import children, descendants
from jaxlint.semantics.compiling import (
    CLOSURE,
    FORGETS,
    FUNCTION,
    METHOD,
    NEW_OBJECTS,
    PARTIAL,
    RUN_AT_ONCE,
    SEEN_THROUGH,
    TRANSFORMED,
)

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


# -- making ---------------------------------------------------------------------------------------------


def note_made(it: Interpreter, made: Transformed, node: ast.AST) -> None:
    """A transform is applied here: whether to an object that is a new one at each call of the function around."""
    if made.node is not node or made.made is not None or it.activation.function is None:
        return
    what = ""
    if made.name in FORGETS:
        kind, words = _new_object(it, made.name, made.function, _argument(node))
        what = words if kind in FORGETS[made.name] else ""
    made.made = Made(it.activation.frame, node, what)


def _argument(node: ast.AST) -> ast.expr | None:
    """How the function is written that is transformed; None for a decorator's."""
    return node.args[0] if isinstance(node, ast.Call) and node.args else None


def _new_object(it: Interpreter, compiler: str, function: Value, written: ast.expr | None) -> tuple[str, str]:
    """Of what kind a function object is, and in words; nothing where it may be older than the call that goes on."""
    written = written_out(it, written)
    if isinstance(function, Transformed):
        if function.name in SEEN_THROUGH.get(compiler, ()):
            return _new_object(it, compiler, function.function, _argument(written) if written is not None else None)
        is_new = function.made is not None and function.made.frame is it.activation.frame
        is_new = is_new and function.name not in FORGETS  # what is compiled already is traced no more
        return (TRANSFORMED, f"`{function.name}(…)`") if is_new else ("", "")
    if isinstance(function, Partial):
        return (PARTIAL, "a partial") if isinstance(written, ast.Call) else ("", "")
    if is_bound(function):
        return (METHOD, f"the bound method `{function.name}`") if isinstance(written, ast.Attribute) else ("", "")
    if isinstance(function, Opaque) and isinstance(written, ast.Attribute):
        found = methods_in_reach(it, it.frame.scope, written.attr)
        return (
            (METHOD, f"the bound method `{written.attr}`") if found and not any(one.kind for one in found) else ("", "")
        )
    if not isinstance(function, Function):
        return "", ""
    if function.frame is not None and (function.frame is it.activation.frame or _is_given_by(it, written, function)):
        is_lambda = isinstance(function.node, ast.Lambda)
        return CLOSURE, "a lambda" if is_lambda else f"the function `{function.name}`"
    return FUNCTION, f"`{function.name}`"


def _method_of_unknown(it: Interpreter, written: ast.expr | None) -> tuple[str, str]:
    """An attribute of an object of which nothing is known is a method of it, if classes in reach have such a method."""
    if isinstance(written, ast.Attribute):
        found = methods_in_reach(it, it.frame.scope, written.attr)
        if found and not any(method.kind for method in found):
            return METHOD, f"the bound method `{written.attr}`"
    return "", ""


def written_out(it: Interpreter, written: ast.expr | None) -> ast.expr | None:
    """What a variable of the function that runs is bound to, if that is written there once."""
    function = it.activation.function
    if not isinstance(written, ast.Name) or function is None:
        return written
    bindings = it.facts_of(function.node).stored.get(written.id, [])
    if len(bindings) != 1:
        return None
    values = [
        node.value
        for node in descendants(function.node)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and bindings[0] in _targets(node)
    ]
    return values[0] if values else None


def _targets(node: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _is_given_by(it: Interpreter, written: ast.expr | None, function: Function) -> bool:
    """Whether a call is written that makes the function: of the one that defines it, and keeps nothing."""
    maker = function.frame.function if function.frame is not None else None
    if maker is None or not isinstance(written, ast.Call) or not runs_at_each_call(it, maker):
        return False
    return dotted(written.func).rpartition(".")[2] == maker.name


# -- handing back ---------------------------------------------------------------------------------------


def hand_back(it: Interpreter, function: Function, result: Value, given: Value, node: ast.AST) -> None:
    """A call of ``function`` at ``node`` ends with ``result``, as which the caller gets ``given``: what it has made for
    nobody else is, for the caller, made by the call."""
    if isinstance(result, Tuple) and result.lent is not None:
        return  # the caller's own
    results = result.items if isinstance(result, Tuple) else (result,)
    parts = given.items if isinstance(given, Tuple) else (given,)
    for one, part in zip(results, parts):
        if isinstance(one, Transformed) and isinstance(part, Transformed) and one.made is not None:
            made, part.made = one.made, None
            maker = made.frame.function
            if made.what and maker is not None and maker.node is function.node:
                if runs_at_each_call(it, function) and _ends(function.node, one, made.node) <= {_CALLED, _RETURNED}:
                    part.made = Made(it.activation.frame, node, made.what)


# -- calling --------------------------------------------------------------------------------------------


def note_call(it: Interpreter, function: Transformed) -> None:
    """A transformed function is called: whether it compiles what the function around makes anew at each call."""
    compiled: Value = function
    while isinstance(compiled, Transformed) and compiled.name not in FORGETS and not compiled.wrapper.stages:
        compiled = compiled.function
    running = it.activation
    if not isinstance(compiled, Transformed) or compiled.made is None:
        return
    frame, node, what = compiled.made
    if not what or frame is not running.frame or it.ctx.staging:
        return
    root = running.function.node if running.function is not None else it.frame.scope.tree
    if root is None:
        return
    if len(it.loops) > running.around:
        recompilation.note_call_of_given(it, compiled, node, lambda: _ends(root, function, node) == {_CALLED})
    elif running.function is not None and runs_at_each_call(it, running.function):
        if _ends(root, function, node) == {_CALLED}:
            event = events.CompiledAtEachCall(node, compiled.name, what, running.function.name)
            find_loop(it, event)
            it.emit(event)


def note_run(it: Interpreter, name: str, args: Arguments, node: ast.Call) -> None:
    """jax.lax.scan(…), outside of traces: whether it compiles what the function around makes anew at each call."""
    running = it.activation
    if it.ctx.tracing or running.function is None or len(it.loops) > running.around or args.open_ended:
        return
    if not runs_at_each_call(it, running.function):
        return
    keywords = {one.arg: one.value for one in node.keywords}
    for place, keyword in RUN_AT_ONCE[name]:
        value = args.get(place, keyword)
        written = keywords.get(keyword) or args.expression(node, place)
        kind, what = _new_object(it, name, value, written) if value is not None else ("", "")
        if kind in NEW_OBJECTS:
            event = events.CompiledAtEachCall(node, name, what, running.function.name)
            find_loop(it, event)
            it.emit(event)
            return


def find_loop(it: Interpreter, event: events.CompiledAtEachCall) -> None:
    """Looks for a loop around the call that an event is told of, in which the functions between run in every pass."""
    event.entered = event.entered or _is_entered(it)
    if event.loop is not None or event.unseen:
        return
    running: Activation | None = it.activation
    for index in reversed(range(len(it.loops))):
        loop, number = it.loops[index]
        while running is not None and running.around > index:
            event.seldom = event.seldom or _is_called_seldom(it, running)
            event.unseen = running.unseen
            running = running.caller if not running.unseen else None
        if running is None or _is_short(loop):
            continue
        if number:
            event.seldom = event.seldom or _makes_an_object(running.function)
            event.loop, event.loop_scope = loop, running.frame.scope
        else:
            it.repeating.add(loop)
        return
    while running is not None:
        event.seldom = event.seldom or _is_called_seldom(it, running)
        event.unseen = running.unseen
        running = running.caller if not running.unseen else None


def _is_entered(it: Interpreter) -> bool:
    """Whether a function leads here that nobody is seen to call."""
    running: Activation | None = it.activation
    while running is not None and not running.unseen:
        running = running.caller
    return running is not None


def _is_called_seldom(it: Interpreter, running: Activation) -> bool:
    """Whether calls of a function are few beside what it does itself: it has a loop, makes an object, or keeps what it
    gives."""
    function = running.function
    if function is None:
        return False
    has_loops = bool(loops_in(function.node, it.facts_of(function.node)))
    return has_loops or function.cached or _makes_an_object(function)


def _makes_an_object(function: Function | None) -> bool:
    if function is None or function.owner is None:
        return False
    return function.name in _MAKING or (function.name == "setup" and classes.is_module(function.owner))


_MAKING = frozenset(("__init__", "__post_init__", "__new__"))


def _is_short(loop: ast.AST) -> bool:
    """Whether a loop goes through a few things that are written out."""
    return isinstance(loop, (ast.For, ast.AsyncFor, ast.comprehension)) and isinstance(loop.iter, (ast.Tuple, ast.List))


def runs_at_each_call(it: Interpreter, function: Function) -> bool:
    """Whether a function does what is written at each of its calls: no decorator may keep what it gives."""
    if function.cached:
        return False
    decorators = getattr(function.node, "decorator_list", ())
    return all(_is_plain(it, decorator, function) for decorator in decorators)


def _is_plain(it: Interpreter, decorator: ast.expr, function: Function) -> bool:
    if isinstance(decorator, ast.Call):
        made_by = it.eval_annotation(decorator.func, function)
        return isinstance(made_by, External) and made_by.name == "functools.wraps"
    found = it.eval_annotation(decorator, function)
    return isinstance(found, External) and found.name in _PLAIN_DECORATORS


_PLAIN_DECORATORS = frozenset(
    "builtins.property builtins.staticmethod builtins.classmethod abc.abstractmethod typing.override "
    "contextlib.contextmanager typing_extensions.override".split()
)


_CALLED, _RETURNED, _KEPT = "called", "returned", "kept"


def _ends(root: ast.AST, function: Transformed, made: ast.AST) -> set[str]:
    """What ``root`` does with a transformed function that ``made`` makes in it: it may call it, return it, or keep it
    in whatever outlives the call."""
    applied = {made}
    layer: Value = function
    while isinstance(layer, Transformed):
        applied.add(layer.node)
        layer = layer.function
    return set(_Uses(root, applied).of(made))


class _Uses:
    """How expressions of a function are used; ``applied`` are the transforms that are applied to one another."""

    def __init__(self, root: ast.AST, applied: set[ast.AST]) -> None:
        self.root = root
        self.applied = applied
        self.around = {below: node for node in descendants(root) for below in children(node)}
        self.seen: set[str] = set()

    def of(self, node: ast.AST) -> Iterator[str]:
        around = self.around.get(node)
        is_called = isinstance(around, ast.Call) and around.func is node
        if is_called or isinstance(around, (ast.Attribute, ast.Expr)):  # as in `step.lower(x)`
            yield _CALLED
        elif (isinstance(around, ast.Call) and around in self.applied) or isinstance(around, ast.IfExp):
            yield from self.of(around)
        elif isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)) and node in around.decorator_list:
            yield from self._of_name(around.name)
        elif isinstance(around, (ast.Assign, ast.AnnAssign)):
            yield from self._of_targets(around)
        elif isinstance(around, ast.Return) or (
            isinstance(around, ast.Tuple) and isinstance(self.around.get(around), ast.Return)
        ):
            yield _RETURNED
        else:
            yield _KEPT

    def _of_targets(self, node: ast.Assign | ast.AnnAssign) -> Iterator[str]:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            for name in target.elts if isinstance(target, ast.Tuple) else [target]:
                if isinstance(name, ast.Name):
                    yield from self._of_name(name.id)
                else:
                    yield _KEPT

    def _of_name(self, name: str) -> Iterator[str]:
        """How a variable is used; a function inside that reads it may be kept itself."""
        if name in self.seen:
            return
        self.seen.add(name)
        for node in self.around:
            if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
                yield _KEPT
            elif isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                yield from self.of(node) if not self._is_inside_another(node) else (_KEPT,)

    def _is_inside_another(self, node: ast.AST) -> bool:
        around = self.around.get(node)
        while around is not None and around is not self.root:
            if isinstance(around, _FUNCTIONS) and node not in getattr(around, "decorator_list", ()):
                return True
            node, around = around, self.around.get(around)
        return False
