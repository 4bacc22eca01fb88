"""Static arguments that are others at each call, so that each call compiles again.

Compiled code is found by the static arguments, compared with `==`: of lambdas, partials and objects that compare by
identity a new one is never equal to the last, and a number that changes is another one.  A number that the function
could get as a tracer need not be static; whether it could is found out by running it so.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.contexts import Why
from jaxlint.flow.domain.retold import reason_of
from jaxlint.flow.domain.values import (
    CONCRETE,
    Array,
    Const,
    External,
    ExternalInstance,
    Function,
    Instance,
    Opaque,
    Partial,
    Static,
    Transformed,
    Value,
)
from jaxlint.flow.models.jax.schedules import is_optimiser
from jaxlint.flow.models.jax.transforms import StaticGiven, all_given, static_given, with_traced
from jaxlint.flow.models.objects import classes
from jaxlint.flow.observers.recompilation import bound_in
from jaxlint.flow.observers.recreated import find_loop, runs_at_each_call, written_out
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.carried_on import FEW
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.straight import taken
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import FunctionNode, descendants
from jaxlint.semantics.compiling import BY_NUMBERS, BY_STATIC_ARGUMENTS

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
OF_FEW_VALUES = (ast.Compare, ast.BoolOp, ast.Not, ast.Mod, ast.FloorDiv, ast.IfExp)
"""What makes few values of many."""


def note_call(it: Interpreter, made: Transformed, args: Arguments, node: ast.Call) -> None:
    """A compiled function is called: whether an argument that is static is another one than at the last call."""
    if made.name in BY_NUMBERS and not (it.ctx.staging or args.open_ended or it.muted):
        for given in _numbers_given(it, made, args, node):
            _note_changing(it, made, args, given, node)
        for given in all_given(it, made, args, node):
            if given.written is not None and isinstance(given.value, (Function, ExternalInstance)):
                what = _new_object(it, given.value, given.written)
                if what:
                    _note_new(it, made, given, what, node)
    if made.name not in BY_STATIC_ARGUMENTS or it.ctx.staging or args.open_ended or it.muted:
        return
    for given in static_given(it, made, args, node):
        if given.written is not None:
            what = _new_object(it, given.value, given.written)
            if what:
                _note_new(it, made, given, what, node)
            else:
                _note_changing(it, made, args, given, node)


def _numbers_given(it: Interpreter, made: Transformed, args: Arguments, node: ast.Call) -> Iterator[StaticGiven]:
    """What a call passes that is a number of Python's for certain, and is static for what traces arrays only."""
    for given in all_given(it, made, args, node):
        value = given.value
        is_number = isinstance(value, Static) and value.kind in ("int", "float")
        is_number |= isinstance(value, Const) and type(value.value) in (int, float)
        if is_number and isinstance(given.written, ast.expr) and not isinstance(given.written, ast.Constant):
            yield given


# -- new objects ----------------------------------------------------------------------------------------


def _new_object(it: Interpreter, value: Value, written: ast.expr) -> str:
    """What a static argument is, in words, if it is made anew whenever the call, or what binds its name, is run."""
    made = written_out(it, written)
    if isinstance(value, Function) and value.receiver is None:
        if isinstance(made, ast.Lambda):
            return "a new lambda"
        if isinstance(made, ast.Call):
            is_lambda = isinstance(value.node, ast.Lambda)
            return ("a new lambda" if is_lambda else f"a new `{value.name}`") if _is_made_by(it, value, made) else ""
        is_inside = value.frame is not None and value.frame is it.activation.frame
        return f"a new `{value.name}`" if is_inside and isinstance(value.node, _FUNCTIONS) else ""
    if not isinstance(made, ast.Call):
        return ""
    if isinstance(value, Partial):
        return "a new partial"
    if isinstance(value, Transformed):
        return f"a new `{value.name}(…)`" if value.made is not None and value.made.frame is it.activation.frame else ""
    if isinstance(value, Instance) and not value.symbolic and _compares_by_identity(it, value):
        return f"a new `{value.cls.name}`"
    if (
        isinstance(value, ExternalInstance)
        and is_optimiser(value)
        and _is_function(it, made.func, frozenset((value.made_by,)))
    ):
        return f"a new `{value.made_by}(…)`"  # a tuple of functions that it defines
    return ""


def _is_made_by(it: Interpreter, value: Function, call: ast.Call) -> bool:
    """Whether a function is defined in what a call runs, each time."""
    maker = value.frame.function if value.frame is not None else None
    if maker is None or not runs_at_each_call(it, maker):
        return False
    with it.quiet(), it.scratch():
        called = it.eval(call.func)
    return isinstance(called, Function) and called.node is maker.node


def _compares_by_identity(it: Interpreter, value: Instance) -> bool:
    line = classes.linearized(value.cls)
    if any(part.decorators for part in line) or not classes.external_bases(value.cls) <= classes.OF_IDENTITY:
        return False
    return all(classes.find_member(it, value.cls, name) is None for name in ("__eq__", "__hash__"))


def _note_new(it: Interpreter, made: Transformed, given: StaticGiven, what: str, node: ast.Call) -> None:
    """A new object at each call: in a loop around the call, or around one of the function that runs."""
    running = it.activation
    name = running.function.name if running.function is not None else ""
    event = events.StaticAnew(node, made.name, what, name, parameter=given.name)
    own = it.loops[running.around :]
    if own:
        loop, number = own[-1]
        if not _is_made_in(it, given, loop) or _is_one_of_few(it, given, loop):
            return
        if not number:
            it.repeating.add(loop)
            return
        event.loop, event.loop_scope = loop, it.frame.scope
    elif running.function is None or not runs_at_each_call(it, running.function):
        return
    else:
        find_loop(it, event)
    it.emit(event)


def _is_made_in(it: Interpreter, given: StaticGiven, loop: ast.AST) -> bool:
    """Whether what is passed is made in each pass of a loop, and not before it."""
    if not isinstance(given.written, ast.Name):
        return True
    return given.written.id in bound_in(loop)


def _is_one_of_few(it: Interpreter, given: StaticGiven, loop: ast.AST) -> bool:
    """Whether a loop goes through a few things that are written out, no numbers, and what is passed is made of each."""
    items = getattr(loop, "iter", None)
    if not isinstance(items, (ast.Tuple, ast.List)) or all(map(_is_number, items.elts)):
        return False
    made = given.value.node if isinstance(given.value, Function) else written_out(it, given.written)
    used = {part.id for part in descendants(made) if isinstance(part, ast.Name)} if made is not None else set()
    return made is None or not used.isdisjoint(bound_in(loop))


def _is_number(item: ast.expr) -> bool:
    item = item.operand if isinstance(item, ast.UnaryOp) else item
    return isinstance(item, ast.Constant) and type(item.value) in (int, float)


# -- numbers that change --------------------------------------------------------------------------------


def _note_changing(it: Interpreter, made: Transformed, args: Arguments, given: StaticGiven, node: ast.Call) -> None:
    own = it.loops[it.activation.around :]
    if not own or given.written is None:
        return
    loop, number = own[-1]
    written = given.written
    if passes_are_few(loop):
        return
    kind = _kind(it, given.value, written, loop)
    if not kind and made.name not in BY_NUMBERS and _is_of_item(written, loop, node):
        event = events.StaticAnew(node, made.name, "what each item has", it.definition(), parameter=given.name)
        event.loop, event.loop_scope, event.seldom, event.of_item = loop, it.frame.scope, True, True
        it.emit(event)
    if not kind or _is_needed(it, made, args, given, node):
        return
    if number:
        what = f"{kind} that changes in every pass"
        event = events.StaticAnew(node, made.name, what, it.definition(), parameter=given.name)
        event.loop, event.loop_scope, event.is_number = loop, it.frame.scope, kind == "a number"
        event.as_no_array = made.name in BY_NUMBERS
        it.emit(event)
    else:
        it.repeating.add(loop)


def _kind(it: Interpreter, value: Value, written: ast.expr, loop: ast.AST) -> str:
    """What a static argument is, if the loop makes another one in each pass; empty if it is not known to."""
    if _is_of_grid(it, written, loop):
        return "a number"
    changing, parts = bound_in(loop), list(descendants(written))
    if changing.isdisjoint(part.id for part in parts if isinstance(part, ast.Name)):
        return ""
    if isinstance(written, ast.Name) and not is_stepped(loop, written.id):
        known = isinstance(value, Static) and value.kind == "float"
        return "a number" if known and _is_computed(it, loop, written.id) else ""
    if any(isinstance(part, OF_FEW_VALUES) or isinstance(getattr(part, "op", None), OF_FEW_VALUES) for part in parts):
        return ""
    if isinstance(written, ast.JoinedStr):
        return "a string"
    if isinstance(value, Const) and isinstance(value.value, (int, float)) and not isinstance(value.value, bool):
        return "a number"
    if isinstance(value, Static) and value.kind in ("int", "float"):
        return "a number"
    return "a number" if isinstance(value, Opaque) and isinstance(written, (ast.BinOp, ast.Name)) else ""


def _is_of_grid(it: Interpreter, written: ast.expr, loop: ast.AST) -> bool:
    """Whether it is a number of those that a loop goes through and that lie apart: `float(s)` for each `s` of
    `np.linspace(0, 1, 20)`."""
    target, source = getattr(loop, "target", None), getattr(loop, "iter", None)
    if not isinstance(target, ast.Name) or not isinstance(source, ast.Call) or _is_bound_below(loop, target.id):
        return False
    number, grids = written, _GRIDS["numpy"]
    if isinstance(written, ast.Call) and len(written.args) == 1 and _is_function(it, written.func, _FLOAT):
        number, grids = written.args[0], grids | _GRIDS["jax.numpy"]
    if not isinstance(number, ast.Name) or number.id != target.id or not _is_function(it, source.func, grids):
        return False
    sizes = source.args[2:3] if not _is_function(it, source.func, _RANGES) else []
    counts = [*sizes, *(keyword.value for keyword in source.keywords if keyword.arg == "num")]
    return not any(isinstance(one, ast.Constant) and type(one.value) is int and one.value <= FEW for one in counts)


_FLOAT = frozenset(("builtins.float",))
_RANGES = frozenset(("numpy.arange", "jax.numpy.arange"))
_GRIDS = {
    package: frozenset(f"{package}.{name}" for name in ("linspace", "logspace", "geomspace", "arange"))
    for package in ("numpy", "jax.numpy")
}


def _is_function(it: Interpreter, written: ast.expr, names: frozenset[str]) -> bool:
    with it.quiet(), it.scratch():
        function = it.eval(written)
    return isinstance(function, External) and function.name in names


def _is_bound_below(loop: ast.AST, name: str) -> bool:
    """Whether a loop binds its own variable once more in its body."""
    return sum(isinstance(part, ast.Name) and part.id == name and _binds(part) for part in descendants(loop)) > 1


def _is_of_item(written: ast.expr, loop: ast.AST, call: ast.Call) -> bool:
    """Whether a loop goes through data, each item of which has the static argument beside others of the call."""
    target = getattr(loop, "target", None)
    if not isinstance(loop, (ast.For, ast.comprehension)) or target is None or set(_counters(loop)):
        return False
    names = {part.id for part in (target, *descendants(target)) if isinstance(part, ast.Name)}
    others = [*call.args, *(keyword.value for keyword in call.keywords)]
    return _part_of(written) in names and any(one is not written and _part_of(one) in names for one in others)


def _part_of(node: ast.expr) -> str:
    """The variable of whose value an expression is a part; empty if it is all of it, or something else."""
    root = node
    while isinstance(root, (ast.Attribute, ast.Subscript)):
        root = root.value
    return root.id if root is not node and isinstance(root, ast.Name) else ""


def is_stepped(loop: ast.AST, name: str) -> bool:
    """Whether a loop counts with a variable, or computes its next value from what it had, or from one that counts."""
    counters = set(_counters(loop))
    if name in counters:
        return True
    for node in descendants(loop):
        targets: list[ast.expr] = []
        if isinstance(node, ast.AugAssign):
            targets, value = [node.target], node.value
            if any(isinstance(one, ast.Name) and one.id == name for one in targets):
                return True
        elif isinstance(node, ast.Assign) and isinstance(node.value, (ast.BinOp, ast.JoinedStr)):
            value = node.value
            if any(isinstance(one, ast.Name) and one.id == name for one in node.targets):
                return any(
                    isinstance(part, ast.Name) and part.id in {name, *counters} for part in descendants(value)
                ) and not any(isinstance(getattr(part, "op", part), OF_FEW_VALUES) for part in descendants(value))
    return False


def _is_computed(it: Interpreter, loop: ast.AST, name: str) -> bool:
    """Whether a variable gets, in each pass and there only, what a function of the program computes of what counts, and
    computes smoothly: with operators and functions of `math`, so that it is hardly ever the same."""
    counters = set(_counters(loop))
    bindings = [node for node in descendants(loop) if isinstance(node, ast.Name) and node.id == name and _binds(node)]
    for node in descendants(loop):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and node.targets == bindings:
            passed = [*node.value.args, *(keyword.value for keyword in node.value.keywords)]
            if not any(isinstance(one, ast.Name) and one.id in counters for one in passed):
                return False
            with it.quiet(), it.scratch():
                function = it.eval(node.value.func)
            return isinstance(function, Function) and it.ask_text(function.scope, _is_smooth, function.node)
    return False


def _binds(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _is_smooth(_: ModuleText, function: FunctionNode) -> bool:
    """Whether the text of a function decides nothing and rounds nothing."""
    body = [function.body] if isinstance(function, ast.Lambda) else taken(function.body)
    parts = [part for each in body for part in descendants(each)]
    if any(isinstance(part, (*OF_FEW_VALUES, *_DECIDING)) for part in parts):
        return False
    return all(dotted(part.func) in _SMOOTH for part in parts if isinstance(part, ast.Call))


_DECIDING = (ast.If, ast.For, ast.While, ast.Try, ast.Match, ast.Subscript, ast.Global, ast.Nonlocal)
_SMOOTH = frozenset(
    "float math.cos math.sin math.tan math.exp math.log math.log2 math.log10 math.sqrt math.pow math.tanh".split()
)


def _counters(loop: ast.AST) -> Iterator[str]:
    """The targets of a loop over `range`, `enumerate`, or `itertools.count`, that count."""
    target, source = getattr(loop, "target", None), getattr(loop, "iter", None)
    if isinstance(target, ast.expr) and isinstance(source, ast.expr):
        yield from _counting(target, source)


def _counting(target: ast.expr, source: ast.expr) -> Iterator[str]:
    name, args = _called(source), source.args if isinstance(source, ast.Call) else []
    if isinstance(target, ast.Name):
        if name in ("range", "count", "trange") or (
            name in ("reversed", "tqdm") and args and _called(args[0]) == "range"
        ):
            yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        if name == "enumerate" and isinstance(target.elts[0], ast.Name):
            yield target.elts[0].id
        elif name == "tqdm" and args:
            yield from _counting(target, args[0])
        elif name == "zip" and len(args) == len(target.elts):
            for one, of in zip(target.elts, args):
                yield from _counting(one, of)


def _called(source: ast.expr) -> str:
    called = getattr(source, "func", None)
    return getattr(called, "id", None) or getattr(called, "attr", None) or ""


def passes_are_few(loop: ast.AST) -> bool:
    source = getattr(loop, "iter", None)
    if isinstance(source, (ast.Tuple, ast.List)):
        return True
    if isinstance(source, ast.Call) and len(source.args) == 1 and isinstance(source.args[0], ast.Constant):
        count = source.args[0].value
        return isinstance(count, int) and count <= FEW
    return False


def _is_needed(it: Interpreter, made: Transformed, args: Arguments, given: StaticGiven, node: ast.Call) -> bool:
    """Whether the function has to know the argument while it is traced: a string; a number of which it asks as a tracer
    what no tracer tells."""
    if isinstance(given.written, ast.JoinedStr):
        return False
    with it.scratch(), it.keeping() as told:
        if made.name in BY_NUMBERS:
            it.call(made, args.replacing(given.value, Array(CONCRETE)), node)
        else:
            it.call(with_traced(it, made, given), args, node)
    return any(_is_of(event, given.name) for event, _ in told.events.values())


def _is_of(event: events.Event, parameter: str) -> bool:
    """Whether an event tells of the tracer that a parameter is."""
    reason = reason_of(getattr(event, "value", None)) if hasattr(event, "value") else None
    steps = reason.chain() if reason is not None else ()
    return any(step.why is Why.PARAMETER and step.names[0] == parameter for step in steps)
