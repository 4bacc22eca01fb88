"""JAX407: the keys that split returns are unpacked wrongly, dropped, or used as one key."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX407", events.UnpackedKeys)
def keys_unpacked(event: events.UnpackedKeys) -> Iterator[Report]:
    yield Report(
        event.node,
        f"{event.keys} keys are unpacked into {event.names} names: ValueError",
        f"ask for as many as there are names: `jax.random.split(key, {event.names})`",
        repair=repair("split_count", event),
    )


@check("JAX407", events.KeysAsOne)
def keys_as_one(event: events.KeysAsOne) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.function}` wants one key and is given an array of keys: ValueError",
        "unpack the split (`key, subkey = jax.random.split(key)`) or map over the keys with `jax.vmap`",
        repair=repair("split_count", event),
    )


@check("JAX407", events.UpdateDiscarded)
def split_dropped(event: events.UpdateDiscarded) -> Iterator[Report]:
    if event.how == "jax.random.split":
        yield Report(
            event.node,
            "the result of `jax.random.split` is dropped: the key is not advanced",
            "assign it: `key, subkey = jax.random.split(key)`",
            certainty=shown_outside_tests(event) if event.used_after else Certainty.POSSIBLE,
            repair=repair("split_count", event),
        )
