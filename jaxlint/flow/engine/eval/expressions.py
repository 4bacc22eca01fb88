"""What each kind of expression evaluates to.  One function a kind, in one table at the end."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable
from typing import Any

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.state import join_states, join_values
from jaxlint.flow.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Container,
    External,
    Frame,
    Iterator,
    Opaque,
    Slice,
    Static,
    Transformed,
    Tree,
    Tuple,
    Value,
)
from jaxlint.flow.engine.calling.calls import call, make_function
from jaxlint.flow.engine.eval.assignment import assign
from jaxlint.flow.engine.eval.loops import passes_over_unknown, run_one_by_one
from jaxlint.flow.limits import (
    KNOWN_ARGUMENTS,
    KNOWN_ITEMS,
    REPEATED_GENERATORS,
    UNROLL_LIMIT,
)
from jaxlint.flow.models.arrays import arrays, conditions, formatted, passes, unrolled
from jaxlint.flow.models.names import buffers, clocks, host_calls
from jaxlint.flow.models.names.leaving import never_returns
from jaxlint.flow.models.objects import containers
from jaxlint.flow.models.objects.binding import OF_BUILTINS, ask_first
from jaxlint.flow.models.objects.iteration import (
    any_entry_of,
    check_used_up,
    entries_of,
    generated,
    iterate,
    iterator_of,
    known_fields,
    known_items,
)
from jaxlint.flow.models.python.attributes import get_attribute
from jaxlint.flow.models.python.items import get_item
from jaxlint.flow.observers import (
    changed_places,
    changing_shapes,
    changing_statics,
    changing_structures,
    donated,
    outer_reads,
    recompilation,
    recreated,
)
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.text import dotted
from jaxlint.semantics.compiling import RUN_AT_ONCE
from jaxlint.semantics.sending import DISPATCHING

_BUILTINS = frozenset(dir(builtins))


def _constant(it: Interpreter, node: ast.Constant) -> Value:
    value = node.value
    if value is None:
        return NONE
    if value is True:
        return TRUE
    if value is False:
        return FALSE
    return Const(value)


def _name(it: Interpreter, node: ast.Name) -> Value:
    it.reading = node
    value = it.lookup(node.id)
    if value is not None:
        return value
    if node.id in _BUILTINS:
        return External(f"builtins.{node.id}")
    return Opaque(node.id)


def _attribute(it: Interpreter, node: ast.Attribute) -> Value:
    owner = it.eval(node.value)
    value = get_attribute(it, owner, node.attr, node)
    if it.ctx.staging:
        changed_places.check(it, node, owner, value)
    return value


def _subscript(it: Interpreter, node: ast.Subscript) -> Value:
    owner = it.eval(node.value)
    index = it.eval(node.slice)
    if it.ctx.staging:
        outer_reads.check_item(it, node, owner, index)
    value = get_item(it, owner, index, node)
    if it.ctx.staging:
        changed_places.check(it, node, owner, value)
    return value


def _slice(it: Interpreter, node: ast.Slice) -> Value:
    lower, upper, step = (it.eval(part) if part is not None else NONE for part in (node.lower, node.upper, node.step))
    clocks.wait_for(it, (lower, upper, step))  # whatever is sliced, bounds are numbers
    return Slice(lower, upper, step)


def _callee(it: Interpreter, node: ast.expr) -> Value:
    if not isinstance(node, ast.Call):
        return it.eval(node)
    before, it.called_at_once = it.called_at_once, node
    try:
        return it.eval(node)
    finally:
        it.called_at_once = before


def _call(it: Interpreter, node: ast.Call) -> Value:
    function = _callee(it, node.func)
    if isinstance(function, Transformed):
        if it.loops:
            recompilation.note_call(it, function)
        recreated.note_call(it, function)
    reports = host_calls.only_reports(it, function)
    it.logging += reports
    try:
        it.consumed = _consumed_by(function, node)
        is_reached = it.alive
        arguments = _arguments(it, node)
        if is_reached and not it.alive:
            return Opaque("a call that is not reached")
        if isinstance(function, Transformed):
            changing_statics.note_call(it, function, arguments, node)
            changing_structures.note_call(it, function, arguments, node)
            if it.loops:
                changing_shapes.note_call(it, function, arguments, node)
        if it.donates:
            donated.check_call(it, function, arguments, node)
        if isinstance(function, External) and function.name in RUN_AT_ONCE:
            recreated.note_run(it, function.name, arguments, node)
        it.callee = function
        result = call(it, function, arguments, node)
        it.alive = it.alive and not never_returns(function)
        if it.donates:
            donated.note_same(it, function, arguments, result)
        if isinstance(function, Transformed):
            donated.note_call(it, function, arguments, result, node)
            if function.name in DISPATCHING:
                buffers.note_sent(it, dotted(node.func), arguments.values(), node)
        if isinstance(result, Transformed):
            recreated.note_made(it, result, node)
        return result
    finally:
        it.logging -= reports


def _consumed_by(function: Value, node: ast.Call) -> ast.expr | None:
    """The generator expression of which a call asks for all items at once, and does nothing else with them."""
    is_made = isinstance(function, External) and function.name in ("builtins.tuple", "builtins.list")
    return node.args[0] if is_made and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp) else None


def _arguments(it: Interpreter, node: ast.Call) -> Arguments:
    positional: list[Value] = []
    open_ended = False
    certain: int | None = None
    rests: list[Value] = []
    after: list[Value] = []
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            if isinstance(argument.value, ast.GeneratorExp):
                it.consumed = argument.value
            starred = iterator_of(it, it.eval(argument.value), argument.value)
            items = known_items(it, starred, KNOWN_ARGUMENTS.value)
            if items is None:
                open_ended = True
                if not isinstance(starred, Tree):  # who unpacks what it is given knows that it is not empty
                    certain = len(positional) if certain is None else certain
                rests.append(iterate(it, starred, argument.value))
                positional.extend(rests if len(rests) == 1 else ())
                after.clear()  # what is between two of them may be anywhere
            else:
                (after if rests else positional).extend(items)
        else:
            (after if rests else positional).append(it.eval(argument))
    named: dict[str, Value] = {}
    unknown: list[Value] = [Opaque()] if open_ended else []
    before = len(unknown)
    for keyword in node.keywords:
        value = it.eval(keyword.value)
        if keyword.arg is not None:
            named[keyword.arg] = value
        else:
            known = known_fields(it, value)
            if known is None:
                named.update(entries_of(it, value))
                unknown.append(value)
            else:
                named.update(known)
    only = unknown[0] if len(unknown) == 1 else None
    mapping = only if isinstance(only, Tree) or (isinstance(only, Container) and only.kind == "dict") else None
    unsure = 0 if certain is None else len(positional) - certain
    rest = rests[0] if len(rests) == 1 else None
    mappings = unknown[before:]
    others = any_entry_of(it, mappings[0]) if len(mappings) == 1 else None
    return Arguments(
        positional, named, bool(unknown), mapping, rest, others, unsure, tuple(after), more_names=bool(mappings)
    )


def _bin_op(it: Interpreter, node: ast.BinOp) -> Value:
    """Left-leaning chains (a + b + c + …) are walked without recursion: they can be thousands long."""
    chain = [node]
    while isinstance(chain[-1].left, ast.BinOp):
        chain.append(chain[-1].left)
    value = it.eval(chain[-1].left)
    for part in reversed(chain):
        value = arrays.binary(it, value, it.eval(part.right), part.op, part)
    return value


def _unary_op(it: Interpreter, node: ast.UnaryOp) -> Value:
    if isinstance(node.op, ast.Not):
        verdict = conditions.condition(it, node.operand, "not")
        if verdict is None:
            answer = Static("bool", concrete_if=conditions.tells_concrete(it, node))
            passes.note_opposite(it, it.tested.get(node.operand), answer)
            return answer
        return FALSE if verdict else TRUE
    return arrays.unary(it, it.eval(node.operand), node.op, node)


def _bool_op(it: Interpreter, node: ast.BoolOp) -> Value:
    """The value of and/or: any operand at which evaluation may stop."""
    stops_on = isinstance(node.op, ast.Or)
    saved = it.state
    it.state = saved.fork()
    results: list[Value] = []
    displays = [number for number, operand in enumerate(node.values) if isinstance(operand, _DISPLAYS)]
    for number, operand in enumerate(node.values):
        value = it.tested[operand] = it.eval(operand)
        if not it.alive:  # evaluation stops before it, if it comes back
            it.alive = bool(results)
            break
        last = number == len(node.values) - 1
        if last:
            results.append(value)
            break
        is_empty = bool(displays) and number < displays[-1] and _may_be_empty(value)
        asked = value if is_empty else arrays.truth(it, value, operand, "or" if stops_on else "and")
        verdict = conditions.truth_of(it, asked)
        if verdict is not (not stops_on):
            results.append(value)
        if verdict is stops_on or not conditions.assume(it, operand, not stops_on):
            break
    inner = it.state
    it.state = saved
    it.state.uses = inner.uses
    result = results[0] if results else Opaque()
    for value in results[1:]:
        result = join_values(result, inner, value, inner, it.state)
    concrete_if = conditions.tells_concrete(it, node)
    if isinstance(result, Static) and concrete_if is not None:
        return Static(result.kind, concrete_if=concrete_if)
    return result


_DISPLAYS = (ast.Dict, ast.List, ast.Tuple, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp)


def _may_be_empty(value: Value) -> bool:
    """Whether a traced argument of which no more is known has a container in its place where it is empty
    (`params or {}`): it is one as well."""
    return isinstance(value, Tree) and not value.array_like


def _compare(it: Interpreter, node: ast.Compare) -> Value:
    left = it.eval(node.left)
    result: Value = TRUE
    for number, (operator, comparator) in enumerate(zip(node.ops, node.comparators)):
        right = it.eval(comparator)
        result = arrays.compare(it, left, right, operator, node)
        if number < len(node.ops) - 1:
            arrays.truth(it, result, node, "compare")
        left = right
    if it.loops:
        passes.note_answer(it, node, result)
    return result


def _if_exp(it: Interpreter, node: ast.IfExp) -> Value:
    verdict = conditions.condition(it, node.test, "ternary")
    if not it.alive:
        return Opaque()
    origin = it.state
    paths = []
    it.undecided += verdict is None
    for holds, part in ((True, node.body), (False, node.orelse)):
        if verdict is (not holds):
            continue
        it.state = origin.fork()
        if conditions.assume(it, node.test, holds):
            value = it.eval(part)
            if it.alive:
                paths.append((it.state, value))
            it.alive = True
    it.undecided -= verdict is None
    if not paths:
        it.state, it.alive = origin, False
        return Opaque()
    state, value = paths[0]
    if len(paths) == 2:
        other_state, other = paths[1]
        joined = join_states([state, other_state])
        assert joined is not None
        value = join_values(value, state, other, other_state, joined)
        state = joined
    state.guards = origin.guards
    it.state = state
    return value


def _lambda(it: Interpreter, node: ast.Lambda) -> Value:
    return make_function(it, node)


def _tuple(it: Interpreter, node: ast.Tuple) -> Value:
    items, are_all = _elements(it, node.elts)
    if are_all:
        return Tuple(tuple(items))
    is_static = all(item.is_static for item in items)
    return Static("tuple") if is_static else containers.make(it, "tuple", None, items)


def _list(it: Interpreter, node: ast.List) -> Value:
    items, are_all = _elements(it, node.elts)
    return containers.make(it, "list", items) if are_all else containers.make(it, "list", None, items)


def _set(it: Interpreter, node: ast.Set) -> Value:
    items, are_all = _elements(it, node.elts)
    if not are_all:
        return containers.make(it, "set", None, items)
    for element, item in zip(node.elts, items):
        arrays.check_hashed(it, item, element, "member")
    return containers.make(it, "set", items)


def _elements(it: Interpreter, nodes: list[ast.expr]) -> tuple[list[Value], bool]:
    """The parts of a display, starred ones unpacked, and whether these are all: one stands for those of a starred part
    of which it is not known how many it has."""
    items: list[Value] = []
    are_all = True
    for node in nodes:
        if isinstance(node, ast.Starred):
            value = it.eval(node.value)
            inner = known_items(it, value, KNOWN_ITEMS.value)
            if inner is None:
                are_all = False
                items.append(iterate(it, value, node))
            else:
                items.extend(inner)
        elif isinstance(node, ast.Constant) and not it.runs_in_place:
            items.append(_constant(it, node))  # a table of a million numbers is no work
        else:
            items.append(it.eval(node))
    return items, are_all


def _dict(it: Interpreter, node: ast.Dict) -> Value:
    result = containers.make(it, "dict", [])
    for key, value_node in zip(node.keys, node.values):
        if key is None:
            containers.extend(it, result, it.eval(value_node), node)
            continue
        key_value = it.eval(key)
        arrays.check_hashed(it, key_value, key, "key")
        containers.put(it, result, key_value, it.eval(value_node))
    return result


def _comprehension(it: Interpreter, node: Any, kind: str) -> Value:
    """Runs the element twice, as a loop would, in a scope of its own."""
    outer = it.frame
    inner = Frame(outer.scope, outer, outer.function)
    inner.globals, inner.nonlocals = outer.globals, outer.nonlocals
    it.frame = inner
    saved_loops, created = it.loops, len(it.activation.created)
    produced: list[Value] = []
    is_reached = it.alive
    exact = _run_generators(it, node, node.generators, produced)
    it.alive = is_reached  # there may be no items, and a generator has not run
    it.frame, it.loops = outer, saved_loops
    if len(it.activation.created) == created:
        it.state.cells.pop(inner, None)  # nothing closes over it
    if kind == "generator":
        return Iterator(generated(it, produced), "generator", it.ctx)
    if kind == "dict":
        return _dict_of(it, produced, exact)
    return containers.make(it, kind, produced) if exact else containers.make(it, kind, None, produced)


def _dict_of(it: Interpreter, pairs: list[Value], exact: bool) -> Value:
    """The dict that a comprehension makes, of which the names are known where they all are."""
    items = [pair.items for pair in pairs if isinstance(pair, Tuple)]
    if not exact or not all(isinstance(key, Const) for key, _ in items):
        return containers.make(it, "dict", None, [value for _, value in items])
    made = containers.make(it, "dict", [])
    for key, value in items:
        containers.put(it, made, key, value)
    return made


def _run_generators(it: Interpreter, node: Any, generators: list[ast.comprehension], produced: list[Value]) -> bool:
    """Binds the first generator's target and goes on with the rest; True when the items are known exactly."""
    if not generators:
        if isinstance(node, ast.DictComp):
            key = it.eval(node.key)
            arrays.check_hashed(it, key, node.key, "key")
            produced.append(Tuple((key, it.eval(node.value))))
        else:
            produced.append(it.eval(node.elt))
        return True
    generator = generators[0]
    iterable = iterator_of(it, it.eval(generator.iter), generator.iter)
    check_used_up(it, iterable, generator.iter)
    items = run_one_by_one(it, known_items(it, iterable, UNROLL_LIMIT.value), node)
    passes = items if items is not None else [None] * passes_over_unknown(it, node)
    if len(passes) > 1 and len(node.generators) - len(generators) >= REPEATED_GENERATORS.value:
        it.meets(REPEATED_GENERATORS, node)
        passes = passes[:1]
    outer_loops, outer_passes = it.loops, it.passes
    it.passes *= max(len(passes), 1)
    exact = items is not None and len(passes) == len(items) and len(generators) == 1
    for number, item in enumerate(passes):
        if len(passes) > 1:
            it.loops = (*outer_loops, (generator, number))
        value = item if item is not None else iterate(it, iterable, generator.iter)
        assign(it, generator.target, value, generator.target)
        guard_state = it.state.guards
        reachable = True
        for test in generator.ifs:
            verdict = conditions.condition(it, test, "filter")
            exact = exact and verdict is not None
            reachable = verdict is not False and conditions.assume(it, test, True)
            if not reachable:
                break
        if reachable:
            exact = _run_generators(it, node, generators[1:], produced) and exact
        it.state.guards = guard_state
    it.loops, it.passes = outer_loops, outer_passes
    if items is None and node.generators == [generator]:
        unrolled.check_comprehension(it, node, generator, iterable)
    return exact


def _await(it: Interpreter, node: ast.Await) -> Value:
    return it.eval(node.value)


def _yield(it: Interpreter, node: ast.Yield) -> Value:
    it.activation.yields.append(it.eval(node.value) if node.value is not None else NONE)
    clocks.settle(it)  # whoever gets it may wait for it
    return Opaque("a sent value")


def _yield_from(it: Interpreter, node: ast.YieldFrom) -> Value:
    it.activation.yields.append(iterate(it, iterator_of(it, it.eval(node.value), node), node))
    clocks.settle(it)
    return Opaque("a sent value")


def _formatted(it: Interpreter, node: ast.FormattedValue) -> Value:
    value = it.eval(node.value)
    clocks.wait_for(it, (value,))
    has_spec = False
    if node.format_spec is not None:
        it.eval(node.format_spec)
        has_spec = isinstance(node.format_spec, ast.JoinedStr) and bool(node.format_spec.values)
    formatted.check_format(it, value, has_spec and node.conversion == -1, node.value, "spec")
    asked_as = {-1: "format", ord("s"): "str"}.get(node.conversion, "repr")
    of_object = ask_first(it, value, OF_BUILTINS[asked_as], [], node)
    return value if of_object is None else of_object


def _joined_str(it: Interpreter, node: ast.JoinedStr) -> Value:
    tainted: Value | None = None
    for part in node.values:
        value = it.eval(part)
        if tainted is None:
            tainted = arrays.tracer_in(it, value, derived=True)
    return Static("str", tainted=tainted)


def _template(it: Interpreter, node: Any) -> Value:
    """A template string keeps its values and formats none of them."""
    for part in node.values:
        it.eval(part)
    return Opaque("a template")


def _interpolation(it: Interpreter, node: Any) -> Value:
    if node.format_spec is not None:
        it.eval(node.format_spec)
    return it.eval(node.value)


def _starred(it: Interpreter, node: ast.Starred) -> Value:
    return it.eval(node.value)


def _named_expr(it: Interpreter, node: ast.NamedExpr) -> Value:
    value = it.eval(node.value)
    it.bind(node.target.id, value)
    return value


EXPRESSIONS: dict[type, Callable[[Interpreter, Any], Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.Call: _call,
    ast.BinOp: _bin_op,
    ast.UnaryOp: _unary_op,
    ast.BoolOp: _bool_op,
    ast.Compare: _compare,
    ast.IfExp: _if_exp,
    ast.Lambda: _lambda,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.ListComp: lambda it, node: _comprehension(it, node, "list"),
    ast.SetComp: lambda it, node: _comprehension(it, node, "set"),
    ast.DictComp: lambda it, node: _comprehension(it, node, "dict"),
    ast.GeneratorExp: lambda it, node: _comprehension(it, node, "list" if node is it.consumed else "generator"),
    ast.Await: _await,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
    ast.FormattedValue: _formatted,
    ast.JoinedStr: _joined_str,
    ast.Starred: _starred,
    ast.NamedExpr: _named_expr,
}
if sys.version_info >= (3, 14):
    EXPRESSIONS |= {ast.TemplateStr: _template, ast.Interpolation: _interpolation}
