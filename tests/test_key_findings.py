"""What a finding of a key says: which use it is shown with, and what to do with the variable that is the key."""

from __future__ import annotations

import pytest

from jaxlint.api import Certainty, Settings, lint_source
from jaxlint.vocabulary.findings import Finding

PRELUDE = "import jax\n\n"


def only(source: str, line: int) -> Finding:
    found = [finding for finding in lint_source(PRELUDE + source) if finding.location.line == line]
    assert len(found) == 1
    return found[0]


def test_a_use_that_is_seen_is_a_partner_before_one_that_may_draw_nothing() -> None:
    finding = only(
        "def f(key, g):\n    g(key)\n    a = jax.random.normal(key)\n    return a, jax.random.split(key)\n", 6
    )
    assert (finding.code, finding.related[0].location.line) == ("JAX401", 5)


def test_a_use_on_every_path_is_a_partner_before_a_nearer_one() -> None:
    body = "    a = jax.random.normal(key)\n    if flag:\n        g(key)\n    return a, jax.random.laplace(key)\n"
    finding = only(f"def f(key, flag, g):\n{body}", 7)
    assert (finding.code, finding.related[0].location.line) == ("JAX401", 4)


def test_many_uses_that_may_draw_nothing_hide_no_pair() -> None:
    handed = "".join(f"    g{number}(key)\n" for number in range(12))
    source = f"def f(key, {', '.join(f'g{n}' for n in range(12))}):\n    a = jax.random.normal(key)\n{handed}"
    finding = only(source + "    return a, jax.random.laplace(key)\n", 17)
    assert (finding.code, finding.related[0].location.line) == ("JAX401", 4)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("a = jax.random.split(rng)\n    return a, jax.random.split(rng)", "split again by `jax.random.split`"),
        ("a = jax.random.normal(rng)\n    return a, jax.random.split(rng)", "split by `jax.random.split` after"),
        ("a = jax.random.split(rng)\n    return a, jax.random.normal(rng)", "consumed by `jax.random.normal` after"),
        ("a = jax.random.gumbel(rng)\n    return a, jax.random.normal(rng)", "consumed again by `jax.random.normal`"),
    ],
)
def test_the_words_say_what_was_done(body: str, words: str) -> None:
    finding = only(f"def f(rng):\n    {body}\n", 5)
    assert words in finding.message
    assert finding.help is not None
    assert "`rng, subkey = jax.random.split(rng)`" in finding.help


@pytest.mark.parametrize(
    ("key", "split"),
    [
        ("subkey", "subkey, key2 = jax.random.split(subkey)"),
        ("state.key", "key1, key2 = jax.random.split(state.key)"),
    ],
)
def test_each_part_of_the_split_gets_a_name_of_its_own(key: str, split: str) -> None:
    draws = f"    a = jax.random.normal({key})\n    return a, jax.random.uniform({key})\n"
    finding = only(f"def f({key.partition('.')[0]}):\n{draws}", 5)
    assert finding.help is not None
    assert f"`{split}`" in finding.help


def test_two_calls_of_one_function_in_a_loop_are_two() -> None:
    loop = "def f(key, n):\n    found = []\n    for _ in range(n):\n        key, unused = jax.random.split(key)\n"
    finding = only(loop + "        found.append(jax.random.split(key, n))\n    return found\n", 6)
    assert "splits the key that `jax.random.split` split in the pass before" in finding.message


def test_leaves_are_no_passes() -> None:
    finding = only("def f(key, tree):\n    return jax.tree.map(lambda x: x + jax.random.normal(key), tree)\n", 4)
    assert finding.message == "`jax.random.normal` uses the same key for every leaf: the numbers repeat"
    assert finding.help is not None
    assert finding.help.startswith("give each leaf its own key: split `key`")
    finding = only("def f(key, xs):\n    return list(map(lambda x: x + jax.random.normal(key), xs))\n", 4)
    assert finding.message == "`jax.random.normal` uses the same key in every pass: the numbers repeat"


def test_a_loop_says_which_uses_meet() -> None:
    loop = "def f(rng, n):\n    x = 0.0\n    for _ in range(n):\n        rng, unused = jax.random.split(rng)\n"
    finding = only(loop + "        x += jax.random.normal(rng)\n    return x\n", 6)
    assert "`jax.random.split` splits the key that `jax.random.normal` used in the pass before" in finding.message


def lines(finding: Finding) -> list[int]:
    return [step.location.line for step in finding.related]


def test_four_draws_are_one_finding_that_names_all() -> None:
    draws = "".join(f"    x{number} = jax.random.normal(key)\n" for number in range(4))
    (finding,) = lint_source(f"{PRELUDE}def f(key):\n{draws}    return x0, x1, x2, x3\n")
    assert (finding.code, finding.location.line, lines(finding)) == ("JAX401", 5, [4, 6, 7])


def test_a_pair_that_is_seen_is_told_with_the_uses_that_may_draw_nothing() -> None:
    body = "    g(key)\n    a = jax.random.normal(key)\n    b = jax.random.gumbel(key)\n    return a, b, h(key)\n"
    (finding,) = lint_source(f"{PRELUDE}def f(key, g, h):\n{body}")
    assert (finding.code, finding.location.line, lines(finding)) == ("JAX401", 6, [5])
    found = lint_source(f"{PRELUDE}def f(key, g, h):\n{body}", settings=Settings(certainty=Certainty.POSSIBLE))
    assert [(finding.code, finding.location.line) for finding in found] == [("JAX402", 5), ("JAX401", 6), ("JAX402", 7)]


def test_uses_in_a_loop_are_one_finding() -> None:
    draws = "        x += jax.random.normal(key)\n        x += jax.random.gumbel(key)\n"
    body = f"    x = 0.0\n    for _ in range(n):\n{draws}"
    (finding,) = lint_source(f"{PRELUDE}def f(key, n):\n{body}    return x\n")
    assert (finding.code, finding.location.line, lines(finding)) == ("JAX403", 6, [6, 7])


def test_uses_on_some_paths_are_one_finding_with_the_first() -> None:
    body = "    a = jax.random.normal(key)\n    if flag:\n        a = jax.random.gumbel(key)\n"
    (finding,) = lint_source(f"{PRELUDE}def f(key, flag):\n{body}    return a, jax.random.laplace(key)\n")
    assert (finding.code, finding.location.line, lines(finding)) == ("JAX401", 6, [4, 7])


def test_calls_that_use_a_key_are_one_finding_of_the_function_that_makes_them() -> None:
    helpers = (
        "def one(key):\n    return jax.random.normal(key)\n\n\ndef other(key):\n    return jax.random.gumbel(key)\n\n\n"
    )
    body = "    a = one(key)\n    b = other(key)\n    return a, b, one(key)\n"
    (finding,) = lint_source(f"{PRELUDE}{helpers}def f(key):\n{body}")
    assert (finding.code, finding.location.line, finding.definition) == ("JAX401", 13, "f")
    assert 14 in lines(finding)


def test_a_key_that_a_callee_used_and_gave_back_is_told_where_it_is_given_back() -> None:
    start = "def start(seed):\n    key = jax.random.key(seed)\n    return jax.random.normal(key), key\n\n\n"
    run = "def run(seed):\n    x, key = start(seed)\n    return x, jax.random.split(key)\n\n\n"
    (finding,) = lint_source(f"{PRELUDE}{start}{run}def main():\n    return run(0)\n\n\nprint(main())\n")
    assert (finding.code, finding.location.line, finding.definition) == ("JAX401", 5, "start")
    assert lines(finding) == [5, 10]


def test_two_keys_that_one_call_is_given_are_two_causes() -> None:
    body = "    x = both(k1, k2)\n    a = jax.random.normal(k1)\n    b = jax.random.normal(k2)\n    return x, a, b\n"
    helper = "def both(a, b):\n    return jax.random.normal(a) + jax.random.normal(b)\n\n\n"
    found = lint_source(f"{PRELUDE}{helper}def f(k1, k2):\n{body}")
    assert [finding.location.line for finding in found] == [9, 10]


def test_two_keys_are_two_causes() -> None:
    body = "".join(f"    {name} = jax.random.normal(k{i})\n" for i in (1, 2) for name in (f"a{i}", f"b{i}"))
    found = lint_source(f"{PRELUDE}def f(k1, k2):\n{body}    return a1, b1, a2, b2\n")
    assert [finding.location.line for finding in found] == [5, 7]


def test_each_function_has_its_own_finding() -> None:
    body = "    a = jax.random.normal(key)\n    return a, jax.random.gumbel(key)\n"
    found = lint_source(f"{PRELUDE}def f(key):\n{body}\n\ndef g(key):\n{body}")
    assert [finding.location.line for finding in found] == [5, 10]


def test_the_calls_of_a_method_are_named_where_they_stand() -> None:
    source = """import jax


class Agent:
    def __init__(self, key):
        self.key = key

    def reset(self):
        return jax.random.uniform(self.key)


def play(key):
    agent = Agent(key)
    a = agent.reset()
    b = agent.reset()
    return a, b, agent.reset()
"""
    (finding,) = lint_source(source)
    assert (finding.location.line, lines(finding)[0]) == (15, 14)
    assert 16 in lines(finding)


KEEPER = """import jax


class Agent:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.uniform(self.key)

    def draw_with(self, key):
        return jax.random.uniform(key)

    def draw_new(self):
        self.key, key = jax.random.split(self.key)
        return jax.random.uniform(key)

    def draw_by_helper(self):
        key = self.key
        return sample(key)


def sample(key):
    return jax.random.normal(key)


"""
TWICE = "def {name}(key):\n    agent = Agent(key)\n    return {call}, {call}\n\n\n"
LOOP = "def {name}(key):\n    agent = Agent(key)\n    for _ in range(3):\n        print({call})\n\n\n"

KEPT = {
    "of several users": (TWICE, TWICE, "agent.draw()", [(9, "JAX401")]),
    "of users in loops": (LOOP, LOOP, "agent.draw()", [(9, "JAX403")]),
    "of users of both kinds": (LOOP, TWICE, "agent.draw()", [(9, "JAX401")]),
    "handed to a helper": (TWICE, TWICE, "agent.draw_by_helper()", [(20, "JAX401")]),
    "of one user": (TWICE, "", "agent.draw()", [(29, "JAX401")]),
    "that is split": (TWICE, TWICE, "agent.draw_new()", []),
    "that is not the one handed over": (TWICE, TWICE, "agent.draw_with(key)", [(29, "JAX401"), (34, "JAX401")]),
    "that its users read": (TWICE, TWICE, "sample(agent.key)", [(29, "JAX401"), (34, "JAX401")]),
}


@pytest.mark.parametrize(("first", "second", "call", "expected"), KEPT.values(), ids=KEPT)
def test_a_key_that_an_object_keeps(first: str, second: str, call: str, expected: list[tuple[int, str]]) -> None:
    source = KEEPER + first.format(name="f", call=call) + second.format(name="g", call=call)
    found = lint_source(source)
    assert [(finding.location.line, finding.code) for finding in found] == expected
    assert all(finding.definition == "Agent.draw" for finding in found if finding.location.line == 9)


def test_a_key_that_a_method_uses_and_leaves_to_its_next_call_is_told_with_both_places() -> None:
    method = """    def draw(self):
        self.key, key = jax.random.split(self.key)
        return jax.random.uniform({key})

"""
    before = KEEPER.partition("    def draw(self):")[0]
    users = "".join(LOOP.format(name=name, call="agent.draw()") for name in "fg")
    source, good = (before + method.format(key=key) + users for key in ("self.key", "key"))
    (finding,) = lint_source(source)
    assert (finding.location.line, lines(finding)[0]) == (9, 10)
    assert finding.message == "each call of `Agent.draw` uses the key that the one before used and left in the object"
    assert lint_source(good) == []


def test_a_constant_key_that_is_used_twice_in_one_place_is_told_once() -> None:
    source = """import jax


@jax.jit
def f(x):
    key = jax.random.key(0)
    return x + jax.random.normal(key) + jax.random.normal(key)
"""
    assert [(one.code, one.location.line) for one in lint_source(source)] == [("JAX406", 6), ("JAX401", 7)]
    closed = source.replace("    key = jax.random.key(0)\n", "").replace("@jax", "key = jax.random.key(0)\n\n\n@jax")
    assert [(one.code, one.location.line) for one in lint_source(closed)] == [("JAX406", 9), ("JAX401", 9)]


JITTED_CLOSURE = """def main(seed):
    rng, other = jax.random.split(jax.random.key(seed))
    start = {}

    @jax.jit
    def collect(rng, state):
        return jax.random.normal(rng) + jax.random.gumbel({}) + state

    {}
"""


def test_a_use_in_a_decorated_function_is_shown_where_it_stands() -> None:
    source = JITTED_CLOSURE.format("jax.random.normal(other)", "other", "return collect, rng, start")
    (finding,) = lint_source(PRELUDE + source)
    assert (finding.code, finding.location.line, finding.location.column) == ("JAX401", 9, 41)
    assert lines(finding) == [5]
    assert finding.help is not None
    assert "`other, subkey = jax.random.split(other)`" in finding.help


def test_a_key_that_a_decorated_function_is_given_has_nothing_to_do_with_the_one_outside() -> None:
    source = JITTED_CLOSURE.format("jax.random.normal(other)", "state", "return collect, start")
    assert lint_source(PRELUDE + source) == []


UNKNOWN = """import flax.linen as nn
import jax
import jax.numpy as jnp


class Noisy(nn.Module):
    @nn.compact
    def __call__(self, x):
        return x + jax.random.normal(self.make_rng("noise"))


class Layer(nn.Module):
    def setup(self):
        self.inner = {made}

    def __call__(self, x):
        return self.inner(x)


def main(key, params):
    layer, x = Layer(), jnp.ones(3)
    first = layer.apply(params, x, rngs={{"noise": key}})
    return first, layer.apply(params, first, rngs={{"noise": key}})
{end}
"""


@pytest.mark.parametrize(
    ("made", "end", "codes"),
    [
        ("nn.Dense(3)", "", []),
        ("linen.Dense(3)", "", []),
        ("Noisy()", "", ["JAX402"]),
        ("linen.Dense(3)", "def install():\n    global linen\n    linen = nn", ["JAX402"]),
        ("linen.Dense(3)", 'globals()["linen"] = nn', ["JAX402"]),
        ("linen.Dense(3)", "from somewhere import *", ["JAX402"]),
    ],
)
def test_what_no_module_binds_draws_nothing(made: str, end: str, codes: list[str]) -> None:
    assert [finding.code for finding in lint_source(UNKNOWN.format(made=made, end=end))] == codes


@pytest.mark.parametrize(
    ("made", "codes"),
    [
        ("jnp.ones((2, 3))", []),
        ("jnp.arange(3) > 1", []),
        ("jnp.random.randint(0, 4, (2, 3))", ["JAX317"]),
        ("jnp.array([0, 42], dtype=jnp.uint32)", ["JAX402"]),
        ("jnp.array([0, 42])", ["JAX402"]),
        ("jax.random.key(seed)", ["JAX402"]),
    ],
)
def test_what_can_be_no_key_is_used_up_by_nothing(made: str, codes: list[str]) -> None:
    source = f"""import flax.linen as nn
import jax
import jax.numpy as jnp


def main(seed, x, count):
    net, given = nn.Dense(3), {made}
    return [net.init(given, x) for _ in range(count)]
"""
    assert [finding.code for finding in lint_source(source)] == codes
