"""What one walk over a body tells of its names and attributes, for all who ask of one of them."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable

from jaxlint.flow.source.trees import descendants


class Walked:
    """The body of a function or module, with all that is written in it.

    ``parameters`` are the names of parameters, ``stores`` has for each name where it is bound or deleted, ``assigned``
    the value for each name that an assignment binds alone; ``attributes`` has the attributes by what is asked for,
    ``calls`` the calls by the name that they call, ``asserted`` the names and attributes that `assert` looks at, and
    ``items_set`` the attributes of which an item, or an item of an item, is set or deleted.  ``callers`` keeps the
    answers of `set_anew.callers`, ``set_by_methods`` that of `given_later`.
    """

    def __init__(self, body: ast.AST | None = None, parts: Iterable[Walked] = ()) -> None:
        """Of a body, or of one that was walked in parts."""
        self.parameters: set[str] = set()
        self.stores: dict[str, list[ast.Name]] = {}
        self.assigned: dict[ast.Name, ast.expr] = {}
        self.attributes: dict[str, list[ast.Attribute]] = {}
        self.calls: dict[str, list[ast.Call]] = {}
        self.callers: dict[str, frozenset[ast.AST]] = {}
        self.set_by_methods: frozenset[ast.Attribute] | None = None
        self.tries: list[ast.Try] = []
        self.asserted: set[str] = set()
        self.items_set: set[str] = set()
        self.outer: set[str] = set()
        for part in descendants(body) if body is not None else ():
            self._note(part)
        for one in parts:
            self._take(one)

    def _take(self, part: Walked) -> None:
        self.parameters |= part.parameters
        self.assigned.update(part.assigned)
        self.tries += part.tries
        self.asserted |= part.asserted
        self.items_set |= part.items_set
        self.outer |= part.outer
        for name, stores in part.stores.items():
            self.stores.setdefault(name, []).extend(stores)
        for name, attributes in part.attributes.items():
            self.attributes.setdefault(name, []).extend(attributes)
        for name, calls in part.calls.items():
            self.calls.setdefault(name, []).extend(calls)

    def _note(self, part: ast.AST) -> None:
        if isinstance(part, ast.Name):
            if not isinstance(part.ctx, ast.Load):
                self.stores.setdefault(part.id, []).append(part)
        elif isinstance(part, ast.Attribute):
            self.attributes.setdefault(part.attr, []).append(part)
        elif isinstance(part, ast.Call):
            self.calls.setdefault(called(part), []).append(part)
        elif isinstance(part, ast.Subscript):
            if not isinstance(part.ctx, ast.Load):
                self.items_set |= _attribute_below(part)
        elif isinstance(part, ast.arg):
            self.parameters.add(part.arg)
        elif isinstance(part, ast.Assign):
            if len(part.targets) == 1 and isinstance(part.targets[0], ast.Name):
                self.assigned[part.targets[0]] = part.value
        elif isinstance(part, ast.Try):
            self.tries.append(part)
        elif isinstance(part, ast.Assert):
            self.asserted |= {getattr(name, "attr", getattr(name, "id", "")) for name in descendants(part.test)}
        elif isinstance(part, ast.Nonlocal):
            self.outer.update(part.names)

    @functools.cached_property
    def given_dtypes(self) -> tuple[set[ast.AST], set[str]]:
        """What `….astype` is asked of, with all that is written in it, and the names there."""
        parts = {part for owner in self.attributes.get("astype", ()) for part in descendants(owner.value)}
        return parts, {part.id for part in parts if isinstance(part, ast.Name)}


def called(call: ast.Call) -> str:
    """The name by which a call calls, the last one of several; empty where it calls no name."""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def _attribute_below(item: ast.Subscript) -> set[str]:
    """The attribute that an item is of, or an item of its items."""
    value = item.value
    while isinstance(value, ast.Subscript):
        value = value.value
    return {value.attr} if isinstance(value, ast.Attribute) else set()
