"""How a check is written: a function that subscribes to an event and yields reports.

    @check("JAX101", events.HostEffectUnderTrace)
    def print_in_traced_function(event):
        if event.category == "print":
            yield Report(event.node, "…", help="…", related=traced_since(event.traced))

The rule's name, severity and certainty are on its card; a report may lower the certainty.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint.flow.domain.contexts import Context, Provenance, Why
from jaxlint.flow.domain.events import Event, ItemAssignment, KeyReuse, OfGradient, SplitAndFold, TakenApart
from jaxlint.flow.domain.state import Use
from jaxlint.flow.domain.values import Array, Const, HostArray, Key, Opaque, Slice, Static, Tree, Tuple, Union, Value
from jaxlint.flow.limits import REASON_STEPS
from jaxlint.flow.models.keys.keys import STRONG
from jaxlint.vocabulary.findings import Certainty, Location, Related, Repair

if TYPE_CHECKING:
    from jaxlint.flow.source.modules import ModuleText


@dataclass(slots=True)
class Report:
    """What a check says: where (a node of the event's module), what, what to do, and why."""

    node: ast.AST
    message: str
    help: str | None = None
    related: tuple[Related, ...] = ()
    certainty: Certainty | None = None
    scope: ModuleText | None = None
    repair: Repair | None = None
    withdraws: bool = False  # see `Finding`
    stands: bool = False  # see `Finding`
    narrow: bool = False  # see `Finding`


Places = tuple[tuple[str, Location], ...]
"""Other code that a fixer needs, by what it is."""

Check = Callable[[Any], Iterator[Report]]
REGISTRY: list[tuple[str, type, Check]] = []


def check(code: str, *event_types: type) -> Callable[[Check], Check]:
    """Registers a check of the rule ``code`` for each of the event types."""

    def register(function: Check) -> Check:
        REGISTRY.extend((code, event_type, function) for event_type in event_types)
        return function

    return register


def repair(kind: str, event: Event, node: ast.AST | None = None, places: Places = (), **facts: str) -> Repair:
    """Asks the fixer ``kind`` to rewrite a node (default: the event's); it may find that it cannot."""
    return Repair(kind, event.scope.location(node or event.node), tuple(sorted(facts.items())), places)


def repair_key(event: KeyReuse | SplitAndFold) -> Repair:
    """Asks for a split before the uses of a key.

    ``uses`` are the places of the earlier use and the calls that led there, as far as they are in the event's file,
    outermost last; ``key`` is the argument that is the key, ``earlier`` that of the earlier use, ``kept`` where the
    method ``keeper`` uses a key that its object keeps, ``kept before`` where it did so first.  The facts:
    ``traced`` says that objects must not be changed, ``seen`` that both uses were seen to draw or split, ``constant``
    that the key comes from a constant seed.
    """
    use = event.earlier
    calls = [(use.scope, use.node), *((scope, node) for _, node, scope, _ in reversed(use.calls))]
    places = [("use", scope.location(node)) for scope, node in calls if scope is event.scope]
    if event.written is not None:
        places.append(("key", event.scope.location(event.written)))
    if isinstance(event, KeyReuse) and event.first_written is not None:
        places.append(("earlier", event.scope.location(event.first_written)))
    seen = isinstance(event, SplitAndFold) or {event.how, use.how} <= STRONG
    facts = {"traced": "yes" if event.context.tracing else "", "seen": "yes" if seen else ""}
    facts["constant"] = "yes" if event.key.seed is not None else ""
    if isinstance(event, KeyReuse) and event.kept is not None:
        method, node, before = event.kept
        places += [("kept", method.scope.location(node)), ("kept before", method.scope.location(before))]
        facts["keeper"] = method.qualified
    return repair("key_reuse", event, None, tuple(places), **facts)


def repair_item(event: ItemAssignment) -> Repair | None:
    """Asks for `x.at[i].set(v)`, where that can be said of the array and its index.

    None for an array of which nothing but an annotation says that it is one, and for an index that is a name; the fact
    ``index`` is "known" where the index is one that no dict can be meant by.
    """
    index = event.index
    options = event.value.options if isinstance(event.value, Union) else (event.value,)
    if any(getattr(option, "declared", False) for option in options) or _is_text(index):
        return None
    known = isinstance(index, (Array, Const, HostArray, Slice, Static, Tree, Tuple))
    return repair("item_assignment", event, index="known" if known else "")


def _is_text(index: Value | None) -> bool:
    if isinstance(index, Const):
        return isinstance(index.value, (str, bytes))
    return isinstance(index, Static) and index.kind == "str"


def repair_run(kind: str, event: Event) -> Repair:
    """A repair with the fact ``runs``: "many" where one call runs the place many times, or for many rows at once."""
    context: Context | None = event.context
    many = False
    while context is not None and not context.host:
        many = many or context.repeats or context.mapped > 0
        context = context.parent
    return repair(kind, event, runs="many" if many else "once")


def repair_traced(kind: str, event: Event, value: Value, **more: str) -> Repair:
    """A repair with what fixers want to know of a tracer.

    ``dtype`` is its kind, ``always`` says that the code at this place never runs outside of a trace; ``parameter`` and
    ``jit`` are the places of the parameter that it comes from and of the `jax.jit`, where both are in the event's file.
    """
    facts = {"dtype": getattr(value, "kind", ""), "always": "yes" if _is_always_traced(event) else "", **more}
    places: Places = ()
    provenance = getattr(value, "provenance", None)
    if provenance is not None and provenance.parent is not None and isinstance(provenance.node, ast.arg):
        applied = provenance.parent
        if (applied.why, applied.names) == (
            Why.APPLIED,
            ("jax.jit",),
        ) and applied.scope is provenance.scope is event.scope:
            parameter, jit = event.scope.location(provenance.node), event.scope.location(applied.node)
            places = (("jit", jit), ("parameter", parameter))
    return Repair(kind, event.scope.location(event.node), tuple(sorted(facts.items())), places)


def _is_always_traced(event: Event) -> bool:
    """Whether the place is in a function that a transform decorates: under its name nobody can call the plain one."""
    root, provenance = event.context.root, event.context.provenance
    if not isinstance(root, (ast.FunctionDef, ast.AsyncFunctionDef)) or provenance is None:
        return False
    inside = root.lineno <= getattr(event.node, "lineno", 0) <= (root.end_lineno or 0)
    return inside and provenance.scope is event.scope and provenance.node in root.decorator_list


APPLIED = "is applied here"
"""How the step ends that leads to a transform."""


def traced_since(value: Value | None, context: Context | None = None) -> tuple[Related, ...]:
    """Why ``value`` is a tracer: the transforms and the parameter it comes from, oldest first."""
    if isinstance(value, Static):
        value = value.tainted
    if isinstance(value, Union):
        value = next((one for one in value.options if isinstance(one, (Array, Tree))), value)
    provenance: Provenance | None = None
    if isinstance(value, (Array, Tree, Key)):
        provenance = value.provenance
    elif isinstance(value, Opaque):
        provenance = value.derived
    if provenance is None and context is not None:
        provenance = context.provenance
    return steps(provenance)


def steps(provenance: Provenance | None) -> tuple[Related, ...]:
    if provenance is None:
        return ()
    return tuple(
        Related(step.scope.location(step.node), _STEPS[step.why].format(*step.names))
        for step in provenance.chain()[-REASON_STEPS.value :]
    )


_STEPS = {
    Why.APPLIED: f"`{{}}` {APPLIED}",
    Why.RUN: "`{}` traces its function here",
    Why.PARAMETER: "parameter `{}` is traced by `{}`",
    Why.ARGUMENT: "an argument is traced by `{}`",
    Why.PART: "{} of `{}`",
    Why.COMBINED: "`{}` combines what the devices or lanes have",
    Why.RULES: "`{}` runs the rules for derivatives",
    Why.UPDATES: "the number of updates is part of the state",
    Why.CHANGED: "`{}` is changed here",
    Why.REBOUND: "`{}` is bound again here",
    Why.ANOTHER: "`{}` is another one at this call",
    Why.USED: "key used in this call",
    Why.TAKEN: "`{}` is taken for a `{}`, which has the attributes that are asked for",
}
"""How a step of a reason is told."""


def used_at(use: Use) -> tuple[Related, ...]:
    """Where a key was consumed, through the calls that led there."""
    chain: list[Use] = []
    current: Use | None = use
    while current is not None and len(chain) < REASON_STEPS.value:
        chain.append(current)
        current = current.via
    handed = dict.fromkeys(("handed", "handed again", "named"), "handed on")
    verbs = {"draw": "consumed", "split": "split", "fold": "folded", **handed}
    return tuple(Related(link.scope.location(link.node), f"key {verbs[link.how]} by `{link.callee}`") for link in chain)


def transform_of(context: Context) -> str:
    """The innermost transform's name as it is usually written."""
    return context.transform or "jax"


def is_index_of_loop(event: TakenApart) -> bool:
    """Whether it is the number that `fori_loop` gives its body."""
    step = event.value.provenance
    return step is not None and step.why is Why.PART and step.names[0] == "the index"


def shown_outside_tests(event: Event, certainty: Certainty | None = None) -> Certainty | None:
    """Tests count traces and compare draws of one key on purpose: there such a finding is only possible."""
    return Certainty.POSSIBLE if event.in_test else certainty


def shown_when_called(event: OfGradient, certainty: Certainty | None = None) -> Certainty | None:
    """What holds of a gradient that nobody is seen to call, whatever it is given, goes where somebody does call it."""
    return shown_outside_tests(event, Certainty.LIKELY if event.assumed else certainty)


def shown_where_it_runs(event: Event, certainty: Certainty | None = None) -> Certainty | None:
    """What make_jaxpr and eval_shape trace never runs: what it does is seen once, and that is what they are for."""
    return Certainty.POSSIBLE if event.context.is_looked_at else shown_outside_tests(event, certainty)


def is_of_statics(value: Value) -> bool:
    """Whether jnp computed it from values that were static all along: then the cure is not to use jnp."""
    return isinstance(value, Array) and value.of_statics
