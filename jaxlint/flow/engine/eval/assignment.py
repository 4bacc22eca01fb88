"""Binding a value to a target of any form."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.slots import Slot
from jaxlint.flow.domain.values import Container, Tuple, Value
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.arrays import arrays
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.models.python.attributes import store_attribute
from jaxlint.flow.models.python.items import store_item, unpack
from jaxlint.flow.models.traces.outer_writes import outer_write
from jaxlint.flow.port import Interpreter


def assign(it: Interpreter, target: ast.expr, value: Value, node: ast.AST, augmented: bool = False) -> None:
    """Binds ``value`` to a target of any form."""
    if isinstance(target, ast.Name):
        _assign_name(it, target, value, node if augmented else None)
    elif isinstance(target, ast.Attribute):
        store_attribute(it, it.eval(target.value), target.attr, value, target, node if augmented else target)
    elif isinstance(target, ast.Subscript):
        owner = it.eval(target.value)
        index = it.eval(target.slice)
        arrays.check_item_store(it, owner, index, value, target, None)
        store_item(it, owner, index, value, target)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(it, target, value)
    elif isinstance(target, ast.Starred):
        assign(it, target.value, value, node)


def _assign_name(it: Interpreter, target: ast.Name, value: Value, step: ast.AST | None) -> None:
    outer = "global" if target.id in it.frame.globals else "nonlocal" if target.id in it.frame.nonlocals else ""
    if outer:
        frame = it.frame_of(target.id)
        before = it.state.read(frame).get(target.id)
        slot = Slot(frame, ("name", target.id), before, step if isinstance(step, ast.AugAssign) else None)
        outer_write(it, outer, target.id, value, target, slot)
    it.bind(target.id, value)
    if it.watch is not None:
        it.watch(it.frame.scope, target, value, it)


def _count_of(it: Interpreter, value: Value) -> int | None:
    """How many parts there are to unpack, where that is known."""
    if isinstance(value, Tuple):
        return None if value.declared else len(value.items)
    items = known_items(it, value, KNOWN_ITEMS.value) if isinstance(value, Container) else None
    return None if items is None else len(items)


def _unpack(it: Interpreter, target: ast.Tuple | ast.List, value: Value) -> None:
    count = len(target.elts)
    star = next((i for i, element in enumerate(target.elts) if isinstance(element, ast.Starred)), None)
    arrays.check_unpack(it, value, count, star, target)
    parts = unpack(it, value, count, star, target)
    for element, part in zip(target.elts, parts):
        assign(it, element, part, target)
    given = _count_of(it, value)
    if given is not None and (given != count if star is None else given < count - 1):
        it.breaks()  # ValueError
