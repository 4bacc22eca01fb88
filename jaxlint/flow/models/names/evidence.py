"""What the code takes an argument for whose structure is not known: an array, a list, a dict, an object."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain.values import External, Tree
from jaxlint.flow.limits import LOOKED_AT
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import FunctionFacts, operands_of
from jaxlint.flow.source.text import mentions
from jaxlint.flow.source.trees import FunctionNode, descendants


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
    if value.holds == "mapping" or value.has_named_items:
        return True
    return not value.array_like and any(name in facts.mapping_names for name, facts in _mentions(it, value))


def used_as_array(it: Interpreter, value: Tree) -> bool:
    """Whether it is an array, or one of the running functions asks it for what arrays have."""
    return value.array_like or any(name in facts.array_names for name, facts in _mentions(it, value))


def may_be_left_out(it: Interpreter, value: Tree) -> bool:
    """Whether it is an optional parameter, and nothing tells that an array is meant: who asks for its truth asks
    whether it was given, and any object answers that."""
    nodes = it.stack[-LOOKED_AT.value :]
    if not any(_is_optional(node, value.parameter) for node in nodes):
        return False
    names = {value.parameter, *(name for name, held in it.state.read(it.frame).items() if held is value)}
    return not any(_is_computed_with(it, node, names) for node in nodes)


def _is_optional(node: FunctionNode, name: str) -> bool:
    """Whether a parameter is None where it is not given, and not declared to be an array."""
    spec = node.args
    ordered = [*spec.posonlyargs, *spec.args]
    optional = [
        *zip(ordered[len(ordered) - len(spec.defaults) :], spec.defaults),
        *zip(spec.kwonlyargs, spec.kw_defaults),
    ]
    return any(
        parameter.arg == name
        and isinstance(default, ast.Constant)
        and default.value is None
        and not (parameter.annotation is not None and _is_of_arrays(parameter.annotation))
        for parameter, default in optional
    )


def _is_of_arrays(annotation: ast.expr) -> bool:
    texts = [part.value for part in descendants(annotation) if isinstance(part, ast.Constant)]
    return mentions(annotation, "rray") or any(isinstance(text, str) and "rray" in text for text in texts)


def _is_computed_with(it: Interpreter, node: FunctionNode, names: set[str]) -> bool:
    """Whether a function hands what it calls by one of these names to an operator, or to a function of arrays."""
    for name, callee in operands_of(node, it.facts_of(node)):
        if name in names:
            root, _, rest = callee.partition(".")
            module = it.lookup(root) if root else None
            if not callee or (isinstance(module, External) and f"{module.name}.{rest}".startswith(_OF_ARRAYS)):
                return True
    return False


_OF_ARRAYS = ("jax.numpy.", "jax.nn.", "numpy.")


def _mentions(it: Interpreter, value: Tree) -> Iterator[tuple[str, FunctionFacts]]:
    """The names of ``value``, each with what is known of names in the running function that calls it so."""
    if value.parameter:
        for node in it.stack[-LOOKED_AT.value :]:
            yield value.parameter, it.facts_of(node)
    function = it.activation.function
    if function is not None:
        facts = it.facts_of(function.node)
        for frame in {it.frame, it.activation.frame}:
            for name, held in it.state.read(frame).items():
                if held is value and name != value.parameter:
                    yield name, facts
