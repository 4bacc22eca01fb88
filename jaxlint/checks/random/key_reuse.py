"""JAX401, JAX402, JAX403: a key consumed again on a path that consumed it before.

Two consumptions that can be seen are an error, a key handed to code that cannot be seen a warning, and a
consumption that meets itself in the next pass of a loop has its own code.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair_key, shown_outside_tests, used_at
from jaxlint.findings import Related
from jaxlint.flow import events, keys


@check("JAX401", events.KeyReuse)
def key_reused(event: events.KeyReuse) -> Iterator[Report]:
    if _is_seen(event) and not event.in_loop:
        again = "split again" if event.how == keys.SPLIT else "consumed again"
        yield Report(
            event.node,
            f"this key is {again} by `{event.callee}`: {_consequence(event)}",
            "split the key first and use each part once: `key, subkey = jax.random.split(key)`",
            _why(event),
            shown_outside_tests(event),
            repair=repair_key(event),
        )


@check("JAX402", events.KeyReuse)
def key_reused_by_callee(event: events.KeyReuse) -> Iterator[Report]:
    if _is_seen(event) or (not event.key.known and event.how in keys.WEAK):
        return
    if event.how in keys.WEAK:
        message = f"this key was used before and is handed to `{event.callee}`, which may draw from it again"
    else:
        message = f"this key was handed to `{event.earlier.callee}`, which may have drawn from it, and is used again"
    yield Report(
        event.node,
        message,
        "give each callee its own part of a split key",
        _why(event),
        shown_outside_tests(event),
        repair=repair_key(event),
    )


@check("JAX403", events.KeyReuse)
def key_reused_in_loop(event: events.KeyReuse) -> Iterator[Report]:
    if _is_seen(event) and event.in_loop:
        yield Report(
            event.node,
            f"`{event.callee}` uses the same key in every pass: the numbers repeat",
            "split the key in each pass, or fold in the index: `jax.random.fold_in(key, i)`",
            _why(event),
            shown_outside_tests(event),
            repair=repair_key(event),
        )


def _is_seen(event: events.KeyReuse) -> bool:
    return event.how in keys.STRONG and event.earlier.how in keys.STRONG


def _consequence(event: events.KeyReuse) -> str:
    if event.how == event.earlier.how == keys.SPLIT:
        return "the same children come out"
    return "the numbers are not independent"


def _why(event: events.KeyReuse) -> tuple[Related, ...]:
    related = used_at(event.earlier)
    return related + (used_at(event.via) if event.via is not None else ())
