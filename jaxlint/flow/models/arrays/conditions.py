"""Conditions: their truth value, what they tell about the values they mention, and which exclude each other."""

from __future__ import annotations

import ast
from collections.abc import Callable
from copy import copy
from typing import Any

from jaxlint.flow.domain.sought import MENTIONING, SAME, Sought
from jaxlint.flow.domain.state import Guard
from jaxlint.flow.domain.values import (
    ABSTRACT,
    CONCRETE,
    FALSE,
    NONE,
    NOTHING,
    SEQUENCES,
    TRUE,
    Array,
    ClassValue,
    Const,
    Container,
    External,
    Function,
    HostArray,
    Instance,
    Key,
    Opaque,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
    without_none,
)
from jaxlint.flow.models.arrays import arrays, passes, possible_values
from jaxlint.flow.models.arrays.subjects import about, asks_for_contents, canonical
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.beginnings import attributes_set_elsewhere
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import FunctionFacts
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import FunctionNode, descendants
from jaxlint.semantics.array_members import ARRAY_METHODS, STATIC_ATTRIBUTES


def condition(it: Interpreter, test: ast.expr, how: str) -> bool | None:
    """Evaluates ``test`` where Python needs its truth value; returns it when it is known."""
    if isinstance(test, ast.BoolOp):
        return _bool_condition(it, test, how)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        verdict = condition(it, test.operand, "not")
        return None if verdict is None else not verdict
    value = it.tested[test] = it.eval(test)
    return truth_of(it, arrays.truth(it, value, test, how))


NOT_TRACED = Guard("something is no tracer", (), True, standing=True)
"""What holds where a check has found a value that may be a tracer to be none: the code means to run without a trace."""


PARAMETERS_MADE = Guard("modules have their parameters", (), True, standing=True)
"""What holds where code has asked and nothing is being initialized: whatever module is called finds its parameters."""


NOT_RUN = Guard("a branch that is traced and not run", (), True, standing=True)
"""What holds in a branch of `cond` or `switch` that what is known of the predicate or the index never takes: JAX traces
it like the other, and computes nothing there."""


STANDING = frozenset((NOT_TRACED, PARAMETERS_MADE, NOT_RUN))
"""What holds of everything that runs from there on, also in what is called."""


def tells_concrete(it: Interpreter, test: ast.expr) -> bool | None:
    """The truth of ``test``, which has been evaluated, where something turns out to be no tracer; None for others."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        verdict = tells_concrete(it, test.operand)
        return None if verdict is None else not verdict
    if isinstance(test, ast.BoolOp):
        holds = isinstance(test.op, ast.And)
        return holds if any(tells_concrete(it, operand) is holds for operand in test.values) else None
    value = it.tested.get(test)
    return value.concrete_if if isinstance(value, Static) else None


def _tells_made(it: Interpreter, test: ast.expr) -> bool | None:
    """The truth of ``test`` where modules turn out to have their parameters; None for others."""
    value = it.tested.get(test)
    return value.made_if if isinstance(value, Static) else None


def _known_truth(it: Interpreter, test: ast.expr) -> bool | None:
    """The truth of a part of a condition, which has been evaluated and decides of it."""
    value = it.tested.get(test)
    return None if value is None else truth_of(it, value)


def _bool_condition(it: Interpreter, test: ast.BoolOp, how: str) -> bool | None:
    """and/or: each operand is asked on the path on which the ones before it let it be reached."""
    stops_on = isinstance(test.op, ast.Or)
    operator = "or" if stops_on else "and"
    saved, alive = it.state, it.alive
    it.state = saved.fork()
    known: list[bool | None] = []
    for number, operand in enumerate(test.values):
        last = number == len(test.values) - 1
        verdict = condition(it, operand, how if last else operator)
        known.append(verdict)
        if verdict is stops_on:
            break
        if not last and not assume(it, operand, not stops_on):
            break
    uses = it.state.uses
    it.state, it.alive = saved, alive
    it.state.uses = uses
    if any(verdict is stops_on for verdict in known):
        # A certain stop only if everything before it was certain as well.
        return (
            stops_on
            if all(verdict is not None for verdict in known) or known[0] is stops_on
            else _any_stop(known, stops_on)
        )
    if len(known) == len(test.values) and all(verdict is (not stops_on) for verdict in known):
        return not stops_on
    return None


def _any_stop(known: list[bool | None], stops_on: bool) -> bool | None:
    # `unknown and False` is falsy whatever the unknown is; likewise `unknown or True`.
    return stops_on if known[-1] is stops_on else None


def truth_of(it: Interpreter, value: Value) -> bool | None:
    """The truth value of ``value``, or None when it depends."""
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, Tuple):
        return bool(value.items)
    if isinstance(value, (Function, External)):
        return True
    if isinstance(value, Static) and it.asks is not None and PARAMETERS_MADE in it.state.guards:
        return value.made_if
    if isinstance(value, Union):
        verdicts = {truth_of(it, option) for option in value.options}
        return verdicts.pop() if len(verdicts) == 1 else None
    return None


# -- assuming ---------------------------------------------------------------------------------------


def assume(it: Interpreter, test: ast.expr, holds: bool) -> bool:
    """Adds to the state what ``test`` being ``holds`` tells; False if that path cannot be taken."""
    if test.__class__ is ast.Name:
        test = _written_out(it, test)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return assume(it, test.operand, not holds)
    if isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) is holds:
            return all(assume(it, operand, holds) for operand in test.values)
        undecided = [operand for operand in test.values if _known_truth(it, operand) is not (not holds)]
        return assume(it, undecided[0], holds) if len(undecided) == 1 else True  # the others say nothing
    if it.guessing:
        return True  # inside a condition that is looked at once more: what it consists of is looked at no deeper
    if tells_concrete(it, test) is holds:
        it.state.guards |= {NOT_TRACED}
    if _tells_made(it, test) is holds:
        it.state.guards |= {PARAMETERS_MADE}
    it.state.guards |= passes.of_pass(it, test, holds) | told_by(it, it.tested.get(test), holds)
    is_decided = _known_truth(it, test) is not None
    for guard in (_guard(it, test, holds), possible_values.guard(it, test, holds)):
        if guard is not None and (guard.objects or not is_decided):  # else it holds wherever it is asked
            same = it.state.conditions(Sought(SAME, (guard.text,), guard.objects))
            told = [other for other in same if guard.excludes(other)]
            if told and not asks_for_contents(it, test, guard.objects):
                return False
            it.state.guards = it.state.guards.difference(told) | {guard}
    _narrow(it, test, holds)
    return True


def told_by(it: Interpreter, answer: Value | None, holds: bool) -> frozenset[Guard]:
    """What holds where an answer that was found before is this."""
    if isinstance(answer, Static) and answer.tells is not None:
        return answer.tells[holds] | passes.told_by(it, answer, holds)
    return passes.told_by(it, answer, holds)


def with_told(it: Interpreter, test: ast.expr, answer: Value) -> Value:
    """The answer to a condition that is kept, or given back, and what it tells of what the condition is about."""
    if not isinstance(answer, Static) or not isinstance(test, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
        return answer
    tells = {holds: _tells(it, test, holds) for holds in (True, False)}
    if not (tells[True] or tells[False]):
        return answer
    told = copy(answer)
    told.tells = tells
    passes.note_same(it, answer, told)
    return told


def _tells(it: Interpreter, test: ast.expr, holds: bool) -> frozenset[Guard]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _tells(it, test.operand, not holds)
    if isinstance(test, ast.BoolOp):
        is_each = isinstance(test.op, ast.And) is holds
        return NOTHING.union(*(_tells(it, one, holds) for one in test.values)) if is_each else NOTHING
    found = (_guard(it, test, holds), possible_values.guard(it, test, holds))
    return told_by(it, it.tested.get(test), holds).union(one for one in found if one is not None and one.objects)


def _written_out(it: Interpreter, test: ast.expr) -> ast.expr:
    """The condition that a variable stands for, if the function binds it once, in no block, to what is decided by names
    that it does not bind."""
    function = it.activation.function
    if not isinstance(test, ast.Name) or function is None:
        return test
    facts = it.facts_of(function.node)
    if test.id not in facts.conditions:
        facts.conditions[test.id] = _condition_named(function.node, facts, test.id)
    return facts.conditions[test.id] or test


def _condition_named(function: FunctionNode, facts: FunctionFacts, name: str) -> ast.expr | None:
    stored = facts.stored
    if isinstance(function, ast.Lambda) or len(stored.get(name, ())) != 1:
        return None
    for statement in function.body:
        if isinstance(statement, ast.Assign) and any(target is stored[name][0] for target in statement.targets):
            parts = list(descendants(statement.value))
            names = {part.id for part in parts if isinstance(part, ast.Name)}
            plain = isinstance(statement.value, _CONDITIONS) and not any(isinstance(part, _CHANGING) for part in parts)
            return statement.value if plain and names.isdisjoint(stored) else None
    return None


_CONDITIONS = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp)
_CHANGING = (ast.Call, ast.Attribute, ast.Subscript, ast.NamedExpr, ast.Await)
"""What may come to something else a second time."""


def once_in_loop(it: Interpreter, test: ast.expr) -> frozenset[Guard]:
    """What ``test``, a condition that may be traced, tells about the pass of a loop if it holds."""
    if test.__class__ is ast.Name:
        test = _written_out(it, test)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        parts = test.values
    elif isinstance(test, ast.BinOp) and isinstance(test.op, ast.BitAnd):
        parts = [test.left, test.right]
    elif isinstance(test, ast.Call) and dotted(test.func).rpartition(".")[2] == "logical_and":
        parts = test.args
    else:
        return passes.of_pass(it, test, True)
    return frozenset(guard for part in parts for guard in once_in_loop(it, part))


def asks_for(it: Interpreter, names: tuple[str, ...]) -> bool:
    """Whether a condition that is known here mentions one of these attributes: `hasattr(x, "device")`, say."""
    quoted = tuple(map(repr, names))
    known = it.state.conditions(Sought(MENTIONING, quoted))
    return any(name in guard.text for guard in known for name in quoted)


def case_guards(it: Interpreter, match: ast.Match, case: ast.match_case, subject: Value) -> set[Guard]:
    """What holds in a case.  Two cases of one match exclude each other, where the subject is the same; that it equals a
    constant is what an `if` may ask as well."""
    text, objects = about(f"match {id(match)}", [subject])
    guards = {Guard(text, objects, True, id(case))}
    if isinstance(case.pattern, ast.MatchValue) and isinstance(case.pattern.value, ast.Constant):
        asked = canonical(it, match.subject)
        if asked is not None:
            guards.add(Guard(*asked, True, ("==", case.pattern.value.value)))
    left = possible_values.guard_of_case(it, match, case)
    return guards if left is None else guards | {left}


def _guard(it: Interpreter, test: ast.expr, holds: bool) -> Guard | None:
    constant: Any = None
    subject = test
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        operator, right = test.ops[0], test.comparators[0]
        if isinstance(operator, (ast.NotEq, ast.IsNot, ast.NotIn)):
            holds = not holds
        if isinstance(operator, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)) and isinstance(right, ast.Constant):
            subject, constant = test.left, ("==", right.value)
        elif isinstance(operator, (ast.Gt, ast.GtE, ast.Lt, ast.LtE)):
            return _ordering(it, test, operator, holds)
        elif not isinstance(operator, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)):
            return None
        else:
            text, objects = canonical(it, test.left), canonical(it, right)
            if text is None or objects is None:
                return None
            word = "in" if isinstance(operator, (ast.In, ast.NotIn)) else "=="
            return Guard(f"{text[0]} {word} {objects[0]}", text[1] + objects[1], holds)
    asked = canonical(it, subject)
    return None if asked is None else Guard(*asked, holds, constant)


def _ordering(it: Interpreter, test: ast.Compare, operator: ast.cmpop, holds: bool) -> Guard | None:
    """a < b and not (a >= b) are one condition."""
    left, right = canonical(it, test.left), canonical(it, test.comparators[0])
    if left is None or right is None:
        return None
    if isinstance(operator, (ast.GtE, ast.LtE)):
        holds = not holds
    swap = isinstance(operator, (ast.Gt, ast.LtE))
    first, second = (right, left) if swap else (left, right)
    return Guard(f"{first[0]} < {second[0]}", first[1] + second[1], holds)


# -- narrowing --------------------------------------------------------------------------------------


def _narrow(it: Interpreter, test: ast.expr, holds: bool) -> None:
    if isinstance(test, ast.Name):
        _refine(it, test, lambda value: _of_truth(it, value, holds))
    elif isinstance(test, ast.Attribute):
        _narrow_owner(it, test, lambda value: truth_of(it, value) is (not holds))
    elif isinstance(test, ast.NamedExpr):
        _narrow(it, test.target, holds)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        operator, right = test.ops[0], test.comparators[0]
        negative = isinstance(operator, (ast.IsNot, ast.NotEq))
        is_equality = isinstance(operator, (ast.Eq, ast.NotEq)) and isinstance(right, _READ)
        if is_equality and isinstance(test.left, ast.Attribute):
            _narrow_owner_by_constant(it, test.left, right, holds is not negative)
        if isinstance(operator, (ast.Is, ast.IsNot)) and isinstance(right, ast.Constant) and right.value is None:
            _refine(it, test.left, lambda value: _of_none(value, holds is not negative))
        elif isinstance(operator, ast.Eq) and holds and isinstance(right, ast.Constant):
            _refine(it, test.left, lambda value: Const(right.value) if isinstance(value, Static) else value)
        elif isinstance(test.left, ast.Call) and dotted(test.left.func) == "type" and len(test.left.args) == 1:
            with it.quiet():
                names = _type_names(it.eval(right))
            _refine(it, test.left.args[0], lambda value: _of_very_type(value, names, holds is not negative))
    elif isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "isinstance":
        if len(test.args) == 2:
            with it.quiet():
                against = it.eval(test.args[1])
            _refine(it, test.args[0], lambda value: _of_type(value, against, holds))
    elif isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "hasattr":
        if len(test.args) == 2 and isinstance(test.args[1], ast.Constant):
            name = test.args[1].value
            _refine(it, test.args[0], lambda value: _of_attribute(value, name, holds))
    elif isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "callable":
        if holds and test.args:
            _refine(it, test.args[0], lambda value: Opaque() if isinstance(value, (Array, Tree)) else value)
    elif isinstance(test, ast.Call) and dotted(test.func).rpartition(".")[2] in _TRACER_TESTS and test.args:
        _refine(it, test.args[0], lambda value: _untraced(value) if not holds else value)


_TRACER_TESTS = frozenset(("is_tracer", "_is_tracer"))


_READ = (ast.Constant, ast.Name, ast.Attribute)
"""What may be looked at again: a call would use up a key twice, or take two items of a list."""


def _narrow_owner_by_constant(it: Interpreter, read: ast.Attribute, right: ast.expr, is_same: bool) -> None:
    with it.quiet():
        told = it.eval(right)
    if isinstance(told, Const):
        _narrow_owner(it, read, lambda known: isinstance(known, Const) and (known.value == told.value) is not is_same)


def _narrow_owner(it: Interpreter, read: ast.Attribute, excludes: Callable[[Value], bool]) -> None:
    """What an attribute is tells which object of several it is read off: ``if loader.kind == "npz"``."""

    def may_be(option: Value) -> bool:
        if not isinstance(option, Instance):
            return True
        known = it.state.read(option).get(read.attr)
        if not isinstance(known, Const) and read.attr not in attributes_set_elsewhere(it, option.cls):
            known = classes.find_member(it, option.cls, read.attr)
        return known is None or not excludes(known)

    _refine(it, read.value, lambda owner: _options(owner, may_be))


def _refine(it: Interpreter, node: ast.expr, change: Any) -> None:
    if isinstance(node, ast.Name):
        value = it.lookup(node.id)
        if value is not None:
            changed = change(value)
            if changed is not value:
                it.state.guards |= _chosen(value, changed)
                for name in _names_of(it, node.id, value):
                    it.state.refine(it.frame_of(name), name, value, changed)
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        owner = it.lookup(node.value.id)
        if isinstance(owner, Instance):
            value = it.state.read(owner).get(node.attr)
            if value is not None:
                changed = change(value)
                if changed is not value:
                    it.state.refine(owner, node.attr, value, changed)


def _names_of(it: Interpreter, name: str, value: Value) -> list[str]:
    """The name, and the other variables that hold the same unknown object."""
    if not isinstance(value, (Tree, Opaque)):
        return [name]
    return [name, *(other for other, held in it.state.read(it.frame).items() if held is value and other != name)]


def _chosen(value: Value, left: Value) -> frozenset[Guard]:
    """What holds where a condition leaves only some options of a value: what led to each of them."""
    if not isinstance(value, Union) or not value.guards:
        return NOTHING
    kept = left.options if isinstance(left, Union) else (left,)
    ways = [
        conditions
        for option, conditions in zip(value.options, value.guards)
        if option in kept or (isinstance(option, Const) and option.value is None and NONE in kept)
    ]
    return frozenset.intersection(*ways) if len(ways) == len(kept) else NOTHING


def _options(value: Value, keep: Any) -> Value:
    if not isinstance(value, Union):
        return value
    kept = tuple(option for option in value.options if keep(option))
    if not kept or len(kept) == len(value.options):
        return value
    return kept[0] if len(kept) == 1 else Union(kept)


def _of_truth(it: Interpreter, value: Value, holds: bool) -> Value:
    if isinstance(value, Union):
        return _options(value, lambda option: truth_of(it, option) is not (not holds))
    if isinstance(value, Static) and value.kind == "bool":
        return TRUE if holds else FALSE
    return value


def _of_none(value: Value, is_none: bool) -> Value:
    if is_none:
        return NONE if isinstance(value, (Union, Opaque, Tree, Static)) and not _must_be(value) else value
    return without_none(value)


def has_attribute(value: Value, name: object) -> bool | None:
    """Whether a value has an attribute, such as None and an array; None where that depends."""
    if isinstance(value, Array):
        return True if name in STATIC_ATTRIBUTES or name in ARRAY_METHODS else None
    if isinstance(value, Const):
        return isinstance(name, str) and hasattr(value.value, name)
    if isinstance(value, Tuple) and value.cls is None and not value.declared and name in STATIC_ATTRIBUTES:
        return name in value.fields
    if isinstance(value, Container) and value.kind in _BUILT_IN and isinstance(name, str):
        return hasattr(_BUILT_IN[value.kind], name) or None  # there are dicts and lists with more
    return None


_BUILT_IN = {"list": list, "dict": dict, "set": set, "frozenset": frozenset}


def _of_attribute(value: Value, name: object, holds: bool) -> Value:
    """hasattr narrows: what may be one of several is one that has it, and an array that has none of that is none."""
    if isinstance(value, Union) and any(has_attribute(option, name) is not None for option in value.options):
        return _options(value, lambda option: has_attribute(option, name) is not (not holds))
    return Opaque() if not holds and isinstance(value, (Array, Tree, Union)) else value


def _must_be(value: Value) -> bool:
    return isinstance(value, Union) and not any(isinstance(o, Const) and o.value is None for o in value.options)


_HOST_TYPES = frozenset(
    "int float complex bool str bytes list tuple dict set frozenset slice type numbers.Number numbers.Integral "
    "numbers.Real numpy.ndarray numpy.generic numpy.integer numpy.floating collections.abc.Mapping "
    "collections.abc.Sequence typing.Mapping typing.Sequence typing.Dict typing.List typing.Tuple typing.Set".split()
)


def _type_names(against: Value) -> set[str]:
    if isinstance(against, Tuple):
        return {name for item in against.items for name in _type_names(item)}
    if isinstance(against, External):
        return {against.name.removeprefix("builtins.")}
    if isinstance(against, Union):
        return {name for item in against.options for name in _type_names(item)}
    return {against.name} if isinstance(against, ClassValue) else {"?"}


_CONTAINER_TYPES = frozenset(
    "list tuple dict set frozenset "
    "collections.abc.Mapping collections.abc.Sequence typing.Mapping typing.Sequence "
    "typing.Dict typing.List typing.Tuple typing.Set".split()
)


_ARRAY_TYPES = frozenset(("jax.Array", "jax.numpy.ndarray"))


def _of_type(value: Value, against: Value, holds: bool) -> Value:
    """isinstance narrows: a tracer is no host type, and what is no Tracer keeps its value."""
    names = _type_names(against)
    if isinstance(value, Union):
        left = [option for option in value.options if not _is_excluded(option, names, holds)]
        if not left:
            return Opaque("a value of another type")
        if names <= _HOST_TYPES:
            return _options(value, lambda o: isinstance(o, (Array, Tree, Key)) is not holds or isinstance(o, Tree))
        if not names.isdisjoint(_ARRAY_TYPES) or any(name.endswith("Tracer") for name in names):
            return _of_arrays(value, names, holds)
        return _of_class(value, against, holds)
    if _is_excluded(value, names, holds):
        return Opaque("a value of another type")
    if any(name.endswith("Tracer") for name in names):
        return value if holds else _untraced(value)
    if isinstance(value, Opaque) and holds and names <= _HOST_TYPES:
        return _of_host(value)
    if isinstance(value, Tree) and not holds and not names.isdisjoint(_ARRAY_TYPES):
        return Tree(value.level, value.provenance, "", sure=False, key=value.key)  # a tree of arrays, or what is static
    if isinstance(value, (Array, Tree)) and holds:
        if isinstance(value, Tree) and names & _CONTAINER_TYPES:
            return Tree(value.level, value.provenance, "", sure=False, key=value.key)
        if names <= _HOST_TYPES:
            return _of_host(Opaque("a host value"))
        if isinstance(value, Tree) and not any(n.rpartition(".")[2] in ("Array", "ndarray") for n in names):
            return Opaque("an object")
    return value


def _of_very_type(value: Value, names: set[str], holds: bool) -> Value:
    """type(x) is list"""
    return Opaque("a value of another type") if _is_excluded(value, names, holds) else value


def _is_excluded(value: Value, names: set[str], holds: bool) -> bool:
    """Whether a list, dict or set is of none of these types where it ``holds``, or of one where it does not: nothing
    goes that way."""
    texts = {text: kind for kind, text in SEQUENCES.items()}
    kind = value.kind if isinstance(value, Container) else texts.get(value.text) if isinstance(value, Opaque) else None
    if kind not in SEQUENCES and kind != "dict":
        return False
    return bool(names) and names <= _APART and kind not in names if holds else kind in names


_APART = frozenset(
    "int float complex bool str bytes list tuple dict set frozenset slice numbers.Number numpy.ndarray jax.Array "
    "jax.numpy.ndarray collections.abc.Hashable typing.Hashable".split()
)
"""Types of which a value has one at most, but for what has a hash; a list, a dict and a set have none."""


def _of_arrays(value: Union, names: set[str], holds: bool) -> Value:
    """Of several values those that are arrays, or tracers, or those that are none."""
    of_arrays = not names.isdisjoint(_ARRAY_TYPES)
    if not holds:
        return _options(value, lambda o: not isinstance(o, Array) or (o.level == CONCRETE and not of_arrays))
    if names <= _ARRAY_TYPES:
        return _options(value, lambda o: not isinstance(o, (Const, Static, HostArray, Tuple, Container)))
    return value


def _of_class(value: Union, against: Value, holds: bool) -> Value:
    """Of objects of several classes those that are of one of the project, or derived from it, or those that are not."""
    if not isinstance(against, ClassValue) or not all(isinstance(o, (Instance, Const)) for o in value.options):
        return value
    if holds:
        return _options(value, lambda o: isinstance(o, Instance) and _may_be(o.cls, against))
    return _options(value, lambda o: not (isinstance(o, Instance) and against in classes.linearized(o.cls)))


def _may_be(cls: ClassValue, other: ClassValue) -> bool:
    """Whether an object that is known to be of one class may be of another: if one derives from the other."""
    return other in classes.linearized(cls) or cls in classes.linearized(other)


def _of_host(value: Opaque) -> Opaque:
    """The same value, of which a check has found that it is of some type of the host."""
    found = Opaque(value.text, value.parent, value.selector, value.key, value.derived, value.holds, value.leaf)
    found.parts, found.of_host, found.free = value.parts, True, value.free
    return found


def _untraced(value: Value) -> Value:
    return Opaque("not a tracer") if isinstance(value, (Array, Tree)) and value.level == ABSTRACT else value
