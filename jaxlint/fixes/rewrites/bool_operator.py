"""`a and b`, `not a`, `0 < a < 1`, `a in (1, 2)`, `any(a)` of arrays, in operators and functions for arrays."""

from __future__ import annotations

import ast
import itertools

from jaxlint.fixes.arrays import is_always_traced, is_boolean, is_guard, is_number, is_repeatable
from jaxlint.fixes.imports import name_for
from jaxlint.fixes.rewrites.branch import chosen_at_run_time
from jaxlint.fixes.rewrites.static_argument import is_declared_static, looks_static, made_static
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Edit, Fix, Repair

MAX_NODES = 500
"""Of an expression that is rewritten as a whole; no person wrote a longer one."""

_JOINED = {ast.And: ("&", "logical_and"), ast.Or: ("|", "logical_or")}


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix where an operand only makes sense after the one before it, and where the value is not a truth.

    `&` joins what are truth values by the look of them, whether arrays or Python's; anything else goes to jax.numpy,
    which makes an array even of static values.  So does `~`, in effect, because `~True` is -2.
    """
    found = source.node(repair.location, ast.expr)
    root = _root(source, found)
    if sum(1 for _ in itertools.islice(ast.walk(root), MAX_NODES)) == MAX_NODES:
        raise CannotFix
    if looks_static(source, repair, found):
        return made_static(source, repair)
    if source.has_comment(root) or is_declared_static(source, root):
        raise CannotFix
    rewriting = _Rewriting(source, root, found if dict(repair.facts).get("dtype") == "bool" else None)
    text = rewriting.of(root)
    if not is_boolean(source, root, rewriting.known) and not _is_asked_for_truth(source, root):
        raise CannotFix  # `x or default` is one of the two
    if _is_asked_for_truth(source, root):
        chosen_at_run_time(source, repair, root)  # else Python would ask the new condition, too
    safe = not rewriting.makes_arrays or is_always_traced(repair)
    edit = source.replace(root, text)
    message = "Use `&`, `|` and `~`" if rewriting.is_bitwise else "Use jax.numpy"
    return Fix(message, Applicability.SAFE if safe else Applicability.UNSAFE, (*rewriting.imports, edit))


def _root(source: Source, node: ast.expr) -> ast.expr:
    """The outermost and, or, not around an operand: all of it is rewritten at once."""
    while isinstance(parent := source.parent(node), (ast.BoolOp, ast.UnaryOp)):
        if isinstance(parent, ast.UnaryOp) and not isinstance(parent.op, ast.Not):
            break
        node = parent
    return node


def _is_asked_for_truth(source: Source, node: ast.expr) -> bool:
    parent = source.parent(node)
    return isinstance(parent, (ast.If, ast.While, ast.IfExp, ast.Assert)) and parent.test is node


class _Rewriting:
    """One expression on its way: what it needs is noted while its text is made."""

    def __init__(self, source: Source, root: ast.expr, known: ast.expr | None) -> None:
        self.source = source
        self.known = known
        self.imports: tuple[Edit, ...] = ()
        self.makes_arrays = False
        self.is_bitwise = False
        self.root = root

    def of(self, node: ast.expr) -> str:
        """The text of an expression as it is to be."""
        if isinstance(node, ast.BoolOp):
            return self._joined(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self._negated(node.operand)
        if isinstance(node, ast.Compare):
            return self._compared(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("any", "all"):
            return self._reduced(node, node.func.id)
        return self.source.text(node)

    def _joined(self, node: ast.BoolOp) -> str:
        if any(is_guard(value) for value in node.values):
            raise CannotFix
        operator, function = _JOINED[type(node.op)]
        if all(is_boolean(self.source, value, self.known) for value in node.values):
            if any(
                isinstance(part, (ast.Call, ast.Subscript)) for value in node.values[1:] for part in ast.walk(value)
            ):
                self.makes_arrays = True  # what was skipped is now evaluated
            self.is_bitwise = True
            return f" {operator} ".join(self._operand(value) for value in node.values)
        result, *others = [self.of(value) for value in node.values]
        for other in others:
            result = f"{self._jnp(function)}({result}, {other})"
        return result

    def _negated(self, node: ast.expr) -> str:
        if is_guard(node):
            raise CannotFix
        self.makes_arrays = True
        if is_boolean(self.source, node, self.known):
            self.is_bitwise = True
            return f"~{self._operand(node)}"
        return f"{self._jnp('logical_not')}({self.of(node)})"

    def _compared(self, node: ast.Compare) -> str:
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            found = self._contained(node.left, node.comparators[0])
            return f"~{found}" if isinstance(node.ops[0], ast.NotIn) else found
        if len(node.ops) == 1:
            return self.source.text(node)
        if any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
            raise CannotFix
        operands = [node.left, *node.comparators]
        if not all(is_repeatable(self.source, operand) for operand in operands[1:-1]):
            raise CannotFix
        self.is_bitwise = True
        text, offsets = self.source.document.text, self.source.offsets
        parts = [text[offsets(left)[0] : offsets(right)[1]] for left, right in itertools.pairwise(operands)]
        if any(part.count("(") != part.count(")") for part in parts):
            raise CannotFix  # `a < (b) < c`: the parenthesis is not part of the operand
        return " & ".join(f"({part})" for part in parts)

    def _contained(self, item: ast.expr, collection: ast.expr) -> str:
        self.makes_arrays = True
        if isinstance(collection, (ast.Tuple, ast.List, ast.Set)):
            if not collection.elts or not all(is_number(element) for element in collection.elts):
                raise CannotFix
            numbers = ", ".join(self.source.text(element) for element in collection.elts)
            return f"{self._jnp('isin')}({self.source.text(item)}, {self._jnp('array')}([{numbers}]))"
        if is_number(item):
            return f"{self._jnp('any')}({self.source.operand(collection)} == {self.source.text(item)})"
        raise CannotFix

    def _reduced(self, call: ast.Call, name: str) -> str:
        """`any` and `all` ask each item for its truth, so that the items are scalars and fit in one array."""
        if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
            raise CannotFix
        (items,) = call.args
        text = self.source.text(items)
        if isinstance(items, ast.GeneratorExp):
            text = f"[{text[1:-1] if text.startswith('(') else text}]"
        self.makes_arrays = True
        return f"{self._jnp(name)}({self._jnp('array')}({text}))"

    def _operand(self, node: ast.expr) -> str:
        """The text of an operand of `&`, `|` or `~`, which bind more closely than comparisons."""
        is_joined = isinstance(node, ast.BoolOp) and all(is_boolean(self.source, v, self.known) for v in node.values)
        is_compared = isinstance(node, ast.Compare) and not isinstance(node.ops[0], (ast.In, ast.NotIn))
        text = self.of(node)
        if is_joined or is_compared:
            return f"({text})"
        return text if text != self.source.text(node) else self.source.operand(node)

    def _jnp(self, name: str) -> str:
        self.makes_arrays = True
        jnp, self.imports = name_for(self.source, "jax.numpy", self.root)
        return f"{jnp}.{name}"
