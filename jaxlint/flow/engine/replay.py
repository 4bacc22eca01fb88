"""An analysis that is kept: of a program that has changed, only what looked at a change is run again.

``Replay.run`` goes through the whole sequence of entries (``tracking``) as the engine would, and takes the effects of
one that is still good instead of running it.  So each entry is run in the very situation in which a first run would
find it: with the functions seen, the transforms placed and the summaries known that come before it.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any

from jaxlint.flow.domain.contexts import EAGER, Context
from jaxlint.flow.domain.met import Failure
from jaxlint.flow.domain.state import State
from jaxlint.flow.domain.values import Function, ModuleScope, Transformed, Value
from jaxlint.flow.engine.calling.summaries import family_of
from jaxlint.flow.engine.tracking import (
    TEXT,
    Entry,
    Place,
    Placed,
    Shared,
    Statement,
    Tracker,
    Unit,
    Whole,
    marks_of,
    may_make_classes,
)
from jaxlint.flow.limits import MAX_VARIANTS
from jaxlint.flow.models.jax.roots import enter
from jaxlint.flow.models.names import imports
from jaxlint.flow.models.random.unseen import enter_eagerly
from jaxlint.flow.port import Signature
from jaxlint.flow.source.modules import rebound_globals, replaced_globals
from jaxlint.flow.source.trees import descendants
from jaxlint.project.documents import Document
from jaxlint.project.edits import BodyEdit, TreeEdit
from jaxlint.project.program import Module

FEW = 50
"""So many entries are run in their places; for more, all are gone through."""


class Cancelled(Exception):
    """Nobody waits for the result any more."""


class NotKept(Exception):
    """What is known does not fit the program any more: the analysis has to start anew."""


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
        self.home: ModuleScope | None = None  # of which the unit is run
        self._seen_in: dict[ModuleScope | None, set[ast.AST]] = {}  # functions analysed in each unit
        self._shown_at: dict[Signature, int] = {}
        self._seen_at: dict[tuple[ModuleScope | None, ast.AST], int] = {}
        self._loaded: _Loaded | None = None
        self._parts: dict[ModuleScope, list[_Part]] = {}  # of module bodies
        self._rewritten: set[ModuleScope] = set()  # which lost a statement that changed what others had made
        self._rewritten_values: set[Value] = set()  # what that was
        self._anew: set[ModuleScope] = set()  # of which all is run again but statements that stand alone
        self._partly: set[ModuleScope] = set()  # of which all is run again but statements that are still good

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
        it.touch([(scope, TEXT)])
        old, registered, is_registering = module.document, scope.registered, bool(scope.registering)
        flags, mutated = (scope.uses_references, scope.may_hold_keys), scope.__dict__.get("mutated")
        attributes = scope.__dict__.get("set_on_self")
        module.document = edit.document
        scope.read_again(edit.kept)
        it.ask_again(scope, edit)
        it.by_attribute = None
        is_other = registered != scope.registered or is_registering != bool(scope.registering)
        if is_other or (registered is None and self._names_others(old, edit)):
            it.touch([Whole.REGISTRATIONS])
        if flags != (scope.uses_references, scope.may_hold_keys):
            it.touch([scope, Whole.REFERENCES])
            it.with_references = None
        for body in edit.bodies:
            it.forget_nodes([body.function, *body.old_body])
            it.touch([body.function])
        for statement in edit.removed:
            known = it.statements.get(statement)
            if known is None or known.stars:
                return False
            if known.writes:
                self._rewritten |= {scope, *known.reaches}
                self._rewritten_values |= known.changed
            it.spoil([known])
            it.forget_statement(known)
            it.forget_nodes([statement])
        for statement in edit.added:
            if _is_star_import(statement):
                return False
            it.touch(marks_of(scope, statement))
            if may_make_classes(statement):
                it.touch([Whole.CLASSES])
        self._update_rebound(scope, edit)
        if mutated is not None:
            it.touch([(scope, name) for name in _unlike(mutated, scope.mutated)])
        if attributes is not None:
            it.touch([(scope, f"self.{name}") for name in attributes ^ scope.set_on_self])
        it.touch(it.inits.update(module, edit) | it.collections.update(module))
        if edit.removed or edit.added:
            it.stale_modules[scope] = None
        return self._spoil_modules()

    def _names_others(self, old: Document, edit: TreeEdit) -> bool:
        """Whether a module names other classes than before."""
        new, first = edit.document, edit.start - 1
        changed = "\n".join([*old.lines[first : edit.end - 1], *new.lines[first : edit.end + edit.delta - 1]])
        names = {cls.name for cls in self.it.classes.values() if cls.name in changed}
        return any((name in old.text) != (name in new.text) for name in names)

    def _update_rebound(self, scope: ModuleScope, edit: TreeEdit) -> None:
        assert scope.tree is not None
        self.it.touch([(scope, write.id) for _, write in scope.runs_again])
        scope.runs_again.clear()
        if edit.removed or edit.added or any(map(_declares_globals, edit.bodies)):
            old, scope.rebound = scope.rebound, rebound_globals(scope.tree, "global " in edit.document.text)
            self.it.touch([(scope, name) for name in _unlike(old, scope.rebound)])
            before, scope.replaced = scope.replaced, replaced_globals(scope.tree)
            self.it.touch([(scope, name) for name in _unlike(before, scope.replaced)])

    def _spoil_modules(self) -> bool:
        """Gets the modules ready to be run again in which statements are not good any more; False if they cannot."""
        it = self.it
        anew: set[ModuleScope] = set()
        while further := self._disordered() - anew:
            anew |= further
            changed = self._rewritten_values.union(*(one.changed for one in it.statements.values()))
            for scope in further:
                known = self._statements(scope)
                it.spoil(
                    [one for one in known if not (one.alone and changed.isdisjoint((*one.cells, *one.names.values())))]
                )
        stale = anew | it.stale_modules.keys()
        it.stale_modules.clear()
        self._rewritten.clear()
        self._rewritten_values.clear()
        self._anew |= anew
        self._partly |= stale - anew
        if stale and (it.entangled or self.broken):
            return False
        for scope in stale:
            scope.state, scope.so_far = "new", {}
            self._parts.pop(scope, None)
            it.base.pop(scope.frame, None)
        return True

    def _disordered(self) -> set[ModuleScope]:
        """The modules of which all has to run again but what stands alone: a statement that changes what others have
        made is not good any more, or what it changes is made again; and the modules that have made that."""
        it = self.it
        made = {o for scope in it.stale_modules for statement in self._statements(scope) for o in statement.cells}
        found = set(self._rewritten)
        for statement in it.statements.values():
            if statement.writes:
                scope = it.scope_of_statement[statement]
                if statement.stale or (scope not in it.stale_modules and not made.isdisjoint(statement.changed)):
                    found |= {scope, *statement.reaches}
        return found

    def _statements(self, scope: ModuleScope) -> list[Statement]:
        """The statements of a module that were run."""
        assert scope.tree is not None
        return [self.it.statements[node] for node in scope.tree.body if node in self.it.statements]

    def run(self, cancelled: Callable[[], bool], only: Module | None = None) -> None:
        """Brings everything up to date.  Raises Cancelled between two entries; the next run goes on from there.

        Raises NotKept.

        With ``only``, functions of other modules stay as they are, unless they were never run; ``complete`` says
        whether any is left for the next run.
        """
        it, self.runs = self.it, 0
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
            while (self._partly or self._anew) and (late := self._written_late()):
                self._rewritten |= late
                if not self._spoil_modules():
                    raise NotKept
                self._loaded = self._load_modules()
            self._partly.clear()
            self._anew.clear()
            it.wrote.clear()
            self.disturbed = self.disturbed or before is None or set(before.shown) != set(self._loaded.shown)
        else:
            self.it.start(self._loaded.shown)
        pass_ = _Pass(self, self._loaded)
        for name in self.it.program.modules:
            home = self.it.scopes.get(name)
            if home is not None and home in self._loaded.modules and name not in self.it.program.foreign:
                self._begin_unit(home)
                pass_.run_unit(home)
        self._keep(pass_.transforms, pass_.functions)
        self.complete = not self.postponed
        self.disturbed = self.disturbed or self.postponed
        self.sequence = pass_.sequence
        self._positions = {}
        self.order = [*self._loaded.reporting, *filter(_has_news, self.sequence)]
        if self.complete:
            self.it.stale_entries = {}

    def _written_late(self) -> set[ModuleScope]:
        """The modules of which something was taken as it was though a statement that was run, theirs or one of another
        module, has changed what others have made there."""
        own = {scope for scope in self.it.wrote if scope in self._partly}
        reached = {other for others in self.it.wrote.values() for other in others}
        return (own | reached) - self._anew

    def _begin_unit(self, home: ModuleScope) -> None:
        """As the engine does: no function is known to be analysed."""
        self.home = home
        self.it.seen.nodes = self._seen_in[home] = set()

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
        if len(it.stale_entries) > FEW or any(map(self._is_elsewhere, it.stale_entries)):
            return False
        if not self._positions:
            self._note_positions()
        if not self._positions.keys() >= it.stale_entries.keys():
            return False
        self.complete = False
        while it.stale_entries.keys() <= self._positions.keys() and len(it.stale_entries) <= FEW:
            if not it.stale_entries or not self._run_in_place(min(it.stale_entries, key=self._positions.__getitem__)):
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
        self._seen_at = {(entry.home, node): at for at, entry in enumerate(self.sequence) for node in entry.seen}
        self._positions = {entry: at for at, entry in enumerate(self.sequence)}

    def _run_in_place(self, old: Entry) -> bool:
        """Runs one entry where it stands; False if it meets, or leaves behind, another situation than before."""
        it, at, home = self.it, self._positions[old], old.home
        assert old.run is not None
        self.home, it.seen.nodes = home, self._seen_in[home]
        for signature in old.shown:
            it.hide(signature)
            self._shown_at.pop(signature, None)
        for node in old.seen:
            it.seen.nodes.discard(node)
            self._seen_at.pop((home, node), None)
        new = old.run(old)
        self.sequence[at] = new
        del self._positions[old], it.stale_entries[old]
        self._positions[new] = at
        too_early = any(self._shown_at.get(signature, at) > at for signature in it.summaries_behind(new))
        too_early = too_early or any(self._seen_at.get((home, node), at) > at for node in new.asked)
        for signature in new.shown:
            self._shown_at[signature] = at
        for node in new.seen:
            self._seen_at[home, node] = at
        if too_early or not self._replaces(old, new):
            self.disturbed = True
        if too_early:
            it.spoil([new])
        return not self.disturbed

    def _replaces(self, old: Entry, new: Entry) -> bool:
        """Whether an entry places the transforms that it did, those of which it is the first to do so being run again;
        not if one is of a module that can wait."""
        if old.placed.keys() != new.placed.keys():
            return False
        for where, (made, ctx, function) in new.placed.items():
            known = self.transforms.get(where)
            if known is None or known.subject is not old.placed[where][0]:
                continue  # nobody looks at it, or another one was before
            if self._is_elsewhere(known) or self._positions.get(known, -1) < self._positions[new]:
                return False
            known.run = functools.partial(self.enter_transform, where, made, ctx, function)
            self.it.spoil([known])
        return True

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
            loaded.begin(scope)
            fresh = scope.state == "new"
            if fresh:
                if self.cancelled():
                    raise Cancelled
                self._load(scope)
            for part in self._parts_of(scope):
                for other in part.others:
                    walk(other)
                loaded.note(scope, part)
                if not fresh:
                    for statement in part.using:
                        it.take(statement)

        for name in it.program.modules:
            if name not in it.program.foreign:
                scope = imports.scope_of(it, name)
                if scope is not None:
                    walk(scope)
        loaded.shown = list(it.visible)
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
        entry.run = functools.partial(self.enter_transform, where, made, ctx, function)
        return entry

    def enter_function(self, function: Function, known: Entry | None) -> Entry:
        """Runs a function as an eager caller would."""

        def work() -> None:
            with self.it.isolated(State(self.it.base), EAGER, function.scope):
                enter_eagerly(self.it, function)

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
        entry.home = self.home
        self.runs += 1
        classes, functions = len(it.classes), len(it.functions)
        it.custom_rules = set()
        with it.noting(entry):
            try:
                work()
            except Exception as error:
                entry.failure = Failure(function.scope, function.node, f"`{function.name}`", error)
        _shorten(it.classes, classes)
        del it.functions[functions:]
        it.escaped.clear()
        it.beyond.clear()
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
            if it.variants.get(family_of(signature), 0) >= MAX_VARIANTS.value - 1:
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
        self.modules: dict[ModuleScope, _Unit] = {}
        self.places: set[Place] = set()
        self.shown: list[Signature] = []

    def begin(self, scope: ModuleScope) -> None:
        self.modules.setdefault(scope, _Unit())

    def note(self, scope: ModuleScope, part: _Part) -> None:
        self.reporting += part.reporting
        for placed in part.placed:
            self.modules[scope].transformed.add(placed[3].node)
            if placed[0] not in self.places:
                self.places.add(placed[0])
                self.modules[scope].queue.append(placed)
        for function in part.functions:
            self.modules.setdefault(function.scope, _Unit()).functions.append(function)


class _Unit:
    """What is run for one module's sake: the transforms that its body has placed, and its functions.

    ``transformed``: functions that transforms run which were placed by what the unit runs.
    """

    __slots__ = ("functions", "queue", "transformed")

    def __init__(self) -> None:
        self.queue: list[Placed] = []
        self.functions: list[Function] = []
        self.transformed: set[ast.AST] = set()


class _Pass:
    """One way through the transforms and functions, after the module bodies."""

    def __init__(self, replay: Replay, loaded: _Loaded) -> None:
        self.replay = replay
        self.it = replay.it
        self.loaded = loaded
        self.placed = set(loaded.places)
        self.entered: set[ast.AST] = set()
        self.queue: list[Placed] = []
        self.transformed: set[ast.AST] = set()
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

    def run_unit(self, home: ModuleScope) -> None:
        unit = self.loaded.modules[home]
        self.queue, self.transformed = list(unit.queue), set(unit.transformed)
        self._enter_transforms()
        for function in unit.functions:
            if function.node not in self.entered and function.node not in self.transformed:
                self._enter_function(function)
                self._enter_transforms()

    def _enter_transforms(self) -> None:
        while self.queue:
            where, made, ctx, function = self.queue.pop(0)
            known = self._known(self.replay.transforms.get(where))
            if not self.replay.kept(known, made) and not self.replay.postpones(known, function):
                known = self.replay.enter_transform(where, made, ctx, function, known)
            assert known is not None
            self.transforms[where] = known
            self._note(known)

    def _enter_function(self, function: Function) -> None:
        node = function.node
        self.entered.add(node)
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
                self.transformed.add(placed[3].node)
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


def _unlike(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return [name for name in {*old, *new} if old.get(name) != new.get(name)]


def _declares_globals(body: BodyEdit) -> bool:
    """Whether a function that has another body says of names, before or now, that they are global."""
    statements = (*body.old_body, *body.function.body)
    return any(isinstance(node, ast.Global) for statement in statements for node in descendants(statement))


def _is_star_import(statement: ast.stmt) -> bool:
    return any(
        isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
        for node in descendants(statement)
    )
