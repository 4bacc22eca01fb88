"""The shapes of the semantic tables: what a transform, a key function or a library can say.

Tables are data.  They know names and argument positions, never control flow; ``flow/`` gives them meaning.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field


class Abstracts(enum.Enum):
    """What a transform does to the arguments of the function it traces (JAX 0.10.2 and 0.12.0.1, eager call)."""

    ALL = "all"  # every passed, non-static argument becomes an abstract tracer: jit, scan, cond
    MAPPED = "mapped"  # only mapped arguments do (in_axes=None stays concrete): vmap
    DIFFERENTIATED = "differentiated"  # argnums become concrete tracers, `if` works, float() raises: grad
    ARRAYS = "arrays"  # array leaves become abstract, every other leaf stays static: eqx.filter_jit
    NODES = "nodes"  # as for ALL, but an argument may be a module, which keeps what is in it beside Variables: nnx.jit
    NOTHING = "nothing"  # the callable sees what the caller sees: custom_vjp, named_call


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A transform that takes a function and returns one of (nearly) the same parameters.

    ``function`` is the position and keyword of the callable.  ``static_nums``/``static_names`` name the
    keywords that mark static parameters, ``in_axes`` the one that says which are mapped or sharded (those for which
    it says None, or ``broadcast``, are passed on as they are; it leaves out the first ones that are ``carried``),
    ``argnums`` the one that says which are differentiated.  ``options`` are the parameters behind the callable that may
    be passed by position, as far as they matter here.
    ``stages``: jnp calls on constants give tracers inside (jit yes, vmap and grad no).
    ``shards``: the function gets a part of each array, of another shape.  ``scans``: it gets one row after the other of
    what is no carry; a carry is what is ``carried``, or what ``in_axes`` calls ``carry``, the first argument if it says
    nothing.
    ``filters``: of what is differentiated arrays of floats alone are, and all else stays what it is.
    ``counts_self``: index 0 is `self` even on a bound method (flax ``nn.jit``).
    ``own`` are arguments by name of the wrapped function that are not for the function itself.
    ``result`` says what calling the wrapped function returns: its own result, the first part of that, its gradient,
    or a pair.
    """

    abstracts: Abstracts
    function: tuple[int, str] = (0, "fun")
    static_nums: str | None = None
    static_names: str | None = None
    in_axes: str | None = None
    argnums: str | None = None
    options: tuple[str, ...] = ()
    stages: bool = True
    counts_self: bool = False
    carried: int = 0
    broadcast: str = ""
    shards: bool = False
    scans: bool = False
    carry: str = ""
    filters: bool = False
    own: frozenset[str] = frozenset()
    result: str = "same"  # same | first | grad | value_and_grad | jacobian | jaxpr | pallas | opaque

    @property
    def is_transparent(self) -> bool:
        """Whether the function runs as its caller would run it."""
        return self.abstracts is Abstracts.NOTHING and not self.stages


@dataclass(frozen=True, slots=True)
class HigherOrder:
    """A function that calls its callable arguments at once, under a trace.

    ``callables`` are (position, keyword) of each; ``binding`` names how operands reach their parameters
    (``flow/models/jax/higher_order.py`` has one function for each name); ``repeats``: the callable stands for many
    runs, so that a key consumed inside must be renewed inside.  ``options`` are the parameters behind the first
    callable, where an option may be passed by position.  ``filters`` is as for a `Wrapper`.
    """

    abstracts: Abstracts
    callables: tuple[tuple[int, str], ...]
    binding: str
    repeats: bool = False
    stages: bool = True
    options: tuple[str, ...] = ()
    filters: bool = False


@dataclass(frozen=True, slots=True)
class Callback:
    """A function whose callable argument runs on the host with concrete arrays (pure_callback)."""

    function: tuple[int | None, str] = (0, "callback")
    result: str = "array"  # array | none


class KeyEffect(enum.Enum):
    """What a jax.random function does to the key it is given (JAX's own key-reuse signatures)."""

    DRAW = "draw"  # consumes the key, returns numbers
    SPLIT = "split"  # consumes the key, returns a batch of fresh keys
    FOLD = "fold"  # derives a fresh key; the parent is not consumed
    CLONE = "clone"  # derives an intentionally identical key that counts as fresh
    CREATE = "create"  # makes a key from a seed (or from raw bits)
    INSPECT = "inspect"  # looks at the key only


@dataclass(frozen=True, slots=True)
class KeyFunction:
    """One jax.random function: its effect, where its key is, and its positional parameters in order."""

    effect: KeyEffect
    parameters: tuple[str, ...]
    key: tuple[int, str] = (0, "key")
    required: int = 1  # parameters without a default, the key included


@dataclass(frozen=True, slots=True)
class KeyUse:
    """What a library callable does with keys among its arguments.

    ``arguments`` lists (position, keyword) of key arguments; a position of None means keyword only.
    ``noise``: the numbers are meant to differ from call to call, so that a constant key is a mistake.
    ``sure``: the source draws, or splits, on every path; without it the callable may do so, or hands the key on.
    """

    effect: KeyEffect
    arguments: tuple[tuple[int | None, str], ...]
    noise: bool = False
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Need:
    """An argument that a library's function or class does not do without.  ``of``: what it must be made by, where a
    key or a number is the usual mistake.  ``since``: the version of flax before which there was a default for it, or no
    such argument."""

    name: str
    position: int | None = None
    of: str = ""
    since: str = ""


@dataclass(frozen=True, slots=True)
class Library:
    """Everything the engine needs to know about one package, beside jax itself.  Keys are qualified names
    in their public spelling; ``aliases`` maps other spellings (private modules, re-exports) to them."""

    name: str
    aliases: Mapping[str, str] = field(default_factory=dict)
    wrappers: Mapping[str, Wrapper] = field(default_factory=dict)
    higher_order: Mapping[str, HigherOrder] = field(default_factory=dict)
    callbacks: Mapping[str, Callback] = field(default_factory=dict)
    key_uses: Mapping[str, KeyUse] = field(default_factory=dict)  # functions and constructors fed with keys
    key_methods: Mapping[str, KeyUse] = field(default_factory=dict)  # "flax.linen.Module.init"
    fresh_keys: frozenset[str] = frozenset()  # calls that return a new key each time: hk.next_rng_key
    implicit_rng: frozenset[str] = frozenset()  # of these, the ones that draw from an ambient stream: make_rng
    streams: frozenset[str] = frozenset()  # constructors of stateful generators: nnx.Rngs, hk.PRNGSequence
    module_bases: frozenset[str] = frozenset()  # classes whose subclasses are modules (attribute writes legal in setup)
    mutable_modules: frozenset[str] = (
        frozenset()
    )  # bases whose attributes may be written under their own transforms: nnx.Module
    variables: frozenset[str] = frozenset()  # of what these make, a trace sets no value unless it was handed in
    changing_methods: frozenset[str] = frozenset()  # those that set the variables of what they belong to
    pytree_bases: frozenset[str] = (
        frozenset()
    )  # base classes that make a subclass a pytree: eqx.Module, flax.struct.PyTreeNode
    pytree_decorators: frozenset[str] = frozenset()  # flax.struct.dataclass, chex.dataclass
    frozen_decorators: Mapping[str, bool] = field(
        default_factory=dict
    )  # what makes records of classes, and whether these are frozen where no `frozen=` says: flax.struct.dataclass
    frozen_bases: Mapping[str, str] = field(
        default_factory=dict
    )  # classes whose objects, and those of what derives from them, refuse to have attributes set, and what they are
    static_fields: Mapping[str, str] = field(
        default_factory=dict
    )  # field function -> keyword that marks static ("pytree_node=False" / "static=True")
    key_scopes: frozenset[str] = (
        frozenset()
    )  # context managers that give what draws inside keys of their own: `with numpyro.handlers.seed(rng_seed=key)`
    same_functions: frozenset[str] = (
        frozenset()
    )  # what they give, called, calls their first argument just so: numpyro's seed
    given_results: Mapping[str, tuple[int, str]] = field(
        default_factory=dict
    )  # functions that return this argument, by position and name, unless it is None: numpyro.sample's obs
    taken_apart: Mapping[str, int] = field(
        default_factory=dict
    )  # functions that give the parts of an object, and the one of these that tells what it was: nnx.split, 0
    drawn_leaves: Mapping[str, frozenset[str]] = field(
        default_factory=dict
    )  # layers, and the attributes that they draw from their key
    function_leaves: Mapping[str, str] = field(
        default_factory=dict
    )  # layers with a function among their leaves, and the argument that may be something else in its place, if any
    held_leaves: Mapping[str, tuple[int, str]] = field(
        default_factory=dict
    )  # layers, and the argument whose leaves are theirs
    made_whole: frozenset[str] = frozenset()  # functions that make the object of them again: nnx.merge
    schedules: Mapping[str, tuple[int, str]] = field(
        default_factory=dict
    )  # what makes optimisers, and the argument that may be a function of the number of updates
    put_together: frozenset[str] = frozenset()  # what makes optimisers of others
    array_results: frozenset[str] = frozenset()  # functions that return jax arrays (prefix "pkg.mod.*" allowed)
    static_results: frozenset[str] = frozenset()  # functions whose result is static even on tracers
    made_if: Mapping[str, bool] = field(
        default_factory=dict
    )  # questions, and the answer that says that modules have their parameters: hk.running_init, False
    pure_results: frozenset[str] = frozenset()  # results that are lost when dropped: optax.apply_updates
    instance_checks: Mapping[str, str] = field(
        default_factory=dict
    )  # base class -> the method that each class of an object may have, run when that is made: __check_init__
    record_makers: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # class methods that make a record of what they are given by name, and the fields that they fill themselves
    record_steps: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # methods that copy a record with what they are given by name, and the fields that they change themselves
    structure_fields: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # classes of pytrees, and those of their fields that are part of the structure: tx of a TrainState
    named_tuples: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # classes of named tuples, and their fields in order: optax.GradientTransformation
    made_pure: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # what makes a function pure, and what `apply` takes before the arguments of that: hk.transform, params and rng
    needs: Mapping[str, tuple[Need, ...]] = field(
        default_factory=dict
    )  # functions, classes and methods, and the arguments that have no default: eqx.nn.Linear, key
    run_methods: Mapping[str, tuple[str, str]] = field(
        default_factory=dict
    )  # methods of classes derived from one of the library, the method of that which runs them, and its transform
    never_keys: frozenset[str] = (
        frozenset()
    )  # callees that neither draw from nor keep a key: jax_utils.replicate, save_checkpoint


def names(prefix: str, words: str) -> frozenset[str]:
    """The ``words``, each behind ``prefix`` and a dot."""
    return frozenset(f"{prefix}.{name}" for name in words.split())
