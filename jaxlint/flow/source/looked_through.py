"""Whether JAX looks for NaN or infinity in what each compiled call gives: then each such call waits for its results."""

from __future__ import annotations

import ast

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants

OPTIONS = ("jax_debug_nans", "jax_debug_infs")


def looks_through_results(scope: ModuleText) -> bool:
    """Whether the module switches that on: `jax.config.update("jax_debug_nans", True)`, or `jax.config.jax_debug_nans =
    True`."""
    text = scope.module.document.text
    if scope.tree is None or not any(option in text for option in OPTIONS):
        return False
    return any(map(_switches_on, descendants(scope.tree)))


def _switches_on(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and dotted(node.func).endswith("config.update") and len(node.args) == 2:
        option, value = node.args
        return isinstance(option, ast.Constant) and option.value in OPTIONS and _is_true(value)
    if isinstance(node, ast.Assign):
        is_option = any(isinstance(one, ast.Attribute) and one.attr in OPTIONS for one in node.targets)
        return is_option and _is_true(node.value)
    return False


def _is_true(value: ast.expr) -> bool:
    """What is no constant may be true."""
    return not isinstance(value, ast.Constant) or bool(value.value)
