"""An interpreter that notes what its results depend on, so that they can be kept while the program changes.

A run is a sequence of *entries*: every statement of a module's body, every transformed function, every other
function (``entries``).  Entries share *summaries*.  While one is evaluated, the tracker notes which
globals it looked for, which functions it looked into and which summaries it used.  A change *touches* some of these;
what depends on them is not good any more.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from jaxlint.flow.domain.contexts import Context
from jaxlint.flow.domain.met import Failure
from jaxlint.flow.domain.state import Cell
from jaxlint.flow.domain.values import (
    ClassValue,
    External,
    Frame,
    Function,
    Lazy,
    ModuleScope,
    ModuleValue,
    Transformed,
    Value,
)
from jaxlint.flow.engine.calling.summaries import family_of
from jaxlint.flow.engine.machine import Listener, Machine
from jaxlint.flow.limits import WORK_LIMIT
from jaxlint.flow.models.jax.roots import place_of
from jaxlint.flow.models.keys.rng_collections import ASKED
from jaxlint.flow.models.names import imports
from jaxlint.flow.models.objects.classes import linearized
from jaxlint.flow.port import EVERY, Answer, Signature
from jaxlint.flow.source.dead import kept_around
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.parts import Untouched
from jaxlint.flow.source.trees import FunctionNode, descendants
from jaxlint.project.edits import TreeEdit
from jaxlint.project.program import Program

Mark = Hashable
"""What can change: a global `(scope, name)`, a function's body (its node), all of a module (its scope), anything in its
text (`(scope, TEXT)`), what that answers (`(scope, (question, about))`), whether ``init`` runs methods of a name (the
name), what `make_rng` is asked for, or something of the `Whole` program."""

TEXT = ""
"""In a mark: no global, but anything in the module's text."""

BODY = "import"
"""In a mark: no global (it is a word of Python's), but that the module was run before what comes after an import."""


class Whole(enum.Enum):
    """In a mark: which classes there are, which modules have to do with references, and what is said of classes that
    are registered as pytrees."""

    CLASSES = enum.auto()
    REFERENCES = enum.auto()
    REGISTRATIONS = enum.auto()


Place = tuple[Any, ...]
Placed = tuple[Place, Transformed, Context, Function]


class Unit:
    """What one evaluation looked at and left behind."""

    __slots__ = ("analysed", "asked", "marks", "stale", "uses")

    def __init__(self) -> None:
        self.marks: dict[Mark, None] = {}
        self.uses: dict[Shared, None] = {}
        self.analysed: set[ast.AST] = set()
        self.asked: dict[ast.AST, bool] = {}  # whether others had analysed a function before
        self.stale = False


class Shared(Unit):
    """A summary, or the attributes that a class's instances start with: evaluated for one entry, used by others.

    ``loud``: its evaluation placed a transform, or reported something that its uses will not: that belongs to the
    first entry that asks.
    ``bound``: its evaluation depends on who asked first (it met a function that was already running, or a limit).
    """

    __slots__ = ("bound", "depth", "loud", "signature", "users", "value", "work")

    def __init__(self, signature: Signature | None, depth: int) -> None:
        super().__init__()
        self.signature: Any = signature
        self.depth = depth
        self.value: Any = None
        self.users: dict[Unit, None] = {}
        self.loud = False
        self.bound = False
        self.work = 0


class Entry(Unit):
    """One step of a run.  ``reports`` is filled by whoever listens to the events.

    ``shown`` are the summaries and ``seen`` the functions that no entry before it knew; the functions count in its unit
    of work, which is that of the module ``home``.
    """

    __slots__ = ("failure", "function", "home", "made", "placed", "reports", "run", "seen", "shown", "subject")

    def __init__(self, subject: Any, function: Function | None = None) -> None:
        super().__init__()
        self.subject = subject
        self.function = function  # that it runs, unless it is a statement
        self.home: ModuleScope | None = None
        self.reports: list[Any] = []
        self.placed: dict[Place, tuple[Transformed, Context, Function]] = {}
        self.made: list[Shared] = []  # what it was the first to ask for
        self.shown: list[Signature] = []
        self.seen: list[ast.AST] = []
        self.failure: Failure | None = None
        self.run: Callable[[Entry], Entry] | None = None  # runs it again in the same place


class Statement(Entry):
    """A statement of a module's body, with what it changed: bindings of the module, other objects, uses of keys.

    ``changed`` are the objects of others that it changed, ``reaches`` the other modules that these may be of.
    ``alone``: it binds definitions and what is imported, and depends on nothing else.
    """

    __slots__ = (
        "alone",
        "cells",
        "changed",
        "deleted",
        "functions",
        "guards",
        "key_uses",
        "names",
        "others",
        "reaches",
        "stars",
        "writes",
    )

    def __init__(self, subject: ast.stmt) -> None:
        super().__init__(subject)
        self.names: dict[Any, Value] = {}
        self.deleted: list[Any] = []
        self.cells: dict[Value, Cell] = {}
        self.key_uses: dict[Any, Any] = {}
        self.guards: frozenset[Any] = frozenset()
        self.stars: list[str] = []
        self.functions: list[Function] = []
        self.others: list[ModuleScope] = []  # modules it looked into, in order
        self.writes = False  # it changed what other statements made
        self.alone = False
        self.changed: set[Value] = set()
        self.reaches: set[ModuleScope] = set()


class _Analysed:
    """The functions analysed so far in this run, and who asked."""

    def __init__(self, tracker: Tracker) -> None:
        self.tracker = tracker
        self.nodes: set[ast.AST] = set()

    def add(self, node: ast.AST) -> None:
        if node not in self.nodes:
            self.nodes.add(node)
            self.tracker.entry.seen.append(node)
        self.tracker.unit.analysed.add(node)

    def update(self, nodes: set[ast.AST]) -> None:
        new = nodes - self.nodes
        if new:
            self.nodes |= new
            self.tracker.entry.seen += new

    def __contains__(self, node: ast.AST) -> bool:
        unit = self.tracker.unit
        if node in unit.analysed:
            return True
        answer = node in self.nodes
        unit.asked[node] = answer
        return answer


class Tracker(Machine):
    """An interpreter that notes what its results depend on."""

    keeps_notes = True

    def __init__(self, program: Program, listeners: dict[type, list[Listener]]) -> None:
        super().__init__(program, listeners)
        self.entry = Entry(None)
        self.unit: Unit = self.entry
        self.open: list[Shared] = []
        self.filling: list[ClassValue] = []  # of which the attributes are being found out
        self.readers: dict[Mark, dict[Unit, None]] = {}
        self.askers: dict[ast.AST, dict[Unit, None]] = {}
        self.shared: dict[Signature, Shared] = {}
        self.replaced: dict[Signature, Shared] = {}
        self.visible: set[Signature] = set()
        self.statements: dict[ast.stmt, Statement] = {}
        self.scope_of_statement: dict[Statement, ModuleScope] = {}
        self.stale_modules: dict[ModuleScope, None] = {}
        # Modules of which a statement was run that changed what others had made, and those that these may be in.
        self.wrote: dict[ModuleScope, set[ModuleScope]] = {}
        self.stale_entries: dict[Entry, None] = {}
        self.answers: dict[ModuleText, dict[tuple[Callable[..., Any], tuple[Hashable, ...]], Any]] = {}
        self.counted = 0
        self.entangled = False
        self.start()

    def start(self, shown: Iterable[Signature] = ()) -> None:
        """Before a run: these summaries have been asked for, and no functions analysed."""
        self.seen = _Analysed(self)
        self.analysed = self.seen  # type: ignore[assignment]
        self.visible = set()
        self.variants = {}
        for signature in shown:
            self.show(signature)
        self.replaced = {}

    # -- what is looked at ------------------------------------------------------------------------

    def lookup(self, name: str) -> Value | None:
        if self.frame.function is None:  # the body of a module or class
            self.unit.marks[self.frame.scope, name] = None
        return super().lookup(name)

    def _global(self, scope: ModuleScope, name: str, value: Value) -> Value:
        self.unit.marks[scope, name] = None
        return super()._global(scope, name, value)

    def note_global(self, scope: ModuleScope, name: str) -> None:
        self.unit.marks[scope, name] = None
        if scope.state == "running" and scope is not self.frame.scope:
            self.entangled = True  # a cycle of imports: what is seen depends on who came first

    def note_import(self, scope: ModuleScope) -> None:
        self.unit.marks[scope, BODY] = None

    def ask_text(self, scope: ModuleText, question: Callable[..., Answer], *about: Hashable) -> Answer:
        known, asked = self.answers.setdefault(scope, {}), (question, about)
        if asked not in known:
            known[asked] = question(scope, *about)
        self.unit.marks[scope, asked] = None
        answer: Answer = known[asked]
        return answer

    def note_text(self, scope: ModuleText) -> None:
        self.unit.marks[scope, TEXT] = None

    def note_around(self, scope: ModuleText, node: ast.AST) -> None:
        bodies = kept_around(scope.tree, node) if scope.tree is not None else []
        if not bodies:
            self.note_text(scope)
        for body in bodies:
            self.unit.marks[body] = None

    def note_class(self, cls: ClassValue) -> None:
        for node in descendants(cls.node):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.unit.marks[node] = None

    def note_classes(self, about: ClassValue | None = None) -> None:
        self.unit.marks[Whole.CLASSES] = None

    def note_references(self) -> None:
        self.unit.marks[Whole.REFERENCES] = None

    def note_registrations(self) -> None:
        self.unit.marks[Whole.REGISTRATIONS] = None

    def note_function(self, function: Function) -> None:
        self.unit.marks[function.node] = None
        self.unit.marks[function.scope] = None

    def run_by_init(self, classes: tuple[str, ...], name: str) -> bool | None:
        self.unit.marks[name] = None
        return super().run_by_init(classes, name)

    def collections_asked_for(self) -> frozenset[str] | None:
        self.unit.marks[ASKED] = None
        return super().collections_asked_for()

    def run_function(self, function: Function, bound: dict[str, Value], unseen: bool = False) -> Value:
        self.note_function(function)
        return super().run_function(function, bound, unseen)

    def note_failure(self, failure: Failure) -> None:
        self.entry.failure = failure

    def is_running(self, node: FunctionNode) -> bool:
        if node not in self.stack:
            return False
        depth = self.stack.index(node)
        for shared in self.open:
            if depth < shared.depth:
                shared.bound = True
        return True

    def defer(self, made: Transformed, function: Function) -> None:
        place = place_of(made, function, self.ctx)
        if place not in self.entry.placed:
            self.entry.placed[place] = (made, self.ctx, function)
            for shared in self.open:
                shared.loud = True

    # -- summaries --------------------------------------------------------------------------------

    def known_summary(self, signature: Signature) -> Any:
        shared = self.shared.get(signature)
        if shared is None or not self.is_good(shared):
            return None
        self._use(shared)
        return shared.value

    def is_good(self, shared: Shared, own: Collection[Shared] = (), met: set[int] | None = None) -> bool:
        """Whether a first run, at this point, would find or make the same; ``own`` are those of who asks.  ``met`` are
        those that are looked at: of functions that call each other the summaries use each other, too."""
        met = set() if met is None else met
        if id(shared) in met:
            return True
        met.add(id(shared))
        if shared.stale or self.shared.get(shared.signature) is not shared:
            return False
        if shared.signature in self.visible:
            return True
        if (shared.loud or shared.bound) and shared not in own:
            return False
        nodes = self.seen.nodes
        if any((node in nodes) is not answer for node, answer in shared.asked.items()):
            return False
        return all(self.is_good(inner, own, met) for inner in shared.uses)

    def summarised(self, sign: Callable[[], Signature], evaluate: Callable[[], Any]) -> Any:
        shared = Shared(None, len(self.stack))
        outer, work, counted, cut = self.unit, self.work, self.counted, self.cut
        reported = len(self.entry.reports)
        shared.bound = bool(self.unstaged or self.logging or self.trying)
        self.unit = shared
        self.open.append(shared)
        try:
            shared.value = evaluate()
        finally:
            self.open.pop()
            self.unit = outer
        shared.loud = shared.loud or len(self.entry.reports) > reported
        shared.work = max(0, (self.work - work) - (self.counted - counted))
        self.counted += shared.work
        shared.bound = shared.bound or self.work > WORK_LIMIT.value or self.cut > cut
        signature = shared.signature = sign()
        old = self.shared.pop(signature, None)
        if old is not None:
            self.replaced[signature] = old
        self.shared[signature] = shared
        self.show(signature)
        self.entry.shown.append(signature)
        self.entry.made.append(shared)
        self.index(shared)
        old = self.replaced.pop(signature, None)
        if old is not None:
            self._succeed(old, shared)
        self._use(shared)
        return shared.value

    def initial_of(self, cls: ClassValue, fill: Callable[[dict[str, Value]], None]) -> dict[str, Value]:
        signature = ("initial", cls)
        if cls in self.filling:
            assert cls.initial is not None
            return cls.initial
        known = self.known_summary(signature)
        if known is not None:
            assert cls.initial is not None
            return cls.initial

        def evaluate() -> bool:
            for part in _methods(cls):
                self.unit.marks[part] = None
            cls.initial = {}
            self.filling.append(cls)
            try:
                fill(cls.initial)
            finally:  # an entry, or a summary, may break off here
                self.filling.remove(cls)
            return True

        self.summarised(lambda: signature, evaluate)
        self.shared[signature].bound = False
        assert cls.initial is not None
        return cls.initial

    def _use(self, shared: Shared) -> None:
        self.introduce(shared)
        unit = self.unit
        unit.uses[shared] = None
        unit.analysed |= shared.analysed
        shared.users[unit] = None

    def introduce(self, shared: Shared) -> None:
        """From here on in this run the summary is known."""
        if shared.signature not in self.visible:
            self.show(shared.signature)
            self.entry.shown.append(shared.signature)
            self.work += shared.work
            self.counted += shared.work
            self.seen.update(shared.analysed)
            for inner in shared.uses:
                self.introduce(inner)

    def show(self, signature: Signature) -> None:
        self.visible.add(signature)
        family = family_of(signature)
        self.variants[family] = self.variants.get(family, 0) + 1

    def hide(self, signature: Signature) -> None:
        """The entry that knew the summary first is to be run again."""
        self.visible.discard(signature)
        self.variants[family_of(signature)] -= 1

    def summaries_behind(self, entry: Entry) -> set[Signature]:
        """Those that the entry uses, and those that they use."""
        found: set[Signature] = set()
        pending = list(entry.uses)
        while pending:
            shared = pending.pop()
            if shared.signature not in found:
                found.add(shared.signature)
                pending += shared.uses
        return found

    def _succeed(self, old: Shared, new: Shared) -> None:
        """Who used the old one uses the new one."""
        for user in old.users:
            if user.uses.pop(old, _ABSENT) is not _ABSENT:
                user.uses[new] = None
                new.users[user] = None
        self.release(old)
        self.drop_unused(old.uses)

    # -- entries ----------------------------------------------------------------------------------

    @contextmanager
    def noting(self, entry: Entry) -> Iterator[None]:
        """What is evaluated inside belongs to the entry."""
        saved = self.entry, self.unit, self.open, self.counted
        self.entry = self.unit = entry
        self.open = []
        try:
            yield
        finally:
            self.entry, self.unit, self.open, self.counted = saved
            self.index(entry)

    def index(self, unit: Unit) -> None:
        for mark in unit.marks:
            self.readers.setdefault(mark, {})[unit] = None
        for node in unit.asked:
            self.askers.setdefault(node, {})[unit] = None

    def release(self, unit: Unit) -> None:
        """The unit is gone: nothing depends on anything on its behalf."""
        for mark in unit.marks:
            readers = self.readers.get(mark)
            if readers is not None:
                readers.pop(unit, None)
                if not readers:
                    del self.readers[mark]
        for node in unit.asked:
            askers = self.askers.get(node)
            if askers is not None:
                askers.pop(unit, None)
                if not askers:
                    del self.askers[node]
        for shared in unit.uses:
            shared.users.pop(unit, None)
        if isinstance(unit, Entry):
            for shared in unit.made:
                if shared.loud or shared.bound:
                    self._withdraw(shared)

    def discard(self, entry: Entry) -> None:
        """The entry is gone for good, and with it what nobody else uses."""
        self.release(entry)
        self.drop_unused(entry.uses)

    def _withdraw(self, shared: Shared) -> None:
        """A summary whose owner is gone: the next one who asks evaluates it anew."""
        if self.shared.get(shared.signature) is shared:
            del self.shared[shared.signature]
            self.replaced[shared.signature] = shared
        if shared.bound:
            self.spoil(shared.users)

    def drop_unused(self, summaries: Iterable[Shared]) -> None:
        """Forgets those that nobody uses any more, and what only they used."""
        pending = list(summaries)
        while pending:
            shared = pending.pop()
            if not shared.users:
                if self.shared.get(shared.signature) is shared:
                    del self.shared[shared.signature]
                pending += shared.uses
                self.release(shared)

    def touch(self, marks: Iterable[Mark]) -> None:
        """These have changed: what depends on them, directly or through what it used, is not good any more."""
        for mark in marks:
            self.spoil(list(self.readers.get(mark, ())))

    def ask_again(self, scope: ModuleText, edit: TreeEdit) -> None:
        """A module has another text: touches the questions that it answers otherwise now."""
        known, untouched = self.answers.pop(scope, {}), Untouched(edit)
        for asked, before in known.items():
            if (scope, asked) in self.readers:
                question, about = asked
                is_kept = untouched.decides(question.__name__, scope, about)
                answer = before if is_kept else question(scope, *about)
                self.answers.setdefault(scope, {})[asked] = answer
                if answer != before:
                    self.touch([(scope, asked)])

    def spoil(self, units: Iterable[Unit]) -> None:
        pending = list(units)
        while pending:
            unit = pending.pop()
            if unit.stale:
                continue
            unit.stale = True
            if isinstance(unit, Shared):
                pending += unit.users
            elif isinstance(unit, Statement):
                self.stale_modules[self.scope_of_statement[unit]] = None
                self.touch(self.bindings_of(unit))
            elif isinstance(unit, Entry):
                self.stale_entries[unit] = None

    # -- module bodies ------------------------------------------------------------------------------

    def bindings_of(self, statement: Statement) -> list[Mark]:
        """What is touched when a statement is to run again."""
        scope = self.scope_of_statement[statement]
        marks = marks_of(scope, statement.subject, statement.names)
        if any(owner in self.classes for owner in statement.cells if isinstance(owner, Frame)):
            marks.append(Whole.CLASSES)
        return marks

    def run_toplevel(self, scope: ModuleScope, statement: ast.stmt) -> None:
        known = self.statements.get(statement)
        if known is None or known.stale:
            self._evaluate(scope, statement, known)
        else:
            self._reapply(scope, known)
        self.alive = True

    def _reapply(self, scope: ModuleScope, statement: Statement) -> None:
        for other in self._looked_into(statement):
            imports.load(self, other)  # as its evaluation would, before anything else
        state = self.state
        cell = state.write(scope.frame)
        for name in statement.deleted:
            cell.pop(name, None)
        cell.update(statement.names)
        state.cells.update(statement.cells)
        state.uses.update(statement.key_uses)
        state.guards |= statement.guards
        scope.star_imports[:0] = statement.stars
        self.take(statement)

    def take(self, entry: Entry) -> None:
        """The effects of an entry that is still good on what comes after it."""
        entry.shown, entry.seen = [], []
        outer, self.entry = self.entry, entry
        for shared in entry.uses:
            self.introduce(shared)
        self.seen.update(entry.analysed)
        self.entry = outer

    def _evaluate(self, scope: ModuleScope, node: ast.stmt, old: Statement | None) -> None:
        if old is not None:
            self.forget_statement(old)
        entry = Statement(node)
        self.statements[node] = entry
        self.scope_of_statement[entry] = scope
        self.state = self.state.fork()
        frame, cells, uses = scope.frame, dict(self.state.cells), dict(self.state.uses)
        names, guards, stars = dict(self.state.read(frame)), self.state.guards, len(scope.star_imports)
        functions, begun = len(self.functions), self.work_begun
        with self.noting(entry):
            super().run_toplevel(scope, node)
        state = self.state
        now = state.read(frame)
        bound = _surely_bound(node)
        entry.names = {name: value for name, value in now.items() if names.get(name) is not value or name in bound}
        entry.marks.update(dict.fromkeys((scope, name) for name in bound_names(node) - bound))
        entry.deleted = [name for name in names if name not in now]
        entry.cells = {o: cell for o, cell in state.cells.items() if o is not frame and cells.get(o) is not cell}
        entry.key_uses = {key: use for key, use in state.uses.items() if uses.get(key) is not use}
        entry.guards = state.guards - guards
        entry.stars = scope.star_imports[: len(scope.star_imports) - stars]
        made = [f for f in self.functions[functions:] if f.scope is scope]
        entry.functions = [f for f in made if f.frame is None or f in self.handed_out]
        self.handed_out.difference_update(made)
        entry.others = list(
            dict.fromkeys(mark[0] for mark in entry.marks if isinstance(mark, tuple) and mark[0] is not scope)
        )
        # A class that it has made is known to all at once, and is nobody else's.
        others = [o for o in entry.cells if not (isinstance(o, Frame) and o.scope is scope and o not in cells)]
        entry.changed = {o for o in others if o in cells or o in self.base}
        changes = bool(entry.key_uses or entry.changed)
        entry.writes = bool(entry.deleted or entry.guards or changes or self.work_begun is not begun)
        is_plain = not (entry.writes or entry.reports or entry.uses or entry.asked or others)
        are_definitions = all(isinstance(value, (*_DEFINITIONS, Transformed)) for value in entry.names.values())
        entry.alone = is_plain and are_definitions and self._reads_definitions(entry)
        if entry.writes:
            if changes:
                entry.reaches = self._looked_into(entry).keys() - {scope}
            self.wrote.setdefault(scope, set()).update(entry.reaches)
        del self.functions[functions:]

    def _looked_into(self, statement: Statement) -> dict[ModuleScope, None]:
        """The modules of which the evaluation of a statement looked for globals."""
        marks = (mark for mark in self._all_marks(statement) if isinstance(mark, tuple))
        return {scope: None for scope, name in marks if isinstance(name, str) and name != TEXT}

    def _all_marks(self, entry: Entry) -> Iterator[Mark]:
        """What an entry looked at, also in the summaries that it used."""
        seen: set[Shared] = set()
        pending: list[Unit] = [entry]
        while pending:
            unit = pending.pop()
            yield from unit.marks
            pending += unit.uses.keys() - seen
            seen.update(unit.uses)

    def _reads_definitions(self, entry: Statement) -> bool:
        """Whether the globals that a statement looked for, and has not bound itself, are definitions and imports."""
        for mark in entry.marks:
            if not isinstance(mark, tuple):
                return False
            scope, name = mark
            value = self.state.read(scope.frame).get(name) if isinstance(name, str) and name != TEXT else None
            if name == TEXT or not (value is None or isinstance(value, _DEFINITIONS)):
                return False
        return True

    def forget_nodes(self, nodes: Iterable[ast.AST]) -> None:
        """What is remembered of nodes that are gone, or have another body."""
        for root in nodes:
            for node in descendants(root):
                self.touch([node])
                self.facts.pop(node, None)
                self.conditions.pop(node, None)  # type: ignore[call-overload]
                self.asked.pop(node, None)  # type: ignore[call-overload]

    def forget_statement(self, statement: Statement) -> None:
        for owner in statement.cells.keys() - statement.changed:
            self.base.pop(owner, None)
            if isinstance(owner, Frame):
                self.classes.pop(owner, None)
        self.scope_of_statement.pop(statement, None)
        self.statements.pop(statement.subject, None)
        self.discard(statement)


_ABSENT = object()
_DEFINITIONS = (External, ModuleValue, Function, ClassValue, Lazy)


def _methods(cls: ClassValue) -> Iterator[ast.AST]:
    """Whose text decides which attributes are set elsewhere: the methods of the class and its project bases."""
    for part in linearized(cls):
        for statement in part.node.body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield statement


def marks_of(scope: ModuleScope, statement: ast.stmt, known: Iterable[str] = ()) -> list[Mark]:
    """What concerns those that look for what a statement of a module's body binds; ``known`` are names that it did."""
    names = {*known, *bound_names(statement)}
    is_function = isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and not statement.decorator_list
    if names and not is_function and not isinstance(statement, ast.Import):
        names.add(EVERY)
    return [(scope, name) for name in names]


def _surely_bound(statement: ast.stmt) -> set[str]:
    """The global names that a statement of a module's body binds, whatever they were bound to before."""
    if isinstance(statement, ast.Assign):
        return {name for target in statement.targets for name in bound_names(target)}
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return bound_names(statement)
    return set()


def bound_names(statement: ast.AST) -> set[str]:
    """The global names that a statement of a module's body may bind."""
    found: set[str] = set()
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
            continue
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
            if node.name:
                found.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            found.add(node.rest)
        pending.extend(ast.iter_child_nodes(node))
    return found


def may_make_classes(statement: ast.stmt) -> bool:
    """Whether running a statement of a module's body may make classes: by a class statement, or by what it calls."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.ClassDef, ast.Call)):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            pending.extend(ast.iter_child_nodes(node))
    return False
