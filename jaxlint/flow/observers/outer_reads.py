"""Names a traced function reads from outside: what is bound there later is not seen, and tracers leak through."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.contexts import Context, OfTrace, Provenance, Why
from jaxlint.flow.domain.values import (
    GRAD,
    Array,
    Const,
    Container,
    Frame,
    Function,
    HostArray,
    Key,
    ModuleScope,
    ModuleValue,
    Opaque,
    Static,
    Tree,
    Tuple,
    Value,
)
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import FunctionFacts, item_name, loops_in, may_restore, reads_beyond_calls
from jaxlint.flow.source.runs_again import only_sets, runs_after, sets_up, updates
from jaxlint.flow.source.set_between import calls_between, forgets
from jaxlint.flow.source.set_in_loops import loop_that_sets, ways_to_item
from jaxlint.flow.source.trees import FunctionNode, descendants, parameter_names
from jaxlint.project.lifted import decorators


def _is_data(value: Value) -> bool:
    """Numbers and arrays: what would be a constant of the compiled program."""
    if isinstance(value, Const):
        return isinstance(value.value, (int, float)) and not isinstance(value.value, bool)
    return isinstance(value, (Array, HostArray, Container)) or (
        isinstance(value, Static) and value.kind in ("int", "float")
    )


def check_global(it: Interpreter, scope: ModuleScope, name: str, value: Value, writes: list[ast.AST]) -> None:
    """A module global is read once, while JAX traces, although something binds or changes it later."""
    if not it.ctx.staging or it.ctx.host or not _is_data(value) or name in it.frame.globals:
        return
    reading = it.reading
    function = _traced_around(it) or it.activation.function
    if reading is None or reading.id != name or function is None:
        return
    if isinstance(value, Container):
        if _writes_items(function.node, name):
            return  # what traces keep for themselves, such as a number for each name
        if name not in scope.mutated and not _holds_data(it, value):
            return  # a registry that is extended, not a setting that changes
        keys = _keys_read(function.node, name)
        writes = [write for write in writes if keys is None or _key_written(write) in (None, *keys)]
    writes = [write for write in writes if not _is_meant(it, scope, write, name, function.node)]
    end = getattr(function.node, "end_lineno", 0)
    later = [
        write
        for write in writes
        if not isinstance(write, ast.Name) or function.scope is not scope or write.lineno > end
    ]
    later = [write for write in later if not (function.scope is scope and _inside(write, function.node))]
    if function.scope is scope:
        later = [write for write in later if not isinstance(write, ast.Name) or runs_after(scope, function.node, write)]
    if later and not any(it.ask_text(one, forgets) for one in {scope, function.scope}):
        write = next((write for write in later if not only_sets(scope, function.node, write, name)), None)
        where = Provenance(Why.CHANGED, (name,), scope, write or later[0])
        last = (
            max(later, key=lambda one: getattr(one, "lineno", 0))
            if all(isinstance(one, ast.Name) for one in later)
            else None
        )
        is_set_up = write is None and not _is_set_between_calls(it, scope, name, later)
        it.emit(events.StaleRead(reading, name, where, is_set_up, last))


def _traced_around(it: Interpreter, outer: Frame | None = None) -> Function | None:
    """The function that runs, or the outermost one around it, inside of ``outer``, that runs under the trace as well:
    only that one is called by those who do not know of the others."""
    frame: Frame | None = it.frame
    found = None
    while frame is not None and frame is not outer:
        if frame.ctx is not None and frame.ctx.staging:
            found = frame.function
        frame = frame.parent
    return found


def _is_set_between_calls(it: Interpreter, scope: ModuleScope, name: str, writes: list[ast.AST]) -> bool:
    """Whether some module of the program calls a function that writes between two calls of what is compiled."""
    it.ask_of_trace(OfTrace.ROOTS)
    root = it.ctx.root
    setters = [node for node in _functions(scope) if any(_inside(write, node) for write in writes)]
    if not isinstance(root, ast.FunctionDef) or not decorators(root):
        return False
    return any(it.ask_program(is_called_between, scope.name, node.name, root.name) for node in setters)


def is_called_between(it: Interpreter, module: str, setter: str, compiled: str) -> bool:
    return any(it.ask_text(scope, calls_between, module, setter, compiled) for scope in it.scopes.values())


def _functions(scope: ModuleScope) -> list[ast.FunctionDef]:
    return [node for node in scope.lifted if isinstance(node, ast.FunctionDef)]


def check_item(it: Interpreter, node: ast.Subscript, owner: Value, index: Value) -> None:
    """A number in a module's dict of settings is read by a known name, and some function sets another one."""
    function, scope = it.activation.function, it.frame.scope
    if not isinstance(owner, Container) or not isinstance(index, Const):
        return
    if not isinstance(node.value, ast.Name):
        check_item_elsewhere(it, node, owner, index)
        return
    if not it.ctx.staging or it.ctx.host or function is None or it.state.read(scope.frame).get(node.value.id) != owner:
        return
    name = item_name(node.value.id, index.value)
    it.note_global(scope, name)
    held, write = it.state.read(owner).get(("k", index.value)), scope.mutated.get(name)
    left = it.base.get(owner, {}).get(("k", index.value))
    if isinstance(held, (Opaque, Static)) and left is not None:
        held = left  # what the module begins with says what kind of setting it is
    if write is None:
        check_item_elsewhere(it, node, owner, index)
        return
    if held is None or isinstance(held, Container) or not _is_data(held):
        return
    is_meant = _is_meant(it, scope, write, node.value.id, function.node)
    if not is_meant and not _writes_items(function.node, node.value.id):
        where = Provenance(Why.CHANGED, (name,), scope, write)
        it.emit(events.StaleRead(node, name, where, only_sets(scope, function.node, write, node.value.id)))


def check_item_elsewhere(it: Interpreter, node: ast.Subscript, owner: Value, index: Value) -> None:
    """A number in a module's dict of settings is read by a known name, and a loop of another module sets it anew."""
    function, home = it.activation.function, _home_of(it, node.value, owner)
    if home is None or not isinstance(index, Const) or function is None or not it.ctx.staging or it.ctx.host:
        return
    scope, name = home
    it.note_global(scope, item_name(name, index.value))
    held = it.base.get(owner, {}).get(("k", index.value))
    if held is None or isinstance(held, Container) or not _is_data(held):
        return
    other = it.scopes.get(it.ask_program(setter_of_item, scope.name, name, repr(index.value)))
    found = it.ask_text(other, loop_that_sets, name, repr(index.value)) if other is not None else None
    if other is None or found is None:
        return
    (write, loop), started = found, it.ctx.outermost_stage()
    if started is not None and started.scope is other and _inside(started.node, loop):
        return  # each pass compiles anew
    it.emit(events.StaleRead(node, item_name(name, index.value), Provenance(Why.CHANGED, (name,), other, write)))


def _home_of(it: Interpreter, written: ast.expr, owner: Value) -> tuple[ModuleScope, str] | None:
    """The module whose global the owner of an item is, as it is written there, and the name."""
    if not isinstance(owner, Container):
        return None
    if isinstance(written, ast.Name):
        scope, name = it.frame.scope, written.id
    elif isinstance(written, ast.Attribute) and isinstance(written.value, ast.Name):
        module = it.lookup(written.value.id)
        if not isinstance(module, ModuleValue):
            return None
        scope, name = module.scope, written.attr
    else:
        return None
    return (scope, name) if it.state.read(scope.frame).get(name) is owner else None


def setter_of_item(it: Interpreter, module: str, name: str, item: str) -> str:
    """The name of a module that sets an item of a global of another ``module`` in a loop; empty if none does."""
    for scope in list(it.scopes.values()):
        for level, source, meant in it.ask_text(scope, ways_to_item, name, item) if scope.name != module else ():
            found = it.program.resolve_import(scope.module, level, source)
            if module == (f"{found}.{meant}" if meant else found):
                return scope.name
    return ""


def _writes_items(function: ast.AST, name: str) -> bool:
    """Whether a function sets items of the global that it reads."""
    return any(
        isinstance(part, ast.Subscript)
        and not isinstance(part.ctx, ast.Load)
        and isinstance(part.value, ast.Name)
        and part.value.id == name
        for part in descendants(function)
    )


def _keys_read(function: ast.AST, name: str) -> list[object] | None:
    """The keys of the items of a global that a function reads, where it reads nothing else of it."""
    items = {part.value: part.slice for part in descendants(function) if isinstance(part, ast.Subscript)}
    slices = [items.get(part) for part in descendants(function) if isinstance(part, ast.Name) and part.id == name]
    keys: list[object] = [key.value for key in slices if isinstance(key, ast.Constant)]
    return keys if len(keys) == len(slices) else None


def _key_written(write: ast.AST) -> object:
    """The key of the item that an assignment sets, if it is written out."""
    target = write.targets[0] if isinstance(write, ast.Assign) else getattr(write, "target", None)
    key = target.slice if isinstance(target, ast.Subscript) else None
    return key.value if isinstance(key, ast.Constant) else None


def _holds_data(it: Interpreter, value: Container) -> bool:
    """Whether a list or dict holds numbers and arrays and nothing else."""
    parts = [
        item for part in it.state.read(value).values() for item in (part.items if isinstance(part, Tuple) else (part,))
    ]
    return bool(parts) and not any(isinstance(part, Container) or not _is_data(part) for part in parts)


def _is_meant(it: Interpreter, scope: ModuleScope, write: ast.AST, name: str, function: ast.AST) -> bool:
    """Whether the function that writes sets the variable back itself (a context manager, a ``finally``), or writes
    before anything is traced."""
    if scope.tree is None or isinstance(write, ast.Name):
        return False
    it.look_at(scope)
    functions = (node for node in descendants(scope.tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    around = [node for node in functions if _inside(write, node)]
    if not around:
        return False
    writer = max(around, key=lambda node: node.lineno)
    facts = it.facts_of(writer)
    return may_restore(writer, facts) or name in facts.restored or sets_up(scope, function, writer, name)


def is_mode(value: Const, writes: list[ast.AST]) -> bool:
    """A flag that functions switch for a while (`global DEBUG`): under a trace the default is what can be relied on."""
    return isinstance(value.value, bool) and all(isinstance(write, ast.Global) for write in writes)


def check_closure(it: Interpreter, frame: Frame, name: str, value: Value) -> None:
    """A variable of an enclosing function, read by the traced one."""
    reading, function = it.reading, it.activation.function
    if reading is None or reading.id != name or function is None:
        return
    if isinstance(value, (Array, Tree)) and value.level == GRAD and function.node in it.custom_rules:
        it.emit(events.ClosedOverTracer(reading, name, it.transform, value))
    elif frame.ctx is it.ctx:
        return
    elif it.ctx.staging and not it.ctx.host and _may_be_data(it, function, name, value):
        if frame.function is None or not _is_bound_again(it, frame.function, name) or not _is_compiled_since(it, frame):
            return
        inner = _traced_around(it, frame) or function
        write = _write_before_a_later_call(it, frame.function.node, name, inner.node, inner.name)
        write = write or _write_before_a_later_trace(it, frame, frame.function.node, name)
        if write is not None:
            it.emit(events.StaleRead(reading, name, Provenance(Why.REBOUND, (name,), frame.scope, write)))


def _may_be_data(it: Interpreter, function: Function, name: str, value: Value) -> bool:
    """Whether it is a number or an array, as far as is known; what a variable is bound to anew, and not only called, is
    most often one."""
    if isinstance(value, Opaque):
        return reads_beyond_calls(function.node, it.facts_of(function.node))[name] > 0
    return _is_data(value) and not isinstance(value, Key)


_COMPILERS = ("jit", "pmap")


def _is_bound_again(it: Interpreter, outer: Function, name: str) -> bool:
    """Whether a function binds a variable several times, or in a loop, or has a function that does."""
    facts = it.facts_of(outer.node)
    if facts.bound_again is None:
        facts.bound_again = frozenset(_bound_again(it, outer.node, facts))
    return name in facts.bound_again


def _bound_again(it: Interpreter, outer: FunctionNode, facts: FunctionFacts) -> Iterator[str]:
    parts = list(descendants(outer))
    loops, given = loops_in(outer, facts), parameter_names(outer)
    functions = [it.facts_of(part) for part in parts if isinstance(part, ast.FunctionDef) and part is not outer]
    for name, writes in facts.stored.items():
        if len(writes) + (name in given) > 1 or any(_inside(write, loop) for loop in loops for write in writes):
            yield name
    for inner in functions:
        yield from (name for name in inner.nonlocals if name in inner.stored)


def _write_before_a_later_call(
    it: Interpreter, outer: FunctionNode, name: str, inner: ast.AST, called_as: str
) -> ast.AST | None:
    """A binding of ``name`` after ``inner`` has been defined and used, and before it is called again; only a compiled
    function keeps the old value."""
    end = getattr(inner, "end_lineno", 0)
    functions = (node for node in descendants(outer) if isinstance(node, ast.FunctionDef))
    changers = [node for node in functions if _rebinds(it, node, name) and not _inside(node, inner)]
    writes = [write for write in it.facts_of(outer).stored.get(name, []) if getattr(write, "lineno", 0) > end]
    writes += [call for changer in changers for call in _calls(outer, changer.name)]
    if writes:
        write = _before_a_later_call(writes, outer, inner, called_as)
        if write is not None:
            return write
    counters = [changer for changer in changers if updates(changer, name) and _is_handed_out(outer, changer.name)]
    return counters[0] if counters and _is_handed_out(outer, called_as) else None


def _write_before_a_later_trace(it: Interpreter, frame: Frame, outer: FunctionNode, name: str) -> ast.AST | None:
    """The same of a compiled function beside the one that reads, which has called that: it is called again."""
    it.ask_of_trace(OfTrace.ROOTS)
    ctx: Context | None = it.ctx
    roots: list[ast.FunctionDef] = []
    while ctx is not None and ctx is not frame.ctx:
        if ctx.transform.endswith(_COMPILERS) and isinstance(ctx.root, ast.FunctionDef) and _inside(ctx.root, outer):
            roots.append(ctx.root)
        ctx = ctx.parent
    found = (_write_before_a_later_call(it, outer, name, root, root.name) for root in roots)
    return next((write for write in found if write is not None), None)


def _is_compiled_since(it: Interpreter, frame: Frame) -> bool:
    """Whether the function that runs, or one around it, is compiled in what the frame runs."""
    it.ask_of_trace(OfTrace.TRANSFORMS)
    ctx: Context | None = it.ctx
    while ctx is not None and ctx is not frame.ctx and not ctx.transform.endswith(_COMPILERS):
        ctx = ctx.parent
    return ctx is not None and ctx is not frame.ctx


def _before_a_later_call(writes: list[ast.AST], outer: ast.AST, inner: ast.AST, called_as: str) -> ast.AST | None:
    loops = [loop for loop in descendants(outer) if isinstance(loop, (ast.For, ast.While)) and not _inside(inner, loop)]
    if decorators(inner):
        calls = _given_or_called(outer, called_as)
        found = _between(writes, calls, _used_at(outer, called_as), loops, getattr(inner, "end_lineno", 0))
        if found is not None:
            return found
    for name, made in _made_of(outer, inner, called_as).items():
        calls = _given_or_called(outer, name)
        lasting = [loop for loop in loops if not _inside(made, loop)]  # another one is made in each pass of the others
        found = _between(writes, calls, {call.lineno for call in calls}, lasting, made.end_lineno or made.lineno)
        if found is not None:
            return found
    return None


def _between(
    writes: list[ast.AST], calls: list[ast.Call], uses: set[int], loops: list[ast.For | ast.While], end: int
) -> ast.AST | None:
    """The first write after a use of what is there from the line ``end`` on, and before a call of it."""
    for write in writes:
        is_traced = any(end < line < getattr(write, "lineno", 0) for line in uses)
        for call in calls:
            together = any(_inside(write, loop) and _inside(call, loop) for loop in loops)
            if together or (is_traced and call.lineno > getattr(write, "lineno", 0)):
                return write
    return None


def _made_of(outer: ast.AST, inner: ast.AST, function: str) -> dict[str, ast.Assign]:
    """The variables that a function binds once, to what something makes of another function: `step = jit(grad(f))`."""
    bound = [part.id for part in descendants(outer) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
    return {
        part.targets[0].id: part
        for part in descendants(outer)
        if isinstance(part, ast.Assign)
        and isinstance(part.targets[0], ast.Name)
        and isinstance(part.value, ast.Call)
        and bound.count(part.targets[0].id) == 1
        and any(
            inside is inner or (isinstance(inside, ast.Name) and inside.id == function)
            for inside in descendants(part.value)
        )
    }


def _used_at(outer: ast.AST, name: str, met: frozenset[str] = frozenset()) -> set[int]:
    """The lines of a function at which one inside it is used.  In the body of a further one that is where this is."""
    inner = [node for node in descendants(outer) if isinstance(node, ast.FunctionDef) and node is not outer]
    found = set[int]()
    for node in descendants(outer):
        if isinstance(node, ast.Name) and node.id == name:
            around = {one.name for one in inner if any(_inside(node, statement) for statement in one.body)}
            found |= (
                set().union(*(_used_at(outer, one, met | around) for one in around - met)) if around else {node.lineno}
            )
    return found


def _rebinds(it: Interpreter, node: ast.FunctionDef, name: str) -> bool:
    """Whether a function gives a variable of the one around it another value for good."""
    facts = it.facts_of(node)
    return name in facts.nonlocals and name in facts.stored and name not in facts.restored


def _calls(outer: ast.AST, name: str) -> list[ast.Call]:
    return [
        call
        for call in descendants(outer)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == name
    ]


def _given_or_called(outer: ast.AST, name: str) -> list[ast.Call]:
    """The calls of a function, and those that are handed it: who takes a function calls it."""
    handed = [
        call
        for call in descendants(outer)
        if isinstance(call, ast.Call)
        and any(isinstance(one, ast.Name) and one.id == name for one in (*call.args, *(k.value for k in call.keywords)))
    ]
    return _calls(outer, name) + handed


def _is_handed_out(outer: ast.AST, name: str) -> bool:
    """Whether a function is more than called in the one around it, so that others may call it, time and again."""
    called = {id(call.func) for call in _calls(outer, name)}
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load) and id(node) not in called
        for node in descendants(outer)
    )


def _inside(node: ast.AST, outer: ast.AST) -> bool:
    start, end = getattr(outer, "lineno", 0), getattr(outer, "end_lineno", 0)
    return start <= getattr(node, "lineno", -1) <= end
