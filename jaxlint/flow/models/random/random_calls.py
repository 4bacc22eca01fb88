"""Calls of jax.random: what happens to the key, what comes back, and arguments in the wrong place."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.avals import UNKNOWN
from jaxlint.flow.domain.contexts import Context, Seed
from jaxlint.flow.domain.values import (
    ABSTRACT,
    CONCRETE,
    Array,
    Const,
    Container,
    Frame,
    Function,
    HostArray,
    Instance,
    Key,
    KeyId,
    Opaque,
    Static,
    Stream,
    Tree,
    Tuple,
    Value,
)
from jaxlint.flow.limits import RETURNED_DEPTH
from jaxlint.flow.models.arrays import arrays, listed, results, slopes
from jaxlint.flow.models.keys import keys, rng_collections
from jaxlint.flow.models.keys.meant import gives_only_a_shape
from jaxlint.flow.models.names import foreign
from jaxlint.flow.models.random import folded, shifted
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.dead import FunctionNode, around
from jaxlint.flow.source.made_alike import is_made_alike
from jaxlint.flow.source.modules import ModuleText, parameters
from jaxlint.flow.source.seeds import has_the_same_key
from jaxlint.semantics.model import KeyEffect, KeyFunction


def call_random(it: Interpreter, short: str, spec: KeyFunction, args: Arguments, node: ast.AST) -> Value:
    """jax.random.<short>(…)."""
    foreign.check_keywords(it, f"jax.random.{short}", args, node)
    if spec.effect is KeyEffect.CREATE:
        return _create(it, short, args, node)
    value = args.get(*spec.key)
    if value is None:
        return Opaque("a result")
    if spec.effect is KeyEffect.INSPECT:
        return Array() if short == "key_data" else Static("")
    listed.check_call(it, f"jax.random.{short}", args, node)
    _check_arguments(it, short, spec, args, value, node)
    _check_computed(it, spec, args, value, node)
    if isinstance(value, Stream):
        return Opaque("a result")
    ident = keys.key_of(value)
    if ident is None:
        return _result_without_key(it, short, args, node)
    if spec.effect is KeyEffect.FOLD:
        return _fold(it, value, ident, args, node)
    if spec.effect is KeyEffect.CLONE:
        return _clone(it, value, ident, node)
    name = f"jax.random.{short}"
    _check_batch(it, short, value, node)
    if spec.effect is KeyEffect.SPLIT:
        keys.consume(it, ident, keys.SPLIT, node, name, count=args.get(1, "num") or Const(2))
        return _split(it, value, ident, args, node)
    keys.consume(it, ident, keys.DRAW, node, name)
    check_constant(it, value, ident, node)
    it.last_pure_call = (node, name)
    drawn = arrays.combine(it, [value, *args.values()], _draw_kind(short), aval=results.of_call(it, name, args))
    return slopes.note(it, drawn, short, args.positional, node)


def _draw_kind(short: str) -> str:
    return {"bernoulli": "bool", "randint": "int", "categorical": "int", "poisson": "int", "bits": "int"}.get(short, "")


def _create(it: Interpreter, short: str, args: Arguments, node: ast.AST) -> Value:
    seed = args.get(0, "seed")
    constant = isinstance(seed, Const) and short != "wrap_key_data" and not _is_chosen_by_caller(it, args, node)
    if isinstance(seed, Const) and (isinstance(seed.value, (float, str)) and not isinstance(seed.value, bool)):
        it.emit(events.NotAKey(node, f"jax.random.{short}", "seed", seed.value))
    if (
        isinstance(seed, Const)
        and type(seed.value) is int
        and short != "wrap_key_data"
        and seed.value.bit_length() > 32
    ):
        is_met_again = it.ask_text(it.frame.scope, has_the_same_key, seed.value)
        it.emit(events.SeedCutOff(node, f"jax.random.{short}", seed.value, is_met_again))
    elif seed is not None and short != "wrap_key_data":
        shifted.check(it, seed, f"jax.random.{short}", args, node)
    origin = Seed(it.frame.scope, node, it.ctx.is_repeated, _is_counted(it, args, node)) if constant else None
    made = keys.fresh(it, "key", node, seed=origin)
    made.ident = _as_in_the_pass_before(it, made.ident, node)
    made.typed = short == "key"
    return made


def _as_in_the_pass_before(it: Interpreter, made: KeyId, node: ast.AST) -> KeyId:
    """The key that a loop makes anew of the same seed in each pass is the one that it has made before."""
    loops = it.loops[it.activation.around :]
    if not loops or not it.ask_text(it.frame.scope, is_made_alike, loops[-1][0], node):
        return made
    return it.activation.made_alike.setdefault((node,), made)


def _result_without_key(it: Interpreter, short: str, args: Arguments, node: ast.AST) -> Value:
    if short == "split":
        return Opaque("keys")
    return arrays.combine(it, args.values())


def _fold(it: Interpreter, value: Value, ident: KeyId, args: Arguments, node: ast.AST) -> Value:
    data = args.get(1, "data") or Opaque()
    folded.check(it, data, args, node)
    child = keys.fold(it, ident, node, data)
    child.seed = ident.seed if isinstance(data, Const) else None
    typed = value.typed if isinstance(value, Key) else None
    return _traced_like(it, value, Key(child, typed=typed))


def _clone(it: Interpreter, value: Value, ident: KeyId, node: ast.AST) -> Value:
    """The same bits under a name that nothing has used."""
    made = keys.fresh(it, "clone", node, seed=ident.seed)
    made.ident.lane = keys.lane_of(ident)
    if isinstance(value, Key):
        made.typed, made.ranked = value.typed, value.ranked
        made.batch, made.size, made.dims = value.batch, value.size, value.dims
    return _traced_like(it, value, made)


def _traced_like(it: Interpreter, value: Value, made: Key) -> Key:
    """What is ``made`` of the key ``value`` here: a tracer as that one, and always where every result is one.  Of one
    from a constant it counts where that was made."""
    made.level, made.provenance = value.level, getattr(value, "provenance", None)
    if it.ctx.staging and not it.ctx.concrete and made.ident.seed is None:
        made.level, made.provenance = ABSTRACT, made.provenance or it.ctx.provenance
    return made


def _split(it: Interpreter, value: Value, ident: KeyId, args: Arguments, node: ast.AST) -> Value:
    num = args.get(1, "num")
    size: int | None = 2 if num is None and not args.open_ended else None
    if isinstance(num, Const) and isinstance(num.value, int):
        size = num.value
    elif isinstance(num, Tuple) and len(num.items) == 1 and isinstance(num.items[0], Const):
        size = num.items[0].value
    made = keys.fresh(it, "split", node, batch=True, size=size, seed=ident.seed)
    made.dims = len(num.items) if isinstance(num, Tuple) else 1
    made.ident.many = num.identity if num is not None and made.dims == 1 else None
    made.ident.length_of = num.length_of if isinstance(num, Static) and made.dims == 1 else None
    made.typed = value.typed if isinstance(value, Key) else None
    it.last_pure_call = (node, "jax.random.split")
    return _traced_like(it, value, made)


def _is_chosen_by_caller(it: Interpreter, args: Arguments, node: ast.AST) -> bool:
    """Whether the seed is, or is read of, a parameter of the function that is traced (a default, or an argument that is
    static) or of one around it, which has made what is traced for the seed that it was given."""
    name = _read_of(args.expression(node, 0))
    frame: Frame | None = it.frame
    while name and frame is not None:
        function = frame.function
        if function is not None and any(parameter.arg == name for parameter in parameters(function.node)):
            is_around = frame.ctx is not None and not frame.ctx.is_repeated
            return (is_around or function.node is _traced(it.ctx)) and not it.facts_of(function.node).stored.get(name)
        if function is not None and it.facts_of(function.node).stored.get(name):
            return False
        frame = frame.parent
    return False


def _read_of(expression: ast.AST | None) -> str:
    """The name of which a value is read: itself, or an attribute or an item that is written down."""
    while isinstance(expression, (ast.Attribute, ast.Subscript)):
        if isinstance(expression, ast.Subscript) and not isinstance(expression.slice, ast.Constant):
            return ""
        expression = expression.value
    return expression.id if isinstance(expression, ast.Name) else ""


def _is_counted(it: Interpreter, args: Arguments, node: ast.AST) -> bool:
    """Whether the seed is a variable of the function that takes several values, so that each thing gets its own key."""
    function = it.frame.function
    argument = args.expression(node, 0)
    if function is None or not isinstance(argument, ast.Name):
        return False
    return len(it.facts_of(function.node).stored.get(argument.id, ())) > 1


def check_constant(it: Interpreter, value: Value, ident: KeyId, node: ast.AST) -> None:
    """Numbers drawn in a compiled function from a constant seed are the same in every call, and in every lane of a map
    that seeds inside.  What the function is given, its caller may have renewed."""
    seed = ident.seed
    if seed is None or not it.ctx.is_repeated:
        return
    if isinstance(seed, Seed) and seed.repeated:
        is_meant = seed.counted or _gives_only_a_shape(it, seed)
        it.emit(events.ConstantKey(seed.node, it.definition(), is_meant), seed.scope)
    elif it.ctx.stands_for_runs:
        is_outside = value.level == CONCRETE and not it.ctx.loops
        read = it.ctx.where_read(seed) if is_outside else it.ctx.where_left_out(seed)
        if read is not None:  # else it came as an argument
            is_assumed = it.ctx.assumes_default(seed)
            it.emit(events.ConstantKey(read[1], it.definition(), read=seed, assumed=is_assumed), read[0])


def note_renewed(it: Interpreter, function: Function, given: Iterable[str]) -> None:
    """A call of a traced function passes these arguments: constant keys that are their defaults are not used."""
    spec, names = function.node.args, set(given)
    ordered = [*spec.posonlyargs, *spec.args]
    rows = [*zip(ordered[len(ordered) - len(function.defaults) :], function.defaults)]
    rows += [(one, default) for one, default in zip(spec.kwonlyargs, function.kw_defaults) if default is not None]
    for parameter, default in rows:
        seed = default.ident.seed if parameter.arg in names and isinstance(default, Key) else None
        if isinstance(seed, Seed):
            it.emit(events.DefaultKeyRenewed(seed.node), seed.scope)


def check_returned(it: Interpreter, function: Function, result: Value, given: Iterable[Value], begun: int) -> None:
    """A compiled function that is given a key, and has drawn from it since it has ``begun``, returns one of a constant
    seed: whatever is drawn from that later is the same in every call."""
    if not it.ctx.is_repeated or not any(_is_spent(it, value, begun) for value in given):
        return
    for key in _keys_of(it, result):
        seed = key.ident.seed
        if isinstance(seed, Seed) and seed.repeated:
            is_meant = seed.counted or _gives_only_a_shape(it, seed)
            it.emit(events.ConstantKey(seed.node, function.qualified, is_meant), seed.scope)


def _is_spent(it: Interpreter, value: Value, since: int) -> bool:
    """Whether it is a key that has been drawn from, or split, since then."""
    ident = keys.key_of(value) if keys.is_known_key(value) else None
    uses = it.state.uses.get(ident.origin, ()) if ident is not None else ()
    return any(use.how in keys.STRONG and use.order > since for use in uses)


def _keys_of(it: Interpreter, value: Value, depth: int = 0) -> Iterator[Key]:
    """The keys that a value is or holds."""
    if isinstance(value, Key):
        yield value
    elif depth <= RETURNED_DEPTH.value and isinstance(value, (Tuple, Container, Instance)):
        for part in value.items if isinstance(value, Tuple) else list(it.state.read(value).values()):
            yield from _keys_of(it, part, depth + 1)


def _gives_only_a_shape(it: Interpreter, seed: Seed) -> bool:
    """Whether the function that makes the key asks for nothing but shapes of what is made with it."""
    return it.ask_text(seed.scope, _is_only_looked_at, seed.node)


def _is_only_looked_at(scope: ModuleText, node: ast.AST) -> bool:
    root = around(scope.tree, node) if scope.tree is not None else None
    return isinstance(root, FunctionNode) and gives_only_a_shape(scope, root, node)


def used_of(it: Interpreter, given: Container, callee: str, args: Arguments) -> Iterable[Value]:
    """Of a dict of keys, or what else it holds, what a library may use that is called with these arguments."""
    cell = it.state.read(given)
    package, _, method = callee.rpartition(".")
    if not package.startswith("flax.linen."):
        return cell.values()
    return rng_collections.drawn(it, method, cell, is_off=is_deterministic(args)).values()


def check_constants(it: Interpreter, value: Value, node: ast.AST, args: Arguments, callee: str = "") -> None:
    """The same for a key, or a dict of keys, that a library draws from."""
    if is_deterministic(args):
        return
    for part in used_of(it, value, callee, args) if isinstance(value, Container) else (value,):
        if isinstance(part, Key):
            check_constant(it, part, part.ident, node)


def _traced(ctx: Context | None) -> ast.AST | None:
    """The function that the innermost transform around was applied to."""
    while ctx is not None and ctx.root is None:
        ctx = ctx.parent
    return ctx.root if ctx is not None else None


_TRAINING = frozenset(("train", "training", "is_training", "is_train"))


def is_deterministic(args: Arguments) -> bool:
    """Whether a flag of the call says that nothing is drawn: train=False, deterministic=True."""
    return any(
        isinstance(value, Const)
        and ((name in _TRAINING and not value.value) or (name == "deterministic" and value.value))
        for name, value in args.named.items()
    )


def takes_no_stream(args: Arguments, value: Value) -> bool:
    """Whether what is handed as flax's ``rngs`` is, as far as can be seen, for dropout that is off."""
    return value is args.named.get("rngs") and not isinstance(value, Container) and is_deterministic(args)


# -- arguments ----------------------------------------------------------------------------------------------


def _check_batch(it: Interpreter, short: str, value: Value, node: ast.AST) -> None:
    if not isinstance(value, Key) or not value.batch or not value.ranked:
        return
    if value.ident.text == "split" and made_here(it, value.ident):
        it.emit(events.KeysAsOne(node, f"jax.random.{short}"))


_VALUE_PARAMETERS = frozenset("p a b lam df alpha scale loc lower upper sigma mean".split())
_REFUSING_SEQUENCES = frozenset("bernoulli gamma loggamma beta poisson dirichlet exponential t".split())
_NEVER_CALLED_SHAPE = frozenset(("p", "lam"))
"""Parameters that no object has in an attribute `shape`, as one of a distribution may have that of `gamma`."""


def _check_arguments(
    it: Interpreter, short: str, spec: KeyFunction, args: Arguments, value: Value, node: ast.AST
) -> None:
    problem = _misplaced(it, short, spec, args, value)
    if isinstance(value, Const) and value.value is None and not _writes_none(args, node):
        return  # a default that every caller replaces
    if problem is not None:
        it.emit(events.NotAKey(node, f"jax.random.{short}", *problem, spec.parameters))
    elif short in _REFUSING_SEQUENCES and not args.open_ended and "shape" not in args.named:
        for name, argument in zip(spec.parameters[1:], args.positional[1:]):
            if name in _NEVER_CALLED_SHAPE and isinstance(argument, Opaque) and argument.selector == ("attr", "shape"):
                it.emit(events.NotAKey(node, f"jax.random.{short}", "shape", name, spec.parameters, assumed=True))


def _check_computed(it: Interpreter, spec: KeyFunction, args: Arguments, value: Value, node: ast.AST) -> None:
    """An unknown that arithmetic makes a key of was a key, or the words of one; a known one is seen by the operator."""
    given = args.expression(node, 0) or next((one.value for one in _keywords(node) if one.arg == spec.key[1]), None)
    if isinstance(given, ast.BinOp) and isinstance(value, (Array, Opaque)):
        arrays.note_key_arithmetic(it, given.op, given, typed=False)


def _keywords(node: ast.AST) -> list[ast.keyword]:
    return node.keywords if isinstance(node, ast.Call) else []


def _writes_none(args: Arguments, node: ast.AST) -> bool:
    named = (keyword.value for keyword in _keywords(node) if keyword.arg == "key")
    return any(
        isinstance(argument, ast.Constant) and argument.value is None for argument in (args.expression(node, 0), *named)
    )


def made_here(it: Interpreter, ident: KeyId) -> bool:
    """Whether the key (or what it is part of) was made in the function that runs, so that its rank is known."""
    ident = ident.root
    if ident.site is None or ident.site[0] is not it.frame.scope:
        return False
    function = it.activation.function
    if function is None:
        return True
    line = getattr(ident.site[1], "lineno", -1)
    return getattr(function.node, "lineno", 0) <= line <= getattr(function.node, "end_lineno", 0)


def _misplaced(
    it: Interpreter, short: str, spec: KeyFunction, args: Arguments, value: Value
) -> tuple[str, object] | None:
    """How the arguments do not fit, and what of them, as events.NotAKey has it; None if they do."""
    if isinstance(value, Const) and not isinstance(value.value, bytes):
        return "value", value.value
    if isinstance(value, Tuple) and value.items and all(isinstance(item, (Const, Static)) for item in value.items):
        return "tuple", None
    if args.open_ended:
        return None
    given = len(args.positional) + len(args.named)
    missing = [
        name
        for index, name in enumerate(spec.parameters[: spec.required])
        if index >= len(args.positional) and name not in args.named
    ]
    if missing and given:
        return "missing", missing[0]
    for index, name in enumerate(spec.parameters):
        argument = args.get(index, name)
        if name == "dtype" and isinstance(argument, Const) and isinstance(argument.value, (int, float)):
            return "dtype", argument.value
        if index < len(args.positional) and name in _VALUE_PARAMETERS and _is_shape(it, argument):
            if not (short in ("choice", "permutation") or "shape" in args.named):
                if short in _REFUSING_SEQUENCES:
                    return "shape", name
    if short in ("choice", "permutation") and isinstance(args.get(1, "a" if short == "choice" else "x"), Container):
        return "list", None
    return None


def _is_shape(it: Interpreter, value: Value | None) -> bool:
    if isinstance(value, Static):
        return value.kind == "shape"
    return (
        isinstance(value, Tuple)
        and all(isinstance(item, (Static, Opaque)) or _is_whole(item) for item in value.items)
        and (not value.items or any(map(_is_whole, value.items)))
        and not isinstance(value, HostArray)
    )


def _is_whole(value: Value) -> bool:
    return isinstance(value, Const) and isinstance(value.value, int)


def _draw_from_streams(it: Interpreter, given: Container, node: ast.AST, callee: str) -> None:
    """Of a key that is given for several streams of a flax module, what is drawn from each is the same."""
    names: dict[KeyId, list[str]] = {}
    for name, part in rng_collections.sure(it, callee, it.state.read(given)).items():
        ident = keys.key_of(part)
        if ident is not None:
            names.setdefault(ident, []).append(name)
    for ident, streams in names.items():
        for _ in streams if len(streams) > 1 else ():
            keys.consume(it, ident, keys.DRAW, node, callee)


def draw_from(it: Interpreter, value: Value, node: ast.AST, callee: str, how: str, args: Arguments) -> None:
    """A library function uses the key (or each key of a dict of keys) that it is given."""
    parts: list[Value] = [value]
    if callee.endswith(".apply") and takes_no_stream(args, value):
        return
    if isinstance(value, Container):
        _draw_from_streams(it, value, node, callee)
        parts = [part for part in used_of(it, value, callee, args) if not isinstance(part, Tuple)]
    elif isinstance(value, Tuple):
        parts = list(value.items)
    seen: set[KeyId] = set()
    for part in parts:
        ident = keys.key_of(part) if isinstance(part, (Key, Opaque, Tree, Array)) else None
        if ident is not None and ident not in seen and not _is_no_key(part):
            seen.add(ident)
            ident.known = True
            keys.consume(it, ident, how, node, callee)


def _is_no_key(value: Value) -> bool:
    """Whether what is handed over for a key is an array of numbers that no key consists of: the callee refuses it."""
    aval = results.aval_of(value) if isinstance(value, Array) and not keys.is_known_key(value) else UNKNOWN
    return aval.kind in ("bool", "float", "complex")
