"""No public function of jax that takes a function escapes the table of transforms."""

from __future__ import annotations

import importlib
import inspect
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from jaxlint.semantics import transforms as table
from tests.semantics.examples import resolve

MODULES = """
jax jax.lax jax.numpy jax.numpy.linalg jax.nn jax.tree jax.tree_util jax.debug jax.custom_batching
jax.custom_derivatives jax.scipy.optimize jax.scipy.sparse.linalg jax.scipy.integrate
jax.experimental jax.experimental.checkify jax.experimental.custom_partitioning
jax.experimental.buffer_callback jax.experimental.pallas jax.experimental.pjit jax.experimental.shard_map
jax.experimental.sparse jax.export jax.profiler jax.ad_checkpoint jax.ffi jax.monitoring
""".split()

FUNCTION_PARAMETERS = frozenset(
    """
    f fun func function fn body body_fun cond_fun true_fun false_fun callback kernel pyfunc func1d computation branches
    funclist fun_jit matvec solve operation decomposition
    """.split()
)

# Public, with a parameter that takes a function, and no transform of it.
LEFT_OUT = table.LEFT_OUT | {
    "jax.lax.scatter_apply": "the function is applied to array elements inside `x.at[i].apply`, never a user's program",
    "jax.numpy.einsum": "`_dot_general` is private",
    "jax.numpy.gradient": "`f` is an array",
    "jax.numpy.mask_indices": "calls the mask function once, on an array of ones",
    "jax.numpy.pad": "a callable `mode` is called once an axis with whole vectors",
    "jax.numpy.ufunc": "made by frompyfunc, which is in the table",
    "jax.tree.reduce": "calls the function on leaves; traces nothing",
    "jax.tree.reduce_associative": "calls the function on leaves; traces nothing",
    "jax.tree_util.tree_reduce": "calls the function on leaves; traces nothing",
    "jax.tree_util.tree_reduce_associative": "calls the function on leaves; traces nothing",
    "jax.tree_util.Partial": "functools.partial that is a pytree",
    "jax.tree_util.register_pytree_node": "the functions flatten containers",
    "jax.tree_util.register_pytree_with_keys": "the functions flatten containers",
    "jax.debug.inspect_array_sharding": "the callback is given a sharding, on the host",
    "jax.custom_derivatives.linear_call": "legacy, a pair of linear functions over explicit residuals",
    "jax.scipy.optimize.OptimizeResults": "`fun` is a value",
    "jax.export.Exported": "made by jax.export.export, which is in the table",
    "jax.ad_checkpoint.print_saved_residuals": "prints what differentiation saves; a debugging aid",
    "jax.ffi.register_ffi_target": "takes a pointer to compiled code",
    "jax.experimental.pallas.BlockSpec": "an index map is called with grid indices and computes block indices",
    "jax.experimental.pallas.estimate_cost": "counts operations; a debugging aid",
    "jax.experimental.pallas.kernel": "a decorator of Pallas kernels, which are not analysed",
    "jax.experimental.pallas.lower_as_mlir": "internal to Pallas",
    "jax.experimental.pallas.run_scoped": "used inside Pallas kernels, which are not analysed",
    "jax.experimental.pallas.run_state": "used inside Pallas kernels, which are not analysed",
    "jax.experimental.sparse.random_bcoo": "calls the generator once, with a key and a shape",
    "jax.experimental.sparse.grad": "jax.grad for sparse arguments",
    "jax.experimental.sparse.value_and_grad": "jax.value_and_grad for sparse arguments",
    "jax.experimental.sparse.jacfwd": "jax.jacfwd for sparse arguments",
    "jax.experimental.sparse.jacrev": "jax.jacrev for sparse arguments",
    "jax.experimental.sparse.jacobian": "jax.jacobian for sparse arguments",
}
LISTENERS = "jax.monitoring."  # Callbacks about events of the process, not about arrays.


def takes_a_function(value: Any) -> bool:
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(
        parameter.name in FUNCTION_PARAMETERS
        or ("Callable" in str(parameter.annotation) and parameter.name not in {"is_leaf", "initializer"})
        for parameter in parameters
    )


def public_functions() -> Iterator[tuple[str, Any]]:
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        for name in dir(module):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                value = getattr(module, name, None)
            if not name.startswith("_") and callable(value) and not inspect.ismodule(value):
                yield f"{module_name}.{name}", value


KNOWN = {**table.WRAPPERS, **table.HIGHER_ORDER, **table.CALLBACKS}


def installed(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return resolve(name)


GONE = {"jax.tree_map", "jax.ad_checkpoint.checkpoint"}  # Kept for projects that pin an older jax.


def test_every_function_that_takes_a_function_is_known() -> None:
    same_object = {id(installed(name)) for name in KNOWN if name not in GONE}
    unknown = {
        name
        for name, value in public_functions()
        if takes_a_function(value) and id(value) not in same_object and not name.startswith(LISTENERS)
    }
    assert unknown - set(KNOWN) - set(LEFT_OUT) == set()


@pytest.mark.parametrize("name", sorted(set(KNOWN) - GONE))
def test_names_of_the_table_exist(name: str) -> None:
    assert callable(installed(name))


@pytest.mark.parametrize("name", sorted(set(table.WRAPPERS) - GONE))
def test_keywords_of_wrappers_are_those_of_the_signature(name: str) -> None:
    wrapper = table.WRAPPERS[name]
    parameters = inspect.signature(installed(name)).parameters
    position, keyword = wrapper.function
    assert list(parameters)[position] == keyword
    for option in (wrapper.static_nums, wrapper.static_names, wrapper.in_axes, wrapper.argnums):
        if option is not None:
            assert option in parameters
            is_ordered = parameters[option].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
            assert is_ordered == (option in wrapper.options)
    assert tuple(parameters)[position + 1 :][: len(wrapper.options)] == wrapper.options


@pytest.mark.parametrize("name", sorted(set(table.HIGHER_ORDER) - GONE))
def test_callables_of_higher_order_functions_are_those_of_the_signature(name: str) -> None:
    parameters = list(inspect.signature(installed(name)).parameters)
    if parameters[0] == "args":  # `cond` and `platform_dependent` are declared with `*args, **kwargs`.
        return
    row = table.HIGHER_ORDER[name]
    for position, keyword in row.callables:
        assert parameters[position] == keyword
    assert tuple(parameters[row.callables[0][0] + 1 :][: len(row.options)]) == row.options


@pytest.mark.parametrize("name", sorted(table.CALLBACKS))
def test_functions_of_callbacks_are_those_of_the_signature(name: str) -> None:
    position, keyword = table.CALLBACKS[name].function
    assert list(inspect.signature(installed(name)).parameters)[position] == keyword
