"""Two uses of a key of which the second makes the same numbers again, or cannot, and what it is there for.

Flax folds the path of each submodule, and a count, into a key before it draws: two modules, or two methods of one, come
to the same numbers only where their submodules have the same paths and shapes.  One function that makes parameters
twice does: for a copy that is kept, such as a target network.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain.state import Use
from jaxlint.flow.models.keys.meant import Body, Pair, body_of, contains, is_init, names_bound
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants


def are_folded_apart(it: Interpreter, earlier: Use, later: Use) -> bool:
    """Whether two uses that fold names into the key are calls of different modules or methods, as far as they say."""
    uses = (earlier.innermost, later.innermost)
    calls = [use.node for use in uses if isinstance(use.node, ast.Call)]
    if uses[0].node is uses[1].node or len(calls) < 2:
        return uses[0].node is not uses[1].node
    if ast.dump(calls[0].func) == ast.dump(calls[1].func):
        return _method(calls[0]) != _method(calls[1])
    first, second = (_made_by(it, use, call) for use, call in zip(uses, calls))
    # Twins have the same submodules: they come to the same numbers.
    return bool(first and second) and first.isdisjoint(second)


def are_alike(earlier: Use, later: Use) -> bool:
    """Whether two uses are calls of one function that go through it in one way, as far as they say: they pass the same
    parameters, and what is written out for one is written out for the other."""
    first, second = (_by_place(use.innermost.node) for use in (earlier, later))
    if not first or first.keys() != second.keys():
        return False
    written = [place for place in first if ast.Constant in (type(first[place]), type(second[place]))]
    return all(ast.dump(first[place]) == ast.dump(second[place]) for place in ("called", *written))


def _by_place(call: ast.AST) -> dict[object, ast.expr]:
    """What is called, and what is passed at each place or by each name."""
    if not isinstance(call, ast.Call):
        return {}
    found: dict[object, ast.expr] = {"called": call.func}
    found.update(enumerate(call.args))
    found.update((("by name", keyword.arg), keyword.value) for keyword in call.keywords)
    return found


def _made_by(it: Interpreter, use: Use, call: ast.Call) -> frozenset[str]:
    """The classes or functions that have made the module of which a method is called, by the text around it."""
    module = call.func.value if isinstance(call.func, ast.Attribute) else None
    if isinstance(module, ast.Call):
        return frozenset((dotted(module.func),))
    return it.ask_text(use.scope, _makers, dotted(module)) if module is not None else frozenset()


def _makers(scope: ModuleText, name: str) -> frozenset[str]:
    """What a module of Python calls to make what it binds to a name or an attribute."""
    made = set()
    for part in descendants(scope.tree) if scope.tree is not None and name else ():
        if isinstance(part, (ast.Assign, ast.AnnAssign)) and isinstance(part.value, ast.Call):
            targets = part.targets if isinstance(part, ast.Assign) else [part.target]
            if any(dotted(target) == name for target in targets if isinstance(target, (ast.Name, ast.Attribute))):
                made.add(dotted(part.value.func))
    return frozenset(made)


def make_parameters(*uses: Use) -> bool:
    """Whether a library makes parameters with the key in the end."""
    return all(is_init(use.innermost.callee) for use in uses)


def _method(call: ast.Call) -> str | None:
    """What `apply` is told to run, if that is no `__call__`."""
    return next((ast.dump(keyword.value) for keyword in call.keywords if keyword.arg == "method"), None)


def _is_one_call(pair: Pair) -> bool:
    return pair.earlier is not pair.later and ast.dump(pair.earlier) == ast.dump(pair.later)


def is_kept_beside(pair: Pair) -> bool:
    """Whether one call is made twice, and of one of the results, which is only kept, nothing more is made there, while
    something is made of the other."""
    if pair.repeats or not _is_one_call(pair):
        return False
    body = body_of(pair.scope, pair.root)
    names = [_name_for(body, pair.earlier), _name_for(body, pair.later)]
    if "" in names or names[0] == names[1]:
        return False
    first, second = (list(_read(body, pair.later, name)) for name in names)
    return _makes_more(first, second) or _makes_more(second, first)


def _makes_more(some: list[ast.AST | None], others: list[ast.AST | None]) -> bool:
    """Whether one result is given to calls, and the other only to a tuple or the like."""
    are_kept = all(reader is not None and not isinstance(reader, ast.Call) for reader in others)
    return are_kept and any(isinstance(reader, ast.Call) for reader in some)


def _name_for(body: Body, call: ast.AST) -> str:
    """What is given the result of a call: a variable, or an attribute."""
    statement = body.around(call)
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is not call:
        return ""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return dotted(targets[0]) if len(targets) == 1 and isinstance(targets[0], (ast.Name, ast.Attribute)) else ""


def _read(body: Body, after: ast.AST, name: str) -> Iterator[ast.AST | None]:
    """What reads a variable or attribute after both calls: the call or display that it is handed to as it is, or None
    for anything else."""
    start = body.around(after)
    for statement in body.leaves(start) if start is not None else ():
        if contains(statement, after):
            continue
        for part in descendants(statement):
            for held in _held(part):
                if isinstance(held, (ast.Name, ast.Attribute)) and isinstance(held.ctx, ast.Load):
                    if dotted(held) == name:
                        yield part if isinstance(part, (ast.Call, ast.Tuple, ast.List, ast.Dict)) else None


def _held(node: ast.AST) -> list[ast.AST]:
    """The nodes right inside another one; what a call gets by name is right inside it."""
    if isinstance(node, ast.Call):
        return [node.func, *node.args, *(keyword.value for keyword in node.keywords)]
    return [] if isinstance(node, ast.keyword) else list(ast.iter_child_nodes(node))


def is_value_of_gradient(pair: Pair) -> bool:
    """Whether one call differentiates what the other one calls, with the same arguments: at the numbers that the value
    is of."""
    calls = (pair.earlier, pair.later)
    if pair.repeats or not all(isinstance(call, ast.Call) for call in calls):
        return False
    first, second = (call for call in calls if isinstance(call, ast.Call))
    body = body_of(pair.scope, pair.root)
    if calls not in body.values:
        body.values[calls] = _arguments(first) == _arguments(second) and (
            _is_of(body, first.func, second.func) or _is_of(body, second.func, first.func)
        )
    return body.values[calls]


def _is_of(body: Body, differentiated: ast.expr, function: ast.expr) -> bool:
    """Whether what is called is `grad(function)`, also by a name that it has got."""
    if isinstance(differentiated, ast.Name):
        made = [
            one.value for one in body.leaves() if isinstance(one, ast.Assign) and differentiated.id in names_bound(one)
        ]
        differentiated = made[0] if len(made) == 1 else differentiated
    if not isinstance(differentiated, ast.Call) or not differentiated.args:
        return False
    is_grad = dotted(differentiated.func).rpartition(".")[2] in _GRADIENTS
    return is_grad and ast.dump(differentiated.args[0]) == ast.dump(function)


_GRADIENTS = frozenset(("grad", "value_and_grad", "jacfwd", "jacrev", "hessian"))


def _arguments(call: ast.Call) -> list[str]:
    return [ast.dump(part) for part in (*call.args, *call.keywords)]
