"""The tables about array functions, each entry run under jax.jit (or grad, where the table is about grad)."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxlint.semantics import array_members, arrays, host_libraries, inplace, static_arguments, value_dependence
from jaxlint.semantics.removed import happened
from jaxlint.semantics.static_arguments import StaticArgument
from jaxlint.semantics.value_dependence import DataDependent
from tests.semantics.examples import (
    BOOLS,
    EXAMPLES,
    INSTALLED,
    INTS,
    MATRIX,
    SCALAR,
    STATIC_EXAMPLES,
    VECTOR,
    examples,
    is_array,
    is_there,
    resolve,
    traced_call,
)

Tracer = jax.core.Tracer


def results(name: str) -> Iterator[Any]:
    """The results of ``name`` under jit for every example it accepts."""
    for arguments in examples(name):
        try:
            yield traced_call(resolve(name), arguments)
        except Exception:
            continue


def leaves_of(name: str, count: int = 2) -> list[Any]:
    """The leaves of the first few results; the function must accept some example."""
    found = [result for _, result in zip(range(count), results(name), strict=False)]
    assert found, f"no example call of {name} works"
    return jax.tree.leaves(found)


def raised_by(call: Callable[[], object]) -> str:
    try:
        call()
    except Exception as error:
        return type(error).__name__
    return "nothing"


# Results


NOT_CALLED = {  # What needs an axis, a device, a file or an object of its own; the names are checked to exist.
    "jax.lax.axis_size",
    "jax.lax.axis_index",
    "jax.make_mesh",
    "jax.print_environment_info",
    "jax.check_tracer_leaks",
    "jax.make_jaxpr",
    "jax.ShapeDtypeStruct",
    "jax.eval_shape",
    "jax.tree.all",
    "jax.tree_util.tree_all",
    "jax.tree_util.treedef_is_leaf",
    "jax.tree_util.keystr",
    "jax.core.is_concrete",
    "jax.numpy.einsum_path",
    "jax.numpy.broadcast_shapes",
    "jax.lax.broadcast_shapes",
}


@pytest.mark.parametrize("name", sorted(filter(is_there, arrays.STATIC_RESULTS)))
def test_static_results_hold_no_tracer(name: str) -> None:
    function = resolve(name)
    not_called = name in NOT_CALLED or name.startswith(("jax.lax.conv", "jax.lax.pad", "jax.dtypes"))
    if not_called or inspect.isclass(function):
        return
    for result in results(name):
        assert not any(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(result))


@pytest.mark.parametrize("name", sorted(arrays.CONSTANTS))
def test_constants_are_not_arrays(name: str) -> None:
    assert not isinstance(resolve(name), jax.Array)


@pytest.mark.parametrize("name", sorted(arrays.BOOL_RESULTS - {"jax.numpy.bool", "jax.numpy.bool_"}))
def test_bool_results(name: str) -> None:
    assert {leaf.dtype for leaf in leaves_of(name)} == {np.dtype(bool)}


# These give back the dtype they are given, or need more than an example.
DTYPE_OF_THE_ARGUMENT = {"jax.numpy.unravel_index", "jax.lax.axis_index"}
INT_FUNCTIONS = {name for name in arrays.INT_RESULTS if not inspect.isclass(resolve(name))} - DTYPE_OF_THE_ARGUMENT


@pytest.mark.parametrize(
    "name", sorted(INT_FUNCTIONS - set(value_dependence.DATA_DEPENDENT) - {"jax.numpy.ravel_multi_index"})
)
def test_int_results(name: str) -> None:
    assert {leaf.dtype.kind for leaf in leaves_of(name, 1)} <= {"i", "u"}


@pytest.mark.parametrize("name", sorted(arrays.DTYPES))
def test_scalar_types_make_arrays_of_that_type(name: str) -> None:
    """`jnp.float32(x)` is an array operation, though `jnp.float32` itself is static."""
    abstract = "character flexible generic object_ number inexact floating complexfloating integer".split()
    abstract += ["signedinteger", "unsignedinteger"]
    if name.rpartition(".")[2] not in abstract:
        assert isinstance(traced_call(resolve(name), (SCALAR,)), Tracer)


CONCRETE_UNDER_GRAD = arrays.NON_FLOAT_RESULTS - arrays.INT_RESULTS - {"jax.numpy.bool", "jax.numpy.bool_"}


@pytest.mark.parametrize("name", sorted(CONCRETE_UNDER_GRAD - {"jax.random.bernoulli", "jax.numpy.fix"}))
def test_results_without_gradient_are_concrete_under_grad(name: str) -> None:
    kinds = []

    def probe(x: jax.Array) -> float:
        for arguments in (INTS, 3), (x, np.int32), (x,), (x, x), (x * x, (0,)):
            try:
                result = resolve(name)(*arguments)
            except Exception:
                continue
            kinds.extend(isinstance(leaf, Tracer) for leaf in jax.tree.leaves(result))
        return 0.0

    jax.grad(probe)(VECTOR)
    assert kinds or name in {"jax.lax.reduce_and", "jax.lax.reduce_or"}
    assert not any(kinds)


@pytest.mark.parametrize(("name", "parameter"), arrays.OF_SHAPE_ALONE.items())
def test_what_takes_only_a_shape_gives_no_tracer_under_vmap(name: str, parameter: str) -> None:
    kinds = []

    def probe(x: jax.Array) -> float:
        fill = {"fill_value": 2.0} if "full" in name else {}
        kinds.extend(isinstance(leaf, Tracer) for leaf in jax.tree.leaves(resolve(name)(**{parameter: x}, **fill)))
        if fill:
            assert isinstance(resolve(name)(x, x.sum()), Tracer)
        return 0.0

    jax.vmap(probe)(jnp.ones((2, 3, 3)))
    assert kinds
    assert not any(kinds)


# Attributes and methods


def on_a_tracer(use: Callable[[Any], object], value: Any = MATRIX) -> Any:
    return traced_call(use, (value,))


@pytest.mark.parametrize("name", sorted(array_members.STATIC_ATTRIBUTES))
def test_static_attributes(name: str) -> None:
    assert not is_array(on_a_tracer(lambda x: getattr(x, name)))


@pytest.mark.parametrize("name", sorted(array_members.ARRAY_ATTRIBUTES))
def test_array_attributes(name: str) -> None:
    assert isinstance(on_a_tracer(lambda x: getattr(x, name)), Tracer)


METHOD_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "argpartition": (0,),
    "astype": (np.int32,),
    "choose": ([VECTOR, VECTOR], None, "clip"),
    "compress": (np.array([True]), None),
    "dot": (2.0,),
    "repeat": (2,),
    "reshape": (4,),
    "searchsorted": (1.0,),
    "swapaxes": (0, 1),
    "take": (0,),
}


@pytest.mark.parametrize("name", sorted(array_members.ARRAY_METHODS))
def test_array_methods_return_arrays(name: str) -> None:
    value = {"choose": INTS, "searchsorted": VECTOR}.get(name, MATRIX)
    keywords = {"size": 1} if name in {"compress", "nonzero"} else {}
    result = on_a_tracer(lambda x: getattr(x, name)(*METHOD_ARGUMENTS.get(name, ()), **keywords), value)
    assert all(isinstance(leaf, Tracer) for leaf in jax.tree.leaves(result))


@pytest.mark.parametrize("name", sorted(array_members.NON_FLOAT_METHODS - {"nonzero", "item", "searchsorted"}))
def test_methods_without_gradient_are_concrete_under_grad(name: str) -> None:
    kinds = []

    def probe(x: jax.Array) -> float:
        kinds.append(isinstance(getattr(x, name)(*METHOD_ARGUMENTS.get(name, ())), Tracer))
        return 0.0

    jax.grad(probe)(VECTOR)
    assert kinds == [False]


@pytest.mark.parametrize(("name", "error"), array_members.CONCRETIZING_METHODS.items())
def test_concretizing_methods(name: str, error: str) -> None:
    uses: dict[str, Callable[[Any], object]] = {
        "__bool__": bool,
        "__float__": float,
        "__int__": int,
        "__complex__": complex,
        "__index__": lambda x: [1, 2][x],
    }
    use = uses.get(name, lambda x: getattr(x, name)())
    assert raised_by(lambda: on_a_tracer(use, jnp.int32(1))) == error


@pytest.mark.parametrize(("name", "error"), array_members.UNAVAILABLE_ATTRIBUTES.items())
def test_unavailable_attributes(name: str, error: str) -> None:
    arguments = (0,) if name == "addressable_data" else ()

    def use(x: Any) -> object:
        value = getattr(x, name)
        return value(*arguments) if callable(value) else value

    assert raised_by(lambda: on_a_tracer(use)) == error
    assert raised_by(lambda: use(MATRIX)) == "nothing"


@pytest.mark.parametrize(("name", "effect"), inplace.INPLACE_METHODS.items())
def test_inplace_methods(name: str, effect: str) -> None:
    x = jnp.array([2.0, 1.0])
    assert raised_by(lambda: getattr(x, name)()) == {"copies": "nothing"}.get(effect, effect)
    assert x.tolist() == [2.0, 1.0]


def test_at_methods_are_those_of_the_index_update_helper() -> None:
    helper = jnp.zeros(2).at[0]
    methods = {name for name in dir(helper) if not name.startswith("_") and callable(getattr(helper, name))}
    assert methods == array_members.AT_METHODS


# Shapes that depend on values


def sized(entry: DataDependent) -> dict[str, Any]:
    """The keywords that make a data-dependent function work under a trace."""
    if entry.sized_by:
        (keyword, _), *_ = entry.sized_by
        return {keyword: "clip" if keyword == "mode" else 2}
    return {entry.unless[0]: entry.unless[1]} if entry.unless else {}


def example(name: str) -> tuple[Any, ...]:
    two_sets = {"union1d", "intersect1d", "setdiff1d", "setxor1d"}
    return EXAMPLES.get(name, (INTS, INTS) if name.rpartition(".")[2] in two_sets else (INTS,))


DEPENDENT = value_dependence.DATA_DEPENDENT


def refusal(name: str, entry: DataDependent) -> str:
    """The error of a call that lacks the size; until 0.11.0 two functions asked for the truth of an element first."""
    asks = name.rpartition(".")[2] in ("extract", "compress") and not happened("0.11.0", INSTALLED)
    return "TracerBoolConversionError" if asks else entry.error


@pytest.mark.parametrize("name", DEPENDENT)
def test_data_dependent_functions_need_their_size(name: str) -> None:
    entry = DEPENDENT[name]
    assert raised_by(lambda: traced_call(resolve(name), example(name))) == refusal(name, entry)
    if sized(entry):
        assert raised_by(lambda: traced_call(resolve(name), example(name), sized(entry))) == "nothing"


@pytest.mark.parametrize("name", sorted(set(DEPENDENT) - {"jax.numpy.mask_indices"}))
def test_parameters_of_data_dependent_functions(name: str) -> None:
    entry = DEPENDENT[name]
    parameters = inspect.signature(resolve(name)).parameters
    names = list(parameters)
    assert names[entry.values[0]] == entry.values[1]
    for keyword, position in entry.sized_by:
        if position is None:
            assert parameters[keyword].kind is inspect.Parameter.KEYWORD_ONLY
        else:
            assert names[position] == keyword


@pytest.mark.parametrize("name", value_dependence.DATA_DEPENDENT_METHODS)
def test_data_dependent_methods(name: str) -> None:
    entry = value_dependence.DATA_DEPENDENT_METHODS[name]
    arguments = {"nonzero": (VECTOR,), "compress": (VECTOR, BOOLS), "repeat": (VECTOR, INTS)}[name]

    def call(x: jax.Array, *rest: Any, **keywords: Any) -> object:
        return getattr(x, name)(*rest, **keywords)

    assert raised_by(lambda: traced_call(call, arguments)) == refusal(name, entry)
    assert raised_by(lambda: traced_call(call, arguments, sized(entry))) == "nothing"


# Arguments that must be static

VALUES = (2, 1, 0, (2,), (0,), True, 4, -1)


def position_of(name: str, keyword: str) -> int | None:
    parameters = inspect.signature(resolve(name)).parameters
    only_by_keyword = parameters[keyword].kind is inspect.Parameter.KEYWORD_ONLY
    return None if only_by_keyword else list(parameters).index(keyword)


def traced_like(value: Any) -> Any:
    return tuple(jnp.int32(1) for _ in value) if isinstance(value, tuple) and value else jnp.int32(1)


def errors_when_traced(name: str, argument: StaticArgument) -> Iterator[str]:
    """For each way to call ``name`` that works with the argument static: what it raises with the argument traced."""
    function = resolve(name)
    signature = inspect.signature(function)

    def outcome(bound: inspect.BoundArguments, value: Any) -> str:
        bound.arguments[argument.keyword] = value
        return raised_by(lambda: traced_call(function, bound.args, bound.kwargs))

    for arguments in (STATIC_EXAMPLES[name],) if name in STATIC_EXAMPLES else examples(name):
        try:
            bound = signature.bind(*arguments)
        except TypeError:
            continue
        bound.apply_defaults()
        given = bound.arguments.get(argument.keyword)
        values = VALUES if is_array(given) or given in (None, ()) else (given, *VALUES)
        working = next((value for value in values if outcome(bound, value) == "nothing"), None)
        if working is not None:
            yield outcome(bound, traced_like(working))


@pytest.mark.parametrize("name", static_arguments.STATIC_ARGUMENTS)
def test_static_arguments_refuse_a_tracer(name: str) -> None:
    for argument in static_arguments.STATIC_ARGUMENTS[name]:
        assert position_of(name, argument.keyword) == argument.position
        assert next(errors_when_traced(name, argument), "no example") == argument.error, argument


COUNTED = [
    (name, argument)
    for name, arguments in static_arguments.STATIC_ARGUMENTS.items()
    for argument in arguments
    if argument.is_size
]


@pytest.mark.parametrize(("name", "argument"), COUNTED, ids=lambda one: getattr(one, "keyword", one))
def test_sizes_are_no_floats(name: str, argument: StaticArgument) -> None:
    function = resolve(name)
    signature = inspect.signature(function)

    def call(bound: inspect.BoundArguments, value: Any) -> Any:
        """A function of its own for each value, which JAX has not traced yet; nothing need be compiled."""
        bound.arguments[argument.keyword] = value
        positional, named = bound.args, bound.kwargs
        return jax.jit(lambda: function(*positional, **named))

    found = set()
    for arguments in (STATIC_EXAMPLES[name],) if name in STATIC_EXAMPLES else examples(name):
        try:
            bound = signature.bind(*arguments)
        except TypeError:
            continue
        bound.apply_defaults()
        given = bound.arguments.get(argument.keyword)
        for value in VALUES if is_array(given) or given in (None, ()) else (given, *VALUES):
            if raised_by(call(bound, value).trace) == "nothing":
                as_float = tuple(float(one) for one in value) if isinstance(value, (tuple, list)) else float(value)
                error = raised_by(call(bound, as_float).lower)
                if error == "TypeError" or raised_by(call(bound, value).lower) == "nothing":
                    found.add(error)
    assert found == {"TypeError"}


METHOD_CALLS: dict[str, dict[str, Any]] = {
    "argpartition": {"kth": 0},
    "swapaxes": {"axis1": 0, "axis2": 1},
    "repeat": {"repeats": 2},
    "take": {"indices": 0},
}


@pytest.mark.parametrize("name", sorted(set(static_arguments.STATIC_METHOD_ARGUMENTS) - {"reshape", "transpose"}))
def test_static_arguments_of_methods_refuse_a_tracer(name: str) -> None:
    def call(x: jax.Array, **keywords: Any) -> object:
        return getattr(x, name)(**keywords)

    value = jnp.ones((1, 2)) if name == "squeeze" else MATRIX
    parameters = list(inspect.signature(getattr(value, name)).parameters)
    for argument in static_arguments.STATIC_METHOD_ARGUMENTS[name]:
        keywords = METHOD_CALLS.get(name, {}) | {argument.keyword: jnp.int32(1)}
        assert raised_by(lambda: traced_call(call, (value,), keywords)) == argument.error, argument  # noqa: B023
        if argument.position is not None:
            assert parameters[argument.position] == argument.keyword


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("reshape", lambda x, n: x.reshape(n, -1)),
        ("reshape", lambda x, n: x.reshape((n, -1))),
        ("transpose", lambda x, n: x.transpose(n, 0)),
        ("transpose", lambda x, n: x.transpose((n, 0))),
    ],
)
def test_reshape_and_transpose_take_their_argument_either_way(name: str, use: Callable[[Any, Any], object]) -> None:
    (argument,) = static_arguments.STATIC_METHOD_ARGUMENTS[name]
    assert argument.starts_varargs
    assert raised_by(lambda: traced_call(use, (MATRIX, jnp.int32(1)))) == argument.error


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("jax.numpy.full", lambda n: jnp.full((2,), n)),
        ("jax.numpy.eye", lambda n: jnp.eye(3, k=n)),
        ("jax.numpy.tri", lambda n: jnp.tri(3, k=n)),
        ("jax.numpy.linspace", lambda n: jnp.linspace(0, n, 5)),
        ("jax.numpy.roll", lambda n: jnp.roll(VECTOR, n)),
        ("jax.numpy.take", lambda n: jnp.take(VECTOR, n)),
        ("jax.numpy.percentile", lambda n: jnp.percentile(VECTOR, n)),
        ("jax.numpy.clip", lambda n: jnp.clip(VECTOR, n)),
        ("jax.numpy.insert", lambda n: jnp.insert(VECTOR, n, 1.0)),
        ("jax.numpy.unravel_index", lambda n: jnp.unravel_index(n, (2, 2))),
        ("jax.numpy.gradient", lambda n: jnp.gradient(VECTOR, n)),
        ("jax.numpy.histogram", lambda n: jnp.histogram(VECTOR, jnp.stack([n, n + 1]))),
        ("jax.nn.one_hot", lambda n: jax.nn.one_hot(n, 6)),
        ("jax.lax.dynamic_slice", lambda n: jax.lax.dynamic_slice(VECTOR, (n,), (1,))),
        ("jax.lax.fori_loop", lambda n: jax.lax.fori_loop(0, n, lambda i, c: c + i, 0)),
        ("jax.random.randint", lambda n: jax.random.randint(jax.random.key(0), (2,), 0, n)),
        ("jax.random.fold_in", lambda n: jax.random.fold_in(jax.random.key(0), n)),
        ("jax.random.key", lambda n: jax.random.key(n)),
    ],
)
def test_arguments_that_may_be_traced(name: str, use: Callable[[Any], object]) -> None:
    """The near misses: the same functions with a tracer where they take one."""
    assert raised_by(lambda: traced_call(use, (jnp.int32(1),))) == "nothing"


def test_scalar_only_arguments_take_a_traced_array() -> None:
    scalar_only = {
        name: argument
        for name, arguments in static_arguments.STATIC_ARGUMENTS.items()
        for argument in arguments
        if argument.scalar_only
    }
    for name, argument in scalar_only.items():
        first = jax.random.key(0) if name.startswith("jax.random") else VECTOR
        assert raised_by(lambda: traced_call(resolve(name), (first, VECTOR))) == "nothing", argument  # noqa: B023


def test_collectives_of_a_number_are_static() -> None:
    kinds = []

    def probe(x: jax.Array) -> jax.Array:
        kinds.extend(is_array(resolve(name)(1, "i")) for name in sorted(arrays.STATIC_ON_STATIC))
        return x

    jax.vmap(probe, axis_name="i")(VECTOR)
    assert not any(kinds)


COLLECTIVE_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "all_to_all": (0, 0),
    "ppermute": ([(0, 1), (1, 0)],),
    "pshuffle": ([1, 0],),
    "pswapaxes": (0,),
    "pbroadcast": (0,),
}


@pytest.mark.parametrize("name", sorted(arrays.COMPUTED_TREES - {"jax.lax.pbroadcast"}))
def test_collectives_of_a_dict_are_a_dict(name: str) -> None:
    """`pbroadcast` is left out: no CPU has it."""
    found = []

    def lane(x: jax.Array) -> None:
        found.append(resolve(name)({"x": x}, "i", *COLLECTIVE_ARGUMENTS.get(name.rpartition(".")[2], ())))

    jax.vmap(lane, axis_name="i")(MATRIX)
    assert set(found[0]) == {"x"}
    assert is_array(found[0]["x"])


def test_forwarded_trees_keep_their_structure() -> None:
    sharding = jax.sharding.NamedSharding(jax.make_mesh((1,), ("i",)), jax.sharding.PartitionSpec())
    arguments = {"jax.lax.with_sharding_constraint": (sharding,), "jax.reshard": (sharding,)}
    gone = {"jax.lax.pvary", *arrays.PUT_ON_DEVICES}  # in older versions of JAX only
    for name in arrays.FORWARDED_TREES - gone - {"jax.lax.pcast"}:
        assert set(resolve(name)({"x": VECTOR}, *arguments.get(name, ()))) == {"x"}, name
    assert not any(hasattr(resolve(name.rpartition(".")[0]), name.rpartition(".")[2]) for name in gone)


# NumPy and the host

NUMPY_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "array_split": (VECTOR, 2),
    "can_cast": (SCALAR, SCALAR),
    "dsplit": (jnp.ones((2, 2, 2)), 2),
    "hsplit": (VECTOR, 2),
    "issubdtype": (SCALAR, SCALAR),
    "moveaxis": (MATRIX, 0, 1),
    "promote_types": (SCALAR, SCALAR),
    "repeat": (VECTOR, 2),
    "reshape": (VECTOR, (2, 1)),
    "rollaxis": (MATRIX, 1),
    "searchsorted": (VECTOR, SCALAR),
    "split": (VECTOR, 2),
    "swapaxes": (MATRIX, 0, 1),
    "take_along_axis": (VECTOR, INTS),
    "vsplit": (MATRIX, 2),
}


def numpy_arguments(name: str) -> tuple[Any, ...]:
    return NUMPY_ARGUMENTS.get(name.rpartition(".")[2], (MATRIX,))


@pytest.mark.parametrize("name", sorted(host_libraries.NUMPY_ACCEPTS))
def test_numpy_functions_that_return_tracers(name: str) -> None:
    result = traced_call(resolve(name), numpy_arguments(name))
    assert all(isinstance(leaf, Tracer) for leaf in jax.tree.leaves(result))


@pytest.mark.parametrize("name", sorted(host_libraries.NUMPY_STATIC))
def test_numpy_functions_that_look_at_shapes_and_dtypes(name: str) -> None:
    result = traced_call(resolve(name), numpy_arguments(name))
    assert not any(is_array(leaf) for leaf in jax.tree.leaves(result))


@pytest.mark.parametrize("name", sorted(host_libraries.NUMPY_SILENT_FALSE))
def test_numpy_comparisons_that_are_silently_false(name: str) -> None:
    assert traced_call(lambda x: resolve(name)(x, x), (VECTOR,)) is False


KNOWN_TO_ACCEPT = host_libraries.NUMPY_ACCEPTS | host_libraries.NUMPY_STATIC | host_libraries.NUMPY_SILENT_FALSE
# Not about values: constructors from shapes, settings; `argsort` gives an object that fails later.
NOT_FOR_ARRAYS = {"numpy.argsort", "numpy.iterable"}


@pytest.mark.parametrize("name", sorted(set(host_libraries.NUMPY_TO_JNP) - KNOWN_TO_ACCEPT - NOT_FOR_ARRAYS))
def test_all_other_numpy_functions_refuse_a_tracer(name: str) -> None:
    if name in {"numpy.trapz", "numpy.in1d", "numpy.row_stack"}:
        pytest.skip("gone from NumPy 2")
    for arguments in (MATRIX,), (VECTOR,), (MATRIX, MATRIX), (VECTOR, VECTOR), (BOOLS, VECTOR, VECTOR), ([VECTOR],):
        assert raised_by(lambda: traced_call(resolve(name), arguments)) != "nothing"  # noqa: B023


@pytest.mark.parametrize(
    "target", sorted({*host_libraries.NUMPY_TO_JNP.values(), *host_libraries.MATH_TO_JNP.values()})
)
def test_twins_exist(target: str) -> None:
    assert callable(resolve(target))


MATH = sorted(name for name in dir(math) if callable(getattr(math, name)) and not name.startswith("_"))


@pytest.mark.parametrize("name", MATH)
def test_math_functions_need_numbers(name: str) -> None:
    if f"math.{name}" in host_libraries.HOST_LIBRARY_EXCEPTIONS:
        return
    function = getattr(math, name)
    value = jnp.int32(2) if host_libraries.MATH_ERRORS.get(f"math.{name}") == "TracerIntegerConversionError" else SCALAR
    attempts = [(value,), (value, value), (VECTOR,), (VECTOR, VECTOR), (value, 2)]
    errors = {raised_by(lambda: traced_call(function, arguments)) for arguments in attempts}  # noqa: B023
    assert host_libraries.MATH_ERRORS.get(f"math.{name}", "ConcretizationTypeError") in errors
    assert "nothing" not in errors


def test_math_prod_multiplies_tracers() -> None:
    assert isinstance(traced_call(lambda x: math.prod([x, x]), (SCALAR,)), Tracer)


# Writing in place


@pytest.mark.parametrize(("name", "error"), sorted(out for out in inplace.OUT_ARGUMENT.items() if is_there(out[0])))
def test_out_arguments_are_refused(name: str, error: str) -> None:
    attempts = [
        EXAMPLES.get(name, (VECTOR,)),
        (VECTOR, VECTOR),
        (INTS, INTS),
        ([VECTOR],),
        ("i->i", VECTOR),
        (VECTOR, 0),
    ]
    attempts += [(VECTOR, 0.5), (MATRIX,), (BOOLS, VECTOR)]
    assert error in {raised_by(lambda: resolve(name)(*arguments, out=VECTOR)) for arguments in attempts}  # noqa: B023


def test_every_function_with_an_out_parameter_is_known() -> None:
    def takes_out(function: Any) -> bool:
        if isinstance(function, jnp.ufunc):
            return True
        try:
            return "out" in inspect.signature(function).parameters
        except (TypeError, ValueError):
            return False

    functions = {name: getattr(jnp, name) for name in dir(jnp) if not name.startswith("_")}
    taking = {f"jax.numpy.{name}" for name, function in functions.items() if callable(function) and takes_out(function)}
    assert taking == set(filter(is_there, inplace.OUT_ARGUMENT))


def test_functions_that_numpy_gives_an_out_parameter_have_none() -> None:
    refusing = []
    for name in sorted(filter(is_there, inplace.WITHOUT_OUT)):
        with pytest.raises(TypeError, match="unexpected keyword argument 'out'"):
            resolve(name)(VECTOR, out=VECTOR)
        refusing.append(name.rpartition(".")[2])
    ufuncs = {name for name in dir(jnp) if isinstance(getattr(np, name, None), np.ufunc)}
    known = {name.rpartition(".")[2] for name in inplace.OUT_ARGUMENT}
    assert ufuncs <= {*refusing, *known}


@pytest.mark.parametrize(("name", "error"), inplace.INPLACE_KEYWORD.items())
def test_functions_that_need_inplace_false(name: str, error: str) -> None:
    arguments = {
        "fill_diagonal": (MATRIX, 1.0),
        "put": (VECTOR, 0, 1.0),
        "place": (VECTOR, BOOLS, VECTOR),
        "put_along_axis": (VECTOR, INTS, 1.0, 0),
    }[name.rpartition(".")[2]]
    assert raised_by(lambda: resolve(name)(*arguments)) == error
    assert raised_by(lambda: resolve(name)(*arguments, inplace=False)) == "nothing"


@pytest.mark.parametrize(("name", "error"), [*sorted(inplace.HOST_INPLACE.items()), ("numpy.add.at", "TypeError")])
def test_host_functions_cannot_write_into_a_jax_array(name: str, error: str) -> None:
    mask, zero = np.array([True, False]), np.array([0])
    arguments: dict[str, tuple[Any, ...]] = {
        "put": (VECTOR, 0, 1.0),
        "place": (VECTOR, mask, [1.0]),
        "putmask": (VECTOR, mask, [1.0]),
        "copyto": (VECTOR, np.ones(2)),
        "put_along_axis": (VECTOR, zero, 1.0, 0),
        "at": (VECTOR, 0, 1.0),
        "fill_diagonal": (MATRIX, 1.0),
        "shuffle": (jnp.arange(64),),  # NumPy leaves alone what falls on its own place
    }
    assert raised_by(lambda: resolve(name)(*arguments[name.rpartition(".")[2]])) == error


WORKING: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "bisect": (([1, 2], 1), {}),
    "itertools.combinations": (([1, 2], 1), {}),
    "itertools.combinations_with_replacement": (([1, 2], 1), {}),
    "itertools.islice": (([1, 2], 0, 1, 1), {}),
    "itertools.permutations": (([1, 2], 1), {}),
    "itertools.product": (([1, 2],), {"repeat": 1}),
    "itertools.repeat": ((1, 1), {}),
    "collections.deque": (([1], 1), {}),
    "decimal.Decimal": ((1,), {}),
    "fractions.Fraction": ((1, 1), {}),
    "datetime.timedelta": ((1, 1), {"minutes": 1, "hours": 1}),
}


@pytest.mark.parametrize("name", static_arguments.PYTHON_ARGUMENTS)
def test_the_standard_library_refuses_a_tracer(name: str) -> None:
    positional, named = WORKING.get(name) or WORKING[name.partition(".")[0]]
    for argument in static_arguments.PYTHON_ARGUMENTS[name]:

        def call(traced: jax.Array, argument: StaticArgument = argument) -> object:
            given, options = list(positional), dict(named)
            if argument.position is None:
                options[argument.keyword] = traced
            else:
                given[argument.position] = [traced] if argument.keyword == "a" else traced
            return resolve(name)(*given, **options)

        assert raised_by(lambda: traced_call(call, (jnp.int32(1),))) == argument.error, argument
