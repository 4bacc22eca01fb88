"""What a name of a module stands for: which jax module or attribute, as far as its imports say."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Literal


class Scope:
    """One module, class or function body (comprehensions included) and what binds names in it.

    A name with several different bindings, or one that is not an import or an alias of a dotted name, stands for
    nothing known.  ``name = None`` does not count as a binding: it is how code says that an import failed.
    """

    def __init__(self, parent: Scope | None, kind: Literal["module", "class", "function"] = "function") -> None:
        self.parent = parent
        self.kind = kind
        self.imports: dict[str, set[str]] = {}
        self.aliases: dict[str, list[ast.expr]] = {}
        self.opaque: set[str] = set()

    def stand_for(self, other: Scope) -> Scope:
        """From now on this scope has what the other one has; what it had itself until now is returned."""
        own = Scope(None, self.kind)
        own.imports, own.aliases, own.opaque = self.imports, self.aliases, self.opaque
        self.imports, self.aliases, self.opaque = other.imports, other.aliases, other.opaque
        return own

    def begin(self) -> None:
        """Nothing is bound any more."""
        self.imports.clear()
        self.aliases.clear()
        self.opaque.clear()

    def take(self, part: Scope) -> None:
        """What a part of the scope's body binds."""
        for name, targets in part.imports.items():
            self.imports.setdefault(name, set()).update(targets)
        for name, values in part.aliases.items():
            self.aliases.setdefault(name, []).extend(values)
        self.opaque |= part.opaque

    def import_name(self, name: str, target: str) -> None:
        self.imports.setdefault(name, set()).add(target)

    def assign(self, name: str, value: ast.expr | None) -> None:
        """Bind ``name`` to an expression, or with None to something unknown."""
        if isinstance(value, (ast.Attribute, ast.Name)):
            self.aliases.setdefault(name, []).append(value)
        elif not (isinstance(value, ast.Constant) and value.value is None):
            self.opaque.add(name)

    def resolve(self, name: str, limit: int = 8) -> str | None:
        """The dotted name that ``name`` stands for when it is used in this scope, or None."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.opaque:
                return None
            if name in scope.imports or name in scope.aliases:
                return scope._own(name, limit)
            scope = scope._enclosing()
        return None

    def resolve_chain(self, chain: ast.expr, limit: int = 8) -> str | None:
        """The dotted name that ``a.b.c`` stands for, or None."""
        attributes: list[str] = []
        while isinstance(chain, ast.Attribute):
            attributes.append(chain.attr)
            chain = chain.value
        if not isinstance(chain, ast.Name) or (root := self.resolve(chain.id, limit)) is None:
            return None
        return ".".join([root, *reversed(attributes)])

    def _own(self, name: str, limit: int) -> str | None:
        imports = self.imports.get(name, set())
        aliases = self.aliases.get(name, [])
        if len(imports) + len(aliases) != 1 or limit == 0:
            return None
        return self.resolve_chain(aliases[0], limit - 1) if aliases else next(iter(imports))

    def _enclosing(self) -> Scope | None:
        """The next scope a name is looked up in: the bodies of classes are not seen from inside their functions."""
        scope = self.parent
        while scope is not None and scope.kind == "class":
            scope = scope.parent
        return scope


def bind_targets(scope: Scope, targets: Sequence[ast.expr], value: ast.expr | None) -> None:
    """Bind every name in assignment targets; only a single plain name becomes an alias of ``value``."""
    pending = list(targets)
    while pending:
        target = pending.pop()
        if isinstance(target, ast.Name):
            scope.assign(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            value = None
            pending += target.elts
        elif isinstance(target, ast.Starred):
            pending.append(target.value)


def parameter_names(arguments: ast.arguments) -> list[str]:
    """The names that the parameters of a function bind."""
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    parameters += [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]
    return [parameter.arg for parameter in parameters]
