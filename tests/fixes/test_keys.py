"""What becomes of keys that are used several times: one split with readable names, and none of what is no key."""

from __future__ import annotations

from contextlib import nullcontext
from textwrap import dedent
from typing import Any

import jax
import pytest

from jaxlint.api import Certainty, Finding, Settings, lint_source
from tests.fixes.fixed_text import fixed

CODES = ("JAX401", "JAX402", "JAX403", "JAX404")
HEAD = "import jax\n\n\n"


def mended(body: str) -> str:
    """A program without its first line `import jax`, after every fix of a key."""
    return fixed(HEAD + dedent(body).lstrip("\n"), *CODES).removeprefix(HEAD).rstrip("\n")


def left(body: str) -> list[Finding]:
    """What is still said of it then."""
    text = HEAD + mended(body)
    settings = Settings(certainty=Certainty.POSSIBLE)
    return [finding for finding in lint_source(text, settings=settings) if finding.code in CODES]


def function(head: str, *lines: str) -> str:
    return "\n".join((f"def f({head}):", *(f"    {line}" for line in lines)))


def closure(*lines: str) -> str:
    return "\n".join(("def g(key):", "    def f():", *(f"        {line}" for line in lines), "    return f()"))


REUSED = {
    "draws in a row": (
        function(
            "key, n",
            "x = jax.random.normal(key, (n,))",
            "noise = jax.random.normal(key, (n,))",
            "mask = jax.random.bernoulli(key, 0.5, (n,))",
            "return x + noise * mask",
        ),
        function(
            "key, n",
            "x_key, noise_key, mask_key = jax.random.split(key, 3)",
            "x = jax.random.normal(x_key, (n,))",
            "noise = jax.random.normal(noise_key, (n,))",
            "mask = jax.random.bernoulli(mask_key, 0.5, (n,))",
            "return x + noise * mask",
        ),
    ),
    "the key is returned": (
        function("rng", "x = jax.random.normal(rng)", "noise = jax.random.normal(rng)", "return x, noise, rng"),
        function(
            "rng",
            "rng, x_rng, noise_rng = jax.random.split(rng, 3)",
            "x = jax.random.normal(x_rng)",
            "noise = jax.random.normal(noise_rng)",
            "return x, noise, rng",
        ),
    ),
    "names say what is called, where nothing is assigned": (
        function("key, log", "log(jax.random.normal(key), jax.random.uniform(key), jax.random.gamma(key, 1.0))"),
        function(
            "key, log",
            "normal_key, uniform_key, gamma_key = jax.random.split(key, 3)",
            "log(jax.random.normal(normal_key), jax.random.uniform(uniform_key), jax.random.gamma(gamma_key, 1.0))",
        ),
    ),
    "names that are taken": (
        function(
            "key, x_key",
            "x = jax.random.normal(key)",
            "y = jax.random.normal(key)",
            "z = jax.random.normal(key)",
            "return x, y, z, x_key",
        ),
        function(
            "key, x_key",
            "normal_key, y_key, z_key = jax.random.split(key, 3)",
            "x = jax.random.normal(normal_key)",
            "y = jax.random.normal(y_key)",
            "z = jax.random.normal(z_key)",
            "return x, y, z, x_key",
        ),
    ),
    "in a loop": (
        function(
            "key, xs",
            "for x in xs:",
            "    a = jax.random.normal(key)",
            "    b = jax.random.uniform(key)",
            "    x.put(a, b)",
        ),
        function(
            "key, xs",
            "for x in xs:",
            "    key, a_key, b_key = jax.random.split(key, 3)",
            "    a = jax.random.normal(a_key)",
            "    b = jax.random.uniform(b_key)",
            "    x.put(a, b)",
        ),
    ),
    "before a loop and in it": (
        function("key, xs", "a = jax.random.normal(key)", "for x in xs:", "    x.put(a, jax.random.normal(key))"),
        function(
            "key, xs",
            "key, subkey = jax.random.split(key)",
            "a = jax.random.normal(subkey)",
            "for x in xs:",
            "    key, subkey = jax.random.split(key)",
            "    x.put(a, jax.random.normal(subkey))",
        ),
    ),
    "a key of each pass is not carried to the next": (
        function(
            "keys, log",
            "for key in jax.random.split(keys, 3):",
            "    log(jax.random.normal(key), jax.random.uniform(key))",
        ),
        function(
            "keys, log",
            "for key in jax.random.split(keys, 3):",
            "    key, subkey = jax.random.split(key)",
            "    log(jax.random.normal(subkey), jax.random.uniform(key))",
        ),
    ),
    "either branch keeps the key that is left": (
        function(
            "key, c",
            "a = jax.random.normal(key)",
            "if c:",
            "    return a + jax.random.normal(key)",
            "return a + jax.random.uniform(key)",
        ),
        function(
            "key, c",
            "key, a_key, uniform_key = jax.random.split(key, 3)",
            "a = jax.random.normal(a_key)",
            "if c:",
            "    return a + jax.random.normal(key)",
            "return a + jax.random.uniform(uniform_key)",
        ),
    ),
    "a child that nobody used": (
        function(
            "key", "key, subkey = jax.random.split(key)", "return jax.random.normal(key) + jax.random.uniform(key)"
        ),
        function(
            "key", "key, subkey = jax.random.split(key)", "return jax.random.normal(subkey) + jax.random.uniform(key)"
        ),
    ),
    "a child that was thrown away": (
        function(
            "key", "_, subkey = jax.random.split(key)", "return jax.random.normal(subkey) + jax.random.uniform(key)"
        ),
        function(
            "key", "key, subkey = jax.random.split(key)", "return jax.random.normal(subkey) + jax.random.uniform(key)"
        ),
    ),
    "a third child nobody used": (
        function(
            "key",
            "a, b, c = jax.random.split(key, 3)",
            "return jax.random.normal(a) + jax.random.uniform(b) + jax.random.gamma(key, 1.0)",
        ),
        function(
            "key",
            "a, b, c = jax.random.split(key, 3)",
            "return jax.random.normal(a) + jax.random.uniform(b) + jax.random.gamma(c, 1.0)",
        ),
    ),
    "one child more of the split that made the key": (
        function(
            "key",
            "key, a_key = jax.random.split(key)",
            "a = jax.random.normal(a_key)",
            "b = jax.random.uniform(a_key)",
            "return a + b, key",
        ),
        function(
            "key",
            "key, a_key, b_key = jax.random.split(key, 3)",
            "a = jax.random.normal(a_key)",
            "b = jax.random.uniform(b_key)",
            "return a + b, key",
        ),
    ),
    "a split name is given once more, as its author does": (
        function(
            "key",
            "key, subkey = jax.random.split(key)",
            "a = jax.random.normal(subkey)",
            "return a + jax.random.normal(key) + jax.random.uniform(key)",
        ),
        function(
            "key",
            "key, subkey, normal_key = jax.random.split(key, 3)",
            "a = jax.random.normal(subkey)",
            "return a + jax.random.normal(normal_key) + jax.random.uniform(key)",
        ),
    ),
    "a pass of a loop draws from what the next one splits": (
        function(
            "key, xs",
            "for x in xs:",
            "    key, subkey = jax.random.split(key)",
            "    x.put(jax.random.normal(key))",
        ),
        function(
            "key, xs",
            "for x in xs:",
            "    key, subkey = jax.random.split(key)",
            "    x.put(jax.random.normal(subkey))",
        ),
    ),
    "the key of a carry": (
        function(
            "carry, x",
            "y, key = carry",
            "a = jax.random.normal(key)",
            "b = jax.random.normal(key)",
            "return (y + a + b, key), x",
        ),
        function(
            "carry, x",
            "y, key = carry",
            "key, a_key, b_key = jax.random.split(key, 3)",
            "a = jax.random.normal(a_key)",
            "b = jax.random.normal(b_key)",
            "return (y + a + b, key), x",
        ),
    ),
    "a loop that advances the key is as it should be": (
        function(
            "key, xs",
            "a = jax.random.normal(key)",
            "for x in xs:",
            "    key, subkey = jax.random.split(key)",
            "    x.put(a, jax.random.normal(subkey))",
        ),
        function(
            "key, xs",
            "key, subkey = jax.random.split(key)",
            "a = jax.random.normal(subkey)",
            "for x in xs:",
            "    key, subkey = jax.random.split(key)",
            "    x.put(a, jax.random.normal(subkey))",
        ),
    ),
    "an item of a batch is a key": (
        function(
            "keys",
            "first = jax.random.split(keys, 3)[0]",
            "a = jax.random.normal(first)",
            "return a, jax.random.gamma(first, a)",
        ),
        function(
            "keys",
            "first = jax.random.split(keys, 3)[0]",
            "first, subkey = jax.random.split(first)",
            "a = jax.random.normal(subkey)",
            "return a, jax.random.gamma(first, a)",
        ),
    ),
}


@pytest.mark.parametrize("case", REUSED)
def test_one_split_for_all_uses(case: str) -> None:
    before, after = REUSED[case]
    assert mended(before) == after
    assert left(before) == []


UNBOUND = {
    "a record that was passed": (
        function("state", "a = jax.random.normal(state.key)", "return a + jax.random.uniform(state.key)"),
        function(
            "state",
            "a_key, uniform_key = jax.random.split(state.key)",
            "a = jax.random.normal(a_key)",
            "return a + jax.random.uniform(uniform_key)",
        ),
    ),
    "a variable of the function around": (
        closure("a, b = jax.random.normal(key), jax.random.uniform(key)", "return a + b"),
        closure(
            "a_key, b_key = jax.random.split(key)",
            "a, b = jax.random.normal(a_key), jax.random.uniform(b_key)",
            "return a + b",
        ),
    ),
    "a global": (
        "key = jax.random.key(0)\n\n\n" + function("n", "return jax.random.normal(key) + jax.random.uniform(key)"),
        "key = jax.random.key(0)\n\n\n"
        + function(
            "n",
            "normal_key, uniform_key = jax.random.split(key)",
            "return jax.random.normal(normal_key) + jax.random.uniform(uniform_key)",
        ),
    ),
}


@pytest.mark.parametrize("case", UNBOUND)
def test_what_cannot_be_assigned_is_not(case: str) -> None:
    before, after = UNBOUND[case]
    assert mended(before) == after


CLASS = """
    {imports}


    class Agent{bases}:
        {head}

        def act(self):
            return jax.random.normal(self.key) + jax.random.uniform(self.key)
"""


@pytest.mark.parametrize(
    ("imports", "bases", "head"),
    [
        ("from typing import NamedTuple", "(NamedTuple)", "key: jax.Array"),
        ("import equinox as eqx", "(eqx.Module)", "key: jax.Array"),
        ("import equinox as eqx", "(eqx.Module)", "def __init__(self, key):\n            self.key = key"),
        ("import flax.linen as nn", "(nn.Module)", "def setup(self):\n            self.key = self.make_rng('x')"),
        ("", "", "key = jax.random.key(0)"),
        ("", "", "@property\n        def key(self):\n            return self.state.key"),
    ],
)
def test_attributes_that_nobody_assigns(imports: str, bases: str, head: str) -> None:
    after = mended(CLASS.format(imports=imports, bases=bases, head=head))
    assert "self.key," not in after
    assert "self.key =" not in after.replace("self.key = key", "").replace("self.key = self.make_rng", "")


def test_frozen_dataclass() -> None:
    imports = "from dataclasses import dataclass"
    before = dedent(CLASS.format(imports=imports, bases="", head="key: jax.Array")).replace(
        "class A", "@dataclass(frozen=True)\nclass A"
    )
    assert "normal_key, uniform_key = jax.random.split(self.key)\n" in mended(before)


MADE = """
    class Agent:
        def __init__(self, seed):
            self.key = jax.random.key(seed)

        {decorator}
        def act(self):
            return jax.random.normal(self.key) + jax.random.uniform(self.key)
"""


def test_attribute_of_a_plain_object_is_advanced_outside_of_traces_only() -> None:
    eager = mended(MADE.format(decorator="# every step"))
    assert "self.key, normal_key, uniform_key = jax.random.split(self.key, 3)\n" in eager
    traced = mended(MADE.format(decorator="@jax.jit"))
    assert "self.key," not in traced


STAYS = {
    "a batch": function(
        "key",
        "keys = jax.random.split(key, 8)",
        "return jax.vmap(jax.random.normal)(keys) + jax.vmap(jax.random.uniform)(keys)",
    ),
    "a batch in a helper": "def draw(keys):\n    return jax.vmap(jax.random.normal)(keys)\n\n\n"
    + function("keys", "return draw(keys) + draw(keys)"),
    "a dict of keys": function(
        "key, model, x",
        'rngs = {"params": key}',
        "a = model.init(rngs, x)",
        "return a, model.init(rngs, x), jax.random.normal(key)",
    ),
    "a record with a key": "from typing import NamedTuple\n\n\nclass S(NamedTuple):\n    key: jax.Array\n\n\n"
    "def draw(s):\n    return jax.random.normal(s.key)\n\n\n"
    + function("key", "s = S(key)", "return draw(s) + draw(s)"),
    "a walrus": function("key", "return jax.random.normal(k := key) + jax.random.normal(k)"),
    "a variable of a comprehension": function(
        "keys", "return [jax.random.normal(k) + jax.random.gamma(k, 1.0) for k in keys]"
    ),
    "a class": "key = jax.random.key(0)\n\n\nclass A:\n    a = jax.random.normal(key)\n    b = jax.random.normal(key)",
    "defaults of parameters": "key = jax.random.key(0)\n\n\n"
    "def f(a=jax.random.normal(key), b=jax.random.uniform(key)):\n    return a + b",
    "one use in a lambda": function("key", "return [lambda: jax.random.normal(key) for _ in range(2)]"),
    "a key of the function around, in a loop": closure("for _ in range(3):", "    print(jax.random.normal(key))"),
}


@pytest.mark.parametrize("case", STAYS)
def test_what_is_no_single_key_stays(case: str) -> None:
    assert mended(STAYS[case]) == STAYS[case]


def test_a_key_that_cannot_be_advanced_is_still_reported_in_its_loop() -> None:
    loop = "    for x in xs:\n        x.put(jax.random.normal(state.key), jax.random.gamma(state.key, x))"
    body = f"def f(state, xs):\n{loop}"
    after = mended(body)
    assert "        normal_key, gamma_key = jax.random.split(state.key)\n" in after
    assert [finding.code for finding in left(body)] == ["JAX403"]


def test_one_use_mended_leaves_the_other_reported() -> None:
    body = """
        def f(key, n):
            x = jax.random.normal(key)
            y = jax.random.uniform(key)
            return x + y + sum(jax.random.normal(key) for _ in range(n))
    """
    assert {finding.code for finding in left(body)} == {"JAX403"}


@pytest.mark.parametrize("case", [case for case, (before, _) in REUSED.items() if before.startswith("def f(key):")])
def test_jax_agrees(case: str) -> None:
    for body, is_right in zip(REUSED[case], (False, True)):
        names: dict[str, Any] = {"jax": jax}
        exec(body, names)
        with jax.debug_key_reuse(True), nullcontext() if is_right else pytest.raises(jax.errors.KeyReuseError):
            names["f"](jax.random.key(0))


MEANT = {
    "something and its copy": function(
        "key, make", "params = make(key, 3)", "return params, make(key, 3), jax.random.normal(key)"
    ),
    "two arrays in one order": function(
        "key, x, y", "return jax.random.permutation(key, x), jax.random.permutation(key, y)"
    ),
    "two picks of one place": function(
        "key, xs, ys", "return jax.random.choice(key, xs, (3,)), jax.random.choice(key, ys, (3,))"
    ),
}


@pytest.mark.parametrize("case", MEANT)
def test_what_may_be_meant_to_be_equal_stays(case: str) -> None:
    assert mended(MEANT[case]) == MEANT[case]


def test_other_picks_are_split() -> None:
    body = "def f(key, xs):\n    return jax.random.choice(key, xs, (3,)), jax.random.choice(key, xs, (4,))"
    assert "key, subkey = jax.random.split(key)\n" in mended(body)


def test_equal_draws_of_tests_are_left_to_their_author() -> None:
    body = "def test_equal(key):\n    assert jax.random.normal(key) == jax.random.normal(key)"
    assert mended(body) == body
    assert [finding.certainty for finding in left(body)] == [Certainty.POSSIBLE]


def test_names_in_the_style_of_the_file() -> None:
    body = """
        def g(key_a, key_b):
            return jax.random.normal(key_a) + jax.random.normal(key_b)


        def f(key, log):
            log(jax.random.normal(key), jax.random.uniform(key), jax.random.gamma(key, 1.0))
    """
    assert "    key_normal, key_uniform, key_gamma = jax.random.split(key, 3)\n" in mended(body)


def test_blocks_that_exclude_nothing_need_no_second_split() -> None:
    body = """
        def f(key, c, d):
            if c:
                a, b = jax.random.split(key)
                print(jax.random.normal(a), jax.random.normal(b))
            if d:
                a, b = jax.random.split(key)
                print(jax.random.normal(a), jax.random.normal(b))
    """
    assert mended(body) == dedent(body).strip("\n").replace(
        "a, b = jax.random.split(key)", "key, a, b = jax.random.split(key, 3)", 1
    )


def test_a_use_that_is_only_likely_to_draw_gets_its_child_too() -> None:
    body = """
        def f(key, policy, x):
            y = policy(x).sample(seed=key)
            noise = jax.random.normal(key, (3,))
            scale = jax.random.gamma(key, 1.0)
            return y, noise * scale
    """
    split = "    y_key, noise_key, scale_key = jax.random.split(key, 3)\n"
    assert f"{split}    y = policy(x).sample(seed=y_key)\n" in mended(body)
    assert left(body) == []
