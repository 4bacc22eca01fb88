"""What a `tree_flatten` does with the attributes of its object, as far as its text says so: which are children, which
go into the structure."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import FunctionNode, descendants


@dataclass(slots=True)
class Part:
    """The children, or the structure.  ``items`` are attributes that are in it as they are, ``used`` those that
    something in it is made of, ``listed`` attributes of the class that have the names of more items.  ``rest``: it has
    whatever the other part has not, ``whole``: all attributes, at least all fields.  ``readable``: there is nothing
    else in it."""

    items: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    listed: set[str] = field(default_factory=set)
    rest: bool = False
    whole: bool = False
    readable: bool = True


@dataclass(slots=True)
class Flattened:
    children: Part
    structure: Part


def flattened(flatten: FunctionNode) -> Flattened | None:
    """The two parts that ``flatten`` returns; None if its text does not show them."""
    reader = _Reader(flatten)
    parts = reader.written_out(_returned(flatten))
    if not reader.receiver or not isinstance(parts, ast.Tuple) or len(parts.elts) != 2:
        return None
    return Flattened(*(reader.read(part) for part in parts.elts))


def _returned(flatten: FunctionNode) -> ast.expr | None:
    if isinstance(flatten, ast.Lambda):
        return flatten.body
    returns = [part for part in descendants(flatten) if isinstance(part, ast.Return)]
    return returns[0].value if len(returns) == 1 else None


_READING = frozenset(("pop", "get", "copy", "items", "keys", "values"))
"""Methods that add nothing to the list or dict that they belong to."""

_AS_THEY_ARE = frozenset(("tuple", "list", "dict"))
_OF_ALL = frozenset(("vars", "asdict", "dataclasses.asdict"))
"""What makes a dict of all attributes of an object."""
_FIELDS = frozenset(("fields", "dataclasses.fields"))
"""What lists the fields of a dataclass, also of an object."""


class _Reader:
    """Reads one function: ``receiver`` is its first parameter, ``loops`` are the names that a variable runs over."""

    def __init__(self, flatten: FunctionNode) -> None:
        spec = flatten.args
        first = [*spec.posonlyargs, *spec.args][:1]
        self.receiver = first[0].arg if first else ""
        self.assigned = _assigned_once(flatten)
        self.unknown = _bound(flatten) - self.assigned.keys()
        self.loops: dict[str, _Names] = {}
        self.part = Part()
        self.seen: set[str] = set()

    def read(self, node: ast.expr) -> Part:
        self.part, self.seen = Part(), set()
        self._add(node)
        return self.part

    def written_out(self, node: ast.expr | None) -> ast.expr | None:
        """What a variable stands for, if the function binds it once."""
        for _ in range(len(self.assigned)):
            if not isinstance(node, ast.Name) or node.id not in self.assigned:
                break
            node = self.assigned[node.id]
        return node

    def _add(self, node: ast.expr) -> None:
        if isinstance(node, ast.Name) and node.id in self.seen:
            return
        if isinstance(node, ast.Name) and node.id in self.assigned:
            self.seen.add(node.id)
        found = self.written_out(node) or node
        name = self._looked_up(found)
        if name is not None:
            self._add_names(self._names_in(name))
        elif self._is_all(found):
            self.part.rest = True
            self.part.whole |= found is node
        elif self._is_of_all(found):
            self.part.whole = True
        elif isinstance(found, (ast.Tuple, ast.List, ast.Set)):
            self._add_each(found.elts)
        elif isinstance(found, ast.Dict):
            self._add_each(found.values)
        elif isinstance(found, ast.Starred):
            self._add(found.value)
        elif isinstance(found, ast.BinOp) and isinstance(found.op, ast.Add):
            self._add_each([found.left, found.right])
        elif isinstance(found, ast.Call) and dotted(found.func) in _AS_THEY_ARE:
            self._add_each([*found.args, *(keyword.value for keyword in found.keywords)])
        elif isinstance(found, (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)):
            self._add_comprehension(found)
        else:
            self._add_used(found)

    def _add_each(self, nodes: list[ast.expr]) -> None:
        for node in nodes:
            self._add(node)

    def _add_comprehension(self, node: ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp) -> None:
        loop = node.generators[0]
        if len(node.generators) > 1 or loop.ifs or not isinstance(loop.target, ast.Name):
            self._add_used(node)
            return
        item = node.value if isinstance(node, ast.DictComp) else node.elt
        if self._lists_fields(loop.iter):
            self._add_of_fields(loop.target.id, item)
            return
        self.loops[loop.target.id] = self._names_in(loop.iter)
        self._add(item)
        del self.loops[loop.target.id]

    def _add_of_fields(self, field: str, item: ast.expr) -> None:
        """What there is of each field of a dataclass: its value, its name or something else."""
        name = self._looked_up(item) or item
        is_name = isinstance(name, ast.Attribute) and name.attr == "name" and dotted(name.value) == field
        self.part.whole |= is_name and name is not item
        self.part.readable &= is_name

    def _add_names(self, names: _Names) -> None:
        if names is None:
            self.part.readable = False
        else:
            self.part.items |= names[0]
            self.part.listed |= names[1]

    def _add_used_by(self, name: str) -> None:
        if name not in self.seen:
            self.seen.add(name)
            self._add_used(self.assigned[name])

    def _add_used(self, node: ast.AST) -> None:
        """Something that is computed: of the attributes that it mentions, or of who knows what."""
        mentioned, read = 0, 0
        unknown = self.unknown - _bound(node)
        for part in descendants(node):
            if isinstance(part, ast.Attribute) and self._is_receiver(part.value):
                self.part.used.add(part.attr)
                read += 1
            elif self._is_receiver(part):
                mentioned += 1
            elif isinstance(part, ast.Name) and part.id in self.assigned:
                self._add_used_by(part.id)
            elif isinstance(part, ast.Name):
                self.part.readable &= part.id not in self.loops and part.id not in unknown and part.id != "super"
        if mentioned > read or {"__dict__", "__class__"} & self.part.used:
            self.part.readable = False

    def _looked_up(self, node: ast.AST) -> ast.expr | None:
        """What names the attribute that ``node`` reads."""
        if isinstance(node, ast.Attribute) and self._is_receiver(node.value) and node.attr != "__dict__":
            return ast.Constant(node.attr)
        if isinstance(node, ast.Subscript) and self._is_all(node.value):
            return node.slice
        if isinstance(node, ast.Call) and node.args and not node.keywords:
            if dotted(node.func) == "getattr" and self._is_receiver(node.args[0]) and len(node.args) > 1:
                return node.args[1]
            if isinstance(node.func, ast.Attribute) and node.func.attr in ("pop", "get"):
                return node.args[0] if self._is_all(node.func.value) else None
        return None

    def _is_all(self, node: ast.expr) -> bool:
        """Whether it is a dict of all attributes."""
        found = self.written_out(node)
        if isinstance(found, ast.Attribute):
            return found.attr == "__dict__" and self._is_receiver(found.value)
        if not isinstance(found, ast.Call):
            return False
        if dotted(found.func) in _OF_ALL:
            return len(found.args) == 1 and self._is_receiver(found.args[0])
        if dotted(found.func) == "dict" and not found.keywords:
            return len(found.args) == 1 and self._is_all(found.args[0])
        return isinstance(found.func, ast.Attribute) and found.func.attr == "copy" and self._is_all(found.func.value)

    def _is_of_all(self, node: ast.expr) -> bool:
        """Whether it is the values of a dict of all attributes that nothing was taken from."""
        if not isinstance(node, ast.Call) or node.args or not isinstance(node.func, ast.Attribute):
            return False
        of = node.func.value
        return node.func.attr == "values" and not isinstance(of, ast.Name) and self._is_all(of)

    def _lists_fields(self, node: ast.expr) -> bool:
        is_call = isinstance(node, ast.Call) and dotted(node.func) in _FIELDS and len(node.args) == 1
        return is_call and self._is_class(node.args[0])  # type: ignore[attr-defined]

    def _names_in(self, node: ast.expr) -> _Names:
        """The names in ``node``, and the attributes of the class that have more; None if there may be others."""
        found = self.written_out(node)
        if isinstance(found, ast.Constant) and isinstance(found.value, str):
            return {found.value}, set()
        if isinstance(found, ast.Name):
            return self.loops.get(found.id)
        if isinstance(found, ast.Attribute) and self._is_class(found.value):
            return set(), {found.attr}
        if isinstance(found, (ast.Tuple, ast.List)):
            parts = found.elts
        elif isinstance(found, ast.BinOp) and isinstance(found.op, ast.Add):
            parts = [found.left, found.right]
        else:
            return None
        names: tuple[set[str], set[str]] = set(), set()
        for part in parts:
            more = self._names_in(part)
            if more is None:
                return None
            names[0].update(more[0])
            names[1].update(more[1])
        return names

    def _is_receiver(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == self.receiver

    def _is_class(self, node: ast.expr) -> bool:
        """Whether it is the object, or its class."""
        if isinstance(node, ast.Attribute):
            return node.attr == "__class__" and self._is_receiver(node.value)
        if isinstance(node, ast.Call):
            return dotted(node.func) == "type" and len(node.args) == 1 and self._is_receiver(node.args[0])
        return self._is_receiver(node)


_Names = tuple[set[str], set[str]] | None


def _bound(node: ast.AST) -> set[str]:
    """The names that are bound somewhere in a piece of code."""
    names = (part for part in descendants(node) if isinstance(part, ast.Name))
    return {part.id for part in names if not isinstance(part.ctx, ast.Load)}


def _assigned_once(flatten: FunctionNode) -> dict[str, ast.expr]:
    """The variables that a function binds once, and never adds to."""
    if isinstance(flatten, ast.Lambda):
        return {}
    values: dict[str, ast.expr] = {}
    stored: set[str] = set()
    changed: set[str] = set()
    for part in descendants(flatten):
        if isinstance(part, ast.Assign) and len(part.targets) == 1 and isinstance(part.targets[0], ast.Name):
            values[part.targets[0].id] = part.value
        elif isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            (changed if part.id in stored else stored).add(part.id)
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.attr not in _READING:
            changed.add(part.value.id)
        elif isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name):
            if not isinstance(part.ctx, ast.Load):
                changed.add(part.value.id)
    known: dict[str, ast.expr] = {}
    for name in sorted(values.keys() - changed, key=lambda name: (values[name].lineno, values[name].col_offset)):
        names = {part.id for part in descendants(values[name]) if isinstance(part, ast.Name)}
        if not names & (values.keys() - known.keys()):  # what is bound before it, so that nothing goes round
            known[name] = values[name]
    return known
