"""Compiled functions that a loop makes anew in every pass, so that every pass traces and compiles again.

JAX's caches know functions by identity: `jax.jit` of one function object, however often, is compiled once; of a
lambda, a nested function, a partial or a gradient that the loop makes, once in each pass.  So is a method that the loop
looks up: each look-up makes a new bound method; and what a function hands back that makes it for whoever calls it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import TypeGuard

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import (
    Array,
    ClassValue,
    Const,
    Function,
    HostArray,
    Instance,
    Method,
    Partial,
    Static,
    Transformed,
    Tree,
    Value,
    innermost,
)
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.carried_on import carries_what_it_makes
from jaxlint.flow.source.led_on import are_data, led_on, only_call
from jaxlint.flow.source.modules import parameters
from jaxlint.flow.source.set_against import is_set_against
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import children, descendants
from jaxlint.semantics.array_members import STATIC_ATTRIBUTES
from jaxlint.semantics.compiling import FORGETS, FUNCTION, METHOD, SEEN_THROUGH

Loop = ast.For | ast.AsyncFor | ast.While
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_CONDITIONAL = (
    ast.If, ast.IfExp, ast.BoolOp, ast.Try, getattr(ast, "TryStar", ast.Try), ast.Match, ast.ClassDef, ast.Lambda,
    *_COMPREHENSIONS,
)  # fmt: skip


def note_call(it: Interpreter, made: Transformed) -> None:
    """A transformed function is called: whether it is a compiled one that the loop around need not have made anew."""
    if made.name not in FORGETS or made.scope is not it.frame.scope or it.ctx.tracing:
        return
    for loop, number in it.loops:
        passed = as_statement(it, loop)
        if passed is not None and _stands_in(made.node, passed):
            what = _made_anew(made.name, made.function, passed)
            written = _with_own_functions(_where_written(made, passed), passed)
            taken = _taken_from_pass(written, passed) - set(written.values())
            if what and written and in_every_pass(made.node, passed):
                if not taken or _may_be_given(made, passed, taken) or _trains(it, made, passed, written, taken):
                    _tell(it, made, made.node, what, loop, number, taken)
                    return


def note_call_of_given(it: Interpreter, made: Transformed, node: ast.AST, is_only_called: Callable[[], bool]) -> None:
    """A compiled function is called that ``node`` has a function make: whether a loop of what runs asks for it in every
    pass, for the same each time."""
    if node is made.node or it.ctx.tracing or made.made is None:
        return
    for loop, number in it.loops[it.activation.around :] if _asks_for_the_same(node) else ():
        passed = as_statement(it, loop)
        if passed is not None and in_every_pass(node, passed) and not _taken_from_pass([node], passed):
            if is_only_called() and _uses_inside(made).isdisjoint(set(_changed(passed)) | _globals_bound(it, passed)):
                _tell(it, made, node, made.made.what, loop, number, set())
            return
    _note_carried(it, made, node, is_only_called)


def _note_carried(it: Interpreter, made: Transformed, node: ast.AST, is_only_called: Callable[[], bool]) -> None:
    """What the function gives goes into the next pass, which has another one made with another number."""
    loop, number = it.loops[-1]
    passed = as_statement(it, loop)
    if passed is None or made.made is None or not carries_what_it_makes(passed, node):
        return
    if in_every_pass(node, passed) and is_only_called():
        _tell(it, made, node, made.made.what, loop, number, _taken_from_pass([node], passed))


def _uses_inside(made: Transformed) -> set[str]:
    """The names that a function uses which another one has made, and those that this one uses."""
    function, _, _ = innermost(made.function)
    if function is None:
        return set()
    maker = function.frame.function if function.frame is not None else None
    return _uses_of(function.node) | (_uses_of(maker.node) if maker is not None else set())


def _globals_bound(it: Interpreter, loop: Loop) -> set[str]:
    """What a loop binds for all functions: one of a module's body, or where it is said that it is global."""
    return {name for name in _bound(loop) if it.activation.function is None or name in it.frame.globals}


def _asks_for_the_same(node: ast.AST) -> bool:
    """Whether a call, or a property, is written with names and constants alone."""
    if not isinstance(node, ast.Call):
        return _is_named(node)
    parts = [*node.args, *(keyword.value for keyword in node.keywords)]
    return _is_named(node.func) and all(isinstance(part, ast.Constant) or _is_named(part) for part in parts)


def _is_named(node: ast.AST) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _tell(
    it: Interpreter, made: Transformed, node: ast.AST, what: str, loop: ast.AST, number: int, taken: set[str]
) -> None:
    if not number:
        it.repeating.add(loop)
        return
    function = it.activation.function
    is_shown = function is not None and it.ask_text(it.frame.scope, is_set_against, function.node, node)
    place = loop.target if isinstance(loop, ast.comprehension) else loop
    it.emit(events.CompiledInEveryPass(node, made.name, what, place, is_shown, tuple(sorted(taken))))


def as_statement(it: Interpreter, loop: ast.AST) -> Loop | None:
    """A loop, or that of a comprehension as if it was written as a statement; none for one that leaves items out."""
    if isinstance(loop, _LOOPS):
        return loop
    if not isinstance(loop, ast.comprehension):
        return None
    function = it.activation.function
    root: ast.AST | None = function.node if function is not None else it.frame.scope.tree
    around = None if root is None else next(filter(lambda node: _has_loop(node, loop), descendants(root)), None)
    return _unfolded(around, loop) if isinstance(around, _COMPREHENSIONS) else None


def _has_loop(node: ast.AST, loop: ast.comprehension) -> bool:
    return isinstance(node, _COMPREHENSIONS) and loop in node.generators


def _unfolded(around: _Comprehension, loop: ast.comprehension) -> Loop | None:
    inner = around.generators[around.generators.index(loop) :]
    if any(generator.ifs for generator in inner):
        return None
    parts = (around.key, around.value) if isinstance(around, ast.DictComp) else (around.elt,)
    body: list[ast.stmt] = [ast.copy_location(ast.Return(part), part) for part in parts]  # what it gives is used
    for generator in reversed(inner):
        whole = ast.copy_location(ast.For(generator.target, generator.iter, body, []), around)
        body = [whole]
    return whole


def _stands_in(node: ast.AST, loop: Loop) -> bool:
    """Whether a node is in the loop's body, by the lines."""
    first, last = loop.body[0], loop.body[-1]
    line: int = getattr(node, "lineno", 0)
    decorators = getattr(first, "decorator_list", ())
    start: int = min([first.lineno, *(one.lineno for one in decorators)])
    return start <= line <= (last.end_lineno or 0)


def in_every_pass(node: ast.AST, loop: Loop) -> bool:
    """Whether nothing but other loops, ``with`` blocks and what is the same in all passes decides that a pass comes by
    a node."""
    pending: list[ast.AST] = list(loop.body)
    while pending:
        around = pending.pop()
        if around is node:
            return True
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)):
            pending += around.decorator_list
        elif isinstance(around, ast.If) and _is_the_same(around.test, loop):
            pending += [*around.body, *around.orelse]
        elif not isinstance(around, _CONDITIONAL):
            pending += children(around)
    return False


def _is_the_same(test: ast.expr, loop: Loop) -> bool:
    """Whether a condition is one of variables that the loop leaves as they are, and of constants."""
    parts = list(descendants(test))
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    return all(isinstance(part, _OF_VARIABLES) for part in parts) and names.isdisjoint({*_bound(loop), *_changed(loop)})


_OF_VARIABLES = (
    ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.cmpop, ast.boolop, ast.unaryop, ast.expr_context,
)  # fmt: skip


def _made_anew(compiler: str, function: Value, loop: Loop) -> str:
    """What the loop makes a new one of in every pass and is compiled anew, in words; empty when there is nothing."""
    forgets = FORGETS[compiler]
    if is_bound(function):
        return f"the bound method `{function.name}`" if METHOD in forgets else ""
    if isinstance(function, Function):
        if not _stands_in(function.node, loop):
            return f"`{compiler}({function.name})`" if FUNCTION in forgets else ""
        return "a lambda" if isinstance(function.node, ast.Lambda) else f"`{function.name}`"
    if isinstance(function, Transformed):
        if function.name in SEEN_THROUGH.get(compiler, ()):
            return _made_anew(compiler, function.function, loop)
        return f"`{function.name}(…)`" if _stands_in(function.node, loop) else ""
    return "a partial" if isinstance(function, Partial) else ""


def is_bound(function: Value) -> TypeGuard[Function | Method]:
    """Whether it is a method of an object, which makes a new one of it whenever it is asked."""
    if isinstance(function, Method):
        return isinstance(function.receiver, Instance)
    return isinstance(function, Function) and function.receiver is not None


def _where_written(made: Transformed, loop: Loop) -> list[ast.AST]:
    """The expressions or definition that make the jitted function; none where parts of it are made elsewhere."""
    node, function = made.node, made.function
    while isinstance(function, Transformed):
        function = function.function
    if isinstance(function, Function) and isinstance(function.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if any(node is part or node in _below(part) for part in function.node.decorator_list):
            return [function.node]
    if not isinstance(node, ast.Call) or not node.args:
        return []
    first, *others = node.args
    is_method = is_bound(function)
    is_older = isinstance(function, Function) and (function.frame is None or not _stands_in(function.node, loop))
    if is_older and FUNCTION in FORGETS[made.name]:
        return [node]
    if isinstance(first, ast.Name):
        defined = _own_functions(loop).get(first.id)
        if defined is not None and isinstance(made.function, Function) and made.function.node is defined:
            return [defined, *others, *node.keywords]
        value = _value_in(loop, first.id, is_method)
        return [] if value is None else [value, *others, *node.keywords]
    return [node] if _is_written_out(first, is_method) else []


def _value_in(loop: Loop, name: str, is_bound: bool) -> ast.expr | None:
    """What a loop binds a name to in every pass, if it does so once and the value is written there."""
    if list(_bound(loop)).count(name) != 1:
        return None
    for node in _below(loop):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and in_every_pass(node, loop):
            (target,) = node.targets
            if isinstance(target, ast.Name) and target.id == name and _is_written_out(node.value, is_bound):
                return node.value
    return None


def _is_written_out(value: ast.expr, is_bound: bool) -> bool:
    """Whether an expression makes a new function, of nothing but names; ``is_bound``: at its core is a method, so that
    an attribute does."""
    if is_bound and isinstance(value, ast.Attribute):
        return dotted(value) != ""
    return isinstance(value, ast.Lambda) or (isinstance(value, ast.Call) and _is_plain(value))


def _is_plain(call: ast.Call) -> bool:
    """Whether a call's arguments are names, constants, lambdas and calls of such: what they are does not change."""
    parts = [*call.args, *(keyword.value for keyword in call.keywords)]
    return dotted(call.func) != "" and all(
        isinstance(part, (ast.Name, ast.Constant, ast.Lambda, ast.Attribute, ast.Tuple))
        or (isinstance(part, ast.Call) and _is_plain(part))
        for part in parts
    )


def _taken_from_pass(written: Iterable[ast.AST], loop: Loop) -> set[str]:
    """What the loop binds or changes and what is written uses, so that this is not the same in every pass."""
    bound, changed = set(_bound(loop)), set(_changed(loop))
    found = {name for part in written for name in _uses_of(part) & (_without_own_name(part, bound) | changed)}
    return {name for name in found if name in bound or _reads_changed(written, name, loop)}


def _reads_changed(written: Iterable[ast.AST], name: str, loop: Loop) -> bool:
    """Whether what is written reads of an object what the loop changes of it, `self.rate`, or may: a method reads all
    of its object."""
    changed = [dotted(part) for part in _changed_parts(loop) if dotted(part).partition(".")[0] == name]
    paths = {path for one in written for path in _read_paths(one)}
    return any(f"{a}.".startswith(f"{b}.") or f"{b}.".startswith(f"{a}.") for a in changed for b in paths)


def _read_paths(written: ast.AST) -> Iterator[str]:
    parts = [written, *_below(written)]
    methods = {part.func for part in parts if isinstance(part, ast.Call)}
    inner = {part.value for part in parts if isinstance(part, ast.Attribute)}
    for part in parts:
        if isinstance(part, (ast.Name, ast.Attribute)) and part not in inner:
            may_be_method = part in methods or not isinstance(written, _FUNCTIONS)
            yield dotted(part.value if may_be_method and isinstance(part, ast.Attribute) else part)


def _with_own_functions(written: list[ast.AST], loop: Loop) -> dict[ast.AST, str]:
    """The same, and the functions of the loop's own that it uses, and so on, each with its name: what they take from
    the pass, it takes."""
    own = _own_functions(loop)
    found = dict.fromkeys(written, "")
    pending = list(written)
    while pending:
        for name in _uses_of(pending.pop()) & own.keys():
            if own[name] not in found:
                pending.append(own[name])
            found[own[name]] = name
    return found


def _own_functions(loop: Loop) -> dict[str, ast.AST]:
    """The functions that each pass binds to a name, which nothing else in the loop does."""
    names, found = list(_bound(loop)), dict[str, ast.AST]()
    for part in _below(loop):
        if isinstance(part, ast.FunctionDef):
            found[part.name] = part
        elif isinstance(part, ast.Assign) and isinstance(part.value, ast.Lambda):
            found.update((target.id, part.value) for target in part.targets if isinstance(target, ast.Name))
    return {name: part for name, part in found.items() if names.count(name) == 1 and in_every_pass(part, loop)}


def _trains(it: Interpreter, made: Transformed, loop: Loop, written: Iterable[ast.AST], names: set[str]) -> bool:
    """Whether the call that is made once a pass leads to the next one, with data of the pass in these names."""
    if isinstance(made.node, ast.Call) and (len(made.node.args) > 1 or made.node.keywords):
        return False
    unknown = {name for name in names if not isinstance(it.lookup(name), (Array, HostArray, Tree))}
    if any(isinstance(it.lookup(name), _NO_DATA) for name in unknown) or not names.isdisjoint(_changed(loop)):
        return False
    left = led_on(loop, made.node)
    return bool(left) and are_data(written, unknown - left)


_NO_DATA = (Const, Static, Function, Transformed, Partial, Method, Instance, ClassValue)
"""Of what JAX traces no argument, or another one for each number."""


def _may_be_given(made: Transformed, loop: Loop, names: set[str]) -> bool:
    """Whether a lambda is only called once a pass, and only computes with what is in these names: each with something
    that has to do with its arguments, so that it could be another one of them."""
    node = made.node
    if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Lambda):
        return False
    if len(node.args) > 1 or node.keywords:
        return False
    function = node.args[0]
    parts = [function.body, *_below(function.body)]
    own = {part.arg for part in (*parameters(function), *parts) if isinstance(part, ast.arg)}
    taken = {part for part in parts if isinstance(part, ast.Name) and part.id in names}
    computed = {
        side
        for part in parts
        if isinstance(part, ast.BinOp) and isinstance(part.op, _ARITHMETIC)
        for side, other in ((part.left, part.right), (part.right, part.left))
        if not own.isdisjoint(_names_in(other)) and not _asks_for_shape(other)
    }
    return taken <= computed and only_call(loop, node) is not None


_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)


def _asks_for_shape(node: ast.AST) -> bool:
    parts = (node, *_below(node))
    return any(getattr(part, "attr", "") in STATIC_ATTRIBUTES or getattr(part, "id", "") == "len" for part in parts)


def _names_in(node: ast.AST) -> set[str]:
    return {part.id for part in (node, *_below(node)) if isinstance(part, ast.Name)}


def _uses_of(written: ast.AST) -> set[str]:
    """The names that a definition or an expression takes from around it."""
    parts = [written, *_below(written)]
    own = {node.arg for node in parts if isinstance(node, ast.arg)} | set(_bound(written))
    return {node.id for node in parts if isinstance(node, ast.Name)} - own


def _without_own_name(written: ast.AST, names: set[str]) -> set[str]:
    return names - {written.name} if isinstance(written, (ast.FunctionDef, ast.AsyncFunctionDef)) else names


def _bound(root: ast.AST) -> Iterator[str]:
    """The names that a loop, or a function's body, binds."""
    for node in _below(root):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name


def _changed(loop: Loop) -> Iterator[str]:
    """The names of what the loop may change: `a.b = …`, `a[i] = …`, and `a.update(…)` as a statement of its own."""
    for target in _changed_parts(loop):
        while isinstance(target, (ast.Attribute, ast.Subscript)):
            target = target.value
        if isinstance(target, ast.Name):
            yield target.id


def _changed_parts(loop: Loop) -> Iterator[ast.expr]:
    """What the loop may change: `a.b`, `a` of an item, and `a` of a method."""
    for node in _below(loop):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            yield node.value if isinstance(node, ast.Subscript) else node
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            if isinstance(node.value.func, ast.Attribute):
                yield node.value.func.value


def bound_in(loop: ast.AST) -> set[str]:
    """The names that a loop, or one of a comprehension, binds."""
    return set(_bound(loop))


def _below(root: ast.AST) -> Iterable[ast.AST]:
    pending = children(root)
    while pending:
        node = pending.pop()
        yield node
        pending += children(node)
