"""What the analysis knows of dtypes and shapes, compared with what JAX makes of the same expressions."""

from __future__ import annotations

import ast
import contextlib
import functools
import itertools
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxlint.flow.domain.avals import (
    FULL_FLOAT,
    INEXACT,
    UNKNOWN,
    WIDE,
    Aval,
    is_covered,
    joined,
    other_shape,
    promoted,
    spread,
)
from jaxlint.flow.domain.values import Array, ModuleScope, Value
from jaxlint.flow.engine.entries import Engine
from jaxlint.flow.engine.machine import Machine
from jaxlint.flow.port import Interpreter
from jaxlint.project.program import load_program
from jaxlint.settings.resolved import Settings

OPERANDS = """\
import jax
import jax.numpy as jnp
import numpy as np
import optax

key = jax.random.key(0)
number, count, flag = 2.5, 3, True
scalar = jnp.float32(1.0)
whole = jnp.arange(6)
vector = jnp.ones(3)
half = jnp.ones(3, dtype=jnp.bfloat16)
other_half = jnp.ones(3, dtype=jnp.float16)
bytes_ = jnp.zeros((2, 3), dtype="uint8")
short = jnp.zeros((2, 3), dtype=jnp.int16)
byte = jnp.zeros(3, dtype=jnp.int8)
matrix = jnp.ones((2, 3))
square = jnp.eye(3)
cube = jnp.zeros((2, 3, 4), jnp.float32)
mask = matrix > 0
spectrum = jnp.ones(3, jnp.complex64)
"""

ARRAYS = "scalar whole vector half other_half bytes_ short byte matrix square cube mask spectrum".split()
NUMBERS = "number count flag".split()


def expressions() -> Iterator[str]:
    """Expressions of the operands; JAX refuses some."""
    for a in (*ARRAYS, *NUMBERS):
        for b in (*ARRAYS, *NUMBERS):
            yield from (f"{a} {op} {b}" for op in ("*", "/", "-", "<", "@"))
            yield from (f"jnp.{name}({a}, {b})" for name in OF_TWO)
        yield from (f"{a} ** {b}" for b in ("2", "2.0", "vector", "count"))
        yield from (f"jnp.{name}({a})" for name in OF_ONE)
        yield from (f"jax.nn.{name}({a})" for name in OF_ONE_IN_NN)
        yield f"-{a}"
    for array in ("whole", "matrix", "mask", "cube"):
        yield from (f"{array}[{index}]" for index in INDICES)
        for name in REDUCTIONS:
            yield from (f"jnp.{name}({array}, {axes})" for axes in AXES)
            yield from (f"{array}.{name}({axes})" for axes in AXES)
    yield from (Path(__file__).parent / "semantics" / "expressions.txt").read_text().splitlines()


OF_ONE = (
    "sin exp log sqrt tanh abs square sign negative cumsum ravel isnan logical_not zeros_like ones_like array asarray "
    "transpose squeeze flip sort real conj float32 int32 floor ceil round rint nan_to_num argsort"
).split()
OF_ONE_IN_NN = "relu sigmoid softmax softplus tanh log_softmax gelu".split()
OF_TWO = "add maximum multiply less logical_and dot matmul mod".split()
REDUCTIONS = "sum prod mean std var max min any all argmax argmin".split()
AXES = ("", "axis=0", "axis=-1", "axis=1, keepdims=True", "axis=(0, 1)", "keepdims=True", "0", "axis=None")
INDICES = (
    *("0", "-1", "1:", ":2", "::2", "...", "None", "..., 0", "..., None", "None, 0", ":-1", "0, ...", "whole[0]"),
    *("0, 1", ":, 1", "0, :, 1:3", "..., 1, :", ":, None, 0", "0, 1, 2", "[0, 1]", "whole"),
)
EXPRESSIONS = list(dict.fromkeys(expressions()))


class _Bound:
    """The values that names of the module are bound to."""

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}

    def __call__(self, scope: ModuleScope, node: ast.AST, value: Value, it: Interpreter) -> None:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            self.values[node.id] = value


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Aval]:
    """What is known of each expression that is known to be an array."""
    path = tmp_path_factory.mktemp("avals") / "expressions.py"
    path.write_text(OPERANDS + "".join(f"v{n} = {text}\n" for n, text in enumerate(EXPRESSIONS)))
    return found_in(path)


@pytest.fixture(scope="module", params=[ARRAYS[::2], ARRAYS[1::2]], ids=len)
def known_of_some(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Aval]:
    """The same in a function whose arguments some of the operands are, of which nothing is known."""
    path = tmp_path_factory.mktemp("avals") / "expressions.py"
    body = "".join(f"    v{n} = {text}\n" for n, text in enumerate(EXPRESSIONS))
    path.write_text(f"{OPERANDS}@jax.jit\ndef f({', '.join(request.param)}):\n{body}")
    return found_in(path)


def found_in(path: Path) -> dict[str, Aval]:
    """What is known of what the variables of a module, or of its functions, are bound to."""
    settings = Settings()
    machine = Machine(load_program(str(path.parent), settings, [str(path)], {}), {})
    machine.watch = bound = _Bound()
    Engine(machine).run()
    return {
        text: value.aval for n, text in enumerate(EXPRESSIONS) if isinstance(value := bound.values.get(f"v{n}"), Array)
    }


@pytest.fixture(scope="module", params=[False, True], ids=["default", "x64"])
def made(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """What JAX makes of each, without and with `jax_enable_x64`; nothing of what it refuses."""
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", request.param)
    yield everything_made(request.param)
    jax.config.update("jax_enable_x64", before)


@functools.cache  # pytest comes back to a parameter of a fixture
def everything_made(x64: bool) -> dict[str, Any]:
    assert jax.config.jax_enable_x64 == x64
    names: dict[str, Any] = {}
    exec(OPERANDS, names)
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text in EXPRESSIONS:
            try:
                found[text] = jax.eval_shape(lambda text=text: eval(text, names))  # type: ignore[misc]
            except (TypeError, ValueError, IndexError):
                continue
    return found


def agrees(aval: Aval, actual: Any) -> bool:
    """Whether what is known is true of what JAX made."""
    dtype, kind = str(actual.dtype), aval.kind
    is_dtype = not kind or (aval.dtype == kind and kind in dtype) or dtype == aval.dtype
    is_dtype = is_dtype or (aval.dtype == FULL_FLOAT and dtype in ("float32", "float64"))
    is_weak = aval.weak is None or aval.weak == actual.weak_type
    is_shape = aval.shape is None or len(aval.shape) == len(actual.shape)
    is_shape = is_shape and len(aval.ends) <= len(actual.shape)
    is_shape = is_shape and all(a in (None, b) for a, b in zip(aval.ends[::-1], actual.shape[::-1]))
    return is_dtype and is_weak and is_shape


def test_what_is_known_is_what_jax_makes(known: dict[str, Aval], made: dict[str, Any]) -> None:
    wrong = {
        text: (str(aval), aval.weak, made[text])
        for text, aval in known.items()
        if text in made and not agrees(aval, made[text])
    }
    assert not wrong


def test_what_is_known_of_the_unknown_is_what_jax_makes(known_of_some: dict[str, Aval], made: dict[str, Any]) -> None:
    test_what_is_known_is_what_jax_makes(known_of_some, made)
    assert len(known_of_some) > 0.9 * len(made)


HOST = """\
np.zeros(3)
np.ones((2, 3), np.float32)
np.full((2, 2), 7)
np.arange(6.0).reshape(3, 2)
np.arange(6).reshape(-1, 2)
np.linspace(0, 1, 5)
np.eye(3)[0]
np.array([[1.0, 2.0], [3.0, 4.0]])
np.asarray([1, 2, 3]).astype(float)
np.zeros((2, 3)).copy()
np.zeros((2, 3)) * 2.0 + np.ones(3)
np.ones((2, 3)) @ np.ones((3, 4))
np.ones((2, 3)).T
np.sin(np.ones((2, 3)))
np.sum(np.ones((2, 3)), axis=0)
np.concatenate([np.zeros(2), np.ones(3)])
np.random.normal(size=(4, 3))
np.random.randn(4, 3)
np.random.rand(2)
np.random.uniform(0, 1, 5)
np.random.uniform(np.zeros(3), 1.0)
np.random.randint(0, 5, size=(2, 2))
np.random.default_rng(0).normal(size=(100, 3))
np.random.default_rng(0).integers(10, size=4)
np.random.default_rng(0).standard_normal((2, 2))
np.random.default_rng(0).random(3)
np.random.default_rng(0).beta(1.0, 2.0, 3)
np.random.default_rng(0).gamma(1.0, 2.0, (2, 3))
np.random.default_rng(0).binomial(5, 0.5, 3)
np.random.default_rng(0).poisson(2.0, 3)
np.random.default_rng(0).exponential(2.0, (3, 2))
np.random.default_rng(0).lognormal(0.0, 1.0, 3)
np.random.default_rng(0).laplace(0.0, 1.0, 3)
np.random.default_rng(0).logistic(0.0, 1.0, 3)
np.random.default_rng(0).gumbel(0.0, 1.0, 3)
np.random.default_rng(0).poisson(np.ones(4))
np.random.random_sample((2, 2))
np.random.normal()
""".splitlines()


def test_what_is_known_of_arrays_of_numpy_is_what_numpy_makes(tmp_path: Path) -> None:
    path = tmp_path / "expressions.py"
    path.write_text("import numpy as np\n" + "".join(f"v{n} = {text}\n" for n, text in enumerate(HOST)))
    machine = Machine(load_program(str(tmp_path), Settings(), [str(path)], {}), {})
    machine.watch = bound = _Bound()
    Engine(machine).run()
    shapes = {text: getattr(bound.values.get(f"v{n}"), "shape", None) for n, text in enumerate(HOST)}
    made = {text: np.shape(eval(text)) for text in HOST}
    assert not {
        text: (shape, made[text])
        for text, shape in shapes.items()
        if shape is not None
        and (len(shape) != len(made[text]) or any(a not in (None, b) for a, b in zip(shape, made[text])))
    }
    assert sum(shape is not None for shape in shapes.values()) > 0.8 * len(HOST)


AVALS = [
    Aval("float32", False, shape, tail)
    for shape, tail in (
        *(
            (None, ()),
            (None, (None,)),
            (None, (3,)),
            (None, (1,)),
            (None, (2, 3)),
            (None, (None, 3)),
            (None, (2, None)),
        ),
        *(((), ()), ((3,), ()), ((None,), ()), ((1,), ()), ((2, 3), ()), ((None, 3), ()), ((4, 2, 3), ())),
    )
]
SHAPES = [(), (3,), (1,), (5,), (2, 3), (2, 1), (4, 3), (4, 2, 3), (4, 2, 1), (5, 4, 2, 3)]


def may_be(aval: Aval, shape: tuple[int, ...]) -> bool:
    return agrees(aval, jax.core.ShapedArray(shape, "float32"))


@pytest.mark.parametrize("a", AVALS, ids=str)
def test_what_is_said_of_shapes_holds_for_each(a: Aval) -> None:
    mine = [shape for shape in SHAPES if may_be(a, shape)]
    for b in AVALS:
        others = [shape for shape in SHAPES if may_be(b, shape)]
        assert all(may_be(joined(a, b), shape) for shape in (*mine, *others))
        assert joined(a, b) == joined(b, a)
        assert joined(a, joined(a, b)) == joined(a, b)
        assert not is_covered(a, b) or all(may_be(b, shape) for shape in mine)
        assert not other_shape(a, b) or not {*mine} & {*others}
        for one, other in itertools.product(mine, others):
            with contextlib.suppress(ValueError):
                assert may_be(spread(Aval("float32", False), (a, b)), np.broadcast_shapes(one, other))


def test_most_is_known(known: dict[str, Aval], made: dict[str, Any]) -> None:
    shaped = [text for text, aval in known.items() if aval.shape is not None and text in made]
    typed = [text for text, aval in known.items() if aval.kind and text in made]
    assert len(shaped) > 0.9 * len(made)
    assert len(typed) > 0.9 * len(made)


@pytest.mark.parametrize(("full", "made"), [("float32", WIDE), ("complex64", "complex")])
def test_whatever_meets_a_full_float_is_of_no_half_width(full: str, made: str) -> None:
    assert promoted((UNKNOWN, Aval(full, False))).dtype == made
    others = "bool int8 int32 uint8 uint32 bfloat16 float16 float32 complex64".split()
    assert {str(jnp.promote_types(full, other)) for other in others} <= {"float32", "complex64"}
    assert promoted((UNKNOWN, Aval("float16", False))) == Aval(INEXACT)
    assert promoted((UNKNOWN, Aval("float", True))) == Aval(INEXACT)
    assert all(jnp.issubdtype(jnp.promote_types("float16", other), jnp.inexact) for other in others)
