"""The oracle sees every question to a tracer, at its place, and knows what it made up before."""

from __future__ import annotations

import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxlint.dynamic import oracle, selftest
from jaxlint.dynamic.observations import Kind

columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 knows lines only")


def array(*shape: int, dtype: str = "float32") -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, dtype)


# From 3.12 on, the parts of an f-string have places of their own.
FORMATTED = "{x.sum():.2f}" if sys.version_info >= (3, 12) else "f'{x.sum():.2f}'"

QUESTIONS = [
    ("if x[0] > 0:\n        pass", "x[0] > 0", Kind.BOOL, "TracerBoolConversionError"),
    ("y = 1 if x[0] > 0 else 2", "x[0] > 0", Kind.BOOL, "TracerBoolConversionError"),
    ("assert x[0] > 0", "x[0] > 0", Kind.BOOL, "TracerBoolConversionError"),
    ("while x[0] > 0:\n        x = x - 1", "x[0] > 0", Kind.BOOL, "TracerBoolConversionError"),
    ("y = not x.any()", "not x.any()", Kind.BOOL, "TracerBoolConversionError"),
    ("y = bool(x)", "bool(x)", Kind.BOOL, "ValueError"),
    ("y = int(x[0])", "int(x[0])", Kind.INT, "ConcretizationTypeError"),
    ("y = float(x.sum())", "float(x.sum())", Kind.FLOAT, "ConcretizationTypeError"),
    ("y = complex(x[0])", "complex(x[0])", Kind.COMPLEX, "ConcretizationTypeError"),
    ("y = range(x[0].astype(int))", "range(x[0].astype(int))", Kind.INDEX, "TracerIntegerConversionError"),
    ("y = [1, 2][x[0].astype(int)]", "[1, 2][x[0].astype(int)]", Kind.INDEX, "TracerIntegerConversionError"),
    ("y = np.sin(x)", "np.sin(x)", Kind.ARRAY, "TracerArrayConversionError"),
    ("y = x.sum().item()", "x.sum().item()", Kind.ARRAY, "ConcretizationTypeError"),
    ("y = x.tolist()", "x.tolist()", Kind.ARRAY, "ConcretizationTypeError"),
    ("y = jnp.arange(x[0])", "jnp.arange(x[0])", Kind.CONCRETE, "ConcretizationTypeError"),
    ("y = jnp.nonzero(x)", "jnp.nonzero(x)", Kind.CONCRETE, "ConcretizationTypeError"),
    ("x[0] = 1.0", "x[0]", Kind.ITEM_STORE, "TypeError"),
    ("del x[0]", "x[0]", Kind.ITEM_STORE, "AttributeError"),
    ("y = x[x > 0]", "x[x > 0]", Kind.ERROR, "NonConcreteBooleanIndexError"),
    ("y = f'{x.sum():.2f}'", FORMATTED, Kind.FORMAT, "TypeError"),
    # JAX 0.4 only warns that this will be an error.
    *([("y = {x: 1}", "{x: 1}", Kind.ERROR, "TypeError")] if jax.__version_info__ >= (0, 5) else []),
]


@columns
@pytest.mark.parametrize(("line", "asks", "kind", "exception"), QUESTIONS, ids=[case[0] for case in QUESTIONS])
def test_a_question_is_seen_at_its_expression(program: Any, line: str, asks: str, kind: Kind, exception: str) -> None:
    it = program(f"import numpy as np\nimport jax.numpy as jnp\n\n\ndef f(x):\n    {line}\n    return x\n")
    first = it.trace("f", array(3)).observations[0]
    assert (first.kind, first.at, first.exception, first.assumptions) == (kind, it.at(asks), exception, ())


def test_one_run_sees_all_questions_on_both_branches(program: Any) -> None:
    it = program("""
        import jax.numpy as jnp

        def f(x, n):
            if x > 0:
                y = float(x)
            else:
                y = jnp.zeros(n)
            while x > 3:
                x = x - 1
            return y
        """)
    traced = it.trace("f", array(), array(dtype="int32"))
    seen = {(each.at.line, each.kind) for each in traced.observations}
    assert seen == {(4, Kind.BOOL), (5, Kind.FLOAT), (7, Kind.ERROR), (8, Kind.BOOL)}
    by_line = {each.at.line: each for each in traced.observations}
    assert by_line[4].assumptions == ()
    assert len(by_line[5].assumptions) == 1
    assert by_line[5].assumptions[0].endswith("is true")
    assert by_line[7].assumptions[0].endswith("is false")
    assert by_line[7].exception == "TypeError"


NESTED = {
    ("jit",): "jax.jit(g)(x)",
    ("vmap",): "jax.vmap(g)(x)",
    ("scan",): "jax.lax.scan(lambda c, t: (c + g(t), t), 0.0, x)",
    ("cond",): "jax.lax.cond(True, g, g, x[0])",
    ("while_loop",): "jax.lax.while_loop(lambda c: c < 3, g, x[0])",
    ("fori_loop",): "jax.lax.fori_loop(0, 3, lambda i, c: g(c), x[0])",
    ("grad",): "jax.grad(g)(x[0])",
    ("checkpoint",): "jax.checkpoint(g)(x[0])",
    ("jit", "vmap", "grad"): "jax.jit(jax.vmap(jax.grad(g)))(x)",
    ("scan", "jit"): "jax.lax.scan(lambda c, t: (c + jax.jit(g)(t), t), 0.0, x)",
}


@pytest.mark.parametrize("by", NESTED, ids="-".join)
def test_questions_inside_transforms(program: Any, by: tuple[str, ...]) -> None:
    it = program(f"""
        import jax

        def g(t):
            if (t > 0).all():
                return t.sum()
            return -t.sum()

        def f(x):
            return {NESTED[by]}
        """)
    [seen] = it.trace("f", array(3)).observations
    assert (seen.kind, seen.at.line, seen.traced_by) == (Kind.BOOL, 4, by)
    assert seen.assumptions == ()


def test_nothing_is_seen_where_nothing_is_asked(program: Any) -> None:
    it = program("""
        import jax
        import jax.numpy as jnp

        def f(x, order, mask=None):
            if x.ndim == 1 and mask is None and isinstance(x, jax.core.Tracer) and order > 1:
                x = x**order
            y = jnp.linspace(0.0, x[0], 4) + jnp.roll(jnp.arange(4), x[0].astype(int)) + jnp.percentile(x, x[1])
            return jax.nn.softmax(y), [i for i in range(len(x))], jax.jit(jax.grad(jnp.sum))(x)
        """)
    traced = it.trace("f", array(3), order=2)
    assert (traced.observations, traced.error, traced.paths > 0) == ([], "", True)
    assert not traced.error


def test_a_caught_exception_is_seen_and_stays_caught(program: Any) -> None:
    it = program("""
        import jax

        def f(x, n):
            try:
                size = int(n)
            except jax.errors.ConcretizationTypeError:
                size = 7
            return x * size, bool(x[0] > size)
        """)
    traced = it.trace("f", array(3), array(dtype="int32"))
    caught, after = sorted(traced.observations, key=lambda each: each.at.line)
    assert (caught.kind, caught.at.line) == (Kind.INT, 5)
    assert (after.kind, after.at.line, after.assumptions) == (Kind.BOOL, 8, ())


def test_an_exception_that_numpy_swallows_is_no_exception(program: Any) -> None:
    it = program("""
        import numpy as np

        def f(x):
            return x * np.array_equal(x, x)
        """)
    [seen] = it.trace("f", array(3)).observations
    assert (seen.kind, seen.at.line, seen.exception) == (Kind.ARRAY, 4, "")


def test_other_exceptions_are_errors_unless_something_was_made_up(program: Any) -> None:
    it = program("""
        def check(x):
            raise ValueError("too flat")

        def f(x):
            return check(x)

        def g(x):
            if x[0] > 0:
                return check(x)
            return x
        """)
    plain = it.trace("f", array(3))
    [seen] = plain.observations
    assert (seen.kind, seen.at.line, seen.exception) == (Kind.ERROR, 2, "ValueError")
    assert plain.error == "ValueError: too flat"
    assert [each.kind for each in it.trace("g", array(3)).observations] == [Kind.BOOL]


def test_static_arguments_are_passed_as_they_are(program: Any) -> None:
    it = program("""
        def f(x, options):
            return x if options["flip"] else float(x)
        """)
    assert it.trace("f", array(), {"flip": True}).observations == []
    assert it.trace("f", array(), {"flip": False}).observations[0].kind is Kind.FLOAT


def test_limits_end_a_loop_that_never_ends(program: Any) -> None:
    it = program("""
        def f(x):
            while True:
                if x > 0:
                    x = x + 1
        """)
    traced = it.trace("f", array(), limits=oracle.Limits(paths=2, questions=20))
    assert "limit" in traced.error
    assert traced.observations[0].at.line == 3


def test_everything_is_restored(program: Any) -> None:
    it = program("def f(x):\n    return bool(x > 0)\n")
    before = {name: vars(jax.core.Tracer).get(name) for name in ("__bool__", "__array__", "__delitem__", "__repr__")}
    it.trace("f", array())
    assert before == {name: vars(jax.core.Tracer).get(name) for name in before}
    with pytest.raises(jax.errors.TracerBoolConversionError):
        jax.jit(it.module.f)(1.0)


def test_online_records_and_raises(program: Any) -> None:
    it = program("""
        import jax

        @jax.jit
        def f(x):
            return x if x > 0 else -x

        @jax.grad
        def eager(x):
            return x if x > 0 else -x
        """)
    module = it.load()
    with oracle.online([it.path]) as traced:
        with pytest.raises(jax.errors.TracerBoolConversionError):
            module.f(1.0)
        assert module.eager(1.0) == 1.0  # plain grad knows the value
    [seen] = traced.observations
    assert (seen.at.line, seen.traced_by, seen.exception) == (5, ("jit",), "TracerBoolConversionError")


def test_the_first_observation_is_the_error_of_plain_jax(program: Any) -> None:
    lines = [case[0] for case in QUESTIONS]
    it = program(
        "import numpy as np\nimport jax.numpy as jnp\n"
        + "".join(f"\n\ndef f{index}(x):\n    {line}\n    return x\n" for index, line in enumerate(lines))
    )
    module = it.load()
    for index, line in enumerate(lines):
        traced = it.trace(f"f{index}", array(3))
        raised = ""
        try:
            jax.jit(getattr(module, f"f{index}"))(jnp.ones(3))
        except Exception as error:
            raised = type(error).__name__
        assert [each.exception for each in traced.observations][:1] == [raised] * bool(raised), line


def test_the_installed_jax_has_every_capability() -> None:
    assert selftest.missing() == ()


def test_a_made_up_array_has_the_dtype_that_numpy_asked_for(program: Any) -> None:
    it = program("import numpy as np\n\n\ndef f(x):\n    return x * np.asarray(x, dtype=np.int32).dtype.itemsize\n")
    assert [each.kind for each in it.trace("f", array(3, dtype="float16")).observations] == [Kind.ARRAY]
    assert np.dtype(np.int32).itemsize == 4


@columns
def test_an_answer_is_told_of_what_was_asked(program: Any) -> None:
    """The tracer is `x`, whatever Python says of the place: a wrong word would turn the assumption round."""
    traced = program(
        """
        def step(x, y):
            while not x:
                return float(y)
            if x and y:
                return int(y)
            return x
        """
    ).trace("step", array(), array())
    assumed = {seen.kind: seen.assumptions for seen in traced.observations}
    assert assumed[Kind.FLOAT] == ("line 2: `x` is false",)
    assert assumed[Kind.INT][0] == "line 2: `x` is true"
    assert assumed[Kind.INT][-1] in ("line 4: a part of `x and y` is true", "line 4: `y` is true")
