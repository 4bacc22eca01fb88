"""What each kind of statement does to the state.  One function a kind, in one table at the end."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from jaxlint.flow.domain.asked import known_of
from jaxlint.flow.domain.contexts import OfTrace
from jaxlint.flow.domain.slots import slot_of_item
from jaxlint.flow.domain.state import join_states
from jaxlint.flow.domain.values import (
    CONCRETE,
    NONE,
    Array,
    Const,
    Container,
    External,
    ExternalInstance,
    HostArray,
    Instance,
    Iterator,
    Key,
    Opaque,
    Tree,
    Tuple,
    Value,
)
from jaxlint.flow.engine.calling.calls import make_class, make_function
from jaxlint.flow.engine.eval.assignment import assign
from jaxlint.flow.engine.eval.cases import match
from jaxlint.flow.engine.eval.loops import passes_over_unknown, run_loop, run_one_by_one
from jaxlint.flow.limits import UNROLL_LIMIT
from jaxlint.flow.models.arrays import arrays, conditions, unrolled
from jaxlint.flow.models.arrays.lacking import has_nothing_to_handle
from jaxlint.flow.models.jax.transforms import lower
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.names import clocks, expectations, imports, reporting, timed_blocks
from jaxlint.flow.models.objects import beginnings, classes, containers, own_managers
from jaxlint.flow.models.objects.binding import ask
from jaxlint.flow.models.objects.iteration import begun, check_used_up, iterate, iterator_of, known_items
from jaxlint.flow.models.objects.unnamed_attributes import attributes_changed
from jaxlint.flow.models.python.frozen_stores import check_store
from jaxlint.flow.models.python.items import get_item, store_item
from jaxlint.flow.models.traces.outer_writes import outlives
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.left_early import is_left_early
from jaxlint.flow.source.seen_failing import RAISING
from jaxlint.flow.source.text import dotted
from jaxlint.project.ipython import TIMED
from jaxlint.semantics import libraries, transforms


def branch(it: Interpreter, test: ast.expr, then: Callable[[], None], otherwise: Callable[[], None], how: str) -> None:
    """Runs both sides of a condition under what it tells, and joins the paths that arrive."""
    verdict = conditions.condition(it, test, how)
    if not it.alive:
        return
    origin = it.state
    arrived = []
    it.undecided += verdict is None
    if verdict is not False:
        it.state = origin.fork()
        it.alive = conditions.assume(it, test, True)
        if it.alive:
            then()
        if it.alive:
            arrived.append(it.state)
    if verdict is not True:
        it.state = origin
        it.alive = conditions.assume(it, test, False)
        if it.alive:
            otherwise()
        if it.alive:
            arrived.append(it.state)
    if len(arrived) == 2:  # else what follows happens on this condition, too
        it.undecided -= 1
    it.settle(arrived)


def _if(it: Interpreter, node: ast.If) -> None:
    for_checkers = _asks_for_checkers(it, node.test)
    if for_checkers is None:
        branch(it, node.test, lambda: it.exec_block(node.body), lambda: it.exec_block(node.orelse), "if")
        return
    told, run = (node.body, node.orelse) if for_checkers else (node.orelse, node.body)
    it.exec_block(told)  # names for annotations: what is run may bind them anew
    it.alive = True
    it.exec_block(run)


def _asks_for_checkers(it: Interpreter, test: ast.expr) -> bool | None:
    """Whether a condition is `TYPE_CHECKING`, or False if it is the opposite; None if it is another."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        opposite = _asks_for_checkers(it, test.operand)
        return None if opposite is None else not opposite
    chain = test.value if isinstance(test, ast.Attribute) else test
    value = it.lookup(chain.id) if isinstance(chain, ast.Name) else None
    if not isinstance(value, External):
        return None
    name = f"{value.name}.{test.attr}" if isinstance(test, ast.Attribute) else value.name
    return True if name in _FOR_CHECKERS else None


_FOR_CHECKERS = frozenset(("typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING"))


def _while(it: Interpreter, node: ast.While) -> None:
    def step() -> bool:
        verdict = conditions.condition(it, node.test, "while")
        if verdict is False:
            return False
        it.alive = conditions.assume(it, node.test, True)
        return it.alive

    forever = isinstance(node.test, ast.Constant) and bool(node.test.value)
    steps = [step] * passes_over_unknown(it, node)
    run_loop(it, node, steps, lambda: it.exec_block(node.body), node.orelse, may_skip=not forever, forever=forever)


def _for(it: Interpreter, node: ast.For | ast.AsyncFor) -> None:
    iterable = iterator_of(it, it.eval(node.iter), node.iter)
    check_used_up(it, iterable, node.iter)
    if isinstance(iterable, Key) and iterable.batch and is_left_early(node):
        iterable = begun(it, iterable, node.iter)
    items = run_one_by_one(it, known_items(it, iterable, UNROLL_LIMIT.value), node)
    steps: list[Callable[[], bool]]
    if items is not None:
        steps = [_binder(it, node.target, item) for item in items]
    else:

        def advance() -> bool:
            it.assigned = None
            item = iterate(it, iterable, node.iter)
            it.note_step(*it.loops[-1], item)
            assign(it, node.target, item, node)
            return True

        steps = [advance] * passes_over_unknown(it, node)
    count = len(steps) if items is not None else _number_of_passes(iterable)
    run_loop(it, node, steps, lambda: it.exec_block(node.body), node.orelse, may_skip=count is None, count=count)
    if items is None:
        unrolled.check_loop(it, node, iterable)


def _number_of_passes(iterable: Value) -> int | None:
    """How many passes a loop has, where that is known although they are not run one by one."""
    source = iterable.source if isinstance(iterable, Iterator) and iterable.kind == "range" else None
    if isinstance(source, Const) and isinstance(source.value, int) and source.value > 0:
        return source.value
    return None


def _binder(it: Interpreter, target: ast.expr, item: Value) -> Callable[[], bool]:
    def bind() -> bool:
        it.assigned = None
        it.note_step(*it.loops[-1], item)
        assign(it, target, item, target)
        return True

    return bind


def _break(it: Interpreter, node: ast.Break) -> None:
    if it.activation.loops:
        it.activation.loops[-1].breaks.append(it.state)
    it.alive = False


def _continue(it: Interpreter, node: ast.Continue) -> None:
    if it.activation.loops:
        it.activation.loops[-1].continues.append(it.state)
    it.alive = False


def _return(it: Interpreter, node: ast.Return) -> None:
    value: Value = NONE
    if node.value is not None:
        value = conditions.with_told(it, node.value, it.eval(node.value))
        value = keys.handed_back(it, value, node.value)
    it.activation.returns.append((it.state, value))
    it.alive = False


def _raise(it: Interpreter, node: ast.Raise) -> None:
    """An error message built on a failing path is nobody's concern, but who watches wants to know its names."""
    if it.watch is not None:
        with it.quiet():
            for part in (node.exc, node.cause):
                if part is not None:
                    it.eval(part)
    it.alive = False


def _assert(it: Interpreter, node: ast.Assert) -> None:
    conditions.condition(it, node.test, "assert")
    if node.msg is not None and it.watch is not None:
        with it.scratch(), it.quiet():
            it.eval(node.msg)
    it.alive = conditions.assume(it, node.test, True)


def _expr(it: Interpreter, node: ast.Expr) -> None:
    value = it.eval(node.value)
    if isinstance(node.value, ast.Call):
        arrays.check_discarded(it, node.value, value)
        _renew_attributes(it, node.value)
        if isinstance(node.value.func, ast.Attribute):
            attributes_changed(it, node.value.func.value, node.value)


def _renew_attributes(it: Interpreter, call: ast.Call) -> None:
    """A method that cannot be seen, and is called for what it does, may give each attribute another value."""
    if not isinstance(call.func, ast.Attribute) or it.muted or not _is_path(call.func.value):
        return
    with it.scratch(), it.quiet():
        owner = it.eval(call.func.value)
    if isinstance(owner, Opaque) and owner.parts:
        cell = it.state.write(owner)
        for selector in owner.parts.keys() | cell.keys():
            if isinstance(selector, tuple) and selector[0] == "attr":
                cell[selector] = Opaque(selector[1])
    elif isinstance(owner, Instance) and _is_foreign(it, owner, call.func.attr):
        cell = it.state.write(owner)
        for name, value in cell.items():
            if isinstance(value, (Key, Opaque)):
                cell[name] = Opaque(f"self.{name}")


def _is_path(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _is_foreign(it: Interpreter, owner: Instance, method: str) -> bool:
    """Whether a method is neither the class's own nor that of a base whose methods are known to leave it alone."""
    if classes.find_member(it, owner.cls, method) is not None or beginnings.is_set_at_start(it, owner.cls, method):
        return False
    bases = [base for part in classes.linearized(owner.cls) for base in part.bases]
    return not any(isinstance(base, External) for base in bases)


def _assign(it: Interpreter, node: ast.Assign) -> None:
    value = conditions.with_told(it, node.value, it.eval(node.value))
    it.assigned = node.value
    for target in node.targets:
        assign(it, target, value, node)


def _ann_assign(it: Interpreter, node: ast.AnnAssign) -> None:
    if node.value is not None:
        value = it.eval(node.value)
        it.assigned = node.value
        assign(it, node.target, value, node)


def _aug_assign(it: Interpreter, node: ast.AugAssign) -> None:
    right = it.eval(node.value)
    it.assigned = None
    target = node.target
    if isinstance(target, ast.Subscript):
        owner = it.eval(target.value)
        index = it.eval(target.slice)
        arrays.check_item_store(it, owner, index, right, node, type(node.op))
        old = get_item(it, owner, index, target)
        value = arrays.in_place(it, old, right, node.op, node)
        if _counts_traces(owner, index, right):
            containers.put(it, owner, index, value)  # type: ignore[arg-type]
        else:
            store_item(it, owner, index, value, node)
        return
    it.reading = None
    if isinstance(target, ast.Name):
        arrays.check_rebound_argument(it, target, right, node)
        old_value = it.lookup(target.id)
    else:
        old_value = it.eval(target)
    old = old_value if old_value is not None else Opaque(dotted(target))
    if isinstance(node.op, ast.Add) and isinstance(old, Container):
        if isinstance(target, ast.Attribute):  # the list takes what is added, and is then set again
            check_store(it, it.eval(target.value), target.value, target.attr, node)
        containers.extend(it, old, right, node)
        return
    if isinstance(old, HostArray) and isinstance(target, ast.Name):
        arrays.check_buffer_update(it, old, right, node)
        it.bind(target.id, old if not isinstance(right, (Array, Tree)) else Array(right.level, right.provenance))
        return
    assign(it, target, arrays.in_place(it, old, right, node.op, node), node, augmented=True)


def _counts_traces(owner: Value, index: Value, right: Value) -> bool:
    """traces[0] += 1: a list of one number that counts how often JAX traces, on purpose."""
    return (
        isinstance(owner, Container) and owner.kind == "list" and isinstance(index, Const) and isinstance(right, Const)
    )


def _delete(it: Interpreter, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            it.state.write(it.frame).pop(target.id, None)
        elif isinstance(target, ast.Subscript):
            owner = it.eval(target.value)
            index = it.eval(target.slice)
            arrays.check_item_store(it, owner, index, NONE, target, ast.Delete)
            ask(it, owner, "__delitem__", [index], target)
            if isinstance(owner, Container):
                if not owner.parameter:  # of an argument, it is the function's own copy that shrinks
                    it.assigned = None
                    slot = slot_of_item(owner, index, deleted=True)
                    outlives(it, owner, None, "item", dotted(target.value), target, slot)
                containers.forget(it, owner)
        elif isinstance(target, ast.Attribute):
            check_store(it, it.eval(target.value), target.value, target.attr, target, deleted=True)
        elif isinstance(target, (ast.Tuple, ast.List)):
            _delete(it, ast.Delete(targets=target.elts))


def _function(it: Interpreter, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    function = make_function(it, node)
    it.bind(node.name, function)
    scope = it.frame.scope
    if node.name == TIMED and scope.module.document.layout is not None:
        scope.globals_timed[node] = dict(known_of(it.state.read(scope.frame)))  # it runs here and never again
        clocks.time_calls(it, function, node.body[-1])


def _class(it: Interpreter, node: ast.ClassDef) -> None:
    it.bind(node.name, make_class(it, node))


def _import(it: Interpreter, node: ast.Import) -> None:
    imports.bind_import(it, node)


def _import_from(it: Interpreter, node: ast.ImportFrom) -> None:
    imports.bind_from_import(it, node)


def _nothing(it: Interpreter, node: ast.stmt) -> None:
    """global and nonlocal are read from the function's facts, pass and type aliases do nothing."""


def _with(it: Interpreter, node: ast.With | ast.AsyncWith) -> None:
    saved_ctx, saved_expected, eager = it.ctx, it.expected, 0
    managers: list[tuple[Value, ast.expr]] = []
    timed = [item.context_expr for item in node.items if timed_blocks.is_timed(it, item.context_expr)]
    for item in node.items:
        manager = it.eval(item.context_expr)
        entered = _entered(it, manager, item.context_expr)
        managers.append((manager, item.context_expr))
        if item.optional_vars is not None:
            assign(it, item.optional_vars, entered, node)
        name = _manager_name(manager)
        if name == transforms.COMPILE_TIME_EVAL:
            it.ask_of_trace(OfTrace.TRANSFORMS)
            it.ctx = it.ctx.compile_time()
        elif name == transforms.DISABLE_JIT:
            eager += 1
        callee = _callee(it, item.context_expr, name)
        if callee in libraries.KEY_SCOPES:
            it.ctx = it.ctx.with_own_keys(callee)
        elif callee.rpartition(".")[2] in _EXPECTING:
            it.expected += (_expected_by(it, item.context_expr),)
        elif (caught := own_managers.caught_by(it, item.context_expr, manager)) is not None:
            it.expected += (caught,)
    before = {owner: dict(it.state.read(owner)) for owner in it.state.cells} if eager and not it.ctx.tracing else None
    it.unstaged += eager  # without jit the loops run step by step, which is not modelled
    returned = len(it.activation.returns)
    begun = clocks.now()
    it.exec_block(node.body)
    for manager_node in timed:
        clocks.check_block(it, begun, manager_node)
    _leave(it, returned, lambda: _exit(it, managers))
    it.unstaged -= eager
    if before is not None:
        _keep_values(it, before)
    expects = len(it.expected) > len(saved_expected)
    it.ctx, it.expected = saved_ctx, saved_expected
    if expects and not it.alive:
        it.alive = True


def _exit(it: Interpreter, managers: list[tuple[Value, ast.expr]]) -> None:
    for manager, written in reversed(managers):
        ask(it, manager, "__exit__", [NONE, NONE, NONE], written)


def _leave(it: Interpreter, since: int, last: Callable[[], None]) -> None:
    """What is done last, however a block was left: where it ends, and in each state in which it has returned, of those
    that the function has ``since`` then."""
    if it.alive:
        last()
    state, alive, returns = it.state, it.alive, it.activation.returns
    for number in range(since, len(returns)):
        it.state, value = returns[number]
        it.alive = True
        last()
        returns[number] = it.state, value
    it.state, it.alive = state, alive


def _keep_values(it: Interpreter, before: dict[Value, dict[Any, Value]]) -> None:
    """What code outside traces has kept since ``before`` is no tracer: without jit nothing was traced."""
    for owner in list(it.state.cells):
        old = before.get(owner, {})
        kept = {
            name: lower(it, value, CONCRETE)
            for name, value in it.state.read(owner).items()
            if isinstance(value, (Array, Tree, Key, Tuple))
            and value is not old.get(name)
            and arrays.tracer_in(it, value) is not None
        }
        if kept:
            it.state.write(owner).update(kept)


_EXPECTING = RAISING | {"suppress"}


_EXCEPTION_KEYWORDS = ("expected_exception", "exception")


def _callee(it: Interpreter, manager: ast.expr, name: str) -> str:
    """What a `with` calls to get its manager, if that is not ``name`` already."""
    if not isinstance(manager, ast.Call):
        return name
    with it.quiet():
        function = it.eval(manager.func)
    return function.name if isinstance(function, External) else dotted(manager.func)


def _expected_by(it: Interpreter, manager: ast.expr) -> frozenset[str]:
    """The exceptions that `pytest.raises(…)` and the like catch."""
    if not isinstance(manager, ast.Call):
        return expectations.ANYTHING
    callee = _callee(it, manager, "").rpartition(".")[2]
    options = manager.args if callee == "suppress" else manager.args[:1]
    options = options + [keyword.value for keyword in manager.keywords if keyword.arg in _EXCEPTION_KEYWORDS]
    if not options:
        return expectations.ANYTHING
    with it.quiet():
        return expectations.caught_by(it, [it.eval(option) for option in options])


def _manager_name(manager: Value) -> str:
    if isinstance(manager, ExternalInstance):
        return manager.made_by
    if isinstance(manager, External):
        return manager.name
    return manager.text if isinstance(manager, Opaque) else ""


def _entered(it: Interpreter, manager: Value, node: ast.expr) -> Value:
    if isinstance(manager, (ExternalInstance, Opaque)):
        return manager
    entered = ask(it, manager, "__enter__", [], node)
    return Opaque("a context manager's value") if entered is None else entered


def _try(it: Interpreter, node: ast.Try) -> None:
    """The handlers start from before the body: what a failed body consumed is not held against them."""
    arrays.check_handlers(it, node)
    before, returned = it.state.fork(), len(it.activation.returns)
    expected, reported = it.expected, it.activation.handled
    handled = [handler for handler in node.handlers if not _passes_on(handler.body)]
    telling = [handler for handler in handled if reporting.only_reports(it, handler)]
    it.activation.handled += tuple(_caught(it, handler) for handler in telling)
    it.expected += tuple(_caught(it, handler) for handler in handled if handler not in telling)
    is_trying = len(telling) < len(node.handlers)
    it.trying += is_trying
    it.exec_block(node.body)
    it.trying -= is_trying
    it.expected, it.activation.handled = expected, reported
    if it.alive:
        it.exec_block(node.orelse)
    arrived = [it.state] if it.alive else []
    for handler in node.handlers if not (it.alive and _only_fetches_jax(node)) else ():
        it.state, it.alive = before.fork(), True
        if has_nothing_to_handle(it, handler, node.body):
            continue
        if handler.type is not None:
            it.eval(handler.type)
        if handler.name:
            it.bind(handler.name, Opaque("an exception"))
        it.exec_block(handler.body)
        if it.alive:
            arrived.append(it.state)
    if node.finalbody:
        reached = bool(arrived)
        it.state, it.alive = join_states(arrived) or before, reached or returned == len(it.activation.returns)
        _leave(it, returned, lambda: it.exec_block(node.finalbody))
        it.alive = it.alive and reached
        return
    it.settle(arrived)


def _only_fetches_jax(node: ast.Try) -> bool:
    """Whether nothing but an import of jax can fail in the body: where there is no jax, nothing is traced."""
    return all(
        (isinstance(part, ast.Import) and all(alias.name.partition(".")[0] in _OF_JAX for alias in part.names))
        or (isinstance(part, ast.ImportFrom) and not part.level and (part.module or "").partition(".")[0] in _OF_JAX)
        or (isinstance(part, ast.Assign) and isinstance(part.value, (ast.Constant, ast.Name)))
        for part in node.body
    ) and any(isinstance(part, (ast.Import, ast.ImportFrom)) for part in node.body)


_OF_JAX = ("jax", "jaxlib")


def _caught(it: Interpreter, handler: ast.ExceptHandler) -> frozenset[str]:
    if handler.type is None:
        return expectations.ANYTHING
    with it.quiet():
        return expectations.caught_by(it, [it.eval(handler.type)])


def _passes_on(body: list[ast.stmt]) -> bool:
    """Whether a handler ends by raising, whatever it does before."""
    last = body[-1]
    if isinstance(last, ast.If):
        return _passes_on(last.body) and bool(last.orelse) and _passes_on(last.orelse)
    return isinstance(last, ast.Raise)


STATEMENTS: dict[type, Callable[[Interpreter, Any], None]] = {
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Return: _return,
    ast.Delete: _delete,
    ast.Assign: _assign,
    ast.AugAssign: _aug_assign,
    ast.AnnAssign: _ann_assign,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.If: _if,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Match: match,
    ast.Raise: _raise,
    ast.Try: _try,
    ast.Assert: _assert,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Global: _nothing,
    ast.Nonlocal: _nothing,
    ast.Expr: _expr,
    ast.Pass: _nothing,
    ast.Break: _break,
    ast.Continue: _continue,
}
for _name in ("TryStar",):
    if hasattr(ast, _name):
        STATEMENTS[getattr(ast, _name)] = _try
if hasattr(ast, "TypeAlias"):
    STATEMENTS[ast.TypeAlias] = _nothing
