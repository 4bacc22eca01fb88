"""The machine whose units of work know what they depend on, and depend on no other unit.

A unit starts from what the modules left when they were read.  What it finds is what it would find alone: of the
summaries that others have made it takes those that it would make itself, with all that making them would leave behind.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from jaxlint.flow.domain.asked import Asking
from jaxlint.flow.domain.contexts import Context
from jaxlint.flow.domain.state import State
from jaxlint.flow.domain.values import ClassValue, Frame, Function, Lazy, ModuleScope, Transformed, Value
from jaxlint.flow.engine.calling.summaries import family_of
from jaxlint.flow.engine.machine import Listener, Machine
from jaxlint.flow.engine.notes import EVERYTHING, Bits, Facts, Look, Note, Place
from jaxlint.flow.engine.questions import OF_TEXTS, ORDER, WRITTEN, Question, Questions
from jaxlint.flow.limits import MAX_VARIANTS, Limit
from jaxlint.flow.models.jax.roots import place_of
from jaxlint.flow.models.objects.classes import linearized
from jaxlint.flow.port import EVERY, Answer, Signature
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.parts import FRAME, TEXT, Parts, answering, binding
from jaxlint.flow.source.trees import FunctionNode

if TYPE_CHECKING:
    from jaxlint.project.program import Program

_REMEMBERED_CALLS = 5_000  # of about 50 kB each, and as many that may be forgotten next


class UnitMachine(Machine):
    """An interpreter that notes which modules a unit looks at, and what it asks of the whole program; if it
    ``is_noting``, at which parts of the modules."""

    def __init__(self, program: Program, listeners: dict[type, list[Listener]], is_noting: bool = False) -> None:
        super().__init__(program, listeners)
        self.is_noting = is_noting
        self.facts_met = Bits()
        self.place = Place(None)
        self.note = self.place.notes[0]
        self.lasting = 0  # facts that the modules have left
        self.looks = Bits()  # modules, and questions about the whole program
        for name in program.modules:
            self.looks.of(name)
        self.loads: dict[ModuleScope, Note] = {}  # of the modules that were read
        self.writers: dict[ModuleScope | None, int] = {}  # who has changed what a module (None: some) has made
        self.order: list[str] = []  # in which the modules were begun and ended
        self._made_by: dict[Value, ModuleScope] = {}
        self._resolved: dict[Lazy, Note] = {}
        self._initial: dict[ClassValue, tuple[Note, dict[str, Value]]] = {}
        self._filling: dict[ClassValue, tuple[int, dict[str, Value]]] = {}  # with the notes that were being made
        self._loaded_classes = 0
        self._bits: dict[ModuleText, int] = {}
        self._answers: dict[tuple[ModuleText, Callable[..., Any], tuple[Hashable, ...]], Any] = {}  # of `ask_text`
        self.parts: dict[str, Parts] = {}  # of modules, as far as anybody has asked for them
        self._noted: dict[Hashable, Note] = {}
        self.made_in: dict[Function, ModuleScope] = {}  # functions by the modules whose bodies have made them
        self.units: dict[str, Note] = {}
        self._unfinished = 0  # modules that are being read: a function finds others in them than after that
        self.is_read = False  # whether all modules are
        self.questions = Questions(self)
        self.analysed = Facts(self, "analysed", lasts=False)  # type: ignore[assignment]
        self.wrapped = Facts(self, "wrapped")  # type: ignore[assignment]
        self.repeating = Facts(self, "repeating")  # type: ignore[assignment]
        self.custom_rules = Facts(self, "custom_rules")  # type: ignore[assignment]
        self.given_rules = Facts(self, "given_rules")  # type: ignore[assignment]

    # -- where the work is ------------------------------------------------------------------------

    @contextmanager
    def at_home_in(self, scope: ModuleScope) -> Iterator[None]:
        """A module is read, or its unit run: what it finds is independent of what others have found."""
        if self.place.scope is scope:
            with super().at_home_in(scope):
                yield
            return
        outer = self.place
        self._enter(Place(scope, outer if self.is_read and outer.scope is not None else None))
        self._begin(self.place, scope)
        try:
            with super().at_home_in(scope):
                yield
        finally:
            self._end(self.place, scope)
            self._enter(outer)

    def _enter(self, place: Place) -> None:
        self.place, self.note, self.variants = place, place.notes[-1], place.variants
        self._forget_searches()

    def _begin(self, place: Place, scope: ModuleScope) -> None:
        place.begun = len(self.functions)
        if not self.is_read:
            self.order.append(scope.name)
            self._unfinished |= self._bit(scope)
        elif scope.left or place.around is not None:
            self._begin_private(place.unit, scope)
            place.private, place.own_classes = place.unit.private, place.unit.own_classes
        self._look_into(scope, FRAME)

    def _begin_private(self, unit: Place, scope: ModuleScope) -> None:
        """The body of a module is run for one unit, what it leaves is unknown to the others: what a script does, and a
        module of a program inside this one, which only the unit has come to."""
        unit.private |= self._bit(scope)
        unit.loaded.append(scope)
        if unit.left is None:
            unit.left = dict(self.base)
        self._forget_private(unit)

    def _end(self, place: Place, scope: ModuleScope) -> None:
        (note,) = place.notes
        note.seen = tuple({part for known in (note, *place.known) for part in (*known.parts, *known.seen)})
        if not self.is_read:
            self.order.append("")
            self._unfinished &= ~self._bit(scope)
            self.loads[scope] = note
            for function in self.functions[place.begun :]:
                self.made_in.setdefault(function, scope)
            return
        if place.around is not None:
            return
        self.units[scope.name] = note
        while len(self.classes) > self._loaded_classes:
            self.classes.popitem()
        if place.left is not None:
            self.base.clear()
            self.base.update(place.left)
            self._forget_private(place)
            for one in place.loaded:
                one.state = "done" if one is scope else "new"

    def _forget_searches(self) -> None:
        """What was found out of the classes that there were, and of modules as they were."""
        for table in (self.in_reach, self.in_program, self.found_of_keys, self.looks_at_keys, self._noted):
            table.clear()

    def _forget_private(self, place: Place) -> None:
        """What was found out of modules that are not as they were."""
        for lazy in [lazy for lazy, note in self._resolved.items() if note.looked & place.private]:
            lazy.resolved = None
            del self._resolved[lazy]
        for cls in [cls for cls, (note, _) in self._initial.items() if note.looked & place.private]:
            del self._initial[cls]

    def finish_reading(self) -> None:
        """All modules are read: from here on units are run."""
        self.is_read = True
        self._loaded_classes = len(self.classes)

    def loaded_classes(self) -> list[ClassValue]:
        """The classes that the modules have made."""
        return list(itertools.islice(self.classes.values(), self._loaded_classes))

    def note_touched(self, scope: ModuleScope, touched: Iterable[Value], cells: Iterable[Value]) -> None:
        changed = [owner for owner in touched if owner is not scope.frame]
        if self.is_read:
            if changed:
                self.place.private = EVERYTHING
            return
        for owner in cells:
            self._made_by.setdefault(owner, scope)
        for owner in changed:
            maker = owner.scope if isinstance(owner, Frame) else self._made_by.get(owner)
            self._note_writer(maker)

    def _note_writer(self, maker: ModuleScope | None) -> None:
        """What is read changes something of another module."""
        assert self.place.scope is not None
        self.writers[maker] = self.writers.get(maker, 0) | self._bit(self.place.scope)

    def _writers_of(self, maker: ModuleScope | None) -> int:
        """Who changes what a module has made; in which order they and those who look at it were read matters, too."""
        writers = self.writers.get(maker, 0)
        return writers | self.looks.of(ORDER) if writers else 0

    # -- what is looked at ------------------------------------------------------------------------

    def _bit(self, scope: ModuleText) -> int:
        bit = self._bits.get(scope)
        if bit is None:
            bit = self._bits[scope] = self.looks.of(scope.name)
        return bit

    def _look_into(self, scope: ModuleText, part: str | int) -> None:
        """A part of a module was looked at: by its name, or the function that begins in a line."""
        self.note.looked |= self._bit(scope)
        if self.is_noting:
            self.note.parts.add((scope.name, part))

    def look_at(self, scope: ModuleText, part: str = TEXT) -> None:
        self._look_into(scope, part)

    def lookup(self, name: str) -> Value | None:
        if self.frame.function is None:  # the body of a module or class
            self._look_into(self.frame.scope, binding(name))
        return super().lookup(name)

    def _global(self, scope: ModuleScope, name: str, value: Value) -> Value:
        found = super()._global(scope, name, value)
        if self.is_noting:
            self._look_for(scope, name)
        return found

    def _look_for(self, scope: ModuleScope, name: str) -> None:
        """A global was looked for.  If functions bind it, or set something in it, it matters when they are called."""
        is_set = name in scope.rebound or name in scope.__dict__.get("mutated", ())  # else nobody has asked for it
        self._look_into(scope, TEXT if is_set else FRAME if name == EVERY else binding(name))

    def note_global(self, scope: ModuleScope, name: str) -> None:
        self._look_for(scope, name)
        if scope.state == "running" and not self.is_read and scope is not self.frame.scope:
            self.note.looked |= self.looks.of(ORDER)  # a cycle of imports: what is seen depends on who came first

    def ask_text(self, scope: ModuleText, question: Callable[..., Answer], *about: Hashable) -> Answer:
        for part in answering(question.__name__, scope, about) if self.is_noting else ():
            self._look_into(scope, part)
        self.note.looked |= self._bit(scope)
        asked = (scope, question, about)
        if asked not in self._answers:
            self._answers[asked] = question(scope, *about)
        answer: Answer = self._answers[asked]
        return answer

    def note_text(self, scope: ModuleText) -> None:
        self._look_into(scope, TEXT)

    def note_around(self, scope: ModuleText, node: ast.AST) -> None:
        self._look_into(scope, node.lineno)  # type: ignore[attr-defined]

    def note_class(self, cls: ClassValue) -> None:
        self.note.looked |= self._bit(cls.scope)
        for part in cls.node.body if self.is_noting else ():
            self._look_into(cls.scope, part.lineno)

    def note_function(self, function: Function) -> None:
        self._look_into(function.scope, function.node.lineno)

    def run_function(self, function: Function, bound: dict[str, Value], unseen: bool = False) -> Value:
        self._look_into(function.scope, function.node.lineno)
        return super().run_function(function, bound, unseen)

    def eval_annotation(self, node: ast.expr, function: Function | ClassValue) -> Value:
        self._look_into(function.scope, function.node.lineno)
        return super().eval_annotation(node, function)

    # -- what is asked of the whole program -------------------------------------------------------

    def add_class(self, cls: ClassValue) -> None:
        super().add_class(cls)
        if self.is_read:  # other units know nothing of it, and have other answers
            for asked in map(self.questions.about_classes, (None, *linearized(cls))):
                self.place.own_classes |= self.looks.of(asked)
            self.place.unit.own_classes |= self.place.own_classes

    def note_classes(self, about: ClassValue | None = None) -> None:
        if not self.is_read:
            self.note.looked |= self.looks.of(ORDER)
        self.note.looked |= self.looks.of(self.questions.about_classes(about))

    def run_by_init(self, classes: tuple[str, ...], name: str) -> bool | None:
        self.note.looked |= self.looks.of(("run_by_init", classes, name))
        return super().run_by_init(classes, name)

    def collections_asked_for(self) -> frozenset[str] | None:
        self.note.looked |= self.looks.of(("collections_asked_for",))
        return super().collections_asked_for()

    def ask_program(self, question: Callable[..., Answer], *about: str) -> Answer:
        if not self.is_read:
            self.note.looked = EVERYTHING
            return question(self, *about)
        asked = (question.__name__, *about)
        self.note.looked |= self.looks.of(asked)
        is_its_own = self.place.private and question not in OF_TEXTS
        answer: Answer = question(self, *about) if is_its_own else self.questions.answer(asked)
        return answer

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What is looked at inside is nobody's concern: it is done again, and compared."""
        saved = self.place, self.note, self.state, self.variants
        self.place = Place(self.place.scope)
        self.note, self.variants = self.place.notes[0], self.place.variants
        self.state = State(self.base)
        try:
            yield
        finally:
            self.place, self.note, self.state, self.variants = saved

    @contextmanager
    def finding(self, found: Hashable) -> Iterator[None]:
        note = Note(len(self.stack))
        with self._making(note):
            yield
        note.seen = tuple(set(note.all_seen()))
        self.note.parts.update(note.seen)
        if isinstance(found, Lazy):
            self._resolved[found] = note
        else:
            self._noted[found] = note

    def note_again(self, found: Hashable) -> None:
        note = self._resolved.get(found) if isinstance(found, Lazy) else self._noted.get(found)
        if note is not None:
            self.note.take(note)
            self.note.parts.update(note.seen)
        elif isinstance(found, Lazy) and found.module in self.program.modules:  # it is being resolved
            self.note.looked |= self.looks.of(found.module)

    @contextmanager
    def _making(self, note: Note) -> Iterator[None]:
        outer = self.note
        self.place.notes.append(note)
        self.note = note
        try:
            yield
        except BaseException:
            outer.parts |= note.parts  # nobody will know the note
            raise
        finally:
            self.place.notes.pop()
            self.note = outer
            outer.take(note)

    # -- facts ------------------------------------------------------------------------------------

    def add_fact(self, bit: int, lasts: bool) -> None:
        self.note.added |= bit
        if lasts and not self.is_read:
            self.lasting |= bit
            if self.frame.scope is not self.place.scope and self.place.scope is not None:
                self._note_writer(self.frame.scope)
        else:
            self.place.facts |= bit

    def is_fact(self, bit: int) -> bool:
        note, is_known = self.note, bool(bit & (self.place.facts | self.lasting))
        if not note.added & bit:
            if is_known:
                note.present |= bit
            else:
                note.absent |= bit
        return is_known

    # -- who is running around --------------------------------------------------------------------

    def is_running(self, node: FunctionNode) -> bool:
        if node not in self.stack:
            return False
        self._depends_on_caller(self.stack.index(node))
        return True

    def running(self, count: int) -> Iterator[FunctionNode]:
        for at in range(len(self.stack) - 1, max(-1, len(self.stack) - 1 - count), -1):
            self._depends_on_caller(at)
            yield self.stack[at]

    def _depends_on_caller(self, at: int) -> None:
        """Something depends on the function at a place in the stack."""
        for note in reversed(self.place.notes):
            if note.depth <= at:
                break
            note.is_local = True

    def meets(self, limit: Limit, node: ast.AST, scope: ModuleText | None = None) -> None:
        super().meets(limit, node, scope)
        if limit is MAX_VARIANTS:
            for note in self.place.notes:
                note.is_local = True

    # -- transforms -------------------------------------------------------------------------------

    def defer(self, made: Transformed, function: Function) -> None:
        where = place_of(made, function, self.ctx)
        self.note.placed[where] = made, self.ctx, function
        self._defer(where, made, self.ctx, function)

    def _defer(self, where: Hashable, made: Transformed, ctx: Context, function: Function) -> None:
        if made.scope.name not in self.program.foreign:
            self.transformed.setdefault(self.home, set()).add(function.node)
        if (self.home, where) not in self.placed:
            self.placed.add((self.home, where))
            self.deferred.append((made, ctx, self.home))

    # -- summaries --------------------------------------------------------------------------------

    def known_summary(self, signature: Signature) -> Any:
        found = self.summaries.get(signature)
        if found is None and signature in self.older_summaries:
            found = self.summaries[signature] = self.older_summaries.pop(signature)
        if found is None:
            return None
        note, value = found
        return value if self._takes(note) else None

    def _takes(self, note: Note) -> bool:
        """Whether what was found out is what would be found out here; then it counts as found here."""
        place = self.place
        if note not in place.known:
            if note.is_local or note.looked & (place.private | place.own_classes):
                return False
            if note.makes and self._is_called_by_body():
                return False
            facts = place.facts | self.lasting
            if note.absent & facts or note.present & ~facts or not self._count(note):
                return False
            for where, (made, ctx, function) in note.placed.items():
                self._defer(where, made, ctx, function)
        place.facts |= note.added
        self.note.take(note)
        self.note.inner[note] = None
        return True

    def _is_called_by_body(self) -> bool:
        """Whether the body of a module calls: the functions that it is given are entered with its own."""
        frame = self.activation.frame
        return frame is frame.scope.frame and frame.scope.state == "running"

    def _count(self, note: Note) -> bool:
        """Counts a summary, and those that it used, as made in this unit; False if it would not make them all."""
        place = self.place
        new: dict[Note, None] = {}
        pending = [note]
        while pending:
            one = pending.pop()
            if one not in place.known and one not in new:
                new[one] = None
                pending += one.inner
        signatures = {one.signature for one in new} - place.counted
        counts: dict[Any, int] = {}
        for signature in signatures:
            family = family_of(signature)
            counts[family] = counts.get(family, 0) + 1
        if any(place.variants.get(family, 0) + count > MAX_VARIANTS.value for family, count in counts.items()):
            return False
        place.known.update(new)
        place.counted |= signatures
        for family, count in counts.items():
            place.variants[family] = place.variants.get(family, 0) + count
        return True

    def summarised(self, sign: Callable[[], Signature], evaluate: Callable[[], Any]) -> Any:
        note, value = self._made(sign, evaluate)
        self.summaries[note.signature] = note, value
        return value

    def _made(self, sign: Callable[[], Any], evaluate: Callable[[], Any]) -> tuple[Note, Any]:
        """Evaluates a summary, with its note."""
        note, cut, functions, classes = Note(len(self.stack)), self.cut, len(self.functions), len(self.classes)
        note.is_local = bool(self.unstaged or self.logging or self.trying)
        with self._making(note):
            value = evaluate()
            signature = note.signature = sign()
            note.makes = note.makes or len(self.functions) > functions
            is_of_module = note.makes and self._is_called_by_body()
            is_call = isinstance(signature, Asking) and not signature.of_trace
            is_cut = self.cut > cut and not is_call  # else limits are those of the function
            makes_classes = len(self.classes) > classes
            is_private = bool(note.looked & (self.place.private | self.place.own_classes | self._unfinished))
            note.is_local = note.is_local or is_of_module or is_cut or makes_classes or is_private
        note.close()
        self.place.known.add(note)
        if signature not in self.place.counted:
            self.place.counted.add(signature)
            family = family_of(signature)
            self.variants[family] = self.variants.get(family, 0) + 1
        self.note.inner[note] = None
        return note, value

    def initial_of(self, cls: ClassValue, fill: Callable[[dict[str, Value]], None]) -> dict[str, Value]:
        if cls in self._filling:
            at, filled = self._filling[cls]
            for note in self.place.notes[at:]:
                note.is_local = True
            return filled
        known = self._initial.get(cls)
        if known is not None and self._takes(known[0]):
            return known[1]
        filled = {}

        def evaluate() -> None:
            self._filling[cls] = len(self.place.notes), filled
            try:
                fill(filled)
            finally:
                del self._filling[cls]

        note, _ = self._made(lambda: ("initial", cls), evaluate)
        self._initial[cls] = note, filled
        return filled

    def forget_calls(self) -> None:
        """Between two entries: calls that have not been met for long are found out again if they are met once more."""
        if len(self.summaries) > _REMEMBERED_CALLS:
            self.older_summaries, self.summaries = self.summaries, {}

    # -- what a unit depends on -------------------------------------------------------------------

    def depends_on(self, name: str) -> tuple[list[tuple[str, str]], list[Question]]:
        """The parts of modules that the unit of one has looked at, and what it has asked about the program."""
        note = self.units.get(name)  # none of a module that does not parse
        looked = self.looks.of(name) | (note.looked if note is not None else 0)
        for asked in (("entered", name), ("is_script", name), WRITTEN):
            looked |= self.looks.of(asked)
        for home, _, _ in self.entered(name):
            looked |= self.looks.of(home)
        seen = note.seen if note is not None else ()
        modules, questions, behind = self._behind(looked)
        parts = {(name, TEXT): None}
        for module, part in itertools.chain(seen, *behind):
            if module in self.program.modules:  # and not where a library's own classes are said to stand
                parts[module, self.parts_of(module).body_at(part) if isinstance(part, int) else part] = None
        for module in self.program.modules.keys() & modules:
            parts[module, FRAME] = None
            if self.scopes.get(module) not in self.loads:
                parts[module, TEXT] = None
        return list(parts), questions

    def parts_of(self, module: str) -> Parts:
        """A module of the program in parts."""
        if module not in self.parts:
            self.parts[module] = Parts.of(self.program.modules[module].document)
        return self.parts[module]

    def entered(self, name: str) -> list[tuple[str, str, int]]:
        """The functions of a module that are entered there and that the bodies of other modules have made."""
        return [
            (home.name, function.name, function.node.lineno)
            for function, home in self.made_in.items()
            if function.scope.name == name and home.name != name
        ]

    def written(self) -> list[tuple[str, list[str]]]:
        """Whose things the bodies of other modules have changed, and who those are."""
        return sorted(
            ("" if maker is None else maker.name, sorted(str(thing) for thing in self.looks.among(writers)))
            for maker, writers in self.writers.items()
        )

    def _behind(self, looked: int) -> tuple[list[str], list[Question], list[tuple[Look, ...]]]:
        """These modules and questions, and those on which it depended what the modules have left, with the parts of
        modules that were looked at for that."""
        names = list(self.program.modules)
        looked |= self._writers_of(None)
        modules, questions, parts = dict[str, None](), list[Question](), list[tuple[Look, ...]]()
        pending, done = looked, 0
        while pending:
            if pending < 0:
                return names, [], [tuple((name, TEXT) for name in names)]
            done |= pending
            further = 0
            for thing in self.looks.among(pending):
                if isinstance(thing, str):
                    modules[thing] = None
                    other = self.scopes.get(thing)
                    load = self.loads.get(other) if other is not None else None
                    further |= (load.looked if load is not None else 0) | self._writers_of(other)
                    parts.append(load.seen if load is not None else ())
                else:
                    questions.append(thing)
            if further < 0:
                return names, [], [tuple((name, TEXT) for name in names)]
            pending = further & ~done
        return list(modules), questions, parts
