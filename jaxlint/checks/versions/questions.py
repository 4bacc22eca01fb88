"""Code that asks before it uses: version tests, `hasattr`, `try`/`except ImportError`.

Such code is written for more than one JAX, so that a removed name in it says nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxlint.flow.trees import descendants

_FALLBACK_ERRORS = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError"})
_BROAD_ERRORS = frozenset({"Exception", "BaseException", "TypeError", "NameError"})
_ASKING_CALLS = frozenset({"hasattr", "getattr", "find_spec", "signature", "getfullargspec", "importorskip"})
# With statements that expect or swallow the error, or the warning.
_EXPECTING_CALLS = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex", "warns", "deprecated_call"})
_EXPECTING_CALLS |= {"assertWarns", "assertWarnsRegex", "catch_warnings"}
WORDS = _ASKING_CALLS | _EXPECTING_CALLS | {"TYPE_CHECKING", "except", "global", "import", "nonlocal"}
"""Code without any of them, or of `version`, asks nothing and binds no name of the module."""
# A broad handler is a fallback when it surrounds an attempt, not when it surrounds a program.
_ATTEMPT_LENGTH = 3


def asks(test: ast.expr, known: frozenset[str] | set[str] = frozenset()) -> bool:
    """Whether an expression looks at versions or at what exists; ``known`` are names that hold such answers."""
    for node in descendants(test):
        if isinstance(node, ast.Call) and _last_name(node.func) in _ASKING_CALLS:
            return True
        name = _last_name(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
        if "version" in name.lower() or name in known or name == "TYPE_CHECKING":
            return True
    return False


def answers(tree: ast.Module) -> set[str]:
    """The names of the module that are assigned the answer to such a question: ``NEW = hasattr(jax, "tree")``,
    or that an import's success or failure sets: ``HAVE_MAPS = True``."""
    names: set[str] = set()
    for node in descendants(tree):
        if isinstance(node, ast.Assign) and asks(node.value):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.Try) and is_fallback(node):
            names.update(_flags(node))
    return names


def is_fallback(node: ast.Try) -> bool:
    """Whether a ``try`` tries one spelling and handles its absence."""
    caught = {name for handler in node.handlers for name in _caught(handler)}
    return bool(caught & _FALLBACK_ERRORS) or (bool(caught & _BROAD_ERRORS) and len(node.body) <= _ATTEMPT_LENGTH)


def expects_failure(items: Sequence[ast.withitem]) -> bool:
    """Whether a ``with`` statement expects or swallows errors or warnings of its body."""
    calls = [item.context_expr for item in items if isinstance(item.context_expr, ast.Call)]
    return any(_last_name(call.func) in _EXPECTING_CALLS for call in calls)


def leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether a block ends by leaving the block it stands in."""
    return bool(body) and isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))


def _caught(handler: ast.ExceptHandler) -> set[str]:
    if handler.type is None:
        return {"BaseException"}
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {_last_name(type_) for type_ in types}


def _flags(node: ast.Try) -> set[str]:
    """Names that are set to True or False somewhere directly in a ``try`` statement."""
    statements = [*node.body, *node.orelse, *(inner for handler in node.handlers for inner in handler.body)]
    return {
        target.id
        for statement in statements
        if isinstance(statement, ast.Assign)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, bool)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
