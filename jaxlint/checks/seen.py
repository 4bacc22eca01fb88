"""What the expressions of some files are, noted while the program is analysed for its findings.

    seen = Seen([path])
    findings = analyse(program, settings, watch=seen.watch)
    seen.views(node)

Only what tells one way from another is kept of each; words are made when somebody asks.  `jaxlint why` runs every call
in its place to tell of all ways to a line; here what a summary stands for is seen once for each kind of call.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass

from jaxlint.checks.base import traced_since, used_at
from jaxlint.checks.run import on_deep_stack
from jaxlint.checks.why import NobodyWaits, describe, transforms_around
from jaxlint.flow.domain.contexts import Context
from jaxlint.flow.domain.state import Use
from jaxlint.flow.domain.values import (
    CONCRETE,
    GRAD,
    Array,
    ClassValue,
    Const,
    External,
    Frame,
    Function,
    HostArray,
    Key,
    KeyId,
    Method,
    ModuleScope,
    ModuleValue,
    Opaque,
    Partial,
    Ref,
    Static,
    Stream,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.engine.entries import Engine
from jaxlint.flow.engine.machine import Machine
from jaxlint.flow.models.keys.keys import is_known_key, key_of
from jaxlint.flow.port import Interpreter
from jaxlint.project.program import Program
from jaxlint.vocabulary.findings import Location, Reason

Under = tuple[str, ...]
"""The transforms that code runs under, innermost first; none where it runs eagerly."""


class Kind(enum.Enum):
    """What JAX makes of a value.

    ``TRACED``: it is a tracer, or holds one.  ``STATIC``: Python that tracing never touches, as numbers, shapes and
    functions are.  ``CONCRETE``: an array with its numbers.  ``MIXED``: different things on different ways.
    """

    TRACED = "traced"
    STATIC = "static"
    CONCRETE = "concrete"
    MIXED = "mixed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class KeyUse:
    """Something that is done with a key: ``how`` is draw, split, fold or handed (to code that is not followed).

    ``location`` is the expression that does it, ``callee`` the function that it calls, ``steps`` lead from there to the
    function of jax.random.
    """

    how: str
    location: Location
    callee: str
    steps: Reason


@dataclass(frozen=True, slots=True)
class KeyView:
    """What is known of a PRNG key: where it was ``made``, and its uses.

    ``before`` are those on the ways that lead here, ``uses`` all that were seen.  ``constant``: it is made of a seed
    that stands in the code.
    """

    made: Location | None
    constant: bool
    before: tuple[KeyUse, ...]
    uses: tuple[KeyUse, ...]


@dataclass(frozen=True, slots=True)
class View:
    """What an expression is under some transforms.

    ``what`` says it as `jaxlint why` does, ``since`` why it is traced, oldest step first.  ``name`` is the qualified
    name of a function, class or module outside of the program.  ``knows_value``: a tracer of plain `jax.grad`.
    """

    what: str
    kind: Kind
    since: Reason
    under: Under
    name: str = ""
    knows_value: bool = False
    key: KeyView | None = None


@dataclass(slots=True)
class _Note:
    value: Value
    under: Under
    before: tuple[Use, ...] = ()


_MAY_BE_KEYS = (Array, Key, Opaque, Tree)


class Seen:
    """Notes what expressions of the files ``paths`` are, until ``cancelled()`` says that nobody waits for it."""

    def __init__(self, paths: Collection[str], cancelled: Callable[[], bool] = lambda: False) -> None:
        self._paths = frozenset(paths)
        self._cancelled = cancelled
        self._notes: dict[ast.AST, dict[Hashable, _Note]] = {}
        self._functions: dict[ast.AST, dict[Under, None]] = {}
        self._uses: dict[KeyId, dict[Use, None]] = {}
        self._frames: set[Frame] = set()
        self._under: dict[Context, Under] = {}

    def watch(self, interpreter: Interpreter) -> None:
        """From now on takes note of what the interpreter evaluates, and of what is done with keys."""
        interpreter.watch, interpreter.used = self._note_value, self._note_use

    def look(self, program: Program, modules: Collection[str] | None = None) -> None:
        """Sees a program run, or some of its modules, of which nobody wants to know the findings."""
        interpreter = Machine(program, {})
        self.watch(interpreter)
        on_deep_stack(Engine(interpreter, modules).run)

    def _note_value(self, scope: ModuleScope, node: ast.AST, value: Value, it: Interpreter) -> None:
        if it.muted or scope.module.path not in self._paths:
            return
        if it.frame not in self._frames:
            if self._cancelled():
                raise NobodyWaits
            self._frames.add(it.frame)
            self._note_function(it)
        self._note(node, value, it)

    def _note_use(self, key: KeyId, use: Use) -> None:
        if use.scope.module.path in self._paths:
            self._uses.setdefault(key.origin, {})[use] = None

    def views(self, node: ast.AST) -> tuple[View, ...]:
        """What is known of a node; nothing of one that is never evaluated."""
        return tuple(self._view(note) for note in self._notes.get(node, {}).values())

    def contexts(self, function: ast.AST) -> tuple[Under, ...]:
        """Under which transforms a function runs; none of one that is not followed."""
        return tuple(self._functions.get(function, ()))

    def _note_function(self, it: Interpreter) -> None:
        """Parameters have values without being evaluated."""
        function = it.frame.function
        if function is None:
            return
        self._functions.setdefault(function.node, {})[self._transforms(it.frame.ctx or it.ctx)] = None
        signature = function.node.args
        named = (*signature.posonlyargs, *signature.args, *signature.kwonlyargs)
        variables = it.state.read(it.frame)
        for parameter in (*named, signature.vararg, signature.kwarg):
            value = variables.get(parameter.arg) if parameter is not None else None
            if parameter is not None and value is not None:
                self._note(parameter, value, it)

    def _note(self, node: ast.AST, value: Value, it: Interpreter) -> None:
        """This is done for every expression, as often as it is evaluated: it has to cost next to nothing."""
        kind = value.__class__
        under = self._under.get(it.ctx) or self._transforms(it.ctx)
        key: Hashable
        if kind is Array:
            key = (kind, value.level, under, value.kind, value.ndim)  # type: ignore[attr-defined]
        elif kind is External:
            key = (value.name, under)  # type: ignore[attr-defined]
        else:
            key = (kind, value.level, under)
        notes = self._notes.get(node)
        if notes is None:
            notes = self._notes[node] = {}
        note = notes.get(key)
        if note is None:
            note = notes[key] = _Note(value, under)
        elif kind is Const:
            note.value = _either(note.value, value)
        if kind in _MAY_BE_KEYS and is_known_key(value) and (ident := key_of(value)) is not None:
            before = it.state.uses.get(ident.origin, ())
            note.before = tuple(dict.fromkeys((*note.before, *before)))

    def _transforms(self, context: Context) -> Under:
        known = self._under.get(context)
        if known is None:
            known = self._under[context] = tuple(transforms_around(context))
        return known

    def _view(self, note: _Note) -> View:
        value = note.value
        ident = key_of(value) if is_known_key(value) else None
        name = value.name if isinstance(value, External) else ""
        key = None if ident is None else self._key(ident, note.before)
        return View(describe(value), kind_of(value), _since(value), note.under, name, value.level == GRAD, key)

    def _key(self, ident: KeyId, before: tuple[Use, ...]) -> KeyView:
        made = ident.site[0].location(ident.site[1]) if ident.site is not None else None
        is_constant = ident.seed is not None and ident.parent is None
        uses = dict.fromkeys((*before, *self._uses.get(ident.origin, ())))
        return KeyView(made, is_constant, _told(before), _told(uses))


def _since(value: Value) -> Reason:
    """Why a value is traced, or else the part of it that is by the shortest way."""
    if value.level != CONCRETE:
        return traced_since(value)
    parts = value.items if isinstance(value, Tuple) else value.options if isinstance(value, Union) else ()
    return shortest(filter(None, map(_since, parts)))


def shortest(ways: Iterable[Reason]) -> Reason:
    """The shortest of several reasons, of two the one whose places come first; an empty one where there is none."""
    return min(ways, key=lambda way: (len(way), [(step.location, step.message) for step in way]), default=())


def _told(uses: Collection[Use]) -> tuple[KeyUse, ...]:
    """Uses in the order of their places, each once."""
    told: dict[KeyUse, None] = {}
    for use in uses:
        how = use.how if use.how in ("draw", "split", "fold") else "handed"
        told[KeyUse(how, use.scope.location(use.node), use.callee, used_at(use))] = None
    return tuple(sorted(told, key=lambda use: use.location))


def _either(one: Value, other: Value) -> Value:
    """A constant that is the same on both ways, or what is left of it."""
    if isinstance(one, Const) and isinstance(other, Const):
        same = type(one.value) is type(other.value)
        if same and one.value == other.value:
            return one
        return Static(type(one.value).__name__ if same else "")
    return one


def kind_of(value: Value) -> Kind:
    """What JAX makes of a value: of one with known parts, of all of them."""
    if isinstance(value, Tuple):
        parts = {kind_of(item) for item in value.items} - {Kind.STATIC}
        if not parts:
            return Kind.STATIC
        return Kind.TRACED if Kind.TRACED in parts else parts.pop() if len(parts) == 1 else Kind.UNKNOWN
    if isinstance(value, Union):
        options = {kind_of(option) for option in value.options}
        return options.pop() if len(options) == 1 else Kind.MIXED
    if value.level != CONCRETE:
        return Kind.TRACED
    if isinstance(value, (Array, HostArray, Key, Stream, Ref)):
        return Kind.CONCRETE
    return Kind.STATIC if value.is_static or isinstance(value, _CODE) else Kind.UNKNOWN


_CODE = (ClassValue, External, Function, Method, ModuleValue, Partial, Transformed)
