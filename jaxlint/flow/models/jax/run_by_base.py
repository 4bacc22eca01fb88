"""Methods of a class that its base, in a library, runs under a transform: `step_env` of an environment of gymnax."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import ClassValue, Const, External, Function
from jaxlint.flow.models.jax.transforms import make
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter
from jaxlint.semantics import libraries
from jaxlint.semantics.transforms import WRAPPERS


def place(it: Interpreter, cls: ClassValue) -> None:
    """The transforms of methods that a class itself has, where its base runs them and nothing between has a method of
    its own for that.  The object is static: the library says so."""
    for base in sorted(classes.external_bases(cls) & libraries.RUNNING_BASES):
        for name, method in list(it.state.read(cls.frame).items()):
            runner, transform = libraries.RUN_METHODS.get(f"{base}.{name}", ("", ""))
            is_plain = isinstance(method, Function) and not method.kind  # no property, nor one without the object
            if runner and is_plain and classes.find_member(it, cls, runner) is None:
                args = Arguments([method], {"static_argnums": Const(0)})
                make(it, transform, WRAPPERS[transform], args, _base(cls, base))


def _base(cls: ClassValue, name: str) -> ast.AST:
    """Where a class names the one of the library, or another one that is derived from it."""
    named = (node for node, base in zip(cls.node.bases, cls.bases) if isinstance(base, External) and base.name == name)
    return next(named, cls.node.bases[0])
