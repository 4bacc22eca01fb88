"""An analysis that is kept: what each part of it looked at is noted, and only what looked at a change is run again.

A run is a sequence of *entries*: every statement of a module's body, every transformed function, every other
function worth a look (``engine``).  Entries share *summaries*.  While one is evaluated, the tracker notes which
globals it looked for, which functions it looked into and which summaries it used.  A change *touches* some of these;
what depends on them is evaluated again.

``Replay.run`` goes through the whole sequence as the engine would, and takes the effects of an entry that is still
good instead of running it.  So each entry is run in the very situation in which a first run would find it: with the
functions seen, the transforms placed and the summaries known that come before it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Container, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from jaxlint.flow import imports
from jaxlint.flow.calls import WORK_LIMIT, enter_unknown
from jaxlint.flow.contexts import EAGER, Context
from jaxlint.flow.engine import Failure
from jaxlint.flow.interpreter import Interpreter, Listener, Signature
from jaxlint.flow.modules import ModuleScope, rebound_globals
from jaxlint.flow.relevance import KeptRelevance
from jaxlint.flow.state import Cell, State
from jaxlint.flow.summaries import MAX_VARIANTS
from jaxlint.flow.transforms import enter
from jaxlint.flow.trees import descendants
from jaxlint.flow.values import ClassValue, Frame, Function, FunctionNode, Transformed, Value
from jaxlint.project.edits import TreeEdit
from jaxlint.project.program import Module, Program

Mark = Hashable
"""What can change: a global `(scope, name)`, a function's body (its node), all of a module (its scope), or whether
functions of a name have to do with keys (the name)."""

Place = tuple[Any, ...]
Placed = tuple[Place, Transformed, Context, Function]

FEW = 50
"""So many entries are run in their places; for more, all are gone through."""


class Cancelled(Exception):
    """Nobody waits for the result any more."""


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

    ``loud``: its evaluation reported something or placed a transform, which belongs to the first entry that asks.
    ``bound``: its evaluation depends on who asked first (it met a function that was already running, or a limit).
    """

    __slots__ = ("bound", "depth", "loud", "signature", "users", "value", "work")

    def __init__(self, signature: Signature, depth: int) -> None:
        super().__init__()
        self.signature = signature
        self.depth = depth
        self.value: Any = None
        self.users: dict[Unit, None] = {}
        self.loud = False
        self.bound = False
        self.work = 0


class Entry(Unit):
    """One step of a run.  ``reports`` is filled by whoever listens to the events.

    ``shown`` are the summaries and ``seen`` the functions that no entry before it knew.
    """

    __slots__ = ("failure", "function", "made", "placed", "reports", "run", "seen", "shown", "subject")

    def __init__(self, subject: Any, function: Function | None = None) -> None:
        super().__init__()
        self.subject = subject
        self.function = function  # that it runs, unless it is a statement
        self.reports: list[Any] = []
        self.placed: dict[Place, tuple[Transformed, Context, Function]] = {}
        self.made: list[Shared] = []  # what it was the first to ask for
        self.shown: list[Signature] = []
        self.seen: list[ast.AST] = []
        self.failure: Failure | None = None
        self.run: Callable[[Entry], Entry] | None = None  # runs it again in the same place


class Statement(Entry):
    """A statement of a module's body, with what it changed: bindings of the module, other objects, uses of keys."""

    __slots__ = ("cells", "deleted", "frames", "functions", "guards", "key_uses", "names", "others", "stars", "writes")

    def __init__(self, subject: ast.stmt) -> None:
        super().__init__(subject)
        self.names: dict[Any, Value] = {}
        self.deleted: list[Any] = []
        self.cells: dict[Value, Cell] = {}
        self.key_uses: dict[Any, Any] = {}
        self.guards: frozenset[Any] = frozenset()
        self.stars: list[str] = []
        self.functions: list[Function] = []
        self.frames: list[Frame] = []
        self.others: list[ModuleScope] = []  # modules it looked into, in order
        self.writes = False  # it changed what other statements made


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


class Tracker(Interpreter):
    """An interpreter that notes what its results depend on."""

    keeps_notes = True

    def __init__(self, program: Program, listeners: dict[type, list[Listener]], transforms: dict[str, str]) -> None:
        super().__init__(program, listeners, transforms)
        self.entry = Entry(None)
        self.unit: Unit = self.entry
        self.open: list[Shared] = []
        self.readers: dict[Mark, dict[Unit, None]] = {}
        self.askers: dict[ast.AST, dict[Unit, None]] = {}
        self.shared: dict[Signature, Shared] = {}
        self.replaced: dict[Signature, Shared] = {}
        self.visible: set[Signature] = set()
        self.statements: dict[ast.stmt, Statement] = {}
        self.scope_of_statement: dict[Statement, ModuleScope] = {}
        self.stale_modules: dict[ModuleScope, None] = {}
        self.stale_entries: dict[Entry, None] = {}
        self.counted = 0
        self.entangled = False
        self.relevance = self.kept_relevance = KeptRelevance(program, self.note_name)
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

    def note_function(self, function: Function) -> None:
        self.unit.marks[function.node] = None
        self.unit.marks[function.scope] = None

    def note_name(self, name: str) -> None:
        """It was asked whether functions of this name have to do with keys."""
        self.unit.marks[name] = None

    def run_function(self, function: Function, bound: dict[str, Value]) -> Value:
        self.note_function(function)
        return super().run_function(function, bound)

    def is_running(self, node: FunctionNode) -> bool:
        if node not in self.stack:
            return False
        depth = self.stack.index(node)
        for shared in self.open:
            if depth < shared.depth:
                shared.bound = True
        return True

    def defer(self, made: Transformed, function: Function) -> None:
        place = (made.node, function.node, self.ctx.signature)
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

    def is_good(self, shared: Shared, own: Collection[Shared] = ()) -> bool:
        """Whether a first run, at this point, would find or make the same; ``own`` are those of who asks."""
        if shared.stale or self.shared.get(shared.signature) is not shared:
            return False
        if shared.signature in self.visible:
            return True
        if (shared.loud or shared.bound) and shared not in own:
            return False
        nodes = self.seen.nodes
        if any((node in nodes) is not answer for node, answer in shared.asked.items()):
            return False
        return all(self.is_good(inner, own) for inner in shared.uses)

    def summarised(self, signature: Signature, evaluate: Callable[[], Any]) -> Any:
        old = self.shared.pop(signature, None)
        if old is not None:
            self.replaced[signature] = old
        shared = Shared(signature, len(self.stack))
        outer, work, counted, reported = self.unit, self.work, self.counted, len(self.entry.reports)
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
        shared.bound = shared.bound or self.work > WORK_LIMIT
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
        if cls.initial is not None and any(shared.signature == signature for shared in self.open):
            return cls.initial
        known = self.known_summary(signature)
        if known is not None:
            assert cls.initial is not None
            return cls.initial

        def evaluate() -> bool:
            for part in _methods(cls):
                self.unit.marks[part] = None
            cls.initial = {}
            fill(cls.initial)
            return True

        self.summarised(signature, evaluate)
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
        node = signature[0]
        self.variants[node] = self.variants.get(node, 0) + 1

    def hide(self, signature: Signature) -> None:
        """The entry that knew the summary first is to be run again."""
        self.visible.discard(signature)
        self.variants[signature[0]] -= 1

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
        scope = self.scope_of_statement[statement]
        names = {*statement.names, *bound_names(statement.subject)}
        return [(scope, name) for name in names]

    def run_toplevel(self, scope: ModuleScope, statement: ast.stmt) -> None:
        known = self.statements.get(statement)
        if known is None or known.stale:
            self._evaluate(scope, statement, known)
        else:
            self._reapply(scope, known)
        self.alive = True

    def _reapply(self, scope: ModuleScope, statement: Statement) -> None:
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
        functions, contexts = len(self.functions), len(self.frame_contexts)
        with self.noting(entry):
            super().run_toplevel(scope, node)
        state = self.state
        now = state.read(frame)
        entry.names = {name: value for name, value in now.items() if names.get(name) is not value}
        entry.deleted = [name for name in names if name not in now]
        entry.cells = {o: cell for o, cell in state.cells.items() if o is not frame and cells.get(o) is not cell}
        entry.key_uses = {key: use for key, use in state.uses.items() if uses.get(key) is not use}
        entry.guards = state.guards - guards
        entry.stars = scope.star_imports[: len(scope.star_imports) - stars]
        entry.functions = [f for f in self.functions[functions:] if f.frame is None and f.scope is scope]
        entry.frames = list(self.frame_contexts)[contexts:]
        entry.others = list(
            dict.fromkeys(mark[0] for mark in entry.marks if isinstance(mark, tuple) and mark[0] is not scope)
        )
        entry.writes = bool(
            entry.deleted or entry.key_uses or entry.guards or any(o in cells or o in self.base for o in entry.cells)
        )
        del self.functions[functions:]

    def forget_nodes(self, nodes: Iterable[ast.AST]) -> None:
        """What is remembered of nodes that are gone, or have another body."""
        for root in nodes:
            for node in descendants(root):
                self.facts.pop(node, None)
                self.conditions.pop(node, None)  # type: ignore[call-overload]
                self.relevance.makers.pop(node, None)

    def forget_statement(self, statement: Statement) -> None:
        for owner in statement.cells:
            self.base.pop(owner, None)
        for frame in statement.frames:
            self.frame_contexts.pop(frame, None)
        self.scope_of_statement.pop(statement, None)
        self.statements.pop(statement.subject, None)
        self.discard(statement)


_ABSENT = object()


def _methods(cls: ClassValue) -> Iterator[ast.AST]:
    """Whose text decides which attributes are set elsewhere: the methods of the class and its project bases."""
    from jaxlint.flow.classes import linearized

    for part in linearized(cls):
        for statement in part.node.body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield statement


def _unlike(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return [name for name in {*old, *new} if old.get(name) != new.get(name)]


def _is_star_import(statement: ast.stmt) -> bool:
    return any(
        isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
        for node in descendants(statement)
    )


def bound_names(statement: ast.stmt) -> set[str]:
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


class Replay:
    """Runs a program's entries in the engine's order, those that are not good any more (at first: all)."""

    def __init__(self, tracker: Tracker) -> None:
        self.it = tracker
        self.transforms: dict[Place, Entry] = {}
        self.functions: dict[ast.AST, Entry] = {}
        self.broken: dict[ModuleScope, Failure] = {}
        self.order: list[Entry] = []
        self.runs = 0
        self.disturbed = True  # entries may find another situation than in the last run
        self.complete = False
        self.postponed = False
        self.sequence: list[Entry] = []
        self._positions: dict[Entry, int] = {}
        self._shown_at: dict[Signature, int] = {}
        self._seen_at: dict[ast.AST, int] = {}
        self._worth: dict[ast.AST, bool] = {}
        self._loaded: _Loaded | None = None
        self._parts: dict[ModuleScope, list[_Part]] = {}  # of module bodies

    def known_entries(self) -> Iterator[Entry]:
        """All entries there are, good or not."""
        yield from self.it.statements.values()
        yield from self.transforms.values()
        yield from self.functions.values()

    def modules_behind(self, module: Module) -> set[str]:
        """The names of the modules whose code, run as it was, leads into functions of this one, and its own."""
        it = self.it
        places = {entry: where for where, entry in self.transforms.items()}
        placers: dict[Place, list[Unit]] = {}
        for entry in self.known_entries():
            for where in entry.placed:
                placers.setdefault(where, []).append(entry)
        scope = it.scopes.get(module.name)
        pending = list(it.readers.get(scope, ())) if scope is not None else []
        names, known = {module.name}, set(pending)
        while pending:
            unit = pending.pop()
            further: Iterable[Unit] = ()
            if isinstance(unit, Shared):
                further = unit.users
            elif isinstance(unit, Statement):
                names.add(it.scope_of_statement[unit].name)
            elif isinstance(unit, Entry):
                names |= {part.scope.name for part in (unit.function, unit.subject) if part is not None}
                further = placers.get(places.get(unit, ()), ())
            pending += [one for one in further if one not in known]
            known.update(further)
        return names

    def edit(self, module: Module, edit: TreeEdit) -> bool:
        """A module's tree has another text; False if the analysis has to start anew."""
        it = self.it
        scope = it.scopes.get(module.name)
        if scope is None or module.name in it.program.foreign:
            return False
        flags, mutated = (scope.uses_references, scope.may_hold_keys), scope.__dict__.get("mutated")
        module.document = edit.document
        scope.read_again(edit.kept)
        if flags != (scope.uses_references, scope.may_hold_keys):
            it.touch([scope])
        for body in edit.bodies:
            it.forget_nodes([body.function, *body.old_body])
            it.touch([body.function])
        for statement in edit.removed:
            known = it.statements.get(statement)
            if known is None or known.stars:
                return False
            it.spoil([known])
            it.forget_statement(known)
            it.forget_nodes([statement])
        for statement in edit.added:
            if _is_star_import(statement):
                return False
            it.touch([(scope, name) for name in bound_names(statement)])
        self._update_rebound(scope, edit)
        if mutated is not None:
            it.touch([(scope, name) for name in _unlike(mutated, scope.mutated)])
        self._update_relevance(module, edit)
        if edit.removed or edit.added:
            it.stale_modules[scope] = None
        return self._spoil_modules()

    def _update_rebound(self, scope: ModuleScope, edit: TreeEdit) -> None:
        assert scope.tree is not None
        self.it.touch([(scope, write.id) for _, write in scope.repeats])
        scope.repeats.clear()
        if edit.removed or edit.added or "global " in edit.document.text:
            old, scope.rebound = scope.rebound, rebound_globals(scope.tree, "global " in edit.document.text)
            self.it.touch([(scope, name) for name in _unlike(old, scope.rebound)])

    def _update_relevance(self, module: Module, edit: TreeEdit) -> None:
        it = self.it
        names, traced = it.kept_relevance.update(module, [*edit.kept, *edit.added, *edit.removed])
        it.touch(names)
        if names or traced:
            self._worth.clear()
            self.complete = False
        for statement in edit.kept:
            for node in descendants(statement):
                worth = self._worth.pop(node, None)
                if worth is not None and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                    self._worth[node] = it.relevance.worth_entering(self.it.scopes[module.name], node)
                    self.complete = self.complete and self._worth[node] is worth

    def _spoil_modules(self) -> bool:
        """Gets the modules ready to be run again in which statements are not good any more; False if they cannot."""
        it = self.it
        done: set[ModuleScope] = set()
        while it.stale_modules.keys() - done:
            for scope in it.stale_modules.keys() - done:
                done.add(scope)
                assert scope.tree is not None
                known = [it.statements[node] for node in scope.tree.body if node in it.statements]
                if any(statement.writes for statement in known):
                    it.spoil(known)
        it.stale_modules.clear()
        if done and (it.entangled or self.broken):
            return False
        for scope in done:
            scope.state = "new"
            self._parts.pop(scope, None)
            it.base.pop(scope.frame, None)
        return True

    def run(self, cancelled: Callable[[], bool], only: Module | None = None) -> None:
        """Brings everything up to date.  Raises Cancelled between two entries; the next run goes on from there.

        With ``only``, functions of other modules stay as they are, unless they were never run; ``complete`` says
        whether any is left for the next run.
        """
        self.runs = 0
        self.only = only
        self.cancelled = cancelled
        self.postponed = False
        if self.complete:
            self.disturbed = False
            if self._loaded is not None and self._run_stale(self._loaded):
                return
        self.complete = False
        if self._loaded is None or any(scope.state == "new" for scope in self.it.scopes.values()):
            before, self._loaded = self._loaded, None
            self._loaded = self._load_modules()
            self.disturbed = self.disturbed or before is None or set(before.shown) != set(self._loaded.shown)
        else:
            self.it.start(self._loaded.shown)
        pass_ = _Pass(self, self._loaded)
        pass_.enter_transforms()
        for function in self._loaded.functions:
            if function.node not in pass_.entered:
                pass_.enter_function(function)
                pass_.enter_transforms()
        self._keep(pass_.transforms, pass_.functions)
        self.complete = not self.postponed
        self.disturbed = self.disturbed or self.postponed
        self.sequence = pass_.sequence
        self._positions = {}
        self.order = [*self._loaded.reporting, *filter(_has_news, self.sequence)]
        if self.complete:
            self.it.stale_entries = {}

    def _run_stale(self, loaded: _Loaded) -> bool:
        """Runs the few entries that are not good any more in their places, if that is all there is to do.

        The summaries and functions known at a place are those that entries up to there were the first to know.  False
        if something came up that concerns other entries: then all of them have to be gone through.
        """
        it = self.it
        if any(scope.state == "new" for scope in it.scopes.values()):
            return False
        if not it.stale_entries:
            return True
        if len(it.stale_entries) > FEW or any(entry.placed or self._is_elsewhere(entry) for entry in it.stale_entries):
            return False
        if not self._positions:
            self._note_positions()
        if not self._positions.keys() >= it.stale_entries.keys():
            return False
        self.complete = False
        for old in sorted(it.stale_entries, key=self._positions.__getitem__):
            if not self._run_in_place(old):
                break
        if it.stale_entries or self.disturbed:
            self.disturbed = True
            return False
        self.complete = True
        self.order = [*loaded.reporting, *filter(_has_news, self.sequence)]
        return True

    def _is_elsewhere(self, entry: Entry) -> bool:
        """Whether the entry is of a module that can wait."""
        return self.only is not None and (entry.function is None or entry.function.scope.module is not self.only)

    def _note_positions(self) -> None:
        self._shown_at = {signature: at for at, entry in enumerate(self.sequence) for signature in entry.shown}
        self._seen_at = {node: at for at, entry in enumerate(self.sequence) for node in entry.seen}
        self._positions = {entry: at for at, entry in enumerate(self.sequence)}

    def _run_in_place(self, old: Entry) -> bool:
        """Runs one entry where it stands; False if it meets, or leaves behind, another situation than before."""
        it, at = self.it, self._positions[old]
        assert old.run is not None
        for signature in old.shown:
            it.hide(signature)
            self._shown_at.pop(signature, None)
        for node in old.seen:
            it.seen.nodes.discard(node)
            self._seen_at.pop(node, None)
        new = old.run(old)
        self.sequence[at] = new
        del self._positions[old], it.stale_entries[old]
        self._positions[new] = at
        too_early = any(self._shown_at.get(signature, at) > at for signature in it.summaries_behind(new))
        too_early = too_early or any(self._seen_at.get(node, at) > at for node in new.asked)
        for signature in new.shown:
            self._shown_at[signature] = at
        for node in new.seen:
            self._seen_at[node] = at
        if too_early or new.placed:
            self.disturbed = True
        if too_early:
            it.spoil([new])
        return not self.disturbed

    def _keep(self, transforms: dict[Place, Entry], functions: dict[ast.AST, Entry]) -> None:
        """Entries that this run did not come by are gone."""
        gone = [entry for place, entry in self.transforms.items() if place not in transforms]
        gone += [entry for node, entry in self.functions.items() if node not in functions]
        for entry in gone:
            self.it.discard(entry)
        self.transforms, self.functions = transforms, functions
        self.it.replaced = {}

    # -- modules ------------------------------------------------------------------------------------

    def _load_modules(self) -> _Loaded:
        """Runs the statements of module bodies that have to be, in the order in which Python would."""
        it = self.it
        it.start()
        walked: set[ModuleScope] = set()
        loaded = _Loaded()

        def walk(scope: ModuleScope) -> None:
            if scope in walked:
                return
            walked.add(scope)
            if scope.tree is None:
                return
            fresh = scope.state == "new"
            if fresh:
                if self.cancelled():
                    raise Cancelled
                self._load(scope)
            for part in self._parts_of(scope):
                for other in part.others:
                    walk(other)
                loaded.note(part)
                if not fresh:
                    for statement in part.using:
                        it.take(statement)

        for name in it.program.modules:
            if name not in it.program.foreign:
                scope = imports.scope_of(it, name)
                if scope is not None:
                    walk(scope)
        loaded.shown = list(it.visible)
        it.seen.nodes.clear()  # as the engine does
        return loaded

    def _parts_of(self, scope: ModuleScope) -> list[_Part]:
        parts = self._parts.get(scope)
        if parts is None:
            parts = self._parts[scope] = [_Part()]
            assert scope.tree is not None
            for node in scope.tree.body:
                statement = self.it.statements.get(node)
                if statement is None:
                    continue  # what came after a failure
                if statement.others:
                    parts.append(_Part())
                parts[-1].add(statement, self.it.program.foreign)
        return parts

    def _load(self, scope: ModuleScope) -> None:
        self.broken.pop(scope, None)
        scope.star_imports = []
        try:
            imports.load(self.it, scope)
        except Exception as error:
            assert scope.tree is not None
            self.broken[scope] = Failure(scope, scope.tree, "the module", error)

    # -- entries ------------------------------------------------------------------------------------

    def is_worth(self, function: Function) -> bool:
        worth = self._worth.get(function.node)
        if worth is None:
            worth = self.it.relevance.worth_entering(function.scope, function.node)
            self._worth[function.node] = worth
        return worth

    def kept(self, known: Entry | None, subject: Any) -> bool:
        """Whether a known entry need not be run again; if so, its effects are taken."""
        if known is None or known.stale or known.subject is not subject:
            return False
        it = self.it
        if self.disturbed:
            if not self._is_good(known):
                return False
            it.take(known)
            return True
        for signature in known.shown:
            it.show(signature)
        it.seen.nodes.update(known.seen)
        return True

    def postpones(self, known: Entry | None, function: Function) -> bool:
        """Whether an entry that is not good any more is left for the next run; it counts as it was."""
        if known is None or self.only is None or function.scope.module is self.only:
            return False
        for signature in known.shown:
            self.it.show(signature)
        self.it.seen.nodes.update(known.seen)
        self.postponed = True
        return True

    def _is_good(self, entry: Entry) -> bool:
        it = self.it
        made = set(entry.made) if entry.made else ()
        if not all(it.is_good(shared, made) for shared in entry.uses):
            return False
        nodes = it.seen.nodes
        return all((node in nodes) is answer for node, answer in entry.asked.items())

    def enter_transform(
        self, where: Place, made: Transformed, ctx: Context, function: Function, known: Entry | None
    ) -> Entry:
        """Runs a transformed function as the transform will."""

        def work() -> None:
            with self.it.isolated(State(self.it.base), ctx, made.scope):
                enter(self.it, made)

        entry = self.transforms[where] = self.evaluate(known, made, function, work)
        entry.run = lambda old: self.enter_transform(where, made, ctx, function, old)
        return entry

    def enter_function(self, function: Function, known: Entry | None) -> Entry:
        """Runs a function as an eager caller would."""

        def work() -> None:
            with self.it.isolated(State(self.it.base), EAGER, function.scope):
                enter_unknown(self.it, function)

        entry = self.functions[function.node] = self.evaluate(known, function, function, work)
        entry.run = lambda old: self.enter_function(function, old)
        return entry

    def evaluate(self, known: Entry | None, subject: Any, function: Function, work: Callable[[], None]) -> Entry:
        """Runs an entry.  Raises Cancelled instead if nobody waits for it."""
        if self.cancelled():
            raise Cancelled
        it = self.it
        if known is not None:
            it.release(known)
        entry = Entry(subject, function)
        self.runs += 1
        marks = len(it.frame_contexts), len(it.classes), len(it.functions)
        it.custom_rules = set()
        with it.noting(entry):
            try:
                work()
            except Exception as error:
                entry.failure = Failure(function.scope, function.node, f"`{function.name}`", error)
        _shorten(it.frame_contexts, marks[0])
        _shorten(it.classes, marks[1])
        del it.functions[marks[2] :]
        it.escaped.clear()
        if known is not None:
            it.drop_unused([*known.uses, *known.made])
        self.disturbed = self.disturbed or self._disturbs(known, entry)
        return entry

    def _disturbs(self, old: Entry | None, new: Entry) -> bool:
        """Whether later entries may find another situation than before: other summaries known, other functions seen."""
        shown = set(new.shown).symmetric_difference(old.shown if old is not None else ())
        seen = set(new.seen).symmetric_difference(old.seen if old is not None else ())
        return self._concerns_others(new, shown, seen)

    def note_gone(self, entry: Entry) -> None:
        """An entry of the last run is not in this one, or not in its place."""
        self.disturbed = self.disturbed or self._concerns_others(entry, entry.shown, entry.seen)

    def _concerns_others(self, entry: Entry, shown: Iterable[Signature], seen: Iterable[ast.AST]) -> bool:
        it = self.it
        own = {entry, *entry.made}
        for signature in shown:
            shared = it.shared.get(signature)
            if it.variants.get(signature[0], 0) >= MAX_VARIANTS - 1:
                return True
            if shared is not None and not own.issuperset(shared.users):
                return True
        return any(not own.issuperset(it.askers.get(node, ())) for node in seen)


def _has_news(entry: Entry) -> bool:
    return bool(entry.reports) or entry.failure is not None


class _Part:
    """Statements of a module's body of which none but the first looks into other modules, taken together."""

    __slots__ = ("functions", "others", "placed", "reporting", "using")

    def __init__(self) -> None:
        self.others: list[ModuleScope] = []
        self.reporting: list[Statement] = []
        self.placed: list[Placed] = []
        self.functions: list[Function] = []
        self.using: list[Statement] = []  # those that use summaries or analyse functions

    def add(self, statement: Statement, foreign: Container[str]) -> None:
        self.others += statement.others
        if _has_news(statement):
            self.reporting.append(statement)
        self.placed += _placed(statement, foreign)
        self.functions += [function for function in statement.functions if function.scope.name not in foreign]
        if statement.uses or statement.analysed or statement.shown or statement.seen:
            self.using.append(statement)


class _Loaded:
    """What running the module bodies gave: entries with something to report, transforms placed, functions defined."""

    def __init__(self) -> None:
        self.reporting: list[Entry] = []
        self.queue: dict[Place, Placed] = {}
        self.functions: list[Function] = []
        self.shown: list[Signature] = []

    def note(self, part: _Part) -> None:
        self.reporting += part.reporting
        for placed in part.placed:
            self.queue.setdefault(placed[0], placed)
        self.functions += part.functions


class _Pass:
    """One way through the transforms and functions, after the module bodies."""

    def __init__(self, replay: Replay, loaded: _Loaded) -> None:
        self.replay = replay
        self.it = replay.it
        self.queue = list(loaded.queue.values())
        self.placed = set(loaded.queue)
        self.done = 0
        self.entered: set[ast.AST] = set()
        self.transforms: dict[Place, Entry] = {}
        self.functions: dict[ast.AST, Entry] = {}
        self.sequence: list[Entry] = []
        self.expected = 0
        self.places = {entry: at for at, entry in enumerate(self.replay.sequence)}

    def _known(self, entry: Entry | None) -> Entry | None:
        """An entry of an earlier run; what stood between it and the one before it then is noted as gone."""
        if entry is not None and not self.replay.disturbed:
            at = self.places.get(entry, -1)
            if at < self.expected:
                self.replay.disturbed = True
            for gone in self.replay.sequence[self.expected : at]:
                self.replay.note_gone(gone)
            self.expected = at + 1
        return entry

    def enter_transforms(self) -> None:
        while self.done < len(self.queue):
            where, made, ctx, function = self.queue[self.done]
            self.done += 1
            self.entered.add(function.node)
            known = self._known(self.replay.transforms.get(where))
            if not self.replay.kept(known, made) and not self.replay.postpones(known, function):
                known = self.replay.enter_transform(where, made, ctx, function, known)
            assert known is not None
            self.transforms[where] = known
            self._note(known)

    def enter_function(self, function: Function) -> None:
        node = function.node
        self.entered.add(node)
        if not self.replay.is_worth(function):
            return
        known = self._known(self.replay.functions.get(node))
        if not self.replay.kept(known, function) and not self.replay.postpones(known, function):
            known = self.replay.enter_function(function, known)
        assert known is not None
        self.functions[node] = known
        self._note(known)

    def _note(self, entry: Entry) -> None:
        self.sequence.append(entry)
        if entry.placed:
            for placed in _placed(entry, self.it.program.foreign):
                if placed[0] not in self.placed:
                    self.placed.add(placed[0])
                    self.queue.append(placed)


def _placed(entry: Entry, foreign: Container[str]) -> list[Placed]:
    """The transforms that an entry has placed, of functions that are looked at."""
    return [
        (where, made, ctx, function)
        for where, (made, ctx, function) in entry.placed.items()
        if made.scope.name not in foreign
    ]


def _shorten(table: dict[Any, Any], length: int) -> None:
    while len(table) > length:
        table.popitem()
