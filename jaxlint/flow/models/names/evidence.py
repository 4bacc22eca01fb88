"""What the code takes an argument for whose structure is not known: an array, a list, a dict, an object."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain.values import External, Tree, Value, innermost
from jaxlint.flow.limits import LOOKED_AT
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import FunctionFacts, calls_in, parameters
from jaxlint.semantics import libraries
from jaxlint.semantics.transforms import WRAPPERS


def used_as_container(it: Interpreter, value: Tree, as_sequence: bool = False) -> bool:
    """Whether the argument is declared to be, or one of the running functions treats it as, a dict, a record or an
    object (or, when ``as_sequence``, a list)."""
    if it.activation.function is None or value.holds or value.has_named_parts:
        return True
    return any(
        name in facts.container_names or (as_sequence and name in facts.sequence_names)
        for name, facts in _mentions(it, value)
    )


def has_name(it: Interpreter, value: Tree) -> bool:
    """Whether it is a parameter, or the running function has a variable for it: how that is used tells what it is."""
    return bool(value.parameter) or any(True for _ in _mentions(it, value))


def used_as_mapping(it: Interpreter, value: Tree) -> bool:
    """The same for a dict: what iterates over it gets names."""
    if value.container == "mapping" or value.has_named_items:
        return True
    return not value.array_like and any(name in facts.mapping_names for name, facts in _mentions(it, value))


def used_as_array(it: Interpreter, value: Tree) -> bool:
    """Whether it is an array, or one of the running functions asks it for what arrays have."""
    return value.array_like or any(name in facts.array_names for name, facts in _mentions(it, value))


def handed_as_tree(it: Interpreter, value: Tree) -> bool:
    """Whether the running function hands the argument to what JAX has for trees, or to a function of the program that
    treats it as a dict, a list or an object."""
    function = it.activation.function
    if function is None:
        return False
    names = {name for name, _ in _mentions(it, value)}
    return any(_takes_tree(it, call, names) for call in calls_in(function.node, it.facts_of(function.node)))


def _takes_tree(it: Interpreter, call: ast.Call, names: set[str]) -> bool:
    given = [at for at, one in enumerate(call.args) if isinstance(one, ast.Name) and one.id in names]
    callee = _called(it, call.func) if given else None
    if callee is None:
        return False
    if isinstance(callee, External):
        return callee.name.startswith(("jax.tree.", "jax.tree_util.tree_"))
    function, bound, _ = innermost(callee)
    if function is None:
        return False
    taken, facts = parameters(function.node)[bound:], it.facts_of(function.node)
    return any(at < len(taken) and taken[at].arg in facts.container_names for at in given)


def _called(it: Interpreter, written: ast.expr) -> Value | None:
    """What is called: something that has a name, or the function under a transform, `jax.vmap(f)`.  No call is run for
    it: what it is given may be what is asked for."""
    if isinstance(written, ast.Call) and written.args and isinstance(written.func, (ast.Name, ast.Attribute)):
        with it.scratch(), it.quiet():
            transform = it.eval(written.func)
            name = transform.name if isinstance(transform, External) else ""
            is_one = name in WRAPPERS or name in libraries.WRAPPERS
            return it.eval(written.args[0]) if is_one and isinstance(written.args[0], _NAMED) else None
    if not isinstance(written, (ast.Name, ast.Attribute)):
        return None
    with it.scratch(), it.quiet():
        return it.eval(written)


_NAMED = (ast.Name, ast.Attribute, ast.Lambda)


def _mentions(it: Interpreter, value: Tree) -> Iterator[tuple[str, FunctionFacts]]:
    """The names of ``value``, each with what is known of names in the running function that calls it so."""
    if value.parameter:
        for node in it.running(LOOKED_AT.value):
            yield value.parameter, it.facts_of(node)
    function = it.activation.function
    if function is not None:
        facts = it.facts_of(function.node)
        for frame in {it.frame, it.activation.frame}:
            for name, held in it.state.read(frame).items():
                if held is value and name != value.parameter:
                    yield name, facts
