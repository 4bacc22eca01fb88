"""Whether a loop does one experiment with several settings, each with the key of the run.

    for run in range(runs):
        key = jax.random.key(run)
        for kind in ["post-norm", "pre-norm"]:
            state = init(key, kind)
            losses = train(state, data)
            results.append((kind, losses))

The number of the run is the seed, so that the same numbers are meant for all settings; and what a pass makes with the
key stays in that pass.  Parameters that are kept side by side, or a state that each pass goes on with, are no arms.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain.state import Use, loop_between
from jaxlint.flow.domain.values import KeyId
from jaxlint.flow.models.keys.meant import Body, Pair, body_of, contains, names_bound, names_loaded, own_parts
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants


def are_arms(pair: Pair, key: KeyId, earlier: Use, later: Use) -> bool:
    """Whether a call that each pass of a loop makes with one key is made for several settings of one run."""
    loop, call = loop_between(earlier, later), pair.later
    if not pair.repeats or not isinstance(loop, ast.For) or not isinstance(call, ast.Call) or pair.later_callee:
        return False
    body = body_of(pair.scope, pair.root)
    start = body.around(call)
    is_set = isinstance(start, ast.Assign) and start.value is call and contains(loop, start)
    if not is_set or start is None or not _names_settings(pair, body, loop.iter) or not _is_of_run(pair, key, loop):
        return False
    chosen = {part.id for part in (loop.target, *descendants(loop.target)) if isinstance(part, ast.Name)}
    if chosen.isdisjoint(names_loaded(descendants(call))):
        return False
    made = names_bound(start)
    return bool(made) and _stays_inside(pair, body, loop, start, made) and not _is_carried(body, loop, start, made)


def _names_settings(pair: Pair, body: Body, items: ast.expr) -> bool:
    """Whether a loop goes through a display of texts, also by the one name that it has."""
    if isinstance(items, ast.Name):
        tree = pair.scope.tree
        bodies = [body] if tree is None or tree is pair.root else [body, body_of(pair.scope, tree)]
        set_by = [statement for one in bodies for statement in one.statements if items.id in names_bound(statement)]
        if len(set_by) != 1 or not isinstance(set_by[0], ast.Assign):
            return False
        items = set_by[0].value
    if not isinstance(items, (ast.Tuple, ast.List)):
        return False
    return all(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in items.elts)


def _is_of_run(pair: Pair, key: KeyId, loop: ast.For) -> bool:
    """Whether the key is made of the number that a loop around counts."""
    if key.site is None or key.site[0] is not pair.scope:
        return False
    made = key.site[1]
    if not isinstance(made, ast.Call) or len(made.args) != 1 or not isinstance(made.args[0], ast.Name):
        return False
    number = made.args[0].id
    for outer in body_of(pair.scope, pair.root).statements:
        if isinstance(outer, ast.For) and outer is not loop and contains(outer, loop) and contains(outer, made):
            if isinstance(outer.target, ast.Name) and outer.target.id == number:
                return True
    return False


def _stays_inside(pair: Pair, body: Body, loop: ast.For, start: ast.stmt, made: set[str]) -> bool:
    """Whether what the call has made is only given to functions, in the pass that has made it."""
    for statement in body.statements:
        names = made & names_loaded(own_parts(statement))
        if not names or statement is start:
            continue
        if not contains(loop, statement) or statement.lineno < start.lineno:
            return False
        value = getattr(statement, "value", None)
        is_given = isinstance(statement, ast.Assign) and bool(names_bound(statement))
        is_shown = isinstance(statement, ast.Expr) and isinstance(value, ast.Call) and _is_function(pair, value.func)
        if not isinstance(value, ast.Call) or not (is_given or is_shown):
            return False
        if not all(any(name in _given(call) for call in _calls(value)) for name in names):
            return False
    return True


def _calls(value: ast.AST) -> Iterator[ast.Call]:
    return (part for part in (value, *descendants(value)) if isinstance(part, ast.Call))


def _given(call: ast.Call) -> set[str]:
    """The names of what a call is given, or an attribute of it."""
    parts = (*call.args, *(word.value for word in call.keywords))
    return {dotted(part).partition(".")[0] for part in parts if isinstance(part, (ast.Name, ast.Attribute))}


def _is_function(pair: Pair, function: ast.expr) -> bool:
    """Whether what is called is a function that is printed with or imported, and no method of an object."""
    tree = pair.scope.tree
    imports = (part for part in descendants(tree) if isinstance(part, (ast.Import, ast.ImportFrom))) if tree else ()
    known = {(alias.asname or alias.name).partition(".")[0] for one in imports for alias in one.names}
    return dotted(function).partition(".")[0] in known | {"print"}


def _is_carried(body: Body, loop: ast.For, start: ast.stmt, made: set[str]) -> bool:
    """Whether the next pass goes on with something that was computed of it."""
    inside = [one for one in body.statements if one is not start and one is not loop and contains(loop, one)]
    reached, derived = set(made), dict[str, ast.stmt]()
    grows = True
    while grows:
        steps = [one for one in inside if not reached.isdisjoint(names_loaded(own_parts(one)))]
        found = {name: one for one in steps for name in _bound(one) - made}
        grows = not found.keys() <= reached
        derived.update(found)
        reached |= found.keys()
    setting = set(derived.values())
    return any(
        name in derived and derived[name].lineno >= statement.lineno
        for statement in setting
        for name in names_loaded(own_parts(statement)) | (_bound(statement) if _adds(statement) else set())
    )


def _adds(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.AugAssign)


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement sets, or of whose objects it sets a part."""
    if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return {part.id for one in targets for part in (one, *descendants(one)) if isinstance(part, ast.Name)}
    return set()
