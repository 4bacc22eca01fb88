"""What the name of a parameter says it is, where nothing better does."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from jaxlint.dynamic.inputs.values import AnyFunction, Choice, array, free_array, key, keys

Maker = Callable[[Choice], Any]


def by_name(name: str, choice: Choice) -> Any:
    """A value for a parameter of this name; an array where the name says nothing."""
    return maker_by_name(name)[0](choice)


def maker_by_name(name: str) -> tuple[Maker, str]:
    """How to make a value, and what the name is taken to mean ("" where it says nothing)."""
    for pattern, make, meaning in _NAMES:
        if pattern.fullmatch(name):
            return make, meaning
    return free_array, ""


def is_of_keys(name: str) -> bool:
    """Whether a name says that it is a PRNG key or some."""
    return maker_by_name(name)[0] in (key, keys)


def _constant(value: Any) -> Maker:
    return lambda choice: value


_NAMES: tuple[tuple[re.Pattern[str], Maker, str], ...] = tuple(
    (re.compile(pattern), make, meaning)
    for pattern, make, meaning in (
        (r"(.*_)?(key|rng|prng|rng_key|key_rng|rngs?_?key|prng_key)_?\d?", key, "a PRNG key"),
        (r"(.*_)?(keys|rngs)", keys, "PRNG keys"),
        (r"axis|.*_axis", _constant(0), "an axis"),
        (r"axes", _constant((0,)), "axes"),
        (r"n|num|k|ndim|depth|length|size|order|degree|count", _constant(2), "a static number"),
        (r"(n|num|max|min)_.*(s|len|length|size|dim|iter|depth)|.*_(size|dims?|len|length)", _constant(2), "a number"),
        (r"num_.*|n_.*|.*_num", _constant(2), "a static number"),
        (
            r"(.*_)?(logdensity|log_?prob|loss|density|energy|objective|cost|potential)_?(fn|fun|func|function)",
            lambda choice: AnyFunction("fn", "scalar"),
            "a function to a scalar",
        ),
        (
            r"f|fn|fun|func|function|callback|apply|activation|.*_(fn|fun|func|function|callback)",
            lambda choice: AnyFunction("fn"),
            "a function",
        ),
        (r"(.*_)?dtype", _constant(jnp.float32), "a dtype"),
        (r"(.*_)?shape", _constant((3,)), "a shape"),
        (r"shapes", _constant(((3,), (3,))), "shapes"),
        (
            r"(is|has|use|should|do|return|with|enable|keep)_.*|train(ing)?|deterministic|verbose|debug|keepdims|.*_flag",
            _constant(False),
            "a static flag",
        ),
        (r"(.*_)?masks?|dones?|terminals?|terminations?", lambda choice: array(choice.shape, "bool"), "a mask"),
        (
            r"(.*_)?(ind(ex|ices|s)|idx|ids?|actions?|labels?|tokens?|a_tm1|a_t)",
            lambda choice: array(choice.shape if choice.integers is None else choice.integers, "int32"),
            "integers",
        ),
        (r"seed", _constant(0), "a seed"),
        (
            r"(.*_)?(eps|epsilon|tol|lr|learning_rate|step_size|decay|gamma|beta|alpha|temperature|momentum|scale|rate)",
            lambda choice: array((), "float32"),
            "a scalar",
        ),
    )
)
