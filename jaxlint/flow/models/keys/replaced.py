"""Whether the leaves of a layer that a key was drawn for are replaced before anybody reads them.

    layer = eqx.nn.Linear(3, 4, use_bias=False, key=key)
    layer = eqx.tree_at(lambda layer: layer.weight, layer, jax.random.normal(key, layer.weight.shape))

A layer is followed through the names that get it, within one block and in the functions that it is given to, until
`tree_at` has replaced all that was drawn.  Its shapes, and which leaves it has, anybody may look at.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from jaxlint.flow.domain.state import Use
from jaxlint.flow.domain.values import Function, ModuleScope
from jaxlint.flow.limits import RETURNED_DEPTH
from jaxlint.flow.models.keys.children import may_be_taken
from jaxlint.flow.models.keys.meant import body_of, contains
from jaxlint.flow.models.keys.unread import function_named, qualified, root_around
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.dead import Looked
from jaxlint.flow.source.modules import parameters
from jaxlint.flow.source.trees import descendants
from jaxlint.project.lifted import decorators
from jaxlint.semantics import libraries

Leaves: TypeAlias = "frozenset[str]"
"""Attributes of a layer that still are what was drawn."""

_NONE: Leaves = frozenset()
_SHAPES = frozenset(("shape", "ndim", "dtype", "size"))


def is_replaced(it: Interpreter, scope: ModuleScope, root: ast.AST, call: ast.AST, use: Use) -> bool:
    """Whether nothing that the ``call`` in ``root``, which leads to ``use``, has drawn for its result stays in it."""
    try:
        walk = _Walk(it, scope, root, 0)
        return isinstance(call, ast.Call) and not walk.from_call(call, _drawn(walk, call, use))
    except Looked:
        return False


def _drawn(walk: _Walk, call: ast.Call, use: Use) -> Leaves:
    """The leaves of what a call gives that it draws from the key: of a library's layer, or of one that it is given."""
    made = list(use.leaves(folds_beside=False))
    if len(made) == 1 and made[0].node is call:
        leaves = libraries.DRAWN_LEAVES.get(made[0].callee, _NONE)
        unused = {word.arg for word in call.keywords if isinstance(word.value, ast.Constant) and not word.value.value}
        found = leaves - {"bias"} if "use_bias" in unused else leaves
    else:
        inner = walk.inside(call)
        drawn = [one for one in made if one.how != "split" or may_be_taken(walk.it, one, None)]
        if any(root_around(one.scope, one.node) is not inner.root for one in drawn):
            raise Looked
        found = frozenset(leaf for one in drawn for leaf in inner.placed(one.node))
    if not found:
        raise Looked
    return found


class _Walk:
    """Through the text of one function, which a layer is made in or given to."""

    def __init__(self, it: Interpreter, scope: ModuleScope, root: ast.AST, depth: int) -> None:
        if depth > RETURNED_DEPTH.value:
            raise Looked
        self.it = it
        self.scope = scope
        self.root = root
        self.depth = depth

    def inside(self, call: ast.Call) -> _Walk:
        """The walk through the function of the program that is called."""
        function = function_named(self.it, self.scope, self.root, call.func)
        if not isinstance(function, Function) or not isinstance(function.node, ast.FunctionDef):
            raise Looked
        if decorators(function.node) or self.it.facts_of(function.node).generator:
            raise Looked
        self.it.note_function(function)
        return _Walk(self.it, function.scope, function.node, self.depth + 1)

    def placed(self, drawn: ast.AST) -> Leaves:
        """The leaves that a draw in this function is put into, of a layer that this returns and nobody else reads."""
        statement = body_of(self.scope, self.root).around(drawn)
        for part in descendants(statement) if statement is not None else ():
            if isinstance(part, ast.Call) and len(part.args) > 2 and contains(part.args[2], drawn):
                leaves = self.replaced(part)
                return self.from_call(part, leaves)
        raise Looked

    def from_call(self, call: ast.Call, leaves: Leaves) -> Leaves:
        """What is left of the leaves of what a call gives when a function returns it, or all are replaced."""
        body = body_of(self.scope, self.root)
        statement = body.around(call)
        block = next((block for block in body.blocks if statement in block), None)
        if statement is None or block is None:
            raise Looked
        name, leaves = self.statement(statement, call, leaves)
        return self.block(block[block.index(statement) + 1 :], name, leaves)[1] if name else leaves

    def block(self, statements: Iterable[ast.stmt], name: str, leaves: Leaves) -> tuple[str, Leaves]:
        for statement in statements:
            reads = list(_reads(statement, name)) if leaves else []
            if isinstance(statement, ast.If) and reads:
                leaves -= self.branch(statement, name, leaves)
            elif reads:
                name, leaves = self.statement(statement, reads[0], leaves, len(reads))
            if not leaves or not name:
                break
        return name, leaves

    def branch(self, statement: ast.If, name: str, leaves: Leaves) -> Leaves:
        """What a branch replaces that is taken wherever there is the leaf."""
        if statement.orelse or any(isinstance(part, ast.Return) for part in descendants(statement)):
            raise Looked
        last, left = self.block(statement.body, name, leaves)
        if last not in (name, ""):
            raise Looked
        return (leaves - left) & _asked_for(statement.test, name)

    def statement(self, statement: ast.stmt, node: ast.expr, leaves: Leaves, reads: int = 1) -> tuple[str, Leaves]:
        """The name that the layer gets, none where it is returned or of no concern any more, and what is left of it."""
        is_put_off = any(isinstance(part, ast.Lambda) and contains(part, node) for part in descendants(statement))
        if reads != 1 or is_put_off or hasattr(statement, "body"):
            raise Looked
        call = _given(statement, node)
        while leaves and call is not None:
            leaves, node = self.after(call, node, leaves), call
            call = _given(statement, node)
        if not leaves:
            return "", leaves
        if isinstance(statement, ast.Return) and statement.value is node:
            return "", leaves
        is_named = isinstance(statement, ast.Assign) and statement.value is node and len(statement.targets) == 1
        target = statement.targets[0] if isinstance(statement, ast.Assign) and is_named else None
        if not isinstance(target, ast.Name):
            raise Looked
        return target.id, leaves

    def after(self, call: ast.Call, layer: ast.expr, leaves: Leaves) -> Leaves:
        """What is left of the leaves of a layer in what a call gives that is given it."""
        if qualified(self.it, self.scope, self.root, call.func) == _TREE_AT:
            if len(call.args) < 2 or call.args[1] is not layer:
                raise Looked
            return leaves - self.replaced(call)
        inner = self.inside(call)
        assert isinstance(inner.root, ast.FunctionDef)
        name = _parameter(inner.root, call, layer)
        return inner.block(inner.root.body, name, leaves)[1]

    def replaced(self, call: ast.Call) -> Leaves:
        """The leaves that `tree_at` replaces."""
        where = call.args[0] if len(call.args) == 3 and not call.keywords else None
        if not isinstance(where, ast.Lambda) or len(where.args.args) != 1:
            raise Looked
        if qualified(self.it, self.scope, self.root, call.func) != _TREE_AT:
            raise Looked
        parts = where.body.elts if isinstance(where.body, (ast.Tuple, ast.List)) else [where.body]
        own = where.args.args[0].arg
        return frozenset(part.attr for part in parts if isinstance(part, ast.Attribute) and _is_attribute(part, own))


_TREE_AT = "equinox.tree_at"


def _is_attribute(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name


def _given(statement: ast.stmt, node: ast.expr) -> ast.Call | None:
    """The call in a statement that is given what an expression is."""
    for part in descendants(statement):
        if isinstance(part, ast.Call) and node in (*part.args, *(word.value for word in part.keywords)):
            return part
    return None


def _parameter(function: ast.FunctionDef, call: ast.Call, layer: ast.expr) -> str:
    if any(isinstance(part, ast.Starred) for part in call.args) or any(word.arg is None for word in call.keywords):
        raise Looked
    known = {one.arg for one in parameters(function)}
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    found = dict(zip(map(id, call.args), names))
    found.update({id(word.value): word.arg or "" for word in call.keywords})
    if found.get(id(layer)) not in known:
        raise Looked
    return found[id(layer)]


def _reads(statement: ast.stmt, name: str) -> Iterator[ast.Name]:
    """Where a variable is read for more than the shapes of its leaves, or whether it has one."""
    parts = list(descendants(statement))
    harmless = {inner for part in parts if _looks_at_no_number(part, name) for inner in descendants(part)}
    for part in parts:
        is_read = isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load)
        if isinstance(part, ast.Name) and is_read and part not in harmless:
            yield part


def _looks_at_no_number(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _SHAPES
    if isinstance(node, ast.Lambda):  # one that calls something else so
        return not node.args.defaults and any(one.arg == name for one in node.args.args)
    if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
        function = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        if function in ("zeros_like", "ones_like"):
            return len(node.args) == 1 and _is_attribute(node.args[0], name)
    return bool(isinstance(node, (ast.Call, ast.Compare)) and _asked_for(node, name))


def _asked_for(test: ast.expr, name: str) -> Leaves:
    """The leaf of which a condition asks whether there is one."""
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "hasattr":
        owner, attribute = test.args if len(test.args) == 2 else (None, None)
        if isinstance(owner, ast.Name) and owner.id == name and isinstance(attribute, ast.Constant):
            return frozenset((str(attribute.value),))
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.IsNot):
        left, right = test.left, test.comparators[0]
        if isinstance(left, ast.Attribute) and _is_attribute(left, name) and isinstance(right, ast.Constant):
            return frozenset((left.attr,)) if right.value is None else _NONE
    return _NONE
