"""Containers of Python's `collections`, `dict.fromkeys` and queues: an ordered dict is a dict, and of the entries that
a default dict makes and of what is in a deque or queue nothing is known but which objects keep it."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import ANY, NONE, External, Opaque, Value
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.objects import containers
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.models.objects.leaves import UNORDERED, no_leaf
from jaxlint.flow.models.python import builtin_calls
from jaxlint.flow.port import Interpreter


def ordered_dict(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    made = builtin_calls.call_builtin(it, "dict", args, node)
    return Opaque("an ordered dict") if no_leaf(it, made) == UNORDERED else made  # JAX sorts the keys of others


def default_dict(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """A dict, each entry of which nobody has set is, as far as is known, the one list, dict or set that stands for all
    that it makes."""
    rest = Arguments(args.positional[1:], args.named, open_ended=args.open_ended)
    made = builtin_calls.call_builtin(it, "dict", rest, node)
    factory = args.get(0, "default_factory")
    kind = factory.name.removeprefix("builtins.") if isinstance(factory, External) else ""
    entry = containers.make(it, kind, None) if kind in ("list", "dict", "set") else Opaque("an entry")
    it.state.write(made)[ANY] = entry
    return made


def from_keys(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """One object under each of some names."""
    if args.open_ended or args.named or len(args.positional) not in (1, 2):
        return Opaque("a dict")
    value = args.positional[1] if len(args.positional) == 2 else NONE
    names = known_items(it, args.positional[0], KNOWN_ITEMS.value)
    made = containers.make(it, "dict", [])
    for one in names or ():
        containers.put(it, made, one, value)
    if names is None:
        it.state.write(made)[ANY] = value
    return made


def deque(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    return containers.make(it, "deque", None)


def counter(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    return containers.make(it, "counter", None)


def queue(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    return containers.make(it, "queue", None)


BY_NAME = {
    "builtins.dict.fromkeys": from_keys,
    "collections.OrderedDict": ordered_dict,
    "collections.defaultdict": default_dict,
    "collections.deque": deque,
    "collections.Counter": counter,
    **dict.fromkeys((f"queue.{kind}" for kind in ("Queue", "LifoQueue", "PriorityQueue", "SimpleQueue")), queue),
}
