"""Code that cannot be seen: keys among its arguments may be used, nothing else is claimed."""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterator

from jaxlint.flow.domain.arguments import Arguments, callee_text
from jaxlint.flow.domain.state import is_tracer
from jaxlint.flow.domain.values import (
    Array,
    Container,
    External,
    ExternalInstance,
    Function,
    Instance,
    Key,
    Opaque,
    Partial,
    Static,
    Transformed,
    Tree,
    Tuple,
    Value,
)
from jaxlint.flow.limits import MAX_DEPTH
from jaxlint.flow.models.arrays import dtypes, handed_back
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.names import clocks, expectations
from jaxlint.flow.models.objects import containers
from jaxlint.flow.models.objects.declared import declared_result, unknown_arguments
from jaxlint.flow.models.objects.record_copies import replaced
from jaxlint.flow.models.objects.replacing import handed_on, replacing
from jaxlint.flow.models.objects.taken import unknown_taken_for
from jaxlint.flow.models.random import ignored_keys, random_calls, sampled_models
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import parameters
from jaxlint.flow.source.reached_in_cells import reached_in_cells
from jaxlint.semantics.keyless import KEEPING_METHODS, knows_no_keys
from jaxlint.semantics.model import KeyEffect
from jaxlint.semantics.random import DIRECT_INITIALIZERS, KEY_FUNCTIONS, KEYLESS_INITIALIZERS


def call_unseen(it: Interpreter, function: Value, args: Arguments, node: ast.AST, how: str = keys.HANDED) -> Value:
    """Code that is not run here: keys among the arguments may be used, nothing else is claimed."""
    if isinstance(function, Opaque) and function.parent is not None and function.selector in _RESHAPES:
        return Opaque(function.parent.text, key=function.parent.key)
    if isinstance(function, Opaque) and function.selector in _REPLACING and args.named and not args.positional:
        if function.parent is not None and node not in it.operations:
            return replaced(it, function.parent, args)
    clocks.wait_unseen(it, function, args.values())
    callee = callee_text(function, node)
    sampler = _reexported_sampler(function, callee)
    if sampler is not None and args.positional and keys.is_known_key(args.positional[0]):
        return random_calls.call_random(it, sampler, KEY_FUNCTIONS[sampler], args, node)
    note_handed(it, args, node, callee, how, function)
    if isinstance(function, Opaque) and function.selector == ("attr", "update"):
        handed_back.check_alike(it, args.get(0, "updates"), args.get(2, "params"), node, is_known=False)
    derived = None
    for value in args.values():
        containers.leave_to_unseen(it, value)
        if isinstance(value, (Function, Transformed, Partial)):
            it.note_escape(value)
        elif derived is None and it.ctx.staging and isinstance(value, (Array, Tree)) and is_tracer(value):
            derived = value.provenance
    declared = declared_result(it, function)
    if declared is not None:
        return declared
    result = Opaque("the result of a call", derived=derived)
    if isinstance(function, Opaque) and function.selector == ("attr", "astype"):
        result.wide = dtypes.conversion(it, args, node)
    elif isinstance(function, Opaque) and function.selector in _LOOKUPS:
        result.holds = containers.held_by_default(args)
    return result


def _reexported_sampler(function: Value, callee: str) -> str | None:
    """The jax.random function behind `backend.random.split`: a wrapper module that offers the same names."""
    package, _, short = callee.rpartition(".")
    if isinstance(function, (Opaque, Function)) and package.endswith(".random") and short in KEY_FUNCTIONS:
        return short if KEY_FUNCTIONS[short].effect in (KeyEffect.DRAW, KeyEffect.SPLIT, KeyEffect.FOLD) else None
    return None


_RESHAPES = frozenset(("attr", name) for name in ("reshape", "squeeze", "ravel", "flatten", "copy"))
"""Methods of an unknown value that return the same key if it is one."""
_REPLACING = frozenset(("attr", name) for name in ("replace", "_replace"))
"""Methods of an unknown record that copy it with other values in the fields that are named."""
_LOOKUPS = frozenset(("attr", name) for name in ("get", "pop", "setdefault"))
"""Methods that return an item of a dict, or the default."""


def note_handed(
    it: Interpreter,
    args: Arguments,
    node: ast.AST,
    callee: str,
    how: str = keys.HANDED,
    function: Value | None = None,
) -> None:
    """Keys handed to a callee that cannot be seen count as spent, weakly, unless the text of all that ``function`` may
    stand for tells that nothing is drawn from them."""
    if node in it.operations:
        return  # the carry of a loop goes through its body, it is not handed over
    _learn_from_keywords(it, args, node, callee)
    if any(_ignores_its_key(value) for value in args.positional):
        return
    keeping = _keeping_method(function, node)
    for value, is_stream in _handed_values(it, args, node):
        ident = keys.key_of(value)
        used = keys.NAMED if is_stream and how == keys.HANDED and not isinstance(function, Function) else how
        if ident is not None and (keys.is_known_key(value) or isinstance(value, (Opaque, Tree))):
            if keeping and not (keys.is_known_key(value) and ignored_keys.some_draw(it, keeping, args, value)):
                continue
            if function is None:
                keys.consume(it, ident, used, node, callee)
            elif not ignored_keys.leaves_alone(it, function, args, value, _lacking(function, node)):
                draws = functools.partial(ignored_keys.draw_from, it, it.frame.scope, function, args, value)
                keys.consume(it, ident, used, node, callee, draws=draws)


def _keeping_method(function: Value | None, node: ast.AST) -> str:
    """The name of the method if a call is one that keeps its arguments, of an object of which
    nothing is known."""
    if not isinstance(function, (Opaque, Static)) or not isinstance(node, ast.Call):
        return ""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return name if name in KEEPING_METHODS else ""


def _lacking(function: Value, node: ast.AST) -> str:
    """The name of a method that the class of an object lacks, which a class derived from it may have."""
    written = node.func if isinstance(node, ast.Call) else None
    if not isinstance(function, Opaque) or function.parent is not None or not isinstance(written, ast.Attribute):
        return ""
    return written.attr if function.text == f"self.{written.attr}" else ""


def note_handed_outside(it: Interpreter, args: Arguments, node: ast.AST, callee: str, of: Collection[str]) -> None:
    """The same for code of libraries: ``of`` are the names of the function, or of the classes of the object.  What
    knows of no keys draws only by what it is to call."""
    given = args.values()
    for value in given:
        containers.leave_to_unseen(it, value)
    calls = any(isinstance(value, (Function, Partial, Transformed, External)) for value in given)
    if calls or not of or not all(map(knows_no_keys, of)):
        note_handed(it, args, node, callee)


FLAX_APPLY = "flax.linen.Module.apply"
"""What `apply` is that is given `rngs`."""


_KEY_KEYWORDS = ("rng", "rngs", "rng_key", "prng_key", "prng")


def _learn_from_keywords(it: Interpreter, args: Arguments, node: ast.AST, callee: str) -> None:
    """What is passed as ``rngs=`` or ``rng=`` in a module that has no NumPy generators is a key."""
    for name in _KEY_KEYWORDS:
        value = args.named.get(name)
        if value is None or not it.frame.scope.may_hold_keys:
            continue
        if name == "rngs" and not isinstance(value, Container):
            continue  # a dict of keys, or a stream
        parts = list(it.state.read(value).values()) if isinstance(value, Container) else [value]
        if name == "rngs" and callee.endswith(".apply"):
            random_calls.check_constants(it, value, node, args, FLAX_APPLY)
        for part in parts:
            if isinstance(part, (Opaque, Tree)):
                part.key.known = True


_KEYLESS = KEYLESS_INITIALIZERS | DIRECT_INITIALIZERS


def _ignores_its_key(value: Value) -> bool:
    """zeros, ones and constant initialisers take a key and never draw."""
    name = value.made_by if isinstance(value, ExternalInstance) else value.name if isinstance(value, External) else ""
    return ".initializers." in name and name.rpartition(".")[2].removesuffix("_init") in _KEYLESS


def _handed_values(it: Interpreter, args: Arguments, node: ast.AST) -> list[tuple[Value, bool]]:
    """Arguments, and the parts of those that are written in the call, such as the dict of rngs: with each whether it is
    in that dict, which is flax's way of giving keys.

    A carry that holds a key among other things is handed through, not handed over.
    """
    found: list[tuple[Value, bool]] = []
    written = isinstance(node, ast.Call) and any(
        isinstance(argument, (ast.Tuple, ast.List, ast.Dict))
        for argument in (*node.args, *(keyword.value for keyword in node.keywords))
    )
    is_apply = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "apply"
    for value in args.values():
        if is_apply and random_calls.takes_no_stream(args, value):
            continue
        if isinstance(value, (Key, Opaque, Tree)):
            found.append((value, False))
        elif isinstance(value, (Container, Tuple)) and written:
            is_stream = isinstance(value, Container) and value is args.named.get("rngs")
            callee = FLAX_APPLY if is_apply and is_stream else ""
            items = random_calls.used_of(it, value, callee, args) if isinstance(value, Container) else value.items
            flat = [part for item in items for part in (item.items if isinstance(item, Tuple) else (item,))]
            found.extend(
                (part, is_stream)
                for part in flat
                if (isinstance(part, Key) and not part.batch)
                or (isinstance(part, (Opaque, Tree)) and keys.is_known_key(part))
            )
    return found


def enter_eagerly(it: Interpreter, function: Function) -> None:
    """The same for one that was handed to nobody: of those of a notebook's own that have optional parameters the ones
    that no cell comes to.  The others have run with what the cells pass, or leave out."""
    has_options = any(default is not None for default in (*function.defaults, *function.kw_defaults))
    is_own = has_options and function.owner is None and function.frame is None
    if not is_own or function.name not in it.ask_text(function.scope, reached_in_cells):
        enter_unknown(it, function)


def enter_unknown(it: Interpreter, function: Function) -> None:
    """Analyses a function as some caller nobody knows would run it: eagerly, with unknown arguments."""
    if it.is_running(function.node):
        return
    if it.depth >= MAX_DEPTH.value:
        it.meets(MAX_DEPTH, function.node, function.scope)
        return
    for receiver in _receivers(it, function):
        _enter(it, function, receiver)


def _receivers(it: Interpreter, function: Function) -> Iterator[Value | None]:
    """The object that a method runs on; also one of each class derived from its own that has something in place of what
    the method hands to a transform, or to a function that it makes."""
    owner = function.owner
    if function.receiver is not None or owner is None or function.kind == "static":
        yield function.receiver
    elif function.kind == "class":
        yield owner
    else:
        yield Instance(owner, None, symbolic=True)
        handed = handed_on(function) if not function.kind else frozenset[str]()
        for cls in replacing(it, function, owner, handed, function.node)[0] if handed else ():
            yield Instance(cls, None, symbolic=True)


def _enter(it: Interpreter, function: Function, receiver: Value | None) -> None:
    with expectations.as_all_callers(it, function):
        arguments = unknown_arguments(it, function, receiver)
        for parameter in parameters(function.node):
            if isinstance(arguments[parameter.arg], Opaque):
                arguments[parameter.arg] = unknown_taken_for(it, function, parameter) or arguments[parameter.arg]
        ctx = sampled_models.as_sampled(it, function)
        if ctx is not None:
            with it.scratch(), it.context(ctx):
                it.run_function(function, dict(arguments), unseen=True)
        it.run_function(function, arguments, unseen=True)
