"""Random keys in a jaxpr: which are drawn from twice, and which are constants.

The jaxpr is run on identities instead of values.  A key that is sliced out of an array of keys is a part of it, a key
that is folded with the same data is the same key, and what `split` returns is new.  The body of a loop is run twice,
the second time with what the first left in the carry: what is spent in both is spent again in every round.  Raw keys
go through ``random_wrap`` whenever they are used, so they need no rules of their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jaxlint.dynamic import equations, places, private
from jaxlint.dynamic.equations import Stack
from jaxlint.dynamic.observations import Kind, Observation, Span
from jaxlint.dynamic.places import Sources

_DRAWS = {"random_bits", "random_gamma", "rng_bit_generator"}
_SAME = {
    "random_wrap", "random_unwrap", "squeeze", "reshape", "expand_dims", "transpose", "copy", "copy_p", "device_put",
    "broadcast_in_dim", "optimization_barrier", "pvary", "sharding_constraint", "stop_gradient",
}  # fmt: skip
"""Primitives whose result holds the keys of their operand."""

_MOST_RELATED = 12
_LANES = "every lane of `vmap` draws the same numbers"
_VERBS = {"draw": "is drawn from", "split": "is split", "fold": "is folded"}


def check(closed: Any, sources: Sources) -> list[Observation]:
    """The reuses of keys, and the constant keys, in a closed jaxpr."""
    return search(closed, sources)[0]


def search(closed: Any, sources: Sources) -> tuple[list[Observation], dict[int, str]]:
    """What `check` finds, and which inputs are drawn from or split as a whole ("draw", "split"), by position."""
    if not any(name.startswith(("random_", "rng_")) for name in equations.primitives(closed)):
        return [], {}
    checker = _Checker(sources)
    checker.has_inputs = bool(closed.jaxpr.invars)
    constants = [_Value(constant=True, captured=True) for _ in closed.jaxpr.constvars]
    inputs = [_Value() for _ in closed.jaxpr.invars]
    checker.run(closed.jaxpr, constants, inputs, None)
    spent = {
        position: use.how
        for position, value in enumerate(inputs)
        for use in reversed(checker.uses.get(value, ()))
        if use.value is value and use.how != "fold"
    }
    return list(checker.found.values()), spent


@dataclass(eq=False, slots=True)
class _Value:
    """Something that a variable stands for; two variables with the same value hold the same bits."""

    constant: bool = False  # the same in every call
    captured: bool = False  # from outside the traced function
    whole: _Value | None = None  # what it is a part of
    which: Any = None  # which part: ranges of indices, or something that equals itself
    folded: dict[Any, _Value] = field(default_factory=dict)
    parts: dict[Any, _Value] = field(default_factory=dict)
    literal: Any = None
    seed: _Use | None = None  # what made the key of a constant

    def part(self, which: Any) -> _Value:
        if which not in self.parts:
            self.parts[which] = _Value(self.constant, self.captured, self, which, seed=self.seed)
        return self.parts[which]

    def line(self) -> Iterator[_Value]:
        """This value, and what it is a part of."""
        value: _Value | None = self
        while value is not None:
            yield value
            value = value.whole


@dataclass(frozen=True, slots=True)
class _Use:
    value: _Value
    how: str
    stack: Stack
    equation: Any
    number: int | None = None  # how many keys a split makes, or what a fold folds in, where it is known


class _Checker:
    """One run over a jaxpr."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.found: dict[Any, Observation] = {}
        self.uses: dict[_Value, tuple[_Use, ...]] = {}  # by the outermost whole
        self.literals: dict[Any, _Value] = {}
        self.computed: dict[Any, list[_Value]] = {}  # the results of equations of single numbers
        self.recomputing = False
        self.drawing = False  # inside of a draw of JAX's own, which may split its key
        self.has_inputs = True  # a function without any is the same in every call, whatever it draws

    def run(
        self, jaxpr: Any, constants: Sequence[_Value], arguments: Sequence[_Value], caller: Stack | None
    ) -> list[_Value]:
        """Runs a jaxpr; returns the values of its results."""
        known: dict[Any, _Value] = {}
        known.update(zip(jaxpr.constvars, constants))
        known.update(zip(jaxpr.invars, arguments))

        def read(atom: Any) -> _Value:
            return self._literal(atom.val) if private.is_literal(atom) else known.setdefault(atom, _Value())

        for equation in jaxpr.eqns:
            results = self._equation(equation, [read(atom) for atom in equation.invars], caller)
            known.update(zip(equation.outvars, results))
        return [read(atom) for atom in jaxpr.outvars]

    def _literal(self, value: Any) -> _Value:
        try:
            item = value.item() if getattr(value, "size", 1) == 1 and hasattr(value, "item") else value
            return self.literals.setdefault((type(item), item), _Value(constant=True, literal=item))
        except TypeError:  # an array
            return _Value(constant=True)

    def _equation(self, equation: Any, values: list[_Value], caller: Stack | None) -> list[_Value]:
        name = equation.primitive.name
        if name in _SAME:
            return [*values[:1], *self._fresh(equation, [])][: len(equation.outvars)]
        rule = _RULES.get(name)
        inner = [] if rule else list(private.inner_jaxprs(equation))
        if not (rule or inner or name in _DRAWS):
            return self._fresh(equation, values)
        stack = equations.stack_of(equation, caller, self.sources)
        if rule:
            return rule(self, equation, values, stack)
        if inner:
            return self._call(equation, inner, values, stack)
        self._use(_Use(values[0], "draw", stack, equation))
        return self._fresh(equation, [])

    def _fresh(self, equation: Any, values: Sequence[_Value]) -> list[_Value]:
        constant = bool(values) and all(value.constant for value in values) and not equation.effects
        results = [_Value(constant) for _ in equation.outvars]
        if not values or equation.effects or any(getattr(out.aval, "size", 0) != 1 for out in equation.outvars):
            return results
        # What a key is folded with is computed from the same numbers to the same number.
        parameters = tuple(sorted((name, str(value)) for name, value in equation.params.items()))
        return self.computed.setdefault((equation.primitive, parameters, *values), results)

    # Uses

    def _use(self, use: _Use) -> None:
        if self.recomputing:
            return  # the backward pass of a checkpoint draws what the forward pass drew, on purpose
        if use.how == "draw" and use.value.seed is not None:
            self._report(Kind.CONSTANT_KEY, use.value.seed, "every call makes the same key")
        if use.value.captured and use.how != "fold":
            self._report(Kind.CONSTANT_KEY, use, "drawn from a key that every call captures as the same constant")
        *_, root = use.value.line()
        earlier = self.uses.get(root, ())
        for other in earlier:
            if _clash(use, other):
                self._reused(use, other)
                break
        if not any(other.value is use.value and other.how == use.how for other in earlier):
            self.uses[root] = (*earlier, use)
        self._shared_by_lanes(use)

    def _reused(self, use: _Use, other: _Use) -> None:
        """Reports the first line where the two ways to the key part, or the innermost where they never do."""
        mine, theirs = use.stack.spans, other.stack.spans
        if not mine or not theirs:
            return
        at, before, again = places.parting(mine, theirs)
        first, second = _VERBS[other.how], _VERBS[use.how]
        related = [(before, f"it {first} here first")] if before and before != at else []
        if use.stack.at and use.stack.at != at:
            related.append((use.stack.at, f"it {second} here"))
        if mine == theirs:  # the loop may be around any of the calls
            related += [(call, "in what is called here") for call in mine[:-1]]
        shown = (equations.text_of(other.equation), equations.text_of(use.equation))
        self._report(Kind.KEY_REUSE, use, f"a key {second} that {first} before{again}", at, tuple(related), shown)

    def _shared_by_lanes(self, use: _Use) -> None:
        """A key without an axis for the lanes of a `vmap` around the draw gives every lane the same numbers."""
        if use.how != "draw" or use.value.constant or not private.key_dtype(use.equation.invars[0].aval):
            return
        if use.stack.transforms.count("vmap") > len(use.equation.invars[0].aval.shape):
            self._report(Kind.SHARED_KEY, use, _LANES)

    def _report(
        self,
        kind: Kind,
        use: _Use,
        detail: str,
        at: Span | None = None,
        related: tuple[tuple[Span, str], ...] = (),
        shown: tuple[str, ...] = (),
    ) -> None:
        at = at or use.stack.at
        known = self.found.get((kind, at))
        if at is not None and known is None:
            shown = shown or (equations.text_of(use.equation),)
            by = use.stack.transforms
            self.found[kind, at] = Observation(kind, at, detail, traced_by=by, related=related, equations=shown)
        elif at is not None and known is not None:  # the same key, or another, used there, too
            others = tuple(one for one in related if one not in known.related)
            self.found[kind, at] = replace(known, related=known.related + others[: _MOST_RELATED - len(known.related)])

    # Primitives with rules of their own

    def _split(self, equation: Any, values: list[_Value], stack: Stack) -> list[_Value]:
        how = "draw" if self.drawing else "split"
        self._use(_Use(values[0], how, stack, equation, math.prod(equation.params["shape"])))
        return [_Value(values[0].constant, seed=values[0].seed)]

    def _fold(self, equation: Any, values: list[_Value], stack: Stack) -> list[_Value]:
        key, data = values
        self._use(_Use(key, "fold", stack, equation, data.literal))
        constant = key.constant and data.constant
        seed = key.seed if data.constant else None
        return [key.folded.setdefault(data, _Value(constant, key.captured and data.constant, seed=seed))]

    def _seed(self, equation: Any, values: list[_Value], stack: Stack) -> list[_Value]:
        chosen = values[0].constant and not values[0].captured and self.has_inputs
        return [_Value(values[0].constant, seed=_Use(values[0], "draw", stack, equation) if chosen else None)]

    def _clone(self, equation: Any, values: list[_Value], stack: Stack) -> list[_Value]:
        return [_Value(values[0].constant, seed=values[0].seed)]

    def _slice(self, equation: Any, values: list[_Value], stack: Stack) -> list[_Value]:
        parameters = equation.params
        strides = parameters["strides"] or (1,) * len(parameters["start_indices"])
        return [values[0].part(tuple(zip(parameters["start_indices"], parameters["limit_indices"], strides)))]

    def _dynamic_slice(self, equation: Any, values: list[_Value], stack: Stack) -> list[_Value]:
        starts, sizes = values[1:], equation.params["slice_sizes"]
        if all(type(start.literal) is int for start in starts):
            return [values[0].part(tuple((s.literal, s.literal + size, 1) for s, size in zip(starts, sizes)))]
        return [values[0].part((*map(_Identity, starts), tuple(sizes)))]

    def _gather(self, equation: Any, values: list[_Value], stack: Stack) -> list[_Value]:
        return [values[0].part((_Identity(values[1]), str(equation.params["dimension_numbers"])))]

    def _split_array(self, equation: Any, values: list[_Value], stack: Stack) -> list[_Value]:
        axis, start, results = equation.params["axis"], 0, []
        for size in equation.params["sizes"]:
            full = [(0, length, 1) for length in equation.invars[0].aval.shape]
            full[axis] = (start, start + size, 1)
            results.append(values[0].part(tuple(full)))
            start += size
        return results

    # Calls, branches and loops

    def _call(self, equation: Any, inner: list[tuple[str, Any]], values: list[_Value], stack: Stack) -> list[_Value]:
        jaxpr = private.opened(inner[0][1])
        before = self.recomputing, self.drawing
        self.recomputing = self.recomputing or bool(equation.params.get("differentiated"))
        self.drawing = self.drawing or private.is_a_draw_of_jax(jaxpr)
        arguments = values if len(values) == len(jaxpr.invars) else [_Value() for _ in jaxpr.invars]
        results = self.run(jaxpr, self._constants(inner[0][1]), arguments, stack)
        self.recomputing, self.drawing = before
        return results if len(results) == len(equation.outvars) else self._fresh(equation, [])

    def _constants(self, jaxpr: Any) -> list[_Value]:
        return [_Value(constant=True, captured=True) for _ in private.opened(jaxpr).constvars]

    def _cond(self, equation: Any, values: list[_Value], stack: Stack) -> list[_Value]:
        before, after = self.uses, []
        outcomes = []
        for branch in equation.params["branches"]:
            self.uses = dict(before)
            outcomes.append(self.run(private.opened(branch), self._constants(branch), values[1:], stack))
            after.append(self.uses)
        self.uses = dict(before)
        for uses in after:
            for root, each in uses.items():
                known = self.uses.get(root, ())
                self.uses[root] = known + tuple(use for use in each if use not in known)
        return [results[0] if all(each is results[0] for each in results) else _Value() for results in zip(*outcomes)]

    def _scan(self, equation: Any, values: list[_Value], stack: Stack) -> list[_Value]:
        parameters = equation.params
        body, (first, second) = parameters["jaxpr"], private.parts_of_scan(equation)
        constants, carry, mapped = values[:first], values[first : first + second], values[first + second :]
        results: list[_Value] = []
        for _ in range(min(2, parameters["length"])):
            slices = [_Value() for _ in mapped]
            results = self.run(private.opened(body), self._constants(body), [*constants, *carry, *slices], stack)
            carry = results[: len(carry)]
        return [*carry, *(_Value() for _ in equation.outvars[len(carry) :])]

    def _while(self, equation: Any, values: list[_Value], stack: Stack) -> list[_Value]:
        parameters = equation.params
        test, body = parameters["cond_jaxpr"], parameters["body_jaxpr"]
        first, second = parameters["cond_nconsts"], parameters["body_nconsts"]
        carry = values[first + second :]
        for _ in range(2):
            self.run(private.opened(test), self._constants(test), [*values[:first], *carry], stack)
            arguments = [*values[first : first + second], *carry]
            carry = self.run(private.opened(body), self._constants(body), arguments, stack)
        return carry


@dataclass(frozen=True, slots=True)
class _Identity:
    """A selector that is equal only to itself."""

    value: _Value


def _clash(use: _Use, other: _Use) -> bool:
    """Whether two uses spend the same bits."""
    if "fold" in (use.how, other.how):
        # Folding in i gives child i of a split of the same key.
        fold, split = (use, other) if use.how == "fold" else (other, use)
        return split.how == "split" and fold.value is split.value and (fold.number or 0) < (split.number or 0)
    mine, theirs = list(use.value.line()), list(other.value.line())
    if use.value in theirs or other.value in mine:
        return True
    shared = next(value for value in mine if value in theirs)
    return _overlap(mine[mine.index(shared) - 1].which, theirs[theirs.index(shared) - 1].which)


def _overlap(first: Any, second: Any) -> bool:
    """Whether two selections of the same array have an element in common, as far as it is known."""
    if len(first) != len(second) or not all(_is_range(each) for each in (*first, *second)):
        return bool(first == second)
    return all((range(max(a, c), min(b, d)) and (s, t) == (1, 1)) or (a, s) == (c, t)
               for (a, b, s), (c, d, t) in zip(first, second))  # fmt: skip


def _is_range(selector: Any) -> bool:
    return isinstance(selector, tuple) and len(selector) == 3 and all(isinstance(each, int) for each in selector)


_Rule = Callable[[_Checker, Any, list[_Value], Stack], list[_Value]]
_RULES: dict[str, _Rule] = {
    "random_split": _Checker._split,
    "random_fold_in": _Checker._fold,
    "random_seed": _Checker._seed,
    "random_clone": _Checker._clone,
    "slice": _Checker._slice,
    "dynamic_slice": _Checker._dynamic_slice,
    "gather": _Checker._gather,
    "split": _Checker._split_array,
    "cond": _Checker._cond,
    "scan": _Checker._scan,
    "while": _Checker._while,
}
