"""Splits of keys that are in the text, and names for the children of new ones."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from jaxlint.fixes.arrays import names_in
from jaxlint.fixes.bindings import declared_outer, is_free_at, is_read, loads, scope_of, stores
from jaxlint.fixes.imports import bound_in
from jaxlint.fixes.source import Source
from jaxlint.flow.source.trees import breadth_first
from jaxlint.vocabulary.findings import Edit


@dataclass
class Split:
    """`a, b = split(key)`: as many names as there are children."""

    statement: ast.Assign
    call: ast.Call
    targets: list[ast.Name]

    @property
    def names(self) -> list[str]:
        return [target.id for target in self.targets]

    @property
    def parent(self) -> ast.expr:
        return self.call.args[0]

    def counted(self, source: Source, count: int) -> Edit:
        """The edit that makes it so many children."""
        if len(self.call.args) == 2:
            return source.replace(self.call.args[1], str(count))
        if self.call.keywords:
            return source.replace(self.call.keywords[0].value, str(count))
        return source.insert(source.offsets(self.parent)[1], f", {count}")


def split_of(source: Source, statement: ast.stmt) -> Split | None:
    """The split that a statement is, if it is one into as many names."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Call(args=[_, *count], keywords=options) as call):
            pass
        case _:
            return None
    names = [target for target in targets if isinstance(target, ast.Name)]
    options_known = all(option.arg == "num" for option in options)
    given = [*count, *(option.value for option in options)]
    if not source.text(call.func).endswith("split") or len(names) != len(targets) or not options_known:
        return None
    number = given[0] if given else ast.Constant(2)
    is_known = len(given) <= 1 and isinstance(number, ast.Constant) and number.value == len(names)
    return Split(statement, call, names) if is_known else None


def unused(source: Source, split: Split) -> list[ast.Name]:
    """The children of a split that nothing reads."""
    once = Counter(split.names)
    outer = source.once(declared_outer, scope_of(source, split.statement))
    return [
        target
        for target in split.targets
        if target.id != "_"
        and once[target.id] == 1
        and target.id not in outer
        and not is_read(source, target.id, split.statement, split.parent)
    ]


def names_for(
    source: Source, key: str, uses: Sequence[tuple[ast.Call, ast.expr]], at: ast.stmt, taken: set[str]
) -> list[str]:
    """Names for a child for each use, which mean nothing else in the function: what the use is for, and `_key`.

    They are added to ``taken``, which has those that are meant for others.
    """
    word = "rng" if "rng" in key.rpartition(".")[2].lower() else "key"
    shape = f"{word}_{{}}" if source.once(_puts_first, source) else f"{{}}_{word}"
    found: list[str] = []
    for call, written in uses:
        stems = _stems(source, call, written)
        candidates = [shape.format(stem) for stem in stems]
        candidates += [f"{candidates[0]}{number}" for number in range(2, len(uses) + len(taken) + 100)]
        name = next(each for each in candidates if each not in taken and _means_nothing(source, each, at))
        taken.add(name)
        found.append(name)
    return found


def _puts_first(source: Source) -> bool:
    """Whether the names of keys in a file begin with what they are, as in `key_noise`, rather than end with it."""
    names = source.once(names_in, source.tree)
    first = sum(name.startswith(("key_", "rng_")) for name in names)
    return first > sum(name.endswith(("_key", "_rng")) for name in names)


def usual_name(source: Source, at: ast.stmt) -> str:
    """A name for the child of `key, child = split(key)`, as the file calls it most often.

    Names that say what one child is for, or that it is several keys, are not for others.
    """
    usual = source.once(_usual_name, source)
    children = source.once(_children, scope_of(source, at))
    if usual in children and is_free_at(source, usual, at):
        return usual
    candidates = (usual, *(f"{usual}{number}" for number in range(2, 1000)))
    return next(name for name in candidates if _means_nothing(source, name, at))


def _means_nothing(source: Source, name: str, at: ast.stmt) -> bool:
    function = source.function(at)
    is_bound = function is not None and name in source.once(bound_in, function)
    return not is_bound and name not in source.once(names_in, function or source.tree)


def _children(scope: ast.AST) -> set[str]:
    """The names that stand for children of a split, and for nothing else, in a function or module."""
    found: Counter[str] = Counter()
    for node in breadth_first(scope):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(), ast.Name(id=child)])], value=ast.Call()):
                found[child] += 1
            case _:
                pass
    every = stores(scope)
    return {name for name, count in found.items() if count == len(every[name])}


def _usual_name(source: Source) -> str:
    names: Counter[str] = Counter()
    used = source.once(loads, source.tree)
    for node in breadth_first(source.tree):
        match node:
            case ast.Assign(
                targets=[ast.Tuple(elts=[ast.Name(id=key), ast.Name(id=child)])],
                value=ast.Call(func=callee, args=[ast.Name(id=parent), *_]),
            ) if key == parent and source.text(callee).endswith("split"):
                names[child] += 1
            case _:
                pass
    return next((name for name, _ in names.most_common() if name in used and _GENERAL.match(name)), "subkey")


_GENERAL = re.compile(r"(?:_|[a-z](?=_|[\dkr]|$)|sub|new|next|curr?|current|this|use|tmp|child|prng|rng|key|seed|\d)+$")


_KEY_WORDS = re.compile(r"(?:^|_)(?:prng|rng|rngs|key|keys|seed|random|state)(?=_|$)")
_WORD = re.compile(r"[a-z][a-z0-9_]*$")


def _stems(source: Source, call: ast.Call, written: ast.expr) -> list[str]:
    """What a use is for, the best word first: the stream, the argument, what is assigned, what is called."""
    found: list[str] = []
    around = source.parent(written)
    if isinstance(around, ast.Dict):
        label = around.keys[around.values.index(written)]
        found.append(str(label.value) if isinstance(label, ast.Constant) else "")
    elif isinstance(around, ast.keyword):
        found.append(around.arg or "")
    statement = source.statement(call)
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            found.append(name)
        case ast.Assign(targets=[ast.Attribute(attr=name)]):
            found.append(name)
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
            within = (name for name, value in zip(names, values) if call in ast.walk(value))
            found += [name.id for name in within if isinstance(name, ast.Name)]
        case _:
            pass
    called = call.func
    if isinstance(called, ast.Call) and len(called.args) == 1:  # jit(train)(key)
        called = called.args[0]
    if isinstance(called, ast.Attribute):
        found.append(called.attr)
        if called.attr in _PLAIN and isinstance(called.value, (ast.Name, ast.Attribute)):
            found.insert(len(found) - 1, called.value.id if isinstance(called.value, ast.Name) else called.value.attr)
    elif isinstance(called, ast.Name):
        found.append(called.id)
    words = [_KEY_WORDS.sub("", _snake(name)).strip("_") for name in found]
    fit = [word for word in words if _WORD.match(word)]
    return sorted(fit, key=lambda word: len(word) > _LONG) or ["next"]


_LONG = 16
"""Longer words are taken where there is no shorter one."""


_PLAIN = frozenset(("init", "apply", "sample", "__call__"))
"""Methods whose name says less than that of their object."""


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
