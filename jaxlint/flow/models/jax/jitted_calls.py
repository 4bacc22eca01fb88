"""What a call hands to a compiled function: static arguments, which are hashed, and others, which must be arrays."""

from __future__ import annotations

import ast
from collections.abc import Collection

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import ClassValue, Const, External, Static, Transformed, Tree, innermost
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.binding import ask
from jaxlint.flow.models.objects.hashing import unhashable
from jaxlint.flow.models.objects.leaves import no_leaf
from jaxlint.flow.models.objects.receivers import is_supposed
from jaxlint.flow.models.objects.registered import is_registered
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import calls_in, parameters
from jaxlint.semantics.compiling import BY_STATIC_ARGUMENTS
from jaxlint.semantics.transforms import HIGHER_ORDER, WRAPPERS


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
        if what and not (isinstance(value, Tree) and _is_run(it, made, name)):
            return it.emit(events.UnhashableStatic(node, name, made.name, what, value))
    return False


def _is_run(it: Interpreter, made: Transformed, name: str) -> bool:
    """Whether the function runs its parameter of that name, or has JAX run it: then it is given no array but something
    that is callable, which has a hash though there are tracers in it, such as a `jax.tree_util.Partial`."""
    function = innermost(made)[0]
    if function is None:
        return False
    for call in calls_in(function.node, it.facts_of(function.node)):
        if isinstance(call.func, ast.Name) and call.func.id == name:
            return True
        if call.args and isinstance(call.args[0], ast.Name) and call.args[0].id == name:
            runs = it.eval_annotation(call.func, function)
            if isinstance(runs, External) and (runs.name in WRAPPERS or runs.name in HIGHER_ORDER):
                return True
    return False


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
