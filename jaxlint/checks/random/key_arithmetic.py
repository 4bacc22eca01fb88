"""JAX409: arithmetic on a key makes weak keys, or raises."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX409", events.KeyArithmetic)
def key_arithmetic(event: events.KeyArithmetic) -> Iterator[Report]:
    """What does no harm is odd at most: the words of a key that was split off are as random as any number, and the keys
    that processes get by adding their numbers to a seed's are different ones."""
    yield Report(
        event.node,
        _INDEXED[event.key] if event.how == "indexed" else _ARITHMETIC,
        "derive keys with `jax.random.split` or `jax.random.fold_in`, numbers with `jax.random.bits` or `randint`",
        certainty=Certainty.POSSIBLE if event.key in _HARMLESS else None,
        repair=repair("key_arithmetic", event),
    )


_HARMLESS = ("random", "per process")
_ARITHMETIC = "arithmetic on a key: weak randomness with legacy keys, TypeError with typed ones"
_INDEXED = {
    "": "a word of a key made of a seed is taken: it is 0 or the seed, not random, and a typed key raises IndexError",
    "random": "a word of a key is taken: 32 of its 64 bits with a legacy key, IndexError with a typed one",
    "typed": "a single typed key is indexed: IndexError",
}
