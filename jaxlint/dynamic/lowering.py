"""Platforms that cannot compile a function, asked from a machine that has none of them.

Only a missing rule for a primitive is a fact about the platform.  Host callbacks and kernels that ask for the
device at hand fail for want of the device, so other errors say nothing; and lowering that succeeds does not prove that
the program runs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import jax

from jaxlint.dynamic import equations, private
from jaxlint.dynamic.observations import Kind, Observation
from jaxlint.dynamic.places import Sources


def check(closed: Any, platforms: Sequence[str], sources: Sources) -> list[Observation]:
    """The equations of a closed jaxpr that one of the platforms ("cuda", "rocm", "tpu") has no rule for."""
    found = []
    function = jax.jit(private.as_function(closed))
    avals = [private.shaped(variable.aval) for variable in closed.jaxpr.invars]
    for platform in platforms:
        try:
            function.trace(*avals).lower(lowering_platforms=(platform,))
        except NotImplementedError as error:
            found += _of_error(str(error).splitlines()[0], closed, platform, sources)
        except Exception:
            continue
    return found


def _of_error(text: str, closed: Any, platform: str, sources: Sources) -> list[Observation]:
    """The first equation of the primitive that the error names, in quotes or as a word."""
    words = set(re.findall(r"\w+", text.lower()))
    names = sorted((name for name in set(equations.primitives(closed)) if name in words), key=len)
    quoted = [name for name in names if f"'{name}'" in text]
    for equation, stack in equations.walk(
        closed, sources, lambda each, _: each.primitive.name in (quoted or names)[-1:]
    ):
        if stack.at:
            shown = (equations.text_of(equation),)
            detail = f"{platform}: {text[:200]}"
            by = stack.transforms
            return [Observation(Kind.LOWERING, stack.at, detail, "NotImplementedError", traced_by=by, equations=shown)]
    return []
