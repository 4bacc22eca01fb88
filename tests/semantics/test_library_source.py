"""What the reader of libraries' source says of small functions, each of which does one thing with its key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import pytest
from library_facts import SEES, Fact, differing_callable, key_verdict, seen_under
from library_source import Reading

from jaxlint.semantics.model import Abstracts, Wrapper

draw = jax.random.normal


def draws(rng: Any) -> Any:
    return draw(rng)


def draws_whatever_it_is_called(whatever: Any) -> Any:
    return draws(whatever)


def draws_unless_it_is_none(key: Any = None) -> Any:
    if key is None:
        return 0.0
    return draw(key)


def draws_in_a_loop(key: Any) -> Any:
    return jax.lax.fori_loop(0, 3, lambda i, x: x + draw(key), 0.0)


def draws_in_a_carry(key: Any) -> Any:
    def body(carry: Any, x: Any) -> Any:
        total, key = carry
        key, sub = jax.random.split(key)
        return (total + draw(sub), key), None

    return jax.lax.scan(body, (0.0, key), None, length=3)


def draws_by_a_method(key: Any) -> Any:
    return Sampler(2.0).sample(key)


def draws_under_vmap(key: Any) -> Any:
    return jax.vmap(draw)(jax.random.split(key, 3))


def may_draw_on_request(key: Any, wanted: bool) -> Any:
    return draw(key) if wanted else 0.0


def may_draw_after_an_early_return(key: Any, deterministic: bool) -> Any:
    if deterministic:
        return 0.0
    return draw(key)


def folds(key: Any, step: int) -> Any:
    return draw(jax.random.fold_in(key, step))


def hands(key: Any, policy: Callable[..., Any]) -> Any:
    return policy(key)


def hands_to_a_subclass(key: Any) -> Any:
    return Base().act(key)


def hands_behind_a_star(key: Any, *rest: Any) -> Any:
    return no_draw(*rest, key)


def hands_what_is_never_called(key: Any, registry: Any) -> Any:
    registry["later"] = lambda: draw(key)


def keeps(key: Any) -> Any:
    return State(key, 0)


def keeps_by_returning(key: Any) -> Any:
    return key


def ignores(key: Any) -> Any:
    return 1.0


def ignores_with_a_helper(key: Any) -> Any:
    return no_draw(3, key)


def no_draw(rest: Any, key: Any) -> Any:
    return rest


class State(NamedTuple):
    key: Any
    step: int


class Base:
    def act(self, key: Any) -> Any:
        return self._act(key)

    def _act(self, key: Any) -> Any:
        raise NotImplementedError


class Sampler(Base):
    def __init__(self, scale: float) -> None:
        self.scale = scale

    def sample(self, key: Any) -> Any:
        return self._act(key)

    def _act(self, key: Any) -> Any:
        return self.scale * draw(key)


VERDICTS = {
    "draws": "draws",
    "may": "may draw",
    "folds": "folds",
    "hands": "hands",
    "keeps": "keeps",
    "ignores": "ignores",
}
FUNCTIONS = [found for name, found in list(globals().items()) if name.partition("_")[0] in VERDICTS]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_verdict_on_the_first_parameter(function: Callable[..., Any]) -> None:
    reading = Reading()
    parameter = function.__code__.co_varnames[0]
    effects = reading.of(function).get(parameter, set())
    assert key_verdict(parameter, effects, reading.cut)[0] == VERDICTS[function.__name__.partition("_")[0]]


def test_a_number_that_decides_how_much_is_drawn_is_no_key() -> None:
    def sample(key: Any, n: int) -> Any:
        return draw(key, (n,))

    reading = Reading()
    assert key_verdict("n", reading.of(sample).get("n", set()), reading.cut) == ("", "")


def test_a_seed_is_told_from_a_key() -> None:
    def sample(seed: int) -> Any:
        return draw(jax.random.key(seed))

    reading = Reading()
    assert key_verdict("seed", reading.of(sample)["seed"], reading.cut)[0] == "seeds"


def test_methods_are_those_of_the_class_that_is_asked_about() -> None:
    reading = Reading()
    assert key_verdict("key", reading.of(Base.act, Sampler)["key"], reading.cut)[0] == "draws"
    assert key_verdict("key", reading.of(Base.act, Base)["key"], reading.cut)[0] == "hands"


def plainly(f: Callable[..., Any], x: Any) -> Any:
    return f(x)


def jitted(f: Callable[..., Any], x: Any) -> Any:
    return jax.jit(f)(x)


def scanned(f: Callable[..., Any], x: Any) -> Any:
    def body(carry: Any, y: Any) -> Any:
        return f(carry), None

    return jax.lax.scan(body, x, None, length=2)


def mapped(f: Callable[..., Any], x: Any) -> Any:
    def body(y: Any) -> Any:
        return f(y)

    return jax.vmap(body)(x)


CALLERS = [(plainly, ()), (jitted, ("jax.jit",)), (scanned, ("jax.lax.scan",)), (mapped, ("jax.vmap",))]


@pytest.mark.parametrize(("run", "under"), CALLERS)
def test_under_which_transforms_a_function_is_called(run: Callable[..., Any], under: tuple[str, ...]) -> None:
    assert {effect.under for effect in Reading().of(run)["f"] if effect.kind == "called"} == {under}


class Handing:
    """An object that hands all arguments of a call to a function that it keeps."""

    def __init__(self, kept: Callable[..., Any]) -> None:
        self.kept = kept

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.kept(*args, **kwargs)


def test_an_object_that_hands_its_calls_on_is_the_function_it_keeps() -> None:
    found = Handing(scanned)
    assert {effect.under for effect in Reading().of(found)["f"] if effect.kind == "called"} == {("jax.lax.scan",)}


def of_a_dict(f: Callable[..., Any], number: int) -> Any:
    rows = {"first": (f, number)}
    return [jax.jit(function)(kept) for name, (function, kept) in rows.items()]


def test_the_items_of_a_dict_are_pairs() -> None:
    effects = Reading().of(of_a_dict)
    assert {effect.under for effect in effects["f"] if effect.kind == "called"} == {("jax.jit",)}
    assert all(effect.kind != "called" for effect in effects.get("number", ()))


@pytest.mark.parametrize(
    ("under", "word"),
    [
        ((), SEES[0]),
        (("later",), SEES[0]),
        (("jax.tree.map",), SEES[0]),
        (("jax.grad",), SEES[1]),
        (("jax.lax.scan", "jax.grad"), SEES[2]),
        (("jax.grad", "jax: wrap_init"), "unknown"),
        (("jax.jit", "jax: wrap_init"), SEES[2]),
    ],
)
def test_what_transforms_let_a_function_see(under: tuple[str, ...], word: str) -> None:
    assert seen_under(under) == word


JIT, GRAD = Wrapper(Abstracts.ALL), Wrapper(Abstracts.DIFFERENTIATED)


@pytest.mark.parametrize(
    ("sees", "entry", "differs"),
    [
        ((SEES[2],), JIT, False),
        ((SEES[0], SEES[2]), JIT, False),
        ((SEES[0],), JIT, True),
        ((SEES[1],), JIT, True),
        ((SEES[0], "unknown"), JIT, False),
        ((SEES[2],), GRAD, True),
        ((SEES[1],), None, True),
        ((SEES[0], "unknown"), None, False),
    ],
)
def test_which_rows_differ_from_the_source(sees: tuple[str, ...], entry: Wrapper | None, differs: bool) -> None:
    fact = Fact("library.run", "fun", 0, False, "", True, (), "", sees)
    assert (differing_callable(fact, entry) is not None) == differs
    other = Fact("library.run", "other", 1, False, "", True, (), "", sees)
    assert (differing_callable(other, entry) is not None) == any(word in SEES[1:] for word in sees)


def test_what_a_factory_returns_is_read_too() -> None:
    class Made(NamedTuple):
        init: Callable[..., Any]
        step: Callable[..., Any]

    def factory(scale: float) -> Made:
        def init(position: Any, key: Any = None) -> Any:
            return position

        def step(key: Any, state: Any) -> Any:
            return state + scale * draw(key)

        return Made(init, step)

    reading = Reading(__name__.partition(".")[0])
    made = reading.product(factory)
    assert made.keys() == {"init", "step"}
    assert "key" not in reading.of_value(made["init"])
    assert {effect.kind for effect in reading.of_value(made["step"])["key"]} == {"draw"}
