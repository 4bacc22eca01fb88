"""JAX609: a rule for derivatives is missing, or not as JAX calls and reads it."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX609", events.RuleRefused)
def custom_derivative_rule_wrong(event: events.RuleRefused) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    message, cure = _WORDS[event.what]
    yield Report(
        event.node,
        message.format(event=event, short=short, rule=_ROLES.get(event.rule, event.rule)),
        cure.format(define="defvjp(fwd, bwd)" if short == "custom_vjp" else "defjvp(rule)"),
        certainty=shown_outside_tests(event),
    )


_ROLES = {"fwd": "the forward rule", "bwd": "the backward rule", "jvp": "the rule"}

_WORDS = {
    "missing": (
        "a function with `{short}` is called that was given no rule: AttributeError",
        "give it one with `f.{define}` before it is called",
    ),
    "arity": (
        "{rule} takes {event.given} arguments and is called with {event.wanted}: TypeError where it is differentiated",
        "the forward rule takes what the function takes, the others first what `nondiff_argnums` names, then two more",
    ),
    "pair": (
        "{rule} gives {event.given} and not a pair: TypeError",
        "a forward rule returns `output, residuals`, a rule of `custom_jvp` `output, tangent`",
    ),
    "count": (
        "{rule} gives {event.given} and not a tuple with one gradient for each argument: TypeError",
        "return a tuple, also of one gradient: `(g,)`, with None where there is none",
    ),
    "shape": (
        "{rule} gives {event.given} as the gradient of {event.wanted}: ValueError",
        "a gradient has the shape of its argument: sum over what was broadcast, or broadcast what was summed",
    ),
    "tangent": (
        "{rule} gives {event.given} as the tangent of {event.wanted}: TypeError",
        "a tangent has the dtype of what it belongs to: `jnp.zeros_like(x)`, `1.0` for `1`",
    ),
    "residuals": (
        "{rule} keeps {event.given} among the residuals: TypeError, they are arrays",
        "keep arrays only; what is static is an argument of `nondiff_argnums`",
    ),
    "argument": (
        "a function with `{short}` is given {event.given} as argument {event.wanted}: TypeError, it takes arrays",
        "name what is static in `nondiff_argnums`",
    ),
    "forward": (
        "`{event.rule}` differentiates a function with `{short}` forwards: TypeError",
        "use reverse mode (`jax.grad`, `jax.jacrev`), or write the rule with `jax.custom_jvp`",
    ),
}
