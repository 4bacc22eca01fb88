"""Functions that run a callable at once: scan, cond, while_loop, tree.map, callbacks.

One function for each ``binding`` name of ``semantics.model.HigherOrder``.  A callable that stands for many
runs is run at least twice, on what the run before has returned.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any, TypeGuard

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.avals import UNKNOWN, Aval
from jaxlint.flow.domain.contexts import Context, OfTrace, Provenance, Why
from jaxlint.flow.domain.state import Guard, State, join_states, join_values
from jaxlint.flow.domain.values import (
    ABSTRACT,
    CONCRETE,
    GRAD,
    Array,
    Const,
    Container,
    Cut,
    External,
    ExternalInstance,
    Function,
    HostArray,
    Instance,
    Iterator,
    Key,
    Method,
    Opaque,
    Partial,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
    innermost,
)
from jaxlint.flow.limits import KNOWN_ARGUMENTS, LEAF_DEPTH, MAPPED_LEAVES, UNKNOWN_PASSES
from jaxlint.flow.models.arrays import arrays, conditions, handed_back, slopes
from jaxlint.flow.models.arrays.arrays import like
from jaxlint.flow.models.jax import callback_calls, choices, contracts, derivative_calls, map_calls, mapped_trees
from jaxlint.flow.models.jax.given_functions import check_functions
from jaxlint.flow.models.jax.module_calls import note_module_call
from jaxlint.flow.models.jax.replaced import may_be_replaced
from jaxlint.flow.models.jax.scanned import check_scanned
from jaxlint.flow.models.jax.transforms import (
    lift,
    lift_arrays,
    lift_floats,
    lift_nodes,
    lower,
    one_lane,
    static_parameters,
)
from jaxlint.flow.models.names.expectations import NOTHING_DRAWN
from jaxlint.flow.models.objects import classes, containers, instances
from jaxlint.flow.models.objects.computing import only_compute
from jaxlint.flow.models.objects.iteration import iterate, known_fields, known_items
from jaxlint.flow.models.objects.leaves import no_leaf
from jaxlint.flow.models.objects.receivers import is_supposed
from jaxlint.flow.models.python.items import unpack
from jaxlint.flow.models.random.unseen import enter_unknown, note_handed
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics import libraries
from jaxlint.semantics.model import Abstracts, Callback, HigherOrder


class Operation:
    """One call of a higher-order function: its arguments, its context and how values enter its trace."""

    def __init__(self, it: Interpreter, name: str, spec: HigherOrder, args: Arguments, node: ast.AST) -> None:
        self.it = it
        self.name = name
        self.short = name.rpartition(".")[2]
        self.spec = spec
        self.args = args
        self.node = node
        self.provenance = it.provenance(Why.RUN, name, node, it.ctx.provenance)
        if spec.abstracts is Abstracts.NOTHING and not spec.stages:
            self.ctx = it.ctx.with_own_keys(name) if name in libraries.KEY_OWNERS else it.ctx
        else:
            differentiates = spec.abstracts is Abstracts.DIFFERENTIATED
            self.ctx = it.ctx.enter(name, self.provenance, spec.stages, spec.repeats, differentiates=differentiates)
            self.ctx.has_arguments = spec.repeats  # a branch is traced anew, and run once, where it is written
        self.outer_level = ABSTRACT if it.ctx.staging else CONCRETE
        self.goes_on = True

    def argument(self, position: int, keyword: str) -> Value:
        """What an argument is; unknown where a call leaves it out that fails for that."""
        return self.args.get(position, keyword) or Opaque()

    def optional(self, position: int, keyword: str) -> Value:
        return self.args.get(position, keyword) or Const(None)

    def option(self, name: str) -> Value | None:
        """What an option is set to, if it is; unknown where nobody can say whether it is."""
        options, first = self.spec.options, self.spec.callables[0][0] + 1
        return self.args.option(first + options.index(name) if name in options else None, name)

    def lift(self, value: Value, part: str, name: str = "") -> Value:
        """``value`` as the callable sees it."""
        if self.spec.abstracts is Abstracts.NOTHING:
            return value
        step = Provenance(Why.PART, (part, self.short), self.it.frame.scope, self.node, self.provenance)
        self._check_array(value, name)
        if self.spec.abstracts is Abstracts.ARRAYS:
            return lift_arrays(self.it, value, step, name)
        if self.spec.abstracts is Abstracts.NODES:
            return lift_nodes(self.it, value, step, name)
        level = GRAD if self.spec.abstracts is Abstracts.DIFFERENTIATED else ABSTRACT
        with self.it.context(self.ctx):
            filters = self.spec.filters
            lifted = lift_floats(self.it, value, step, name) if filters else lift(self.it, value, level, step, name)
            return slopes.mark(self.it, lifted) if slopes.is_differentiated(self.name) else lifted

    def _check_array(self, value: Value, name: str) -> None:
        """What a function of jax.lax lets its callables have is a tree of arrays."""
        if self.is_of_jax and self.spec.abstracts is Abstracts.ALL and self.is_known:
            what = "" if is_supposed(self.it, value) else no_leaf(self.it, value)
            if what:
                self.it.emit(events.NoArray(self.node, name, self.name, what))

    def element(self, value: Value, repeat: int, name: str) -> Value:
        """What one round is given of ``value``."""
        return self.lift(one_lane(self.it, value, self.node, repeat), "element", name)

    def run(
        self, function: Value, values: list[Value], repeat: int = 0, named: dict[str, Value] | None = None
    ) -> Value:
        """Calls ``function`` inside the trace."""
        saved = self.it.loops
        if self.spec.repeats:
            self.it.loops = (*saved, (self.node, repeat))
        inner, _, _ = innermost(function)
        if self.ctx is not self.it.ctx:
            self.ctx.root = inner.node if inner is not None else None
        self.it.operations.append(self.node)
        with self.it.context(self.ctx):
            result = self.it.call(function, Arguments(values, named or {}), self.node)
        self.it.operations.pop()
        self.it.loops = saved
        return result

    def lower(self, value: Value, batched: bool = False) -> Value:
        if self.spec.abstracts is Abstracts.NOTHING:
            return value
        lowered = lower(self.it, value, self.outer_level, batched, self.provenance)
        if self.it.ctx.is_differentiated and self.spec.abstracts is not Abstracts.DIFFERENTIATED:
            slopes.carry(self.it, value, lowered)
        return lowered

    def carried(self, value: Value, name: str) -> Value:
        """What the next round of a loop is given: containers are made anew, whatever the last round returned."""
        if isinstance(value, Opaque):
            return self.lift(Opaque("carry", key=value.key if value.has_key else None), "carry", "")
        return self.lift(value, "carry", name)

    def part(self, value: Value, index: int, count: int) -> Value:
        with self.it.quiet():
            return unpack(self.it, value, count, None, self.node)[index]

    def gives_no_output(self, function: Value, given: Sequence[Value], result: Value) -> bool:
        """Whether a callable gives what is no tree of arrays, other than what it is ``given``."""
        is_asked = self.is_of_jax and self.spec.abstracts is Abstracts.ALL and can_be_followed(function)
        if not is_asked or not no_leaf(self.it, result):
            return False
        if may_be_replaced(self.it, function) or any(no_leaf(self.it, one) for one in given):
            return False
        return contracts.is_no_output(self.it, self.name, function, result, self.node)

    def check_carry(self, body: Value, before: Value, after: Value, again: contracts.Again) -> None:
        """The first pass of a loop has made this of the carry."""
        refused = self.gives_no_output(body, [before], after)
        self.goes_on = not refused and contracts.check_carry(self.it, self.short, body, before, after, self.node, again)

    def handed_on(self, after: Value) -> Value:
        """What the next pass is given, if there is one."""
        return after if self.goes_on else Opaque("a carry that is refused")

    @property
    def is_of_jax(self) -> bool:
        """Whether it is one of JAX itself; those of libraries ask for other things."""
        return self.name.startswith("jax.lax.")

    @property
    def is_known(self) -> bool:
        """Whether all that is passed is known to be, and stands there: `...` is for the reader to fill in."""
        is_left_open = any(isinstance(value, Const) and value.value is ... for value in self.args.positional)
        return not (self.args.open_ended or self.args.unsure or is_left_open)

    def takes(self, functions: Mapping[str, Value | None], given: int | None) -> bool:
        """Whether it can run ``functions``, by their roles, with ``given`` arguments, as far as is known."""
        if not self.is_of_jax:
            return True
        passed = {role: function for role, function in functions.items() if function is not None}
        return check_functions(self.it, self.short, passed, given, self.node)

    def parameter(self, function: Value, index: int) -> str:
        inner, bound, _ = innermost(function)
        if inner is None:
            return ""
        names = [parameter.arg for parameter in (*inner.node.args.posonlyargs, *inner.node.args.args)]
        return names[index + bound] if index + bound < len(names) else ""


def call_higher_order(it: Interpreter, name: str, spec: HigherOrder, args: Arguments, node: ast.AST) -> Value:
    for value in args.values():
        if _is_iterator(value, name):
            it.emit(events.OuterIterator(node, value.kind, "handed", name))
            args = args.replacing(value, Opaque("what an iterator gives"))
    statement = it.statement
    if _lacks_function(it, name, spec, args, node):
        return Opaque("a call that fails")
    result = _BINDINGS[spec.binding](Operation(it, name, spec, args, node))
    if isinstance(statement, ast.Expr) and statement.value is node and _computes_only(it, name, spec, args, node):
        it.last_pure_call = (node, name)
    return result


def _lacks_function(it: Interpreter, name: str, spec: HigherOrder, args: Arguments, node: ast.AST) -> bool:
    """cond(x > 0, f): a function that JAX has to be given is not there."""
    if not name.startswith("jax.lax.") or spec.binding not in _GIVING:  # others can do without some of them
        return False
    if args.open_ended or args.unsure or args.rest is not None:
        return False
    missing = [role for position, role in spec.callables if args.get(position, role) is None]
    return bool(missing) and it.emit(events.NoFunction(node, name.rpartition(".")[2], missing[0], ""))


def _computes_only(it: Interpreter, name: str, spec: HigherOrder, args: Arguments, node: ast.AST) -> bool:
    """Whether the call does nothing but to compute its result: a loop that is run outside of traces may be timed, and
    what a module's body, or a notebook, computes for nobody is there to be looked at."""
    if (
        it.frame.function is None
        or spec.binding not in _GIVING
        or not name.startswith("jax.")
        or args.open_ended
        or it.muted
    ):
        return False
    if spec.repeats and spec.binding not in _OF_LEAVES and not it.ctx.staging:
        return False
    given = [args.get(*place) for place in spec.callables]
    functions: list[Value] = []
    for value in given:
        items = known_items(it, value, KNOWN_ARGUMENTS.value) if isinstance(value, (Tuple, Container)) else None
        functions += [Opaque() if value is None else value] if items is None else items
    return bool(functions) and only_compute(it, functions)


_OF_LEAVES = ("leaves", "leaves_with_path")
_GIVING = (*_OF_LEAVES, "scan", "map", "while", "fori", "cond", "switch")
"""The bindings of functions that give what their callables have computed."""


def _is_iterator(value: Value, name: str) -> TypeGuard[Iterator]:
    """An iterator is no pytree of arrays: lax loops refuse it."""
    return isinstance(value, Iterator) and name.startswith("jax.lax.") and value.kind != "view"


def _scan(op: Operation) -> Value:
    function, xs = op.argument(0, "f"), op.optional(2, "xs")
    x_name = op.parameter(function, 1)
    output: Value = Opaque("outputs")
    if not op.takes({"f": op.args.get(0, "f")}, 2) or not _can_scan(op, xs):
        return Opaque("a call that fails")

    def run(repeat: int, carry: Value) -> Value:
        nonlocal output
        x = Const(None) if isinstance(xs, Const) else op.element(xs, repeat, x_name)
        op.it.note_step(op.node, repeat, x)
        given = carry if repeat else contracts.as_it_is(op.it, carry)
        result = op.run(function, [carry, x], repeat)
        output = op.part(result, 1, 2)
        after = op.part(result, 0, 2)
        if not repeat and can_be_followed(function) and not may_be_replaced(op.it, function):
            contracts.check_pair(op.it, op.short, function, result, op.node)
            op.gives_no_output(function, [carry, x], output)
            again = lambda change: op.run(function, [change(op.carried(after, "")), x], 1)  # noqa: E731
            op.check_carry(function, given, after, again)
        return op.handed_on(after)

    carry = _carried(op, op.argument(1, "init"), op.parameter(function, 0), run)
    return Tuple((op.lower(carry), op.lower(output, batched=True)))


def _can_scan(op: Operation, xs: Value) -> bool:
    if not op.is_of_jax or not op.is_known:
        return True
    return check_scanned(op.it, op.short, xs, op.optional(3, "length"), op.node)


def _carried(op: Operation, start: Value, name: str, run: Callable[[int, Value], Value]) -> Value:
    """What a loop ends with that begins with ``start``."""

    def once(repeat: int, carry: Value) -> Value:
        return op.carried(run(repeat, carry), name)

    return op.it.run_traced_loop(op.node, op.lift(start, "carry", name), once, lambda: op.carried(Opaque(), ""))


def _map(op: Operation) -> Value:
    function, xs = op.argument(0, "f"), op.argument(1, "xs")
    result: Value = Opaque("outputs")
    if map_calls.is_refused(op.it, op.name, op.args, function, op.node):
        return result
    for repeat in (0, 1):
        x = op.element(xs, repeat, op.parameter(function, 0))
        result = op.run(function, [x], repeat)
        if not repeat:
            op.gives_no_output(function, [x], result)
    return op.lower(result, batched=True)


def _while(op: Operation) -> Value:
    condition, body = op.argument(0, "cond_fun"), op.argument(1, "body_fun")
    if not op.takes({"cond_fun": op.args.get(0, "cond_fun"), "body_fun": op.args.get(1, "body_fun")}, 1):
        return Opaque("a call that fails")

    passed: list[tuple[Value, Value]] = []

    def run(repeat: int, carry: Value) -> Value:
        goes_on = op.run(condition, [carry], repeat)
        given = carry if repeat else contracts.as_it_is(op.it, carry)
        after = op.run(body, [carry], repeat)
        passed.append((carry, after))
        if not repeat and _can_go_on(op, condition, goes_on) and not may_be_replaced(op.it, body):
            again = lambda change: [op.run(one, [change(op.carried(after, ""))], 1) for one in (condition, body)]  # noqa: E731
            op.check_carry(body, given, after, again)
        return op.handed_on(after)

    return _blocked(op, passed, _carried(op, op.argument(2, "init_val"), op.parameter(body, 0), run))


def _blocked(op: Operation, passed: list[tuple[Value, Value]], carry: Value) -> Value:
    """What a loop of unknown length ends with: reverse mode does not come through it."""
    result = op.lower(carry)
    if op.it.ctx.is_differentiated and passed:
        slopes.block(op.it, *passed[-1], result, Cut(op.name, op.node, op.it.frame.scope))
    return result


def _can_go_on(op: Operation, condition: Value, result: Value) -> bool:
    if not op.is_of_jax or may_be_replaced(op.it, condition):
        return True
    return choices.check_condition(op.it, op.short, condition, result, op.node)


def _fori(op: Operation) -> Value:
    body = op.argument(2, "body_fun")
    if not op.takes({"body_fun": op.args.get(2, "body_fun")}, 2) or not _can_count(op):
        return Opaque("a call that fails")
    passed: list[tuple[Value, Value]] = []

    def run(repeat: int, carry: Value) -> Value:
        step = Provenance(Why.PART, ("the index", op.short), op.it.frame.scope, op.node, op.provenance)
        index = Array(ABSTRACT, step, "int", 0, aval=Aval("int", None, ()))
        op.it.note_step(op.node, repeat, index)
        given = carry if repeat else contracts.as_it_is(op.it, carry)
        after = op.run(body, [index, carry], repeat)
        passed.append((carry, after))
        if not repeat and not may_be_replaced(op.it, body):
            again = lambda change: op.run(body, [index, change(op.carried(after, ""))], 1)  # noqa: E731
            op.check_carry(body, given, after, again)
        return op.handed_on(after)

    if op.is_of_jax and op.is_known and not may_be_replaced(op.it, body):
        choices.check_carried(op.it, op.short, body, op.args.get(3, "init_val"), op.node)
    bounds = op.argument(0, "lower"), op.argument(1, "upper")
    carry = _carried(op, op.argument(3, "init_val"), op.parameter(body, 1), run)
    return _blocked(op, passed, carry) if any(map(_is_dynamic, bounds)) else op.lower(carry)


def _is_dynamic(bound: Value) -> bool:
    """Whether a bound is not known while the loop is traced, so that it is a loop like `while_loop`."""
    return isinstance(bound, (Array, Tree)) and bound.level == ABSTRACT and getattr(bound, "sure", True)


def _can_count(op: Operation) -> bool:
    lower, upper = op.args.get(0, "lower"), op.args.get(1, "upper")
    if not op.is_of_jax or lower is None or upper is None:
        return True
    return choices.check_bounds(op.it, op.short, lower, upper, op.node)


def _with_scalars(op: Operation, results: list[Value]) -> list[Value]:
    """What branches give, where something unknown is a scalar if `x > 0` decides on the branch: no other could."""
    written = op.args.expression(op.node, 0)
    if op.short != "cond" or not isinstance(written, ast.Compare) or not choices.is_ordered(written):
        return results
    named = next((side for side in (written.left, *written.comparators) if isinstance(side, ast.Name)), None)
    with op.it.quiet():
        value = op.it.eval(named) if named is not None else None
    if not isinstance(value, (Opaque, Tree)):
        return results
    scalar = Array(ABSTRACT, op.provenance, aval=UNKNOWN.of_shape(()))
    return [scalar if isinstance(one, Tree) and one.key is value.key else one for one in results]


def _branches(
    op: Operation,
    functions: list[Value],
    operands: list[Value],
    known: frozenset[Guard] = frozenset(),
    chosen: int | None = None,
) -> Value:
    """Each branch is traced; of the keys, the union is spent.  ``known`` holds in the first, and the one that is
    ``chosen`` is run, if it is known which."""
    if not functions:
        return Opaque("a result")
    results: list[Value] = []

    def run(function: Value) -> Value:
        values = [op.lift(value, "operand", op.parameter(function, index)) for index, value in enumerate(operands)]
        results.append(op.run(function, values))
        op.gives_no_output(function, values, results[-1])
        return results[-1]

    result = op.lower(one_of(op, [partial(run, function) for function in functions], known, chosen))
    if not any(may_be_replaced(op.it, function) for function in functions):
        contracts.check_branches(op.it, op.short, _with_scalars(op, results), op.node)
    return result


def one_of(
    op: Operation,
    runs: Sequence[Callable[[], Value]],
    known: frozenset[Guard] = frozenset(),
    chosen: int | None = None,
) -> Value:
    """What one of some runs gives, nobody knows which.  ``known`` holds in the first; if one is ``chosen``, JAX only
    traces the others."""
    if len(runs) == 1 and not known:
        return runs[0]()
    it = op.it
    origin = it.state
    paths: list[tuple[State, Value]] = []
    for number, run in enumerate(runs):
        it.state, it.alive = origin.fork(), True
        it.state.guards |= {_branch_guard(op.node, number), *(() if number else known)}
        it.state.guards |= {conditions.NOT_RUN} if chosen not in (None, number) else set()
        result = run()
        paths.append((it.state, result))
    state, result = paths[0]
    for other_state, other in paths[1:]:
        joined = join_states([state, other_state])
        assert joined is not None
        result = join_values(result, state, other, other_state, joined)
        state = joined
    state.guards = origin.guards
    it.state, it.alive = state, True
    return result


def _branch_guard(node: ast.AST, number: int) -> Any:
    return Guard(f"branch of {id(node)}", (), True, number)


def _cond(op: Operation) -> Value:
    positional = op.args.positional
    if _is_of_branches(op.it, positional):
        # cond(pred, true_operand, true_fun, false_operand, false_fun)
        return _branches_with(op, [(positional[2], positional[1]), (positional[4], positional[3])], _known_if_true(op))
    true_fun, false_fun = op.argument(1, "true_fun"), op.argument(2, "false_fun")
    operands = positional[3:] + ([op.args.named["operand"]] if "operand" in op.args.named else [])
    _check_raising(op, true_fun, false_fun)
    functions = {"true_fun": op.args.get(1, "true_fun"), "false_fun": op.args.get(2, "false_fun")}
    if op.is_of_jax and not all(
        choices.check_written(op.it, op.short, role, function, op.args.expression(op.node, at), op.node)
        for at, (role, function) in enumerate(functions.items(), 1)
        if function is not None
    ):
        return Opaque("a call that fails")
    if not op.takes(functions, len(operands) if op.is_known else None) or not _can_choose(op):
        return Opaque("a call that fails")
    pred = op.argument(0, "pred")
    chosen = int(not pred.value) if isinstance(pred, Const) else None
    return _branches(op, [true_fun, false_fun], operands, _known_if_true(op), chosen)


def _is_of_branches(it: Interpreter, given: list[Value]) -> bool:
    """Whether a call of `cond` gives each branch an operand of its own, as it could once: where a function stands in
    the place of the first one, it does not."""
    if len(given) < 5 or isinstance(given[1], (Function, Partial, Transformed)):
        return False
    return not _is_callable(it, given[2]) or (len(given) == 5 and _is_callable(it, given[4]))


def _is_callable(it: Interpreter, value: Value) -> bool:
    """Whether Python can call it: an object only where its class says how."""
    if isinstance(value, Instance):
        return classes.find_member(it, value.cls, "__call__") is not None
    return can_be_followed(value) or isinstance(value, External)


def _can_choose(op: Operation) -> bool:
    pred = op.args.get(0, "pred")
    return pred is None or not op.is_of_jax or choices.check_predicate(op.it, op.short, pred, op.node)


def _known_if_true(op: Operation) -> frozenset[Guard]:
    condition = op.args.expression(op.node, 0)
    return conditions.once_in_loop(op.it, condition) if condition is not None else frozenset()


def _branches_with(op: Operation, pairs: list[tuple[Value, Value]], known: frozenset[Guard]) -> Value:
    results = [
        _branches(op, [function], [operand], frozenset() if number else known)
        for number, (function, operand) in enumerate(pairs)
    ]
    return join_values(results[0], op.it.state, results[1], op.it.state, op.it.state)


def _check_raising(op: Operation, *functions: Value) -> None:
    """A branch that only raises does so while tracing, whatever the predicate will be."""
    for function in functions:
        inner, _, _ = innermost(function)
        if inner is None or _is_left_to_subclasses(inner):
            continue
        body = inner.node.body
        raising = isinstance(body, list) and isinstance(body[-1], ast.Raise) and len(body) <= 2
        where: ast.AST = body[-1] if isinstance(body, list) else inner.node
        if isinstance(body, ast.Call) and not raising:
            raising = _calls_raiser(op, inner, body)
        if raising:
            op.it.emit(events.RaisingBranch(where, op.short, op.provenance), inner.scope)


def _is_left_to_subclasses(function: Function) -> bool:
    """A method that says so, of an object that is of nobody knows which subclass."""
    if not isinstance(function.receiver, Instance) or not function.receiver.symbolic:
        return False
    raised = (part.exc for part in descendants(function.node) if isinstance(part, ast.Raise))
    return any("NotImplementedError" in ast.dump(error) for error in raised if error is not None)


def _calls_raiser(op: Operation, inner: Function, body: ast.Call) -> bool:
    with op.it.scratch(), op.it.quiet():
        target = op.it.eval(body.func) if isinstance(body.func, ast.Name) else None
    if not isinstance(target, Function) or isinstance(target.node, ast.Lambda):
        return False
    statements = [s for s in target.node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    return len(statements) == 1 and isinstance(statements[0], ast.Raise)


def can_be_followed(value: Value) -> bool:
    """Whether it is a function that can be followed."""
    return isinstance(value, (Function, Partial, Transformed, Instance))


def _switch(op: Operation) -> Value:
    given = op.argument(1, "branches")
    branches = known_items(op.it, given, KNOWN_ARGUMENTS.value)
    operands = op.args.positional[2:] + ([op.args.named["operand"]] if "operand" in op.args.named else [])
    if op.is_of_jax and not _can_switch(op, branches, len(operands) if op.is_known else None):
        return Opaque("a call that fails")
    stands_for_many = branches is None
    if branches is None:
        element = iterate(op.it, given, op.node)
        branches = list(element.options) if isinstance(element, Union) else [element]
    if op.is_of_jax:
        choices.check_bound_late(op.it, op.short, branches, stands_for_many)
    if not branches or (stands_for_many and not (len(branches) == 1 and can_be_followed(branches[0]))):
        return _unseen(op)
    index, chosen = op.argument(0, "index"), None
    if isinstance(index, Const) and isinstance(index.value, int) and not stands_for_many:
        chosen = min(max(index.value, 0), len(branches) - 1)
    return _branches(op, branches, operands, chosen=chosen)


def _can_switch(op: Operation, branches: list[Value] | None, given: int | None) -> bool:
    """Whether there are branches that take what they are given, and something to choose one by, as far as is known."""
    index, sequence = op.args.get(0, "index"), op.args.get(1, "branches")
    if index is not None and not choices.check_index(op.it, op.short, index, op.node, op.args.expression(op.node, 0)):
        return False
    if branches is None:
        return sequence is None or choices.check_sequence(op.it, op.short, sequence, op.node)
    if not branches:
        op.it.emit(events.NoBranches(op.node, op.short))
        return False
    if index is not None:
        choices.check_branch_index(op.it, op.short, index, len(branches), op.node)
    return op.takes({f"branches[{number}]": branch for number, branch in enumerate(branches)}, given)


def _switch_opaque(op: Operation) -> Value:
    branches = known_items(op.it, op.argument(2, "funclist"), KNOWN_ARGUMENTS.value) or []
    return _branches(op, [branch for branch in branches if can_be_followed(branch)], [Array()])


def _module_first(inner: Callable[[Operation], Value], position: int) -> Callable[[Operation], Value]:
    """flax.linen control flow: like the lax one, with the module as first operand (kept, not traced)."""

    def binding(op: Operation) -> Value:
        module = op.argument(position, "mdl")
        wrapped = []
        for index, keyword in op.spec.callables:
            function = op.argument(index, keyword)
            wrapped.append((index, Partial(function, (module,), {})))
        positional = list(op.args.positional)
        for index, function in wrapped:
            if index < len(positional):
                positional[index] = function
        if position < len(positional):
            del positional[position]
        op.args = replace(op.args, positional=positional, mapping=None, written=None)
        return inner(op)

    return binding


def _operands(op: Operation) -> Value:
    index, keyword = op.spec.callables[0]
    function = op.argument(index, keyword)
    operands = op.args.positional[index + 1 :]
    values = [op.lift(value, "operand", op.parameter(function, number)) for number, value in enumerate(operands)]
    given = op.run(function, values)
    result = op.lower(given)
    if op.short not in ("vjp", "linearize"):
        return Opaque("a result")
    parts = _with_aux(op, result)
    if parts is None:
        return Opaque("a result, a function, and what is given beside")
    if op.name == derivative_calls.PULLBACK and not op.args.open_ended:
        inner = _with_aux(op, given) or [given]
        known = Opaque("a result") if may_be_replaced(op.it, function) else inner[0]
        other = derivative_calls.pullback(op.it, parts[0], operands, known)
    elif op.name == "jax.linearize":
        other = ExternalInstance(op.name, tuple(operands), {}, op.it.ctx)
    else:
        other = Opaque("a function")
    return handed_back.by(op.name, parts[0], other, *parts[1:])


def _with_aux(op: Operation, result: Value) -> list[Value] | None:
    """What a function gives, and with ``has_aux`` what it gives beside; None where that is not known."""
    has_aux = op.option("has_aux")
    if has_aux is None or (isinstance(has_aux, Const) and not has_aux.value):
        return [result]
    if not isinstance(has_aux, Const) or not isinstance(result, Tuple) or len(result.items) != 2:
        return None
    return list(result.items)


def _eval_shape(op: Operation) -> Value:
    """Only shapes are computed: keys are not consumed and nothing is left behind."""
    function = op.argument(0, "fun")
    op.ctx.computes_nothing |= _has_no_other_use(function)
    static = static_parameters(op.it, function) if isinstance(function, Transformed) else ()
    with op.it.scratch():
        named = [(op.parameter(function, n), value) for n, value in enumerate(op.args.positional[1:])]
        op.run(function, [value if name in static else op.lift(value, "operand", name) for name, value in named])
    return Opaque("shapes")


def _has_no_other_use(function: Value) -> bool:
    """Whether a function is named only here: a lambda, or a local def that is mentioned once; or is not looked into, as
    what a library does with a module is not."""
    if not isinstance(function, Function):
        return isinstance(function, (Opaque, Method))
    around = function.frame.function if function.frame is not None else None
    if isinstance(function.node, ast.Lambda) or around is None:
        return isinstance(function.node, ast.Lambda)
    mentions = (part for part in descendants(around.node) if isinstance(part, ast.Name) and part.id == function.name)
    return len(list(mentions)) == 1


def _primals(op: Operation) -> Value:
    function, primals = op.argument(0, "fun"), op.argument(1, "primals")
    items = known_items(op.it, primals, KNOWN_ARGUMENTS.value)
    values = [op.lift(value, "primal", op.parameter(function, n)) for n, value in enumerate(items or [])]
    if op.name == "jax.jvp" and not op.args.open_ended:
        tangents = op.args.get(2, "tangents")
        if not derivative_calls.check_tangents(op.it, op.args.get(1, "primals"), tangents, op.node):
            return Opaque("a result")
    if items is None:
        return _unseen(op)
    parts = _with_aux(op, op.lower(op.run(function, values)))
    if op.name == "jax.experimental.jet.jet":
        return Opaque("a result, and the terms of its series")
    if parts is None:
        return Opaque("a result, a tangent, and what is given beside")
    return handed_back.by(op.name, parts[0], like(parts[0], CONCRETE, op.provenance, "a tangent"), *parts[1:])


def _leaves(op: Operation, with_path: bool = False) -> Value:
    """tree.map does not trace: the function sees the leaves as they are, once for each."""
    function = op.argument(0, "f")
    tree = op.args.get(1, "tree")
    if tree is None or mapped_trees.is_refused(op.it, op.name, op.args, with_path, op.node):
        return Opaque("a tree")
    mapped_trees.check_one_leaf(op.it, op.name, op.args, op.node)
    trees = [tree, *op.args.positional[2:]]
    if not (can_be_followed(function) or isinstance(function, External)):
        return Opaque("a tree")
    saved = op.it.loops
    runs = 0

    def run(leaves: list[Value]) -> Value:
        nonlocal runs
        op.it.loops = (*saved, (op.node, runs))
        runs += 1
        return op.run(function, [Opaque("a path"), *leaves] if with_path else leaves)

    if "is_leaf" not in op.args.named and _leaf_count(op, trees[0]) is not None:
        result = _mapped(op, trees, run)
    else:
        result = _mapped_unseen(op, trees, run)
    op.it.loops = saved
    return result


def _mapped_unseen(op: Operation, trees: list[Value], run: Callable[[list[Value]], Value]) -> Value:
    """The tree of results, like the first of ``trees``, of which nobody knows how many leaves it has."""
    result: Value = Opaque("a leaf")
    for _ in range(UNKNOWN_PASSES.value):
        result = run([_leaf(op, tree) for tree in trees])
    if not isinstance(result, Array) or not result.level:
        return Opaque("a tree")
    return Tree(result.level, result.provenance or op.provenance, holds=_what_it_holds(op, trees[0]))


def _what_it_holds(op: Operation, tree: Value) -> str:
    """What a tree is known to be where all that is known in it are arrays: see `Tree.holds`."""
    if not isinstance(tree, Container):
        return getattr(tree, "holds", "")
    parts = list(op.it.state.read(tree).values())
    return _HOLDS.get(tree.kind, "") if parts and all(isinstance(part, Array) for part in parts) else ""


_HOLDS = {"dict": "mapping", "list": "sequence"}


def _leaf_count(op: Operation, tree: Value, depth: int = 0) -> int | None:
    """How many leaves a tree of known structure has; None for an unknown structure, and for too many.

    A part of unknown structure counts for one.
    """
    if isinstance(tree, (Array, HostArray)) or (isinstance(tree, Tree) and depth):
        return 1
    if isinstance(tree, Const) and tree.value is None:
        return 0
    parts = _parts(op, tree)
    if parts is None or depth > LEAF_DEPTH.value:
        return None
    counts = [_leaf_count(op, part, depth + 1) for part in parts.values()]
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) and sum(known) <= MAPPED_LEAVES.value else None


def _parts(op: Operation, tree: Value) -> dict[object, Value] | None:
    """The children of a tuple, list, dict or object by index, key or name, when all are known."""
    if isinstance(tree, Instance) and classes.is_pytree(op.it, tree.cls):
        if tree.symbolic and not instances.knows_children(op.it, tree, op.node):
            return None
        fields = op.it.state.read(tree).items()
        leaves = {name: part for name, part in fields if not instances.passes_as_is(op.it, tree.cls, name, part)}
        return leaves or None
    if isinstance(tree, Container) and tree.kind == "dict":
        return dict((known_fields(op.it, tree) or {}).items()) or None
    if isinstance(tree, Tuple) or (isinstance(tree, Container) and tree.kind == "list"):
        items = known_items(op.it, tree, MAPPED_LEAVES.value)
        return None if items is None else dict(enumerate(items))
    return None


def _mapped(op: Operation, trees: list[Value], run: Callable[[list[Value]], Value]) -> Value:
    """The tree of results, like the first of ``trees``, whose structure is known."""
    first, parts = trees[0], _parts(op, trees[0])
    if isinstance(first, Tree) and not first.array_like:
        return _mapped_unseen(op, trees, run)
    if parts is None:
        return first if isinstance(first, Const) else run([first, *(_leaf(op, tree) for tree in trees[1:])])
    others = [_parts(op, tree) for tree in trees[1:]]
    results = {
        name: _mapped(
            op,
            [part, *(_leaf(op, tree) if of is None else of.get(name, Opaque()) for of, tree in zip(others, trees[1:]))],
            run,
        )
        for name, part in parts.items()
    }
    if isinstance(first, Tuple):
        return first.with_other(tuple(results.values()))
    if isinstance(first, Instance):
        record = Instance(first.cls, op.it.ctx, first.symbolic)
        if first.symbolic:  # what the class keeps in the structure is asked of it
            record.level, record.provenance = first.level, first.provenance
        op.it.state.write(record).update({**op.it.state.read(first), **results})
        return record
    made = containers.make(op.it, "list", list(results.values()))
    if isinstance(first, Container) and first.kind == "dict":
        made = Container("dict", op.it.ctx)
        for name, result in results.items():
            containers.put(op.it, made, Const(name), result)
    return made


def _leaf(op: Operation, tree: Value) -> Value:
    if isinstance(tree, Tree):
        return Tree(tree.level, tree.provenance, "", tree.sure, array_like=tree.sure)
    if isinstance(tree, (Array, Key)):
        return one_lane(op.it, tree, op.node) if isinstance(tree, Key) and tree.batch else tree
    if isinstance(tree, (Container, Tuple)):
        tracer = arrays.tracer_in(op.it, tree)
        if isinstance(tracer, (Array, Tree)):
            assert tracer.provenance is not None
            return Tree(tracer.level, tracer.provenance, array_like=True)
    return Opaque("a leaf")


def _reduce(op: Operation) -> Value:
    index, keyword = op.spec.callables[0]
    function = op.argument(index, keyword)
    if map_calls.is_refused(op.it, op.name, op.args, function, op.node):
        return Opaque("a result")
    map_calls.check_combines_batches(op.it, op.name, function, op.node)
    if can_be_followed(function):
        values = [op.lift(Array(), "operand", op.parameter(function, number)) for number in (0, 1)]
        op.run(function, values)
    return arrays.combine(op.it, [Array()])


def _opaque(op: Operation) -> Value:
    """A solver: its callables get tracers of unknown structure."""
    for index, keyword in op.spec.callables:
        function = op.argument(index, keyword)
        note_module_call(op.it, function, op.node)
        if not can_be_followed(function):
            continue
        if innermost(function)[0] is None:
            continue
        with op.it.scratch():
            op.run(function, unknown_arguments(op, function))
    if op.name in libraries.KEY_OWNERS:  # a sampler whose methods take keys
        return ExternalInstance(op.name, tuple(op.args.positional[:4]), {}, op.it.ctx)
    return Opaque("a solution")


def unknown_arguments(op: Operation, function: Value) -> list[Value]:
    """As many tracers of unknown structure as a callable needs: those behind a parameter that a partial has bound by
    its name can be given by name alone."""
    inner, bound, named = innermost(function)
    if inner is None:
        return []
    parameters = [*inner.node.args.posonlyargs, *inner.node.args.args]
    needed = parameters[bound : len(parameters) - len(inner.defaults)]
    given = list(takewhile(lambda parameter: parameter.arg not in named, needed))
    return [op.lift(Opaque(), "argument", op.parameter(function, number)) for number in range(len(given))]


def _untraced(op: Operation) -> Value:
    return Opaque("a result")


def _platform(op: Operation) -> Value:
    functions = [value for value in op.args.named.values() if can_be_followed(value)]
    return _branches(op, functions, list(op.args.positional))


def _density(op: Operation) -> Value:
    """A model and what it is called with, in the trace of the caller; its sites have the values that are given."""
    values = known_items(op.it, op.argument(1, "model_args"), KNOWN_ARGUMENTS.value)
    named = known_fields(op.it, op.argument(2, "model_kwargs"))
    if values is None or named is None or arrays.tracer_in(op.it, op.argument(3, "params")) is None:
        return _unseen(op)
    expected, op.it.expected = op.it.expected, (*op.it.expected, NOTHING_DRAWN)
    with op.it.scratch():
        op.run(Partial(op.argument(*op.spec.callables[0]), (), named), values)
    op.it.expected = expected
    density = arrays.combine(op.it, [Array()])
    return Tuple((density, Opaque("a trace"))) if op.short == "log_density" else density


def _unseen(op: Operation) -> Value:
    note_handed(op.it, op.args, op.node, op.name)
    return Opaque("a result")


_BINDINGS: dict[str, Callable[[Operation], Value]] = {
    "scan": _scan,
    "map": _map,
    "while": _while,
    "fori": _fori,
    "cond": _cond,
    "switch": _switch,
    "switch_opaque": _switch_opaque,
    "nn_cond": _module_first(_cond, 3),
    "nn_switch": _module_first(_switch, 2),
    "nn_while": _module_first(_while, 2),
    "operands": _operands,
    "eval_shape": _eval_shape,
    "primals": _primals,
    "leaves": _leaves,
    "leaves_with_path": lambda op: _leaves(op, with_path=True),
    "reduce": _reduce,
    "opaque": _opaque,
    "density": _density,
    "untraced": _untraced,
    "platform": _platform,
}


def _of_shape(it: Interpreter, shape: Value | None) -> Value:
    """What a callback gives: arrays in the structure of the shapes that it is told to give."""
    if isinstance(shape, Const) and shape.value is None:
        return shape
    if isinstance(shape, Tuple):
        return shape.with_other(tuple(_of_shape(it, part) for part in shape.items))
    array = arrays.combine(it, [Array()])
    if not isinstance(shape, (Opaque, Union, Tree, Container, Instance)):
        return array
    reason = array.provenance if isinstance(array, Array) and array.level else None
    return Tree(array.level, reason, sure=False) if reason is not None else Opaque("a result")


def _check_callback(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """Callbacks with results have no derivative, and `jax.pure_callback` has to be told how to take a batch."""
    given = [*args.positional[2:], *(value for key, value in args.named.items() if key not in _OF_CALLBACKS)]
    if name in _WITHOUT_SLOPE and any(slopes.differentiated_in(it, value) for value in given):
        # A decorator may give another derivative.
        if not any(function in it.wrapped for function in it.running(len(it.stack))):
            it.emit(events.CallbackDifferentiated(node, name))
    if name == "jax.pure_callback" and args.named.keys().isdisjoint(("vmap_method", "vectorized")):
        if not args.open_ended and it.ctx.mapped and any(_is_mapped(it, value) for value in given):
            it.emit(events.CallbackMapped(node, name))


def _is_mapped(it: Interpreter, value: Value) -> bool:
    """Whether an array has another row in each lane, and no rule of its own takes it there."""
    it.ask_of_trace(OfTrace.TRANSFORMS)
    ctx: Context | None = it.ctx
    while ctx is not None:
        if ctx.transform.startswith("jax.custom_batching."):
            return False
        ctx = ctx.parent
    if not isinstance(value, (Array, Tree)) or value.level != ABSTRACT:
        return False
    return getattr(value, "sure", True) and arrays.is_of_lanes(value)


_WITHOUT_SLOPE = frozenset(("jax.pure_callback", "jax.experimental.io_callback"))
_OF_CALLBACKS = frozenset("callback result_shape_dtypes sharding vmap_method vectorized ordered".split())


def call_callback(it: Interpreter, name: str, spec: Callback, args: Arguments, node: ast.AST) -> Value:
    """The callable runs on the host with concrete arrays, outside every trace, or not at all."""
    position, keyword = spec.function
    function = args.get(position, keyword)
    is_refused = callback_calls.is_refused(it, name, args, node)
    if not is_refused:
        _check_callback(it, name, args, node)
    inner = innermost(function)[0] if function is not None else None
    if inner is not None:
        begun = it.work_begun
        with it.scratch(), it.context(it.ctx.leave()), it.quiet() if is_refused else nullcontext():
            it.work_begun = None  # it runs when what it is given is there
            if it.called is not None:
                it.called(it, inner, node, True)
            enter_unknown(it, inner)
        it.work_begun = begun
    if is_refused:
        return Const(None) if spec.result == "none" else Opaque("a result")
    if spec.result == "array":
        return _of_shape(it, args.get(1, "result_shape_dtypes") if position == 0 else None)
    return Const(None) if spec.result == "none" else Opaque("a function")
