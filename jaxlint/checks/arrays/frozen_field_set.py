"""JAX321: records that are frozen, and modules that have been made, take no attributes, frozen dicts no items."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty

_WHY = {
    "dataclass": ("objects of `{cls}` are frozen: FrozenInstanceError", "`dataclasses.replace({owner}, {name}=…)`"),
    "record": ("objects of `{cls}` are frozen: FrozenInstanceError", "`{owner}.replace({name}=…)`"),
    "frozen dict": ("a `{cls}` cannot be changed: ValueError", ""),
    "named tuple": ("{a_tuple} cannot be changed: AttributeError", "`{owner}._replace({name}=…)`"),
    "equinox": (
        "equinox modules are frozen once they are made: FrozenInstanceError",
        "`eqx.tree_at(lambda m: m.{name}, {owner}, …)`",
    ),
    "no field": ("`{cls}` has no such field, and an equinox module takes no other attribute: FrozenInstanceError", ""),
    "linen": ("a flax module takes attributes in `setup` only: SetAttributeFrozenModuleError", ""),
    "field": ("`setup` sets no field of the module: SetAttributeInModuleSetupError", ""),
}
_ADVICE = {
    "frozen dict": "make a changed copy with its method `copy`, or of what `flax.core.unfreeze` gives",
    "no field": "declare it in the class (`{name}: …`), or keep it in a local variable",
    "linen": "keep what changes in `self.variable(…)`, and make submodules in `setup` or use local variables",
    "field": "give the attribute another name",
}


@check("JAX321", events.FrozenSet)
def frozen_field_set(event: events.FrozenSet) -> Iterator[Report]:
    owner, _, name = event.what.rpartition(".")
    a_tuple = f"a `{event.cls}`" if event.cls != "a named tuple" else "a named tuple"
    words = {"owner": owner, "name": name, "cls": event.cls, "a_tuple": a_tuple}
    why, copied = (text.format(**words) for text in _WHY[event.kind])
    advice = _ADVICE.get(event.kind, "").format(**words) or f"make a changed copy, {copied}, and hand that on"
    if event.made and event.kind in ("dataclass", "record"):
        advice = f'in a constructor write `object.__setattr__({owner}, "{name}", …)`'
    done = "deleted" if event.deleted else "set"
    yield Report(
        event.node,
        f"`{event.what}` is {done}, but {why}",
        advice,
        certainty=shown_outside_tests(event, Certainty.CERTAIN if event.seen else Certainty.LIKELY),
    )
