"""What a call hands to a compiled function: static arguments, which are hashed, and others, which must be arrays."""

from __future__ import annotations

import ast
from collections.abc import Collection

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import ClassValue, Const, Function, Instance, Static, Transformed, Tree, innermost
from jaxlint.flow.models.jax.parameter_uses import is_number
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.binding import ask
from jaxlint.flow.models.objects.classes import find_member
from jaxlint.flow.models.objects.hashing import unhashable
from jaxlint.flow.models.objects.leaves import no_leaf
from jaxlint.flow.models.objects.making import CONSTRUCTORS
from jaxlint.flow.models.objects.receivers import is_supposed
from jaxlint.flow.models.objects.registered import is_registered
from jaxlint.flow.models.objects.remade import is_replaced_below
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import parameters
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.compiling import BY_STATIC_ARGUMENTS


def is_refused(
    it: Interpreter, made: Transformed, args: Arguments, names: list[str], static: Collection[int | str], node: ast.AST
) -> bool:
    """Whether a call of a transformed function fails for its arguments; ``names`` are the parameters of the positional
    ones, and those of a position or name in ``static`` are static."""
    if made.name not in BY_STATIC_ARGUMENTS or args.open_ended or node is made.node:
        return False
    for place in static:
        value = args.get(place if isinstance(place, int) else None, place if isinstance(place, str) else "")
        if value is None:
            continue
        ask(it, value, "__hash__", [], node)
        what = unhashable(it, value)
        name = place if isinstance(place, str) else names[place]
        if what and _is_of_derived(it):
            continue
        if what and not (isinstance(value, Tree) and _may_have_no_arrays(it, made, name, value)):
            return it.emit(events.UnhashableStatic(node, name, made.name, what, value))
    return False


def _is_of_derived(it: Interpreter) -> bool:
    """Whether the method that runs, for an object of which only the class is known, reads what a class derived from
    that one replaces: it may be that only objects of that one are made."""
    function = it.activation.function
    if function is None or function.owner is None or not function.node.args.args:
        return False
    first = function.node.args.args[0].arg
    owner = it.state.read(it.activation.frame).get(first)
    if not isinstance(owner, Instance) or not owner.symbolic:
        return False
    makers = (find_member(it, owner.cls, name) for name in CONSTRUCTORS)
    read = {name for one in (function, *makers) if isinstance(one, Function) for name in _read_of_first(one)}
    return bool(read) and is_replaced_below(it, owner.cls, read)


def _read_of_first(function: Function) -> set[str]:
    """The attributes of its first parameter that a function reads."""
    first = next(iter(function.node.args.args), None)
    return {
        node.attr
        for node in descendants(function.node)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load)
        if first is not None and node.value.id == first.arg
    }


def _may_have_no_arrays(it: Interpreter, made: Transformed, name: str, value: Tree) -> bool:
    """Whether a traced argument that is handed on, for the static parameter of that name, may be a pytree that has a
    hash, for there are no arrays in it: None, a `jax.tree_util.Partial`, a record of static fields."""
    if value.array_like:
        return False
    function, running = innermost(made)[0], it.activation.function
    if running is not None and value.parameter and is_number(it, running, value.parameter):
        return False
    return function is None or not is_number(it, function, name, required=value.required_by is not None)


def _may_take(made: Transformed, name: str) -> bool:
    """Whether the function may have a parameter by that name.  If not, that is what is wrong with the call."""
    function = innermost(made)[0]
    if function is None or function.node.args.kwarg is not None:
        return True
    return any(parameter.arg == name for parameter in parameters(function.node))


_ACCEPTING_ARRAYS = frozenset(
    "jax.jit jax.experimental.pjit.pjit flax.nnx.jit jax.checkpoint jax.remat jax.vmap jax.pmap jax.grad "
    "jax.value_and_grad jax.jacobian jax.jacrev jax.jacfwd jax.hessian".split()
)
"""What traces all arguments that are not static, are mapped or differentiated: each an array or a tree of them."""


def is_no_array(
    it: Interpreter, made: Transformed, args: Arguments, names: list[str], static: Collection[int | str], node: ast.AST
) -> bool:
    """Whether a call fails for an argument that is traced and is no array, nor a tree of them."""
    if made.name not in _ACCEPTING_ARRAYS or args.open_ended or node is made.node:
        return False
    named = ((name, name, one) for name, one in args.named.items() if _may_take(made, name))
    passed = [*zip(range(len(names)), names, args.positional), *named]
    for place, name, value in passed:
        is_receiver = place == 0 and made.receiver is not None  # the method itself is told of
        if place not in static and not is_receiver and not is_supposed(it, value):
            what = no_leaf(it, value) or _member(it, args, place, node)
            if what:
                return it.emit(events.NoArray(node, name, made.name, what))
    return False


_OF_ENUMS = frozenset(("enum.Enum", "enum.Flag", "enum.StrEnum", "builtins.str"))
"""What enumerations derive from whose members are no numbers."""


def _member(it: Interpreter, args: Arguments, place: object, node: ast.AST) -> str:
    """The member of an enumeration that is written for an argument: a value of its own, whatever it is made of."""
    written = args.expression(node, place) if isinstance(place, int) else _keyword(node, place)
    if not isinstance(written, ast.Attribute) or not isinstance(written.value, (ast.Name, ast.Attribute)):
        return ""
    with it.quiet():
        cls, value = it.eval(written.value), it.eval(written)
    if not isinstance(cls, ClassValue) or not classes.is_enum(cls) or not isinstance(value, (Const, Static)):
        return ""
    if not classes.external_bases(cls) <= _OF_ENUMS or len(classes.decorator_names(cls)) != len(
        cls.node.decorator_list
    ):
        return ""
    if not classes.decorator_names(cls) <= {"enum.unique"} or it.ask_program(is_registered, cls.name):
        return ""
    return f"a member of the enumeration `{cls.name}`"


def _keyword(node: ast.AST, name: object) -> ast.expr | None:
    written = node.keywords if isinstance(node, ast.Call) else []
    return next((one.value for one in written if one.arg == name), None)
