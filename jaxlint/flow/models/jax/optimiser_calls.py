"""What an optimiser of optax is given: what its update needs beside gradients and state, and gradients that are no tree
like the parameters."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, Container, ExternalInstance, Method, Opaque, Tuple, Union, Value
from jaxlint.flow.limits import KNOWN_ARGUMENTS, TREE_DEPTH
from jaxlint.flow.models.arrays import handed_back, results
from jaxlint.flow.models.arrays.arrays import tracer_in
from jaxlint.flow.models.arrays.pytrees import computed_with
from jaxlint.flow.models.jax.schedules import UNNAMED, is_optimiser
from jaxlint.flow.models.objects.iteration import entries_of, known_items
from jaxlint.flow.models.objects.leaves import no_leaf
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.optimisers import KEEPING, NEEDED, OF_OTHERS, SEARCHED_BY_DEFAULT


def check_update(it: Interpreter, optimiser: Value, args: Arguments, node: ast.AST) -> None:
    """Whether a call of `update` passes all that the optimiser needs, as far as is known: one of several what each of
    them does."""
    if args.open_ended or args.more_names or args.others is not None or args.rest is not None:
        return
    missing = tuple(name for name in _needed(it, optimiser) if not _is_passed(name, args, node))
    first = optimiser.options[0] if isinstance(optimiser, Union) else optimiser
    if not isinstance(first, ExternalInstance):
        return
    if handed_back.is_loss(args.get(0, "updates")):
        it.emit(events.LossForGradient(node))
    if missing:
        it.emit(events.UpdateNeeds(node, first.made_by, missing))
    state = args.get(1, "state")
    if isinstance(state, Array) and not state.declared and keeps_state(it, optimiser):
        it.emit(events.NoState(node, first.made_by, str(results.aval_of(state))))


def check_init(it: Interpreter, optimiser: ExternalInstance, args: Arguments, node: ast.AST) -> None:
    """Whether `init` gets arrays, of which a state that is kept for each is made."""
    params = args.get(0, "params")
    what = no_leaf(it, params) if params is not None and keeps_state(it, optimiser) else ""
    if what:
        it.emit(events.NoParameters(node, optimiser.made_by, what))


def keeps_state(it: Interpreter, optimiser: Value, depth: int = 0) -> bool:
    """Whether an optimiser takes apart the state that it is given, or one that it is made of does."""
    if isinstance(optimiser, Union):
        return all(keeps_state(it, option, depth + 1) for option in optimiser.options)
    if not isinstance(optimiser, ExternalInstance) or depth > TREE_DEPTH.value:
        return False
    if optimiser.made_by != "optax.chain":
        return optimiser.made_by in KEEPING
    return any(keeps_state(it, part, depth + 1) for part in _flat(it, optimiser.args))


def check_one_of(it: Interpreter, functions: Sequence[Value], args: Arguments, node: ast.AST) -> None:
    """The same where it is the update of one of several optimisers."""
    owners = tuple(one.receiver for one in functions if isinstance(one, Method) and one.name == "update")
    if len(owners) == len(functions) and all(isinstance(one, ExternalInstance) and is_optimiser(one) for one in owners):
        check_update(it, Union(owners), args, node)
        handed_back.check_alike(it, args.get(0, "updates"), args.get(2, "params"), node)


def _is_passed(name: str, args: Arguments, node: ast.AST) -> bool:
    """Whether a call passes something.  A None that comes from elsewhere is another caller's choice."""
    position = 2 if name == "params" else None
    if args.get(position, name) is None:
        return False
    written = args.expression(node, 2) if name == "params" and name not in args.named else None
    if name in args.named and isinstance(node, ast.Call):
        written = next((keyword.value for keyword in node.keywords if keyword.arg == name), None)
    return not (isinstance(written, ast.Constant) and written.value is None)


def _needed(it: Interpreter, optimiser: Value, depth: int = 0) -> Collection[str]:
    """What must be passed beside gradients and state, for itself and for what it is put together from."""
    if depth > TREE_DEPTH.value:
        return ()
    if isinstance(optimiser, Union):
        first, *others = (_needed(it, option, depth + 1) for option in optimiser.options)
        return [name for name in first if all(name in other for other in others)]
    if not isinstance(optimiser, ExternalInstance) or not is_optimiser(optimiser):
        return ()
    needed = [*NEEDED.get(optimiser.made_by, ())]
    inner: Sequence[Value] = ()
    if optimiser.made_by in SEARCHED_BY_DEFAULT:
        position, keyword, of_default = SEARCHED_BY_DEFAULT[optimiser.made_by]
        inner = [*optimiser.args[position : position + 1], *filter(None, [optimiser.kwargs.get(keyword)])]
        if not inner and UNNAMED not in optimiser.kwargs:
            needed += of_default
    elif optimiser.made_by in OF_OTHERS:
        inner = (*optimiser.args, *optimiser.kwargs.values())
    for part in _flat(it, inner):
        needed += _needed(it, part, depth + 1)
    return dict.fromkeys(needed)


def updated(it: Interpreter, args: Arguments, result: Value, node: ast.AST) -> Value:
    """What `update` gives, updates and a state: updates have the structure of the gradients."""
    gradients, params = args.get(0, "updates"), args.get(2, "params")
    if isinstance(result, Opaque) and result.parent is None:
        result.text = _UPDATED
    if not isinstance(gradients, Tuple) or not gradients.around or args.open_ended:
        traced = gradients is not None and not args.open_ended and tracer_in(it, gradients) is not None
        if gradients is None or not traced or not isinstance(result, Opaque) or not it.ctx.staging:
            return result
        return Tuple((computed_with(it, gradients, gradients), result.part(("item", 1))))
    if params is not None and not handed_back.check_alike(it, gradients, params, node):
        return result
    updates = gradients.with_items(gradients.items)
    updates.around = tuple(one._replace(update=node, scope=it.frame.scope) for one in gradients.around)
    return Tuple((updates, Opaque("the state of an optimiser")))


_UPDATED = "updates and the state of an optimiser"


def is_state(value: Value | None) -> bool:
    """Whether something is the second of what `update` gives."""
    if not isinstance(value, Opaque) or value.parent is None or value.selector != ("item", 1):
        return False
    return value.parent.text is _UPDATED


def _flat(it: Interpreter, values: Sequence[Value], depth: int = 0) -> Iterator[Value]:
    """Values, and what those hold that are tuples, lists and dicts."""
    for value in values:
        held: Sequence[Value] | None = None
        if isinstance(value, Container):
            entries = entries_of(it, value).values()
            held = [*entries] if value.kind == "dict" else known_items(it, value, KNOWN_ARGUMENTS.value)
        elif isinstance(value, Tuple):
            held = value.items
        if held and depth < TREE_DEPTH.value:
            yield from _flat(it, held, depth + 1)
        else:
            yield value
