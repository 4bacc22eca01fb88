"""Every library's table, and the tables merged into one look-up each.

A merged table also holds the spellings that ``aliases`` name, so that looking up a qualified name is one
dictionary access.  An alias that is a module or a class stands for everything below it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from jaxlint.semantics.libraries import chex, distrax, equinox, flax, haiku, numpyro, optax, read
from jaxlint.semantics.libraries.others import OTHERS
from jaxlint.semantics.model import Callback, HigherOrder, KeyUse, Library, Need, Wrapper

Entry = TypeVar("Entry")

LIBRARIES: tuple[Library, ...] = (
    *read.LIBRARIES,
    flax.LIBRARY,
    haiku.LIBRARY,
    equinox.LIBRARY,
    optax.LIBRARY,
    numpyro.LIBRARY,
    chex.LIBRARY,
    distrax.LIBRARY,
    *OTHERS,
)


def spellings(name: str, aliases: Mapping[str, str]) -> Iterable[str]:
    """Yield ``name`` and every spelling of it that the aliases make: of itself or of a prefix of it."""
    yield name
    for other, public in aliases.items():
        if name == public:
            yield other
        elif name.startswith(public + "."):
            yield other + name[len(public) :]


def merged(table: Callable[[Library], Mapping[str, Entry]]) -> dict[str, Entry]:
    """Join one mapping of all libraries under every spelling of its names."""
    return {
        spelling: entry
        for library in LIBRARIES
        for name, entry in table(library).items()
        for spelling in spellings(name, library.aliases)
    }


def united(names: Callable[[Library], Iterable[str]]) -> frozenset[str]:
    """Join one set of names of all libraries under every spelling of them."""
    return frozenset(
        spelling for library in LIBRARIES for name in names(library) for spelling in spellings(name, library.aliases)
    )


WRAPPERS: dict[str, Wrapper] = merged(lambda library: library.wrappers)
HIGHER_ORDER: dict[str, HigherOrder] = merged(lambda library: library.higher_order)
CALLBACKS: dict[str, Callback] = merged(lambda library: library.callbacks)
KEY_USES: dict[str, KeyUse] = merged(lambda library: library.key_uses)
KEY_METHODS: dict[str, KeyUse] = merged(lambda library: library.key_methods)
BUFFERS = frozenset(("flashbax",))
"""Libraries whose buffers are made by an ``init`` of an example, of which only the shapes count."""
KEY_OWNERS = frozenset(method.rpartition(".")[0] for method in KEY_METHODS)
"""The classes, and what stands for what a factory returns, whose methods use keys."""
FIRST_JAX_OF_FLAX_0_12 = (0, 7, 1)
"""Flax 0.12 and what came after it need this version of jax at least."""
PLAIN_UNTIL_FLAX = (0, 12)
"""The end of `flax<0.12`, the last that carries plain lists out."""
LAST_WITHOUT: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "0.7": ((0, 7), (0, 4, 2)),
    "0.11": (PLAIN_UNTIL_FLAX, FIRST_JAX_OF_FLAX_0_12),
}
"""Of versions of flax that ask for more: the end of those before them, and the first jax that they are for."""
FROZEN_DECORATORS: dict[str, bool] = merged(lambda library: library.frozen_decorators)
FROZEN_BASES: dict[str, str] = merged(lambda library: library.frozen_bases)
STATIC_FIELDS: dict[str, str] = {"jax.tree.static": ""} | merged(lambda library: library.static_fields)
MADE_IF: dict[str, bool] = merged(lambda library: library.made_if)
INSTANCE_CHECKS: dict[str, str] = merged(lambda library: library.instance_checks)
RECORD_MAKERS: dict[str, tuple[str, ...]] = merged(lambda library: library.record_makers)
RECORD_STEPS: dict[str, tuple[str, ...]] = merged(lambda library: library.record_steps)
STRUCTURE_FIELDS: dict[str, tuple[str, ...]] = merged(lambda library: library.structure_fields)
MADE_PURE: dict[str, tuple[str, ...]] = merged(lambda library: library.made_pure)
NAMED_TUPLES: dict[str, tuple[str, ...]] = merged(lambda library: library.named_tuples)
DRAWN_LEAVES: dict[str, frozenset[str]] = merged(lambda library: library.drawn_leaves)
HELD_LEAVES: dict[str, tuple[int, str]] = merged(lambda library: library.held_leaves)
FUNCTION_LEAVES: dict[str, str] = merged(lambda library: library.function_leaves)
TAKEN_APART: dict[str, int] = merged(lambda library: library.taken_apart)
NEEDS: dict[str, tuple[Need, ...]] = merged(lambda library: library.needs)
RUN_METHODS: dict[str, tuple[str, str]] = merged(lambda library: library.run_methods)
RUNNING_BASES = frozenset(method.rpartition(".")[0] for method in RUN_METHODS)
"""The classes that run methods of those derived from them."""
SCHEDULES: dict[str, tuple[int, str]] = merged(lambda library: library.schedules)
GIVEN_RESULTS: dict[str, tuple[int, str]] = merged(lambda library: library.given_results)

PUT_TOGETHER = united(lambda library: library.put_together)
MADE_WHOLE = united(lambda library: library.made_whole)
SAME_FUNCTIONS = united(lambda library: library.same_functions)
FRESH_KEYS = united(lambda library: library.fresh_keys)
IMPLICIT_RNG = united(lambda library: library.implicit_rng)
STREAMS = united(lambda library: library.streams)
MODULE_BASES = united(lambda library: library.module_bases)
MUTABLE_MODULES = united(lambda library: library.mutable_modules)
VARIABLES = united(lambda library: library.variables)
CHANGING_METHODS = united(lambda library: library.changing_methods)
CHANGED_BY_METHODS = frozenset(method.rpartition(".")[0] for method in CHANGING_METHODS)
"""The classes that have such methods."""
PYTREE_BASES = united(lambda library: library.pytree_bases)
PYTREE_DECORATORS = united(lambda library: library.pytree_decorators)
ARRAY_RESULTS = united(lambda library: library.array_results)
STATIC_RESULTS = united(lambda library: library.static_results)
KEY_SCOPES = united(lambda library: library.key_scopes)
PURE_RESULTS = united(lambda library: library.pure_results)
NEVER_KEYS = united(lambda library: library.never_keys)
