"""JAX412: logits are logarithms of probabilities, up to a constant."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty, Related


@check("JAX412", events.ProbabilitiesAsLogits)
def probabilities_as_logits(event: events.ProbabilitiesAsLogits) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.function}` takes logits and is given what `{event.made_by}` gives: the distribution is another one",
        f"leave `{event.made_by}` out, or take `jnp.log` of the probabilities",
        (Related(event.made_in.location(event.made), "the probabilities are made here"),),
        certainty=shown_outside_tests(event, Certainty.LIKELY if event.of_unknown else None),
    )
