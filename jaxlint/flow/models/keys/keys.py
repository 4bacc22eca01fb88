"""PRNG keys as linear resources: identities, parts, and what it means to consume one twice.

Semantics follow jax.experimental.key_reuse (Sink, Source, Forward), extended to legacy uint32 keys, to
fold_in with equal data and to keys handed to code that cannot be seen.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from jaxlint.flow.domain import events
from jaxlint.flow.domain.asked import LentCell
from jaxlint.flow.domain.contexts import AnySeed, Provenance, Seed, Why
from jaxlint.flow.domain.events import Purpose
from jaxlint.flow.domain.state import CallSite, Guard, Use, Uses, by_subject, excluded, loop_between
from jaxlint.flow.domain.values import (
    NOTHING,
    Array,
    Const,
    Container,
    Counts,
    Frame,
    Function,
    HandedBack,
    Instance,
    Key,
    KeyId,
    Opaque,
    Static,
    Tree,
    Tuple,
    Value,
)
from jaxlint.flow.limits import KEY_PARTS, MOST_ALTERNATIVES, REMEMBERED, RETURNED_DEPTH
from jaxlint.flow.models.keys.arms import are_arms
from jaxlint.flow.models.keys.children import are_others, may_be_taken
from jaxlint.flow.models.keys.evaluated import is_only_evaluated
from jaxlint.flow.models.keys.generators import splits_otherwise
from jaxlint.flow.models.keys.meant import Pair, contains, is_init, leaves_a_child, purpose
from jaxlint.flow.models.keys.moved_on import is_moved_on
from jaxlint.flow.models.keys.paired import are_paired, is_tree_map
from jaxlint.flow.models.keys.replaced import is_replaced
from jaxlint.flow.models.keys.same_again import (
    are_alike,
    are_folded_apart,
    is_kept_beside,
    is_value_of_gradient,
    make_parameters,
)
from jaxlint.flow.models.keys.slices import COUNTED, covers, is_any_element, place_in_whole, share
from jaxlint.flow.models.keys.swept import is_swept
from jaxlint.flow.models.keys.unread import is_kept_for_nobody, is_unread
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import parameters
from jaxlint.flow.source.parts import IMPORTS
from jaxlint.flow.source.timed import is_only_timed
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics import libraries
from jaxlint.semantics.model import KeyEffect, KeyUse
from jaxlint.vocabulary.findings import Certainty

DRAW, SPLIT, HANDED, FOLD = "draw", "split", "handed", "fold"
AGAIN = "handed again"
"""Handed to a function that can be seen and was not followed: itself, or one beyond a limit."""
NAMED = "named"
"""Handed to a library that draws from folds of it by names: only another such use can come to the same folds."""
STRONG = frozenset((DRAW, SPLIT))
WEAK = frozenset((HANDED, AGAIN, NAMED))
ONE_CALLED = "which one is called"
"""The condition of a use by one of several callees, of which not all draw."""


def of_library(use: KeyUse) -> str:
    """How a library's callable consumes the keys it is given, as its table says."""
    if not use.sure:
        return NAMED if use.effect is KeyEffect.FOLD else HANDED
    return SPLIT if use.effect is KeyEffect.SPLIT else DRAW


def key_of(value: Value) -> KeyId | None:
    """The identity under which ``value`` is consumed, if it can be a key at all."""
    if isinstance(value, Key):
        return value.ident
    if isinstance(value, (Opaque, Tree, Array)):
        return value.key
    return None


def is_known_key(value: Value) -> bool:
    """Whether jax.random has made or used ``value``, so that it certainly is a key."""
    if isinstance(value, Key):
        return True
    return isinstance(value, (Opaque, Tree, Array)) and value.has_key and _known(value.key)


def _known(key: KeyId) -> bool:
    """Whether a key is known as one, or each of those that were joined into it is."""
    pending, met = [key], {key}
    while pending:
        one = pending.pop()
        if not one.known:
            if not one.alternatives:
                return False
            pending += [option for option in one.alternatives if option not in met]
            met.update(one.alternatives)
    return True


def consume(
    it: Interpreter,
    key: KeyId,
    how: str,
    node: ast.AST,
    callee: str,
    via: Use | None = None,
    count: Value | None = None,
    beside: Uses = (),
    draws: Callable[[], bool] | None = None,
    receivers: tuple[Value, ...] = (),
    guards: frozenset[Guard] = NOTHING,
) -> None:
    """Records that ``node`` consumes ``key`` and reports an earlier consumption that reaches here.

    ``count`` is into how many keys it is split, or the object that keeps it.  ``via`` stands for the uses by a
    callee, ``beside``, in methods of ``receivers`` and where the ``guards`` hold.
    """
    name, key = key, key.origin
    key.known = key.known or how in STRONG or how == NAMED
    function = _node_of(it.frame)
    receivers = (*receivers, *_receivers(it))
    guards = (guards | it.state.guards) or NOTHING
    use = Use(
        how, it.frame.scope, node, callee, guards, it.loops, via, it.calls, count, function, beside, draws, receivers
    )
    if key.parts or key.parent is not None or key in it.state.uses:
        _report(it, key, use, name.handed_back)
    if (how in STRONG or how == NAMED) and via is None and it.ctx.mapped > (lane := lane_of(key)):
        likely = Certainty.LIKELY if draws is None else Certainty.POSSIBLE  # of a module that is known, or of any
        it.emit(events.KeyAcrossLanes(node, key, callee, likely if how == NAMED else None, lane))
    if how == SPLIT:
        _check_fold(it, key, use)
    for ident in with_alternatives(key):
        it.state.uses[ident] = within_limit((*it.state.uses.get(ident, ()), use))
    if it.used is not None and not it.muted:
        it.used(key, use)


def _report(it: Interpreter, key: KeyId, use: Use, back: HandedBack | None) -> None:
    """Of the uses before this one the first is reported that looks like a slip; if all may be meant, the first.

    Where a function has made that use and handed the key ``back``, it is reported there: whoever goes on with what it
    returned is not to blame.
    """
    if it.ctx.computes_nothing or it.muted:
        return
    best = None
    for earlier in _earlier_uses(it, key, use):
        found = _reuse(it, key, use, earlier)
        if found is None:
            break
        best = best or found
        if found[0].purpose is None:
            best = found
            break
    if best is None:
        return
    event, frame = best
    event.written = as_written(it, frame, event.node, key)
    first = event.first.node if event.first is not None else event.earlier.node
    event.first_written = as_written(it, frame, first, key)
    if back is None or not _is_to_blame(back, event, frame):
        it.emit(event, frame.scope, frame=frame)
        return
    event.again, event.node = (frame.scope, event.node), back.node
    if it.emit(event, frame.scope, deliver=False, frame=frame):
        event.scope, event.definition = back.scope, back.definition
        event.in_test = event.in_test or back.scope.module.is_test
        it.deliver(event)


def _is_to_blame(back: HandedBack, event: events.KeyReuse, frame: Frame) -> bool:
    """Whether the earlier use is one of the function that returned the key.  In the body of a scan, whose passes are a
    loop, the use itself is the mistake unless it made new keys, of which one was to be returned."""
    earlier: Use | None = event.earlier
    while earlier is not None and earlier.order not in back.uses:
        earlier = earlier.via
    if earlier is None or event.how not in STRONG or event.earlier.how not in STRONG:
        return False
    return _node_of(frame) is not back.function or event.earlier.how == SPLIT


def handed_back(it: Interpreter, value: Value, node: ast.expr) -> Value:
    """What a function returns, with the keys in it that it has spent known as such.  ``node`` is the expression."""
    function = it.frame.function
    if function is None or it.muted or not any(use.order >= it.activation.begun for use in _last_uses(it)):
        return value
    return _marked(it, value, node, function, 0)


def _last_uses(it: Interpreter) -> Iterator[Use]:
    return (uses[-1] for uses in it.state.uses.values() if uses)


def _marked(it: Interpreter, value: Value, node: ast.expr, function: Function, depth: int) -> Value:
    if isinstance(value, Tuple) and depth < RETURNED_DEPTH.value:
        parts = node.elts if isinstance(node, ast.Tuple) and len(node.elts) == len(value.items) else None
        items = [
            _marked(it, item, parts[number] if parts else node, function, depth + 1)
            for number, item in enumerate(value.items)
        ]
        if all(item is old for item, old in zip(items, value.items)):
            return value
        return value.with_other(tuple(items))
    if (
        isinstance(value, (Container, Instance, Opaque, Tree))
        and it.state.holds(value)
        and depth < RETURNED_DEPTH.value
    ):
        parts_now = {**getattr(value, "parts", {}), **it.state.read(value)}
        marked = {name: _marked(it, part, node, function, depth + 1) for name, part in parts_now.items()}
        changed = {name: part for name, part in marked.items() if part is not parts_now[name]}
        if changed:
            it.state.write(value).update(changed)
        return value
    key = key_of(value) if is_known_key(value) and not (isinstance(value, Key) and value.batch) else None
    if key is None:
        return value
    uses = [
        use
        for use in it.state.uses.get(key.origin, ())
        if use.how in STRONG and use.order >= it.activation.begun and not excluded(use.guards, it.state.guards)
    ]
    before = key.handed_back.uses if key.handed_back is not None else frozenset()
    if all(use.order in before or (use.via is not None and use.via.order in before) for use in uses):
        return value
    orders = frozenset(use.order for use in uses)
    back = HandedBack(key.origin, it.frame.scope, node, function.node, it.definition(), orders)
    return _renamed(value, key.origin.returned(back))


def _renamed(value: Value, name: KeyId) -> Value:
    if isinstance(value, Key):
        level, reason, typed = value.level, value.provenance, value.typed
        return Key(name, value.batch, value.size, level, reason, typed, value.dims, value.ranked)
    if isinstance(value, Tree):
        return value.renamed(value.parameter, name)
    if isinstance(value, Array):
        return Array(
            value.level, value.provenance, value.kind, value.ndim, key=name, declared=value.declared, aval=value.aval
        )
    assert isinstance(value, Opaque)
    return Opaque(value.text, key=name, derived=value.derived, leaf=value.leaf)


def _reuse(it: Interpreter, key: KeyId, use: Use, earlier: Use) -> tuple[events.KeyReuse, Frame] | None:
    """A reuse stands in the innermost function that sees both uses: at the use, or at the call that led to it.

    What a decorator traces is not called there: the next place that leads to the use is shown.
    """
    loop = loop_between(earlier, use)
    in_loop = loop is not None
    if in_loop and use.how in WEAK and earlier.how in WEAK and (_is_part_of_unknown(key) or _may_be_another(use)):
        return None  # an entry of an object that the callee may well replace, or another callee
    shared = _shared(use, earlier)
    frame, node, via = it.frame, use.node, use.via
    if shared < len(use.calls):
        (frame, node, _, _), via = use.calls[shared], use
    seen_by = frame
    pair = _pair(it, seen_by, node, use, earlier, shared, in_loop)
    shown = _shown_call(use, shared)
    if shown is not None:
        frame, node = shown[:2]
    else:
        frame, node, via = it.frame, use.node, use.via
    event = events.KeyReuse(node, key, use.how, use.callee, earlier, _each(loop), via)
    event.made_alike = in_loop and key.root in it.activation.made_alike.values()
    first = _shown_call(earlier, shared)
    if first is not None:
        event.first = Provenance(Why.USED, (), first[2], first[1])
    if {use.how, earlier.how} <= STRONG:
        event.kept = _keeper(it, key, use, earlier, shared)
    if pair is not None:
        event.purpose = purpose(pair, key) or _other_purpose(it, pair, earlier, use)
        if event.purpose is None and is_moved_on(
            pair, earlier, use, lambda: _may_be_written(it, seen_by, pair.later, key)
        ):
            event.purpose = Purpose.MOVED_ON
        if event.purpose is None and (are_arms(pair, key, earlier, use) or is_swept(pair, earlier, use)):
            event.purpose = Purpose.ARMS
    is_slip = pair is not None and leaves_a_child(pair, key) and not _is_fixed_in(frame, key)
    is_named = event.how == NAMED and not in_loop and not is_slip
    if event.purpose is None and is_named and are_folded_apart(it, earlier, use):
        event.purpose = Purpose.FOLDED
    doubts = _is_unseen(use) + _is_unseen(earlier)
    event.unseen = doubts == 2 or (not is_slip and (doubts == 1 or _is_beside_parameters(use, earlier)))
    key.known = key.known or is_drawn(use) or is_drawn(earlier)
    few = len(it.state.uses.get(key, ())) < REMEMBERED.value  # each is followed through its function
    if event.purpose is None and few and (is_unread(it, earlier) or is_unread(it, use)):
        event.purpose = Purpose.DEAD
    if event.purpose is None and (is_kept_for_nobody(it, earlier) or is_kept_for_nobody(it, use)):
        event.purpose = Purpose.DEAD
    if event.purpose is None and pair is not None and _is_overwritten(it, pair, earlier, use):
        event.purpose = Purpose.DEAD
    if event.purpose is None and few and are_others(it, earlier, use):
        event.purpose = Purpose.OTHER_CHILDREN
    return event, frame


def _may_be_another(use: Use | None) -> bool:
    """Whether one of several callees is called, of which not all draw: it may be another one in the next pass, or the
    one that draws gives another key."""
    while use is not None and not any(guard.text == ONE_CALLED for guard in use.guards):
        use = use.via
    return use is not None


def _other_purpose(it: Interpreter, pair: Pair, earlier: Use, use: Use) -> Purpose | None:
    """What a pair is there for by what the uses draw, or by what becomes of the function that they are in."""
    if are_paired(pair, earlier, use):
        return Purpose.PAIRED
    if is_only_evaluated(pair, earlier, use):
        return Purpose.EVALUATED
    if is_value_of_gradient(pair):
        return Purpose.VALUE
    if make_parameters(earlier, use) and is_kept_beside(pair):
        return Purpose.COPIED
    if pair.is_toplevel and pair.scope.module.document.is_in_cells and {earlier.how, use.how} & WEAK:
        return Purpose.TRIED
    return Purpose.TIMED if it.ask_text(pair.scope, is_only_timed, pair.root) else None


def _is_overwritten(it: Interpreter, pair: Pair, earlier: Use, use: Use) -> bool:
    """Whether what one of two uses has drawn for a layer is replaced there."""
    both = ((pair.earlier, earlier), (pair.later, use))
    scope = it.scopes.get(pair.scope.name)
    if scope is None or pair.repeats:
        return False
    return any(is_replaced(it, scope, pair.root, node, one) for node, one in both)


def _shown_call(use: Use, number: int) -> CallSite | None:
    """Of the calls from ``number`` on the first that is not the decorator of the function that it leads to."""
    within = [*(_node_of(call[0]) for call in use.calls[number + 1 :]), use.function]
    return next((call for call, inner in zip(use.calls[number:], within) if not _decorates(call[1], inner)), None)


def _node_of(frame: Frame) -> ast.AST | None:
    return frame.function.node if frame.function is not None else None


def _decorates(node: ast.AST, function: ast.AST | None) -> bool:
    return node in getattr(function, "decorator_list", ())


def _is_unseen(use: Use) -> bool:
    """Whether nothing tells that what the key was handed to draws from it: no table of a library knows it, it is no
    `sample(seed=key)`, as distributions have it, and no text of the project says so."""
    inner = use.innermost
    if inner.how not in WEAK or inner.callee in libraries.KEY_METHODS or inner.callee in libraries.KEY_USES:
        return False
    if is_drawn(use):
        return False
    call = inner.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "sample":
        return True
    return not any(keyword.arg == "seed" for keyword in call.keywords)


def _is_beside_parameters(use: Use, earlier: Use) -> bool:
    """Whether a library that nobody looks into makes parameters of the key, and the other use is for something else:
    whoever is told of that leaves it, since what the two draw meets nowhere."""
    makes = [is_init(one.innermost.callee) for one in (use, earlier)]
    return sum(makes) == 1 and not {use.how, earlier.how} <= STRONG


def _is_fixed_in(frame: Frame, key: KeyId) -> bool:
    """Whether the function makes the key of a constant itself: a demonstration, a measurement or a script, which is to
    do the same each time."""
    while key.seed is None and key.parent is not None:
        key = key.parent
    root = _node_of(frame)
    seed = key.seed
    return isinstance(seed, Seed) and seed.scope is frame.scope and (root is None or contains(root, seed.node))


def is_drawn(use: Use) -> bool:
    """Whether the text of what was called and not followed says that it draws from the key."""
    inner = use.innermost
    return inner.how in WEAK and inner.draws is not None and inner.draws()


def _pair(
    it: Interpreter, frame: Frame, node: ast.AST, use: Use, earlier: Use, shared: int, in_loop: bool
) -> Pair | None:
    """Both uses as the function of ``frame`` sees them; None where the earlier one is in another."""
    scope, other, first = frame.scope, earlier.scope, earlier.node
    if shared < len(earlier.calls):
        _, first, other, _ = earlier.calls[shared]
    root: ast.AST | None = frame.function.node if frame.function is not None else scope.tree
    if root is None or other is not scope or (frame.function is not None and not contains(root, first)):
        return None
    it.look_at(scope, IMPORTS)  # of what it is there for
    if frame.function is None:
        it.note_text(scope)
    else:
        it.note_function(frame.function)
    was, now = (_callee_of(one, shared) for one in (earlier, use))
    return Pair(scope, root, first, node, was, now, in_loop and first is node)


def _callee_of(use: Use, shared: int) -> str:
    """What is called there: the function that uses the key, also by a lambda that does nothing but call one that there
    is; empty for any other function of the project."""
    if use.via is None and len(use.calls) <= shared:
        return use.callee
    drawn = use if use.via is None else use.via
    if len(use.calls) - shared != (use.via is None) or (use.via is not None and (drawn.via is not None or drawn.calls)):
        return ""
    inner = drawn.function
    if not isinstance(inner, ast.Lambda) or inner.body is not drawn.node or not isinstance(inner.body, ast.Call):
        return ""
    return "" if any(isinstance(part, ast.Call) for part in descendants(inner.body.func)) else drawn.callee


def as_written(it: Interpreter, frame: Frame, node: ast.AST, key: KeyId) -> ast.expr | None:
    """The argument of a call in ``frame`` that is this key: a name, an attribute or an item, also inside a display.

    None where the key is a part of what is passed, where that may be an array of keys, and where it is computed.
    """
    if not isinstance(node, ast.Call) or it.muted:
        return None
    saved, it.frame, it.watch = (it.frame, it.watch), frame, None
    try:
        with it.scratch(), it.quiet():
            return next(
                (part for part in islice(_parts(node), KEY_PARTS.value) if _is_the_key(it.eval(part), key)), None
            )
    finally:
        it.frame, it.watch = saved


def _may_be_written(it: Interpreter, frame: Frame, node: ast.AST, key: KeyId) -> list[ast.expr]:
    """The same; where the limit ends the search, it is one of those that nobody has looked at."""
    found = as_written(it, frame, node, key)
    if found is not None or not isinstance(node, ast.Call):
        return [] if found is None else [found]
    return list(islice(_parts(node), KEY_PARTS.value, None))


def _parts(call: ast.Call) -> Iterator[ast.expr]:
    pending: list[ast.expr | None] = [*call.args, *(keyword.value for keyword in call.keywords)]
    while pending:
        part = pending.pop(0)
        if isinstance(part, (ast.Name, ast.Attribute, ast.Subscript)):
            yield part
        elif isinstance(part, (ast.Tuple, ast.List)):
            pending += part.elts
        elif isinstance(part, ast.Dict):
            pending += part.values


def _is_the_key(value: Value, key: KeyId) -> bool:
    if isinstance(value, Key):
        return value.ident.origin is key and not value.batch
    # jax.random has taken a key from what is not known any better: it takes single ones only
    return isinstance(value, (Opaque, Tree, Array)) and value.has_key and value.key.origin is key and _known(key)


def _is_part_of_unknown(key: KeyId) -> bool:
    if key.parent is None:
        return False
    return not key.parent.known or (isinstance(key.selector, tuple) and key.selector[0] in ("attr", "at"))


def _shared(use: Use, earlier: Use) -> int:
    """How many of the calls that led to a use have led to the earlier one as well."""
    shared = 0
    while shared < min(len(use.calls), len(earlier.calls)) and _same_site(use.calls[shared], earlier.calls[shared]):
        shared += 1
    return shared


def _same_site(a: CallSite, b: CallSite) -> bool:
    return a[0] is b[0] and a[1] is b[1] and a[3] == b[3]


def lane_of(key: KeyId) -> int:
    """The innermost map from lane to lane of which the key differs, by its depth: it is a part of what is mapped over,
    or made inside.  0: of none."""
    found = 0
    pending, met = [key], {key}
    while pending:  # loops join joined keys: each is looked at once
        current: KeyId | None = pending.pop().origin
        assert current is not None
        options = [option for option in current.alternatives if option not in met]
        pending += options
        met.update(options)
        while current is not None:
            found = max(found, current.lane)
            current = current.parent
    return found


def fold(it: Interpreter, key: KeyId, node: ast.AST, data: Value) -> KeyId:
    """fold_in: a child that equal data makes equal; the parent stays as it is."""
    key = key.origin
    key.known = True
    note_fold(it, key, node, "jax.random.fold_in", data)
    counted = _count_of_pass(it, data)
    selector = _selector(data) if counted is None else (COUNTED, counted.number)
    made = child(it, key, ("fold", selector), "folded key", node)
    if data.level > 0:
        made.lane = it.ctx.mapped
    return made


def note_fold(
    it: Interpreter,
    key: KeyId,
    node: ast.AST,
    callee: str,
    data: Value,
    via: Use | None = None,
    guards: frozenset[Guard] = NOTHING,
) -> None:
    """Records that ``node`` folds ``data`` into a key, or leads to where ``via`` does; reports a split before it."""
    guards = (guards | it.state.guards) or NOTHING
    use = Use(FOLD, it.frame.scope, node, callee, guards, it.loops, via, it.calls, data, _node_of(it.frame))
    for earlier in it.state.uses.get(key, ()):
        split = next((one for one in _splits(earlier) if _may_meet(it, data, one.data)), None)
        if split is not None and _both_happen(split, use) and _are_taken(it, split, use):
            _report_fold(it, key, use, split)
            break
    it.state.uses[key] = (*it.state.uses.get(key, ()), use)
    if it.used is not None and not it.muted:
        it.used(key, use)


def _splits(use: Use, met: set[int] | None = None) -> Iterator[Use]:
    """A use if it is a split, or the splits beside a draw that stands for all that a call does with the key, each once
    however many calls lead to it."""
    met = set() if met is None else met
    if id(use) in met:
        return
    met.add(id(use))
    if use.how == SPLIT:
        yield use
    else:
        inner = (one for part in use.beside for one in _splits(part, met))
        yield from (replace(use, how=SPLIT, via=one, data=one.data, beside=()) for one in inner)


def _check_fold(it: Interpreter, key: KeyId, use: Use) -> None:
    for earlier in it.state.uses.get(key, ()):
        if earlier.how == FOLD and _both_happen(earlier, use) and _may_meet(it, earlier.data, use.data):
            if _are_taken(it, use, earlier):
                _report_fold(it, key, use, earlier)
                return


def _are_taken(it: Interpreter, split: Use, folded: Use) -> bool:
    """Whether somebody may draw from both, the child of a split and the folded key that is the same."""
    number = folded.data.value if isinstance(folded.data, Const) else None
    return may_be_taken(it, folded, None) and may_be_taken(it, split, number)


def _both_happen(earlier: Use, later: Use) -> bool:
    """Whether a split and a fold are on one path, and not what one call, of which a summary tells, does itself."""
    return not excluded(earlier.guards, later.guards) and not (
        earlier.node is later.node and earlier.via is not None and later.via is not None
    )


def _report_fold(it: Interpreter, key: KeyId, use: Use, earlier: Use) -> None:
    """Like a reuse, it stands in the innermost function that sees both, or in one that this one has inside."""
    if it.ask_program(splits_otherwise):
        return
    shown = _shown_call(use, _shared(use, earlier))
    frame, node = (it.frame, use.node) if shown is None else shown[:2]
    around = _node_of(frame)
    if around is not None and frame.scope is it.frame.scope and contains(around, use.node):
        frame, node = it.frame, use.node
    it.emit(events.SplitAndFold(node, key, earlier, as_written(it, frame, node, key)), frame.scope, frame=frame)


def _may_meet(it: Interpreter, folded: Value | None, count: Value | None) -> bool:
    """Whether fold_in(key, folded) is one of the children of split(key, count): a small number is."""
    if isinstance(folded, Const) and isinstance(folded.value, int):
        return isinstance(count, Const) and isinstance(count.value, int) and 0 <= folded.value < count.value
    if isinstance(folded, Static):
        beyond = folded.least is not None and isinstance(count, Const) and folded.least >= count.value
        return folded.kind == "int" and not folded.of_shape and not beyond
    if isinstance(folded, Opaque):
        function = it.activation.function
        return function is not None and any(folded.text == parameter.arg for parameter in function.node.args.args)
    return isinstance(folded, (Array, Tree))


def child(it: Interpreter, parent: KeyId, selector: Any, text: str, node: ast.AST) -> KeyId:
    """The part of ``parent`` that ``selector`` names; the same selector gives the same identity."""
    return parent.part(selector, text, (it.frame.scope, node), known=True)


def element(it: Interpreter, batch: Key, index: Value, node: ast.AST) -> Key:
    """keys[index]: equal constants (negative ones normalised) and the same variable give the same key."""
    selector = _selector(index)
    if isinstance(index, Const) and isinstance(index.value, int) and index.value < 0 and batch.size is not None:
        selector = ("const", index.value + batch.size)
    ident = child(it, batch.ident, _pass_of(it, batch, index) or ("item", selector), "element of a key array", node)
    dims = batch.dims - 1
    return Key(ident, dims > 0, None, batch.level, batch.provenance, batch.typed, dims, batch.ranked)


def _pass_of(it: Interpreter, batch: Key, index: Value) -> tuple[str, object] | None:
    """The selector for what a pass gets where the index counts the passes of a loop, and each comes here: those of one
    that has as many as there are keys get them all."""
    counts = _count_of_pass(it, index)
    if counts is None:
        return None
    return ("pass", counts.number) if counts.many in many_of(batch) else ("item", (COUNTED, counts.number))


def _count_of_pass(it: Interpreter, number: Value) -> Counts | None:
    """What a number counts, if each pass of a loop that begins at 0 comes here."""
    counts = number.counts if isinstance(number, Static) else None
    return None if counts is None or counts.guards != it.state.lasting_guards else counts


def many_of(batch: Key) -> tuple[Any, ...]:
    """The identities of the number of keys in an array of them: what `split` was given, and the first of the shape."""
    shape = ((batch.ident, "shape"), ("item", 0))
    return (shape,) if batch.ident.many is None else (batch.ident.many, shape)


def fresh(
    it: Interpreter, text: str, node: ast.AST, batch: bool = False, size: int | None = None, seed: AnySeed | None = None
) -> Key:
    """A key nobody has used."""
    ident = KeyId(text, (it.frame.scope, node), known=True, seed=seed)
    ident.lane = it.ctx.mapped
    return Key(ident, batch, size)


def in_whole(batch: Key, index: Value) -> tuple[Key, Const] | None:
    """The array of which ``batch`` is a slice, and the place there of what it has at ``index``, if that is known."""
    place = place_in_whole(batch.ident, index.value if isinstance(index, Const) else None)
    if place is None or batch.ident.parent is None:
        return None
    level, reason, typed = batch.level, batch.provenance, batch.typed
    return Key(batch.ident.parent, True, None, level, reason, typed, batch.dims, batch.ranked), Const(place)


def _selector(value: Value) -> Any:
    return ("const", value.value) if isinstance(value, Const) else ("value", value.identity)


def with_alternatives(key: KeyId) -> list[KeyId]:
    """The key, and those that it may be: who uses it may use any of them."""
    found = [key]
    if key.parent is not None and is_any_element(key):
        found.extend(key.parent.alternatives)
    for ident in found:
        for option in ident.alternatives:
            if option.origin not in found and len(found) < MOST_ALTERNATIVES.value:
                found.append(option.origin)
    return found


def within_limit(uses: tuple[Use, ...]) -> tuple[Use, ...]:
    """Of too many uses some go: those that may draw nothing first, then those after the first one, which is on most
    paths."""
    surplus = len(uses) - REMEMBERED.value
    if surplus <= 0:
        return uses
    weak = [number for number, use in enumerate(uses) if use.how in WEAK][:surplus]
    others = [number for number in range(1, len(uses)) if number not in weak][: surplus - len(weak)]
    return tuple([use for number, use in enumerate(uses) if number not in weak and number not in others])


def _earlier_uses(it: Interpreter, key: KeyId, use: Use) -> list[Use]:
    """The consumptions of ``key``, of a whole it is part of, or of a part of it, that reach ``use``.

    First those that are seen, then those that may draw nothing; of these first those on every path, those of the same
    pass or place, and the nearest.
    """
    uses, found, now = it.state.uses, [], by_subject(use.guards)
    exclusive: dict[frozenset[Guard], bool] = {}  # uses by the hundred are on few paths
    for ident in (*relatives(key), *_in_all_options(it, key)):
        for earlier in uses.get(ident, ()):
            if earlier.guards not in exclusive:
                exclusive[earlier.guards] = excluded(earlier.guards, now)
            if earlier.how == FOLD or exclusive[earlier.guards]:
                continue
            if _is_its_keeper(earlier, use) or _is_one(earlier, use):
                continue
            if (earlier.how == NAMED) != (use.how == NAMED):
                continue
            if AGAIN in (earlier.how, use.how) and not {earlier.how, use.how} & STRONG:
                if not (are_alike(earlier, use) and is_drawn(earlier) and is_drawn(use)):
                    continue  # nobody was seen drawing, and the code could have been
            found.append(earlier)
    return sorted(found, key=lambda earlier: _weight(earlier, use), reverse=True)


def _in_all_options(it: Interpreter, key: KeyId) -> list[KeyId]:
    """The same part of each of the arrays that its array may be, with what has to do with it, if something of each has
    been used."""
    if key.parent is None or not key.parent.alternatives or is_any_element(key):
        return []
    arrays = [one for one in with_alternatives(key.parent)[1:] if not one.alternatives]
    found = [relatives(one.part(key.selector, key.text, key.site)) for one in arrays]
    is_each = all(any(it.state.uses.get(ident) for ident in part) for part in found)
    return [ident for part in found for ident in part] if is_each else []


def _weight(earlier: Use, later: Use) -> tuple[bool, bool, bool, int]:
    # What a pass does again needs no other use.
    is_plain = earlier.node is later.node or loop_between(earlier, later) is None
    return earlier.how in STRONG, earlier.guards <= later.guards, is_plain, earlier.order


def _is_one(earlier: Use, later: Use) -> bool:
    """Whether one call, of which a summary tells, does both: they have met in its body."""
    again = earlier.via is not None and later.via is not None and earlier.node is later.node
    return again and earlier.loops == later.loops and earlier.calls == later.calls


def _is_its_keeper(earlier: Use, later: Use) -> bool:
    """The object that was given the key is the one that uses it now."""
    return isinstance(earlier.data, Instance) and earlier.data in later.receivers


def _receivers(it: Interpreter) -> tuple[Value, ...]:
    """The objects whose methods are running."""
    frames = [it.frame, *(site[0] for site in it.calls)]
    return tuple(
        frame.function.receiver
        for frame in frames
        if frame.function is not None and isinstance(frame.function.receiver, Instance)
    )


def _keeper(
    it: Interpreter, key: KeyId, use: Use, earlier: Use, shared: int
) -> tuple[Function, ast.AST, ast.AST] | None:
    """The method that both uses of a key are in, and where each is, if the object that it is called on keeps the key.

    Of the calls that led to the uses ``shared`` are common to both; the next ones are of one function.
    """
    below = use.calls[shared + 1 :]
    before = _places_in(earlier, shared + 1)
    frames, nodes = [*(call[0] for call in below), it.frame], [*(call[1] for call in below), use.node]
    for frame, node in zip(frames, nodes):
        method = frame.function
        if method is not None and method.node in before and isinstance(method.receiver, Instance):
            if _holds(it, method.receiver, key) and not _is_given(it, frame, method, key):
                return method, node, before[method.node]
    return None


def _places_in(use: Use, first: int) -> dict[ast.AST | None, ast.AST]:
    """The functions that a use is in, below the ``first`` calls, with where it is in each."""
    found: dict[ast.AST | None, ast.AST] = {}
    calls = use.calls[first:]
    inner: Use | None = use
    while inner is not None:
        for frame, node, _, _ in calls:
            found.setdefault(_node_of(frame), node)
        found.setdefault(inner.function, inner.node)
        inner = inner.via
        calls = inner.calls if inner is not None else ()
    return found


def _holds(it: Interpreter, owner: Value, key: KeyId) -> bool:
    return any(key_of(value) is key for value in it.state.read(owner).values())


def _is_given(it: Interpreter, frame: Frame, function: Function, key: KeyId) -> bool:
    """Whether a function has a key as an argument, whatever else keeps it."""
    variables = it.state.read(frame)
    named = (variables.get(argument.arg) for argument in parameters(function.node))
    return any(value is not None and key_of(value) is key for value in named)


def take_back(it: Interpreter, owner: Instance, held: Value) -> None:
    """Who reads a key off the object that keeps it, to use it instead of the object, was given it by no other way."""
    if not isinstance(held, Key) and not (isinstance(held, Opaque) and held.has_key):
        return
    ident = held.ident if isinstance(held, Key) else held.key
    uses = it.state.uses.get(ident, ())
    others = tuple(use for use in uses if use.data is not owner or use.how != HANDED)
    lent = it.state.lent.get(owner)
    if (len(others) < len(uses) or isinstance(lent, LentCell)) and owner not in _receivers(it):
        if len(others) < len(uses):
            it.state.uses[ident] = others
        if isinstance(lent, LentCell):
            lent.lender.taken_back[owner, ident.origin] = held


def relatives(key: KeyId) -> list[KeyId]:
    """Identities whose consumption spends ``key``: itself, batches that contain it, elements of it."""
    found = [key]
    part, parent = key, key.parent
    while parent is not None and part.is_item:
        found.append(parent)
        if covers(key, part):
            others = [other for other in parent.parts.values() if other is not part and share(part, other)]
            found += [one for other in others for one in (other, *_items(other)) if covers(one, other)]
        part, parent = parent, parent.parent
    return [*found, *_items(key)]


def _items(key: KeyId) -> Iterator[KeyId]:
    """The elements of a key that is an array of them, and theirs."""
    stack = [key]
    while stack:
        for item in stack.pop().parts.values():
            if item.is_item:
                yield item
                stack.append(item)


def _each(loop: ast.AST | None) -> str:
    if loop is None:
        return ""
    return "leaf" if is_tree_map(loop) else "pass"
