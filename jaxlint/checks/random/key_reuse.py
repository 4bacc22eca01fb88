"""JAX401, JAX402, JAX403: a key consumed again on a path that consumed it before.

Two consumptions that can be seen are an error, a key handed to code that cannot be seen a warning, and a
consumption that meets itself in the next pass of a loop has its own code.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair_key, shown_outside_tests, steps, used_at
from jaxlint.flow.domain import events
from jaxlint.flow.models.keys import keys
from jaxlint.flow.source.text import dotted
from jaxlint.vocabulary.findings import Certainty, Related


@check("JAX401", events.KeyReuse)
def key_reused(event: events.KeyReuse) -> Iterator[Report]:
    if event.again is not None:
        if not event.in_loop:
            yield _returned(event)
    elif _is_seen(event) and not event.in_loop:
        yield Report(
            event.node,
            f"this key is {_again(event)}",
            f"split the key first and use each part once: `{_split(event)}`",
            _why(event),
            _certainty(event),
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
        _certainty(event),
        repair=repair_key(event),
    )


@check("JAX403", events.KeyReuse)
def key_reused_in_loop(event: events.KeyReuse) -> Iterator[Report]:
    if event.again is not None:
        if event.in_loop:
            yield _returned(event)
    elif _is_seen(event) and event.in_loop:
        yield Report(
            event.node,
            _in_every_pass(event),
            _part_for_each(event),
            _why(event),
            _certainty(event),
            repair=repair_key(event) if not event.made_alike else None,
        )


def _returned(event: events.KeyReuse) -> Report:
    """A function spends a key and returns it, and somebody goes on with what it returned."""
    assert event.again is not None
    scope, node = event.again
    callee = event.earlier.innermost.callee
    did = f"`{callee}` splits it" if event.earlier.how == keys.SPLIT else f"`{callee}` draws from it"
    who = "the next pass" if event.in_loop else "the caller"
    result = "the same children come out" if event.how == event.earlier.how == keys.SPLIT else "the numbers repeat"
    if event.how != event.earlier.how:
        result = "the numbers are not independent"
    return Report(
        event.node,
        f"this key is returned after {did}, and {who} uses it again: {result}",
        "split the key in this function and return a part that it does not use",
        (*used_at(event.earlier), Related(scope.location(node), f"key used again by `{event.callee}`")),
        _certainty(event),
    )


def _certainty(event: events.KeyReuse) -> Certainty | None:
    is_doubtful = event.purpose is not None or event.unseen
    return Certainty.POSSIBLE if is_doubtful else shown_outside_tests(event)


def _is_seen(event: events.KeyReuse) -> bool:
    return event.how in keys.STRONG and event.earlier.how in keys.STRONG


def _again(event: events.KeyReuse) -> str:
    """What is done to the key, and after what."""
    callee, earlier = event.callee, event.earlier.callee
    if event.how == event.earlier.how == keys.SPLIT:
        return f"split again by `{callee}`: the same children come out"
    if event.how == keys.SPLIT:
        return f"split by `{callee}` after `{earlier}` drew from it: the numbers are not independent"
    if event.earlier.how == keys.SPLIT:
        return f"consumed by `{callee}` after `{earlier}` split it: the numbers are not independent"
    return f"consumed again by `{callee}`: the numbers are not independent"


def _in_every_pass(event: events.KeyReuse) -> str:
    """Which two uses meet, in which passes of the loop."""
    does = "splits" if event.how == keys.SPLIT else "uses"
    did = "split" if event.earlier.how == keys.SPLIT else "used"
    both_split = event.how == event.earlier.how == keys.SPLIT
    if event.callee == event.earlier.callee and _is_one_place(event):
        result = "the same children come out" if both_split else "the numbers repeat"
        place = "in every pass" if event.each == "pass" else "for every leaf"
        return f"`{event.callee}` {does} the same key {place}: {result}"
    result = "the same children come out" if both_split else "the numbers are not independent"
    place = "in the pass before" if event.each == "pass" else "for the leaf before"
    return f"`{event.callee}` {does} the key that `{event.earlier.callee}` {did} {place}: {result}"


def _is_one_place(event: events.KeyReuse) -> bool:
    """Whether it is one call that uses the key again, and no other one of the same function."""
    return event.earlier.node in (event.node, event.via.node if event.via is not None else None)


def _part_for_each(event: events.KeyReuse) -> str:
    """What gives each pass, or each leaf, a key of its own."""
    if event.each == "leaf":
        return f"give each leaf its own key: split `{_name(event)}` into as many, make a tree of them and map over both"
    if event.made_alike:
        return "make the key before the loop and split it in each pass, or fold in the index"
    return f"split the key in each pass, or fold in the index: `jax.random.fold_in({_name(event)}, i)`"


def _split(event: events.KeyReuse) -> str:
    """A split that has a name for each part: the key's own where it is a variable."""
    name = _name(event)
    keep = "key1" if "." in name else name
    other = "subkey" if name != "subkey" and keep == name else "key2"
    return f"{keep}, {other} = jax.random.split({name})"


def _name(event: events.KeyReuse) -> str:
    """The variable that is the key, where it is one."""
    name = dotted(event.written) if event.written is not None else ""
    return name if name.replace(".", "").replace("_", "").isalnum() else "key"


def _why(event: events.KeyReuse) -> tuple[Related, ...]:
    """Where the key was used before, and in what is called now; two calls may lead to the same place."""
    related = (*steps(event.first), *used_at(event.earlier), *(used_at(event.via) if event.via is not None else ()))
    return tuple(dict.fromkeys(related))
