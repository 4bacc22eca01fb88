"""JAX410: of a seed the lower 32 bits count.  One that no other seed meets there is as good a seed as any."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX410", events.SeedCutOff)
def seed_cut_off(event: events.SeedCutOff) -> Iterator[Report]:
    if event.dropped:
        yield Report(
            event.node,
            f"of its seed `{event.function}` takes the lower 32 bits: the key is the same for every `{event.dropped}`",
            f"fold it in: `jax.random.fold_in(key, {event.dropped})`",
            certainty=shown_outside_tests(event),
            narrow=True,
        )
        return
    same = event.seed % 2**32
    raises = event.seed.bit_length() > 63
    what = "OverflowError" if raises else f"the key is that of the seed {same}"
    yield Report(
        event.node,
        f"`{event.function}` is given a seed of more than 32 bits: {what}",
        "use a seed below 2**32, and fold further numbers in with `jax.random.fold_in`",
        certainty=shown_outside_tests(event) if raises or event.is_met_again else Certainty.POSSIBLE,
        narrow=not raises,
    )
