"""What a call of a function does of which a row tells."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import partial

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.contexts import Provenance, Why
from jaxlint.flow.domain.values import (
    ABSTRACT,
    NONE,
    Array,
    Const,
    External,
    ExternalInstance,
    Function,
    Opaque,
    Partial,
    Static,
    Transformed,
    Tuple,
    Value,
)
from jaxlint.flow.models.arrays import arrays
from jaxlint.flow.models.jax import higher_order
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.outside import externals
from jaxlint.flow.models.random import random_calls
from jaxlint.flow.models.random.unseen import note_handed
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.model import Abstracts, Callback, HigherOrder
from jaxlint.semantics.rows import (
    ANYTHING,
    Called,
    Given,
    Literal,
    Made,
    Outside,
    Rest,
    Row,
    Run,
    Several,
    Term,
)
from jaxlint.semantics.static_arguments import StaticArgument

_UNDER = {
    "jit": (Abstracts.ALL, True),
    "filter_jit": (Abstracts.ARRAYS, True),
    "vmap": (Abstracts.MAPPED, False),
    "grad": (Abstracts.DIFFERENTIATED, False),
    "eager": (Abstracts.NOTHING, False),
}
"""What a callable sees of its arguments, and whether constants become tracers."""

_USES = {"draw": keys.DRAW, "split": keys.SPLIT, "keep": keys.HANDED}


def call_external(it: Interpreter, function: External, args: Arguments, node: ast.AST) -> Value:
    """What the rows of the program say, or else what the tables say."""
    row = it.rows.function(function.name)
    if row is not None:
        return call_row(it, row, args, node)
    return externals.call_known(it, function, args, node)


def call_row(it: Interpreter, row: Row, args: Arguments, node: ast.AST) -> Value:
    """What the call gives, with all it does to the state, as the row says."""
    call = _Call(it, row, args, node)
    for name in row.static:
        parameter = row.signature.find(name)
        assert parameter is not None
        needed = StaticArgument(parameter.position, name, "a tracer has no value while JAX traces")
        externals.check_static(it, needed, row.name, args, node)
    if row.like is not None:
        return call.like(row.like) or Opaque("a result")
    call.use_keys()
    if row.runs:
        return call.run()
    for value in args.values():
        if isinstance(value, (Function, Transformed, Partial)):
            it.note_escape(value)
    return call.result(row.returns)


@dataclass
class _Call:
    """One call of a function that has a row."""

    it: Interpreter
    row: Row
    args: Arguments
    node: ast.AST

    def given(self, name: str) -> Value | None:
        """What a parameter is given: the argument or a literal default; None if it is left out."""
        parameter = self.row.signature.find(name)
        if parameter is None:
            return None
        value = self.args.get(parameter.position, name)
        if value is not None:
            return Opaque(name) if self.args.may_lack(parameter.position, name) else value
        if self.args.open_ended:
            return Opaque(name)
        if parameter.is_required or parameter.default == Literal(None):
            return None
        return Opaque(name) if parameter.default is None else self.constant(parameter.default)

    def constant(self, term: Term) -> Value:
        if isinstance(term, Several):
            return Tuple(tuple(self.constant(item) for item in term.items))
        return Const(term.value) if isinstance(term, Literal) else Opaque()

    def rest(self) -> list[Value]:
        """What is given behind the parameters that have a name."""
        named = sum(parameter.position is not None for parameter in self.row.signature.parameters)
        return self.args.positional[named:]

    def written(self, term: Term) -> ast.expr | None:
        """The expression in the program that a parameter is given."""
        node, parameter = self.node, self.row.signature.find(term.name) if isinstance(term, Given) else None
        if parameter is None or not isinstance(node, ast.Call):
            return None
        if parameter.name in self.args.named:
            return next((keyword.value for keyword in node.keywords if keyword.arg == parameter.name), None)
        position = parameter.position
        if position is None or position >= len(node.args):
            return None
        before = node.args[: position + 1]
        return None if any(isinstance(each, ast.Starred) for each in before) else before[-1]

    # -- like another call ----------------------------------------------------------------------------------

    def like(self, term: Term) -> Value | None:
        """The value of a term of ``like``; None for a parameter that is left out."""
        if isinstance(term, Given):
            return self.given(term.name)
        if isinstance(term, Outside):
            return External(term.name)
        if isinstance(term, Several):
            return Tuple(tuple(self.like(item) or NONE for item in term.items))
        if isinstance(term, Called):
            return self._called(term)
        return self.constant(term)

    def _called(self, term: Called) -> Value:
        found: list[tuple[Value | None, ast.expr | None]] = []
        for each in term.positional:
            if isinstance(each, Rest):
                found += [(value, None) for value in self.rest()]
            else:
                found.append((self.like(each), self.written(each)))
        while found and found[-1][0] is None:
            found.pop()
        named = {name: value for name, each in term.named if (value := self.like(each)) is not None}
        positional = [value or NONE for value, _ in found]
        args = Arguments(positional, named, self.args.open_ended, more_names=self.args.more_names)
        args.written = tuple(expression for _, expression in found)
        function = self.like(term.function)
        if isinstance(function, External):
            return externals.call_known(self.it, function, args, self.node)
        return self.it.call(function, args, self.node) if function is not None else Opaque("a result")

    # -- keys ------------------------------------------------------------------------------------------------

    def use_keys(self) -> None:
        """What becomes of the keys among the arguments; a row that says nothing of them leaves that open."""
        for name, effect in self.row.keys:
            value = self.given(name)
            if value is not None and effect in _USES:
                random_calls.draw_from(self.it, value, self.node, self.row.name, _USES[effect], self.args)
        if not self.row.keys and not self.row.runs:
            note_handed(self.it, self.args, self.node, self.row.name)

    # -- callables that are run --------------------------------------------------------------------------------

    def run(self) -> Value:
        """Calls the callables as the row says."""
        row = self.row
        if row.under == "host":
            for run in row.runs:
                for called in run.calls:
                    self._run_on_host(called)
            return self.result(row.returns)
        abstracts, stages = _UNDER[row.under]
        spec = HigherOrder(abstracts, (), "row", row.repeats, stages)
        op = higher_order.Operation(self.it, row.name, spec, self.args, self.node)
        names: dict[str, Value] = {}
        for name in row.carried:
            names[name] = op.lift(self.given(name) or NONE, "carry")
        for repeat in (0, 1) if row.repeats else (0,):
            for run in row.runs:
                self._run(op, run, names, repeat)
        return self.result(row.returns, {name: op.lower(value) for name, value in names.items()}, op)

    def _run_on_host(self, called: Called) -> None:
        parameter = self.row.signature.find(called.function.name) if isinstance(called.function, Given) else None
        if parameter is not None:
            spec = Callback((parameter.position, parameter.name), "none")
            higher_order.call_callback(self.it, self.row.name, spec, self.args, self.node)

    def _run(self, op: higher_order.Operation, run: Run, names: dict[str, Value], repeat: int) -> None:
        functions = [(self._function(called), called) for called in run.calls]
        seen = [(function, called) for function, called in functions if higher_order.can_be_followed(function)]
        if not seen:
            for target in run.targets:
                names[target] = op.lift(Opaque(target), "result")
            return
        calls = [partial(self._call, op, function, called, names, repeat) for function, called in seen]
        result = higher_order.one_of(op, calls)
        parts = [result] if run.one else [op.part(result, n, len(run.targets)) for n in range(len(run.targets))]
        for target, part in zip(run.targets, parts):
            names[target] = op.carried(part, target) if target in self.row.carried else part

    def _function(self, called: Called) -> Value:
        value = self.given(called.function.name) if isinstance(called.function, Given) else None
        return value or NONE

    def _call(
        self, op: higher_order.Operation, function: Value, called: Called, names: dict[str, Value], repeat: int
    ) -> Value:
        if called.positional == (ANYTHING,):
            with self.it.scratch():
                return op.run(function, higher_order.unknown_arguments(op, function), repeat)
        values: list[Value] = []
        for term in called.positional:
            if isinstance(term, Rest):
                values += [op.lift(value, "operand", op.parameter(function, len(values))) for value in self.rest()]
            else:
                values.append(self._argument(op, term, names, repeat, op.parameter(function, len(values))))
        named = {name: self._argument(op, term, names, repeat, name) for name, term in called.named}
        return op.run(function, values, repeat, named)

    def _argument(
        self, op: higher_order.Operation, term: Term, names: dict[str, Value], repeat: int, parameter: str
    ) -> Value:
        """What a callable is given for one of its parameters."""
        if isinstance(term, Given):
            return names[term.name] if term.name in names else op.lift(self._value(term), "operand", parameter)
        if isinstance(term, Several):
            return Tuple(tuple(self._argument(op, item, names, repeat, "") for item in term.items))
        if not isinstance(term, Made):
            return self.constant(term)
        if term.word == "each":
            value = self._value(term.of)
            return value if isinstance(value, Const) else op.element(value, repeat, parameter)
        if term.word == "index":
            step = Provenance(Why.PART, ("the index", op.short), self.it.frame.scope, self.node, op.provenance)
            return Array(ABSTRACT, step, "int", 0)
        if term.word == "key":
            with self.it.context(op.ctx):
                made = keys.fresh(self.it, f"a key of `{self.row.name}`", self.node)
            return op.lift(made, "key", parameter)
        if term.word == "static":
            return Static("")
        if term.word == "same":
            return self._value(term.of)
        return op.lift(Array() if term.word == "array" else Opaque(), "argument", parameter)

    def _value(self, term: Term | None) -> Value:
        return (self.given(term.name) if isinstance(term, Given) else None) or NONE

    # -- what comes back -----------------------------------------------------------------------------------------

    def result(
        self, term: Term | None, names: dict[str, Value] | None = None, op: higher_order.Operation | None = None
    ) -> Value:
        """The value of a term of ``returns``; ``names`` are what runs have returned, as it is outside."""
        it, name = self.it, self.row.name
        if term is None:
            made = it.has_methods(name)
            positional = tuple(self.args.positional[:4])
            return ExternalInstance(name, positional, {}, it.ctx) if made else Opaque("a result")
        if isinstance(term, Given):
            known = (names or {}).get(term.name)
            return known if known is not None else self._value(term)
        if isinstance(term, Several):
            return Tuple(tuple(self.result(item, names, op) for item in term.items))
        if not isinstance(term, Made):
            return self.constant(term)
        if term.word == "stacked":
            value = self.result(term.of, names, op)
            return value if op is None else op.lower(value, batched=True)
        if term.word == "array":
            return arrays.combine(it, [Array(), *self._arrays()])
        if term.word in ("key", "keys"):
            return keys.fresh(it, f"a key of `{name}`", self.node, batch=term.word == "keys")
        if term.word == "host":
            return externals.call_on_host(it, name, self.args, self.node)
        return Static("") if term.word == "static" else Opaque("a result")

    def _arrays(self) -> list[Value]:
        return [value for value in self.args.values() if not isinstance(value, (Function, Transformed, Partial))]
