"""A key that is used several times is split before its first use: `key, noise_key, mask_key = split(key, 3)`.

All uses of one key that findings speak of are mended by one split.  Those that stand in the same block get a child
each, named by what they are for; whatever else reads the key (a loop, a branch, a function inside, what is returned)
is left with its name, which is bound to another child where it can be.  What still meets another use is reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from jaxlint.fixes import splits
from jaxlint.fixes.bindings import (
    LOOPS,
    binding_of,
    block_of,
    declared_outer,
    is_bound_between,
    is_read_after,
    scope_of,
    stores,
)
from jaxlint.fixes.imports import bound_at_top, bound_in, dotted_name, name_for
from jaxlint.fixes.places import is_assigned_attribute
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.flow.source.trees import breadth_first
from jaxlint.vocabulary.findings import Applicability, Edit, Fix, Location, Repair

_HEADERS = (ast.If, ast.For, ast.With)
"""Statements with a block whose first line is evaluated once, before the block."""

_INSIDE = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
_WIDTH = 100
"""Longer lines of names are written one name a line."""


@dataclass
class _Use:
    """A call that uses the key, the key as it is written in it, and the statement that the call is in.

    ``is_direct``: the call is made once, when the statement is reached.
    """

    call: ast.Call
    key: ast.expr
    statement: ast.stmt
    is_direct: bool

    @property
    def is_fold(self) -> bool:
        return _called(self.call) == "fold_in"

    @property
    def is_split(self) -> bool:
        return _called(self.call) == "split"


@dataclass
class _Plan:
    """One split: which uses get a child of their own, and whether the key's name gets one for all that is left.

    ``spare`` is the one use that is left, where nothing else is.
    """

    key: str
    first: _Use
    named: list[_Use]
    keeps: bool
    spare: _Use | None = None


def rewrite(source: Source, repair: Repair) -> Fix:
    """Unsafe, since other numbers are drawn: that is the point.  Raises CannotFix where no name could be bound."""
    call, key = source.node(repair.location, ast.Call), _key_text(source, repair)
    partners, chain = _calls(source, repair), source.once(_chains, source).get((call, key))
    if not partners or chain is None:
        raise CannotFix
    mended = source.once(_mended, (source, chain, repair.fact("traced") == "yes"))
    if mended is None or not mended.helped & {call, *partners}:
        raise CannotFix
    return Fix(f"Split `{key}` before it is used", Applicability.UNSAFE, mended.edits)


@dataclass
class _Mended:
    """The edits for a chain, and the calls that get a key of their own by them."""

    helped: set[ast.Call]
    edits: tuple[Edit, ...]


def _mended(asked: tuple[Source, _Chain, bool]) -> _Mended | None:
    source, chain, traced = asked
    taken: set[str] = set()
    try:
        uses = _uses(source, chain)
        if _makes_copies(source, uses, chain.weak):
            return None
        plans = [plan for group in _groups(source, uses) for plan in _plans(source, group, traced)]
        edits = [_more_children(source, plan, taken) or _split_before(source, plan, taken) for plan in plans]
    except CannotFix:
        return None
    return _Mended({use.call for plan in plans for use in plan.named}, tuple(edit for each in edits for edit in each))


# -- which uses ---------------------------------------------------------------------------------------------


@dataclass(eq=False)
class _Chain:
    """Calls that use one key, written in one way, that are connected by findings; ``weak`` were not seen to draw."""

    key: str
    calls: list[ast.Call]
    weak: set[ast.Call] = field(default_factory=set)


def _uses(source: Source, chain: _Chain) -> list[_Use]:
    """The uses of a key in the function of the first, as they follow each other in the text."""
    every = (_use(source, call, chain.key) for call in dict.fromkeys(chain.calls))
    found = sorted(filter(None, every), key=lambda use: source.offsets(use.call))
    if not found:
        raise CannotFix
    function = source.function(found[0].statement)
    return [use for use in found if source.function(use.statement) is function]


def _chains(source: Source) -> dict[tuple[ast.Call, str], _Chain]:
    """The chain that each call belongs to, by the call and how the key is written in it."""
    chains: dict[tuple[ast.Call, str], _Chain] = {}
    for repair in source.repairs:
        if repair.kind != "key_reuse":
            continue
        try:
            key = _key_text(source, repair)
            calls = [source.node(repair.location, ast.Call), *_calls(source, repair)]
        except CannotFix:
            continue
        known = [chains[call, key] for call in calls if (call, key) in chains]
        chain = max(known, key=lambda each: len(each.calls), default=_Chain(key, []))
        chain.weak.update(calls if repair.fact("seen") != "yes" else _calls(source, repair, "weak"))
        for other in {id(each): each for each in known if each is not chain}.values():
            calls += other.calls
            chain.weak |= other.weak
        chain.calls += calls
        chains.update({(call, key): chain for call in calls})
    return chains


def _calls(source: Source, repair: Repair, kind: str = "use") -> list[ast.Call]:
    """The calls that use the key beside the repair's own, of those in which it is written in the same way."""
    key = _key_text(source, repair)
    found = []
    for name, place in repair.places:
        if name == kind:
            try:
                call = source.node(place, ast.Call)
            except CannotFix:
                continue
            if any(source.text(node) == key for node in _arguments(call)):
                found.append(call)
    return found


def _key_text(source: Source, repair: Repair) -> str:
    """How the key is written; the analysis says where it is a single key, and not an object or array that has it."""
    return source.text(source.node(_place(repair, "key"), ast.expr))


def _place(repair: Repair, name: str) -> Location:
    place = dict(repair.places).get(name)
    if place is None:
        raise CannotFix
    return place


def _use(source: Source, call: ast.Call, key: str) -> _Use | None:
    found = [node for node in _arguments(call) if source.text(node) == key]
    if len(found) != 1:
        return None
    statement = source.statement(call)
    between = []
    for node in source.parents(call):
        if node is statement:
            break
        between.append(node)
    while _is_elif(source, statement):
        statement = source.statement(source.parent(statement) or statement)
    has_block = hasattr(statement, "body") and not isinstance(statement, _HEADERS)
    is_direct = not has_block and not any(isinstance(node, _INSIDE) for node in between)
    return _Use(call, found[0], statement, is_direct)


def _arguments(call: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a call that may be a key: names, attributes and items, also those in displays."""
    pending: list[ast.expr | None] = [*call.args, *(keyword.value for keyword in call.keywords)]
    while pending:
        node = pending.pop(0)
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            yield node
        elif isinstance(node, (ast.Tuple, ast.List)):
            pending += node.elts
        elif isinstance(node, ast.Dict):
            pending += node.values


def _is_elif(source: Source, statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and source.text(statement).startswith("elif")


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _groups(source: Source, uses: list[_Use]) -> list[list[_Use]]:
    """The uses by the binding of the name that they read.

    Where one pass of a loop draws from the key that the next one splits, the draw is to blame: the split is left.
    """
    groups: dict[ast.stmt | None, list[_Use]] = {}
    for use in uses:
        groups.setdefault(binding_of(source, use.call, source.text(use.key)).statement, []).append(use)
    if len(groups) == 1:
        return [uses]
    kept = ([use for use in group if not _advances(source, use)] for group in groups.values())
    return [group for group in kept if group]


# -- what becomes of them -----------------------------------------------------------------------------------


def _plans(source: Source, uses: list[_Use], traced: bool) -> list[_Plan]:
    """A split before the first use, and one more in each block that the key which is left by it reaches in each pass
    of a loop, or in which that is used several times.  Raises CannotFix where that would help none of the uses.
    """
    key, first = uses[0].key, uses[0]
    if isinstance(source.parent(first.statement), ast.ClassDef) or _is_bound_in(first.statement, key):
        raise CannotFix
    if not _is_rebindable(source, key, first.statement, traced):
        block = block_of(source, first.statement)
        direct = [use for use in uses if use.is_direct and not use.is_fold and _is_same_key(source, first, use)]
        named = [use for use in direct if _depends_on(source, use.statement, [block])]
        if len(named) < 2:
            raise CannotFix
        return [_Plan(source.text(key), first, named, False)]
    plans = [_plan(source, uses)]
    blocks = [block_of(source, first.statement)]
    for use in uses:
        block = block_of(source, use.statement)
        if any(block is other for other in blocks) or _advances(source, use):
            continue
        together = [other for other in uses if block_of(source, other.statement) is block]
        is_carried = bool(binding_of(source, use.statement, source.text(key)).loops)
        if len(together) == 1 and (not is_carried or _depends_on(source, use.statement, blocks)):
            continue
        try:
            plans.append(_plan(source, together))
        except CannotFix:
            continue
        blocks.append(block)
    return plans


def _advances(source: Source, use: _Use) -> bool:
    """Whether the name is bound anew by the statement that uses it: `key, subkey = split(key)`."""
    return source.text(use.key) in source.once(stores, use.statement) and use.is_direct


def _makes_copies(source: Source, uses: list[_Use], weak: set[ast.Call]) -> bool:
    """Whether two uses may be meant to be equal: some function is called twice with the same arguments and nobody has
    seen it draw, which makes a network and its target; or two arrays are shuffled or picked from in the same way.
    """
    if any(use.call in weak and _has_twin(source, use) for use in uses):
        return True
    picks = {use.call for use in uses if dotted_name(source, use.call.func) in _PICKING}
    return len({(_called(call), *map(ast.dump, _beside_array(call))) for call in picks}) < len(picks)


_PICKING = frozenset(f"jax.random.{name}" for name in ("choice", "permutation", "shuffle"))


def _beside_array(call: ast.Call) -> list[ast.AST]:
    """What says how items of an array are picked: everything but the array."""
    return [*call.args[2:], *(keyword for keyword in call.keywords if keyword.arg not in ("key", "a", "x"))]


def _has_twin(source: Source, use: _Use) -> bool:
    """Whether the same function is called with the same key and arguments once more."""
    function = dotted_name(source, use.call.func)
    if function.startswith("jax.random.") or (not function and not isinstance(use.call.func, ast.Name)):
        return False
    key = source.text(use.key)
    made = binding_of(source, use.call, key).statement
    twins = source.once(_calls_in, scope_of(source, use.call)).get(ast.dump(use.call), [])
    return any(twin is not use.call and binding_of(source, twin, key).statement is made for twin in twins)


def _calls_in(scope: ast.AST) -> dict[str, list[ast.Call]]:
    """The calls of a function or module by what is called with what."""
    found: dict[str, list[ast.Call]] = {}
    for node in breadth_first(scope):
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            found.setdefault(ast.dump(node), []).append(node)
    return found


def _plan(source: Source, uses: list[_Use]) -> _Plan:
    """What becomes of uses of a key whose name can be bound anew.  Raises CannotFix where none can have a child."""
    key, first = source.text(uses[0].key), uses[0]
    block = block_of(source, first.statement)
    direct = [use for use in uses if use.is_direct and not use.is_fold and _is_same_key(source, first, use)]
    cell = source.cell(first.statement)  # each cell of a notebook is run for itself
    near = [use for use in direct if source.cell(use.statement) == cell]
    straight = [use for use in near if block_of(source, use.statement) is block]
    kept = [use for use in straight[1:] if use.is_split]  # they go on from the key that is left
    named = [use for use in straight if use not in kept]
    if not named:
        raise CannotFix
    if kept or _is_read_elsewhere(source, first, named):
        return _Plan(key, first, named, True)
    if len(named) == 2:
        return _Plan(key, first, named[:1], True, named[1])
    return _Plan(key, first, named, len(named) == 1)


def _depends_on(source: Source, statement: ast.stmt, blocks: list[list[ast.stmt]]) -> bool:
    """Whether a statement is in one of some blocks, or in a block inside it, which is no loop's."""
    for node in (statement, *source.parents(statement)):
        if isinstance(node, LOOPS) and node is not statement:
            return False
        if isinstance(node, ast.stmt) and any(block_of(source, node) is block for block in blocks):
            return True
    return False


def _is_same_key(source: Source, first: _Use, use: _Use) -> bool:
    """Whether nothing between two uses binds the name: a path on which it is the old key may lead there still."""
    name = source.text(first.key).partition(".")[0]
    start, end = source.offsets(first.statement)[0], source.offsets(use.statement)[0]
    return not is_bound_between(source, name, scope_of(source, first.statement), start, end)


def _is_bound_in(statement: ast.stmt, key: ast.expr) -> bool:
    """Whether an expression in a statement binds the key: `f(key := …)`."""
    return any(
        isinstance(node, ast.NamedExpr) and node.target.id == getattr(key, "id", "") for node in ast.walk(statement)
    )


def _is_rebindable(source: Source, key: ast.expr, statement: ast.stmt, traced: bool) -> bool:
    """Whether `key, subkey = split(key)` is an assignment that all who read the key see, and that nothing forbids."""
    function = source.function(statement)
    if isinstance(key, ast.Name):
        if function is None:
            return key.id in source.once(bound_at_top, source.tree)
        return key.id in source.once(bound_in, function) and key.id not in source.once(declared_outer, function)
    return isinstance(key, ast.Attribute) and not traced and is_assigned_attribute(source, key)


def _is_read_elsewhere(source: Source, first: _Use, named: list[_Use]) -> bool:
    """Whether the key is read after the first use, other than by those that get a child of their own."""
    if not isinstance(first.key, ast.Name) or binding_of(source, first.statement, first.key.id).loops:
        return True
    return is_read_after(source, first.key.id, first.statement, frozenset(use.key for use in named))


# -- edits --------------------------------------------------------------------------------------------------


def _split_before(source: Source, plan: _Plan, taken: set[str]) -> tuple[Edit, ...]:
    """`key, a_key, b_key = split(key, 3)` before the first use; each of those that are named gets its child."""
    statement = plan.first.statement
    split, imports = name_for(source, "jax.random.split", statement)
    if plan.keeps and len(plan.named) == 1:
        children = [splits.usual_name(source, statement)]
    else:
        children = _children(source, plan, plan.named, taken)
    targets = [*([plan.key] if plan.keeps else []), *children]
    made = f"{split}({plan.key}{'' if len(targets) == 2 else f', {len(targets)}'})"
    lines = [f"{', '.join(targets)} = {made}"]
    if len(source.indent(statement)) + len(lines[0]) > _WIDTH:
        lines = ["(", *(f"    {target}," for target in targets), f") = {made}"]
    before = source.insert_before(statement, *lines)
    return (*imports, before, *_given(source, plan.named, children))


def _more_children(source: Source, plan: _Plan, taken: set[str]) -> tuple[Edit, ...]:
    """The same from a split that is there: the first use, or the one that made the key.

    Nothing where neither is a split into as many names.
    """
    first = plan.first
    split = splits.split_of(source, first.statement)
    if split is not None and split.call is first.call and plan.key not in split.names:
        return _of_first_use(source, plan, split, taken)
    if not isinstance(first.key, ast.Name) or first not in plan.named:
        return ()
    origin = binding_of(source, first.statement, plan.key).statement
    split = splits.split_of(source, origin) if origin is not None else None
    if split is None or split.names.count(plan.key) != 1:
        return ()
    start, end = source.offsets(split.statement)[1], source.offsets(first.statement)[0]
    is_near = block_of(source, split.statement) is block_of(source, first.statement)
    is_near = is_near and source.cell(split.statement) == source.cell(first.statement)
    if is_near and not is_bound_between(source, plan.key, scope_of(source, first.statement), start, end):
        return _of_origin(source, plan, split, taken)
    return ()


def _of_first_use(source: Source, plan: _Plan, split: splits.Split, taken: set[str]) -> tuple[Edit, ...]:
    """`a, b = split(key)` becomes `key, a, b, noise_key = split(key, 4)`."""
    others = [use for use in plan.named if use is not plan.first]
    free = splits.unused(source, split)
    if plan.spare is not None and free:
        return _given(source, [plan.spare], [free[0].id])
    dropped = [target for target in split.targets if target.id == "_"]
    if plan.keeps and not others and dropped:
        return (source.replace(dropped[0], plan.key),)
    more = others[len(free) :]
    children = [*(target.id for target in free[: len(others)]), *_children(source, plan, more, taken)]
    edits = list(_given(source, others, children))
    if plan.keeps:
        edits.append(source.insert(source.offsets(split.targets[0])[0], f"{plan.key}, "))
    return (*edits, *_added(source, split, children[len(free) :], plan.keeps))


def _of_origin(source: Source, plan: _Plan, split: splits.Split, taken: set[str]) -> tuple[Edit, ...]:
    """`key, a_key = split(key)` before the uses of `a_key` becomes `key, a_key, b_key = split(key, 3)`."""
    if plan.spare is not None:
        others = plan.named if source.text(split.parent) == plan.key else [plan.spare]
    else:
        others = plan.named if plan.keeps else plan.named[1:]
    free = [target for target in splits.unused(source, split) if target.id != plan.key]
    children = [*(target.id for target in free[: len(others)]), *_children(source, plan, others[len(free) :], taken)]
    return (*_given(source, others, children), *_added(source, split, children[len(free) :]))


def _added(source: Source, split: splits.Split, names: list[str], keeps: bool = False) -> tuple[Edit, ...]:
    """More targets and a greater number in a split."""
    if not names and not keeps:
        return ()
    number = split.counted(source, len(split.targets) + len(names) + keeps)
    if not names:
        return (number,)
    end = source.offsets(split.targets[-1])[1]
    return (source.insert(end, "".join(f", {name}" for name in names)), number)


def _children(source: Source, plan: _Plan, uses: list[_Use], taken: set[str]) -> list[str]:
    return splits.names_for(source, plan.key, [(use.call, use.key) for use in uses], plan.first.statement, taken)


def _given(source: Source, uses: list[_Use], children: list[str]) -> tuple[Edit, ...]:
    return tuple(source.replace(use.key, child) for use, child in zip(uses, children))
