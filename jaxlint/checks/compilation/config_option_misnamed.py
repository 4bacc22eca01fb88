"""JAX517: options of `jax.config` are called `jax_...`, and are set by `jax.config.update`."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check
from jaxlint.flow.domain import events


@check("JAX517", events.OptionMisnamed)
def config_option_misnamed(event: events.OptionMisnamed) -> Iterator[Report]:
    if not event.assigned:
        message = f"`jax.config` has no option `{event.name}`: AttributeError"
    elif event.name == event.meant:
        message = f"`jax.config.{event.name}` cannot be assigned to: AttributeError"
    else:
        message = f"assigning to `jax.config.{event.name}` sets nothing, and nothing is raised"
    yield Report(event.node, message, f'write `jax.config.update("{event.meant}", ...)`')
