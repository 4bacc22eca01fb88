"""Code that asks before it uses: version tests, `hasattr`, `try`/`except ImportError`.

Such code is written for more than one JAX, so that a removed name in it says nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from jaxlint.flow.source.text import leaves
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.removed import MODULES, NAMES

_FALLBACK_ERRORS = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError"})
_BROAD_ERRORS = frozenset({"Exception", "BaseException", "TypeError", "NameError"})
OF_IMPORTED = ("getattr", "hasattr")
"""Questions that are about JAX if they ask something imported."""
_ASKING_CALLS = frozenset({*OF_IMPORTED, "find_spec", "signature", "getfullargspec", "importorskip"})
# With statements that expect or swallow the error, or the warning.
_EXPECTING_CALLS = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex", "warns", "deprecated_call"})
_EXPECTING_CALLS |= {"assertWarns", "assertWarnsRegex", "catch_warnings"}
WORDS = _ASKING_CALLS | _EXPECTING_CALLS | {"TYPE_CHECKING", "except", "global", "import", "nonlocal"}
"""Code without any of them, or of `version`, asks nothing and binds no name of the module."""
# A broad handler is a fallback when it surrounds an attempt, not when it surrounds a program.
_ATTEMPT_LENGTH = 3


@dataclass(frozen=True, slots=True)
class Known:
    """Names of a module: ``answers`` are assigned the answer to such a question, ``NEW = hasattr(jax, "tree")``, or set
    by an import's success or failure, ``HAVE_MAPS = True``; ``imported`` are what imports bind."""

    answers: frozenset[str]
    imported: frozenset[str]


def asks(test: ast.expr, known: Known) -> bool:
    """Whether an expression looks at versions or at what exists."""
    for node in descendants(test):
        if isinstance(node, ast.Call) and _last_name(node.func) in _ASKING_CALLS and _is_of_jax(node, known):
            return True
        name = _last_name(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
        if "version" in name.lower() or name in known.answers or name == "TYPE_CHECKING":
            return True
    return False


def _is_of_jax(call: ast.Call, known: Known) -> bool:
    """Whether `hasattr` or `getattr` may ask what JAX has: of something imported, or for a name that came or went."""
    if _last_name(call.func) not in OF_IMPORTED or len(call.args) < 2:
        return True
    owner, name = call.args[:2]
    if not isinstance(name, ast.Constant) or name.value in _NAMES:
        return True
    while isinstance(owner, (ast.Attribute, ast.Call, ast.Subscript)):
        owner = owner.func if isinstance(owner, ast.Call) else owner.value
    return isinstance(owner, ast.Name) and owner.id in known.imported


_NAMES = frozenset(
    word
    for removed in (*NAMES.values(), *MODULES.values())
    for text in (removed.name, removed.replacement or "")
    for word in re.findall(r"\w+", text)
)
"""The words of what is removed or deprecated, and of what takes its place."""


def imported_in(statement: ast.stmt) -> frozenset[str]:
    """The names that imports in a statement bind."""
    return frozenset(
        alias.asname or alias.name.partition(".")[0]
        for node in descendants(statement)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    )


def answers_in(statement: ast.stmt, imported: frozenset[str]) -> frozenset[str]:
    """The names in a statement that are assigned answers, in a module that imports these names."""
    names: set[str] = set()
    for node in descendants(statement):
        if isinstance(node, ast.Assign) and asks(node.value, Known(frozenset(), imported)):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.Try) and is_fallback(node):
            names.update(_flags(node))
    return frozenset(names)


def is_fallback(node: ast.Try) -> bool:
    """Whether a ``try`` tries one spelling and handles its absence."""
    caught = {name for handler in node.handlers for name in _caught(handler)}
    return bool(caught & _FALLBACK_ERRORS) or (bool(caught & _BROAD_ERRORS) and len(node.body) <= _ATTEMPT_LENGTH)


def expects_failure(items: Sequence[ast.withitem]) -> bool:
    """Whether a ``with`` statement expects or swallows errors or warnings of its body."""
    calls = [item.context_expr for item in items if isinstance(item.context_expr, ast.Call)]
    return any(_last_name(call.func) in _EXPECTING_CALLS for call in calls)


def decides_rest(statement: ast.stmt, known: Known) -> bool:
    """Whether what comes after a statement in its block runs only with some versions."""
    if not isinstance(statement, ast.If) or not asks(statement.test, known):
        return False
    return leaves(statement.body) or leaves(statement.orelse)


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
