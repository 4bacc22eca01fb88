"""JAX715: what runs a module gives it the keys and the mutable collections that it asks for; its parts are made where
they may be, and no two have one name."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.checks.transforms.given_functions import reported
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty, Related


@check("JAX715", events.ApplyLacks)
def apply_lacks(event: events.ApplyLacks) -> Iterator[Report]:
    if event.collection:
        message = (
            f"`{event.by}` updates the collection `{event.collection}` here, which is not mutable: "
            "ModifyScopeVariableError"
        )
        cure = f'write `y, updated = model.apply(…, mutable=["{event.collection}"])`, and keep what is updated'
    else:
        is_haiku = event.by.startswith("next_rng_key")
        error = "MissingRNGError" if is_haiku else "InvalidRngError"
        message = f"`{event.by}` asks for a key, and `apply` is given none here: {error}"
        how = "`apply(params, key, x)`, without `hk.without_apply_rng`" if is_haiku else '`rngs={"dropout": key}`'
        cure = f"pass one, {how}, or run the module without randomness"
    yield Report(event.node, message, cure, certainty=shown_outside_tests(event))


@check("JAX715", events.StateNotKept)
def state_not_kept(event: events.StateNotKept) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.by}` keeps state, and `hk.transform` has no place for it: NonEmptyStateError",
        "use `hk.transform_with_state`, whose `init` and `apply` give the state, too",
        certainty=shown_outside_tests(event),
    )


@check("JAX715", events.ArgumentNeeded)
def argument_needed(event: events.ArgumentNeeded) -> Iterator[Report]:
    function = event.function.removeprefix("flax.").removeprefix("training.train_state.").replace("equinox.", "eqx.")
    if event.given:
        message = f"`{event.name}` of `{function}` is given {event.given}, which has no streams: AttributeError"
        cure = f"wrap it: `{event.name}={event.of}(…)`"
    else:
        since = f", since flax {event.since}" if event.since else ""
        message = f"`{function}` is called without `{event.name}`: TypeError{since}"
        cure = f"pass `{event.name}`"
    least = Certainty.LIKELY if event.since else Certainty.CERTAIN
    yield Report(event.node, message, cure, certainty=shown_outside_tests(event, least))


@check("JAX715", events.ParametersDiffer)
def other_arguments(event: events.ParametersDiffer) -> Iterator[Report]:
    if event.operation == "apply":
        yield from reported(
            event, "", "the parameters and the key come first, None for no key: `apply(params, key, x)`"
        )


@check("JAX715", events.NameTaken)
def name_taken(event: events.NameTaken) -> Iterator[Report]:
    yield Report(
        event.node,
        f"the name `{event.name}` is taken in this module: NameInUseError",
        "give each part another name, or call the same one again to share its parameters",
        (Related(event.scope.location(event.earlier), f"`{event.name}` is made here"),),
        certainty=shown_outside_tests(event),
    )


@check("JAX715", events.PartOutsideCompact)
def part_outside_compact(event: events.PartOutsideCompact) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.part}` is made in a `{event.method}` that is not compact: AssignSubModuleError",
        "decorate the method with `@nn.compact`, or make the module in `setup`",
        certainty=shown_outside_tests(event) if event.is_named else Certainty.POSSIBLE,
    )


@check("JAX715", events.PlainContainer)
def plain_container(event: events.PlainContainer) -> Iterator[Report]:
    made_for_it = "nnx.Dict" if event.kind == "dict" else "nnx.List"
    yield Report(
        event.node,
        f"`{event.attribute}` is a plain {event.kind} with arrays or modules in it: ValueError, since flax 0.12",
        f"write `{made_for_it}(…)`, or `nnx.data(…)`",
        certainty=shown_outside_tests(event, Certainty.LIKELY),
    )
