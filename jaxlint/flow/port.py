"""What those who give meaning to code may ask of the interpreter, and what of its work in progress they see.

``Interpreter`` is all that models know of the machine that runs them: where the analysis is (the state, the context,
the frame), how to run code (``eval``, ``call``), what names mean, and whom to tell (``emit``, ``meets``).
``machine.Machine`` answers.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable
from collections.abc import Iterator as PyIterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.asked import AskerOfTrace, Asking
from jaxlint.flow.domain.clocks import BEFORE, Moment, Work
from jaxlint.flow.domain.contexts import EAGER, Context, OfTrace, Provenance, Why
from jaxlint.flow.domain.retold import Told
from jaxlint.flow.domain.rows import Rows
from jaxlint.flow.domain.slots import Held, Ran, Writes
from jaxlint.flow.domain.state import ORDER, CallSite, Cell, Guard, State, Use, join_states
from jaxlint.flow.domain.values import (
    ClassValue,
    Frame,
    Function,
    KeptTrace,
    KeyId,
    ModuleScope,
    Transformed,
    Tuple,
    Value,
)
from jaxlint.flow.limits import Limit
from jaxlint.flow.source.modules import FunctionFacts, ModuleText, free_names, function_facts
from jaxlint.flow.source.read_first import ReadFirst
from jaxlint.flow.source.trees import FunctionNode

if TYPE_CHECKING:
    from jaxlint.project.program import Program

Answer = TypeVar("Answer")
_ELSEWHERE = ast.Lambda(
    args=ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[]), body=ast.Constant(None)
)
"""What stands among the functions that led here for one that does not count."""

Signature = tuple[Any, ...] | Asking
"""What a summary is for: the function's node, the context and the description of each argument."""

EVERY = "*"
"""To `note_global`: every name that a module may bind to a class, and whether it names a library."""


class Activation:
    """What one running function body collects: its returns, its yields, its pending loops.

    ``begun`` is when it began, in the order of uses, ``caller`` what it was called by, with so many loops ``around``.
    An entry and a summary that is made begin without either.  ``unseen``: nobody is seen to call it, here.  ``broken``:
    a path of it has ended by a mistake, and not by what it raises itself.
    ``made_where`` has what held where functions were made that were made below a condition, ``made_alike`` the keys
    that loops make anew in each pass, by the calls that lead to them.  ``handled`` is what handlers that only report a
    failure catch around what it runs now: they say nothing of what is called.
    """

    __slots__ = (
        "_inside", "around", "begun", "broken", "caller", "context", "created", "ended", "frame", "function", "handled",
        "loops", "made_alike", "made_where", "mutated", "offers", "returns", "unseen", "yields",
    )  # fmt: skip

    def __init__(
        self,
        frame: Frame,
        function: Function | None,
        context: Context,
        caller: Activation | None = None,
        around: int = 0,
    ) -> None:
        self.caller = caller
        self.around = around
        self.frame = frame
        self.function = function
        self.context = context
        self.returns: list[tuple[State, Value]] = []
        self.yields: list[Value] = []
        self.loops: list[LoopRecord] = []
        self.offers: list[Transformed] = []
        self.created: list[Value] = []
        self.made_alike: dict[tuple[ast.AST, ...], KeyId] = {}
        self.made_where: dict[Value, frozenset[Guard]] = {}
        self._inside: tuple[list[Value], frozenset[str]] = ([], frozenset())
        self.broken = False
        self.ended = False
        self.unseen = False
        self.handled: tuple[frozenset[str], ...] = ()
        self.mutated: list[tuple[Value, events.Event]] = []
        self.begun = next(ORDER)

    def names_inside(self, it: Interpreter) -> frozenset[str]:
        """The variables from around that the functions read which were made here."""
        known, names = self._inside
        if known != self.created[: len(known)]:
            known, names = [], frozenset()
        new = self.created[len(known) :]
        if new:
            functions = [made.node for made in new if isinstance(made, Function)]
            names = names.union(*(free_names(node, it.facts_of(node)) for node in functions))
            self._inside = (list(self.created), names)
        return names


class LoopRecord:
    __slots__ = ("breaks", "continues")

    def __init__(self) -> None:
        self.breaks: list[State] = []
        self.continues: list[State] = []


class Interpreter(ABC):
    def __init__(self, program: Program) -> None:
        self.program = program
        self.rows = Rows.of(program)
        self.scopes: dict[str, ModuleScope] = {}
        self.with_references: tuple[int, list[ModuleScope]] | None = None  # see `referring`, with how many scopes
        self.by_attribute: tuple[int, dict[str, list[ClassValue]]] | None = None  # see `taken`, with how many classes
        self.imports_only = False  # whether bodies of modules are left at their `__main__` blocks
        self.scripts: Collection[str] = ()  # the modules of which all is left then
        self.home: ModuleScope | None = None  # the module whose code is run for its own sake
        self.base: dict[Value, Cell] = {}
        self.wrapped: set[FunctionNode] = set()  # functions below a decorator that nobody knows
        self.state = State(self.base)
        self.alive = True
        self.frame: Frame = Frame(None)  # type: ignore[arg-type]
        self.ctx: Context = EAGER
        self.activation = Activation(self.frame, None, EAGER)
        self.loops: tuple[tuple[ast.AST, int], ...] = ()
        self.stack: list[FunctionNode] = []
        self.ran: dict[FunctionNode, Function] = {}  # by the definition of each, the one that was run last
        self.work = 0
        self.evaluations = 0
        self.passes = 1
        self.muted = 0
        self.supposed = 0
        self.supposed_depth = 0  # calls inside one another since
        self.expected: tuple[frozenset[str], ...] = ()
        self.depth = 0
        self.calls: tuple[CallSite, ...] = ()
        self.consumed: ast.expr | None = None  # the generator expression of which all is asked for at once
        self.logging = 0
        self.trying = 0
        self.operations: list[ast.AST] = []
        self.statement: ast.stmt | None = None
        self.assigned: ast.expr | None = None
        self.held: tuple[Held, ...] = ()
        self.writes: Writes | None = None  # those of the summary that is made
        self.ran_since: list[FunctionNode | Ran] = []  # the functions run while writes are held, or in the summary
        self.unstaged = 0
        self.donates = False  # whether an array was donated anywhere, see `donated`
        self.sends = False  # whether JAX was given an array of NumPy anywhere, see `buffers`
        self.settled: Moment = BEFORE  # when somebody may last have waited for what reads one
        self.work_begun: Work | None = None  # what nobody has waited for, see `clocks`
        self.waited: Moment = BEFORE
        self.guessing = False
        self.assumed = 0  # calls that nobody is seen to make and that led here
        self.custom_rules: set[ast.AST] = set()
        self.given_rules: set[ast.AST] = set()  # where functions are made that were given rules for derivatives
        # What modules give that this entry has applied, and ask for, see `applied_modules` and `module_asks`.
        self.applied: dict[Any, tuple[Value, list[tuple[str, str]]]] = {}
        self.asks: list[tuple[str, str]] | None = None
        self.undecided = 0  # conditions that nothing is known of and that led here, where asks are noted
        self.kept_traces: dict[Any, KeptTrace] = {}  # of compiled methods, by object and method
        self.traces_read: list[list[KeptTrace]] = []  # those that are going on
        self.beyond: set[Function] = set()
        self.classes: dict[Frame, ClassValue] = {}
        self.traced: dict[FunctionNode, ModuleScope] = {}  # that have run where code runs once a trace
        self.asked_for: set[tuple[Value, str]] = set()  # attributes that a `__getattr__` is being asked for
        self.reading: ast.Name | None = None
        self.callee: Value | None = None  # what the call that begins is written for
        self.only_raises = False  # whether the function that has run last raises on every path
        self.called_at_once: ast.AST | None = None  # the call whose result is called, and goes nowhere else
        self.last_pure_call: tuple[ast.AST, str] | None = None
        self.own_packages = frozenset(name.partition(".")[0] for name in program.modules)
        self.conditions: dict[ast.expr, Any] = {}
        self.tested: dict[ast.expr, Value] = {}
        self.repeating: set[ast.AST] = set()  # loops whose second pass tells more than what it leaves behind
        self.read_first = ReadFirst()
        self.bound_first: dict[ast.AST, frozenset[str]] = {}  # what `loops` has found out
        self.functions: list[Function] = []
        self.facts: dict[ast.AST, FunctionFacts] = {}
        self.in_reach: dict[tuple[ModuleScope, str], list[Function]] = {}  # what `ignored_keys` has found out
        self.in_program: dict[tuple[str, int], list[Function]] = {}  # the same
        self.found_of_keys: dict[tuple[ast.AST, str, Any], bool | None] = {}  # the same
        self.looks_at_keys: dict[tuple[ast.AST, str, Any], tuple[bool, list[tuple[Function, str]]]] = {}  # the same
        self.trace_askers: list[AskerOfTrace] = []  # what is found out once for several traces, the innermost last
        self.asked: dict[FunctionNode, dict[Any, Asking]] = {}  # what calls of a function were asked, see `asked`
        self.variants: dict[Signature, int] = {}
        self.numbers: dict[Any, KeyId] = {}
        self.passed: dict[ast.expr, Value] = {}  # what compiled functions were given last, see `changing_shapes`
        self.steps_of_loops: dict[Value, tuple[ast.AST, int]] = {}
        self.told_of_pass: dict[Value, dict[bool, frozenset[Guard]]] = {}  # by answers, see `passes`
        self.watch: Callable[[ModuleScope, ast.AST, Value, Interpreter], None] | None = None
        self.runs_in_place = False  # no summaries: who watches sees each call run
        self.used: Callable[[KeyId, Use], None] | None = None
        self.called: Callable[[Interpreter, Function, ast.AST, bool], None] | None = None

    # -- running code -----------------------------------------------------------------------------

    @abstractmethod
    def eval(self, node: ast.expr) -> Value:
        """What is known of the value of ``node`` here, with its effects on the state.

        Raises TooMuchWork where the entry has used up what it may cost.
        """

    @abstractmethod
    def exec_block(self, body: Iterable[ast.stmt]) -> None:
        """Runs statements until the path ends; afterwards ``alive`` says whether it arrives."""

    @abstractmethod
    def call(self, function: Value, args: Arguments, node: ast.AST) -> Value:
        """What calling ``function`` with ``args`` gives, with all it does to the state."""

    @abstractmethod
    def counts(self, event: events.Event) -> bool:
        """Whether an event can happen here, and nobody expects it."""

    @abstractmethod
    def run_function(self, function: Function, bound: dict[str, Value], unseen: bool = False) -> Value:
        """Evaluates the body with ``bound`` parameters in the current state and context."""

    @abstractmethod
    def run_toplevel(self, scope: ModuleScope, statement: ast.stmt) -> None:
        """Runs one statement of a module's body; whatever it does, and breaks, the next one is reached."""

    @abstractmethod
    def run_traced_loop(
        self, node: ast.AST, carry: Value, run: Callable[[int, Value], Value], unknown: Callable[[], Value]
    ) -> Value:
        """What a loop that is traced at ``node`` hands on in the end: its passes ``run``, each on what the last one
        hands on.  Where a limit ends them that is ``unknown``."""

    @abstractmethod
    def note_transform(self, made: Transformed) -> None:
        """A transform was applied: its function will be traced.  Closures are analysed here and now."""

    @abstractmethod
    def note_escape(self, value: Value) -> None:
        """A function is handed to code that cannot be seen; it is analysed with unknown arguments."""

    def is_running(self, node: FunctionNode) -> bool:
        """Whether the function is one of those that led here."""
        return node in self.stack

    def running(self, count: int) -> PyIterator[FunctionNode]:
        """The last functions that led here, the innermost first."""
        return reversed(self.stack[-count:])

    @contextmanager
    def apart_from(self, functions: Collection[FunctionNode]) -> PyIterator[None]:
        """Runs code as it runs where none of these functions has led there."""
        saved = self.stack
        self.stack = [_ELSEWHERE if node in functions else node for node in saved]
        try:
            yield
        finally:
            self.stack = saved

    def breaks(self) -> None:
        """A mistake raises here: the path ends.  Whoever called goes on, as it will once that is mended."""
        self.alive = False
        self.activation.broken = True

    def settle(self, outcomes: list[State]) -> None:
        """Continues on the join of the paths that arrive here."""
        joined = join_states(outcomes)
        if joined is None:
            self.alive = False
        else:
            self.state, self.alive = joined, True

    @contextmanager
    def scratch(self) -> PyIterator[None]:
        """Runs code whose effects on the state are dropped: what a function would do if it were called."""
        saved, alive, work, settled = self.state, self.alive, self.work_begun, self.settled
        self.state, self.alive = saved.fork(), True
        try:
            yield
        finally:
            self.state, self.alive, self.work_begun, self.settled = saved, alive, work, settled

    @contextmanager
    def counted_apart(self) -> PyIterator[None]:
        """Runs code that may cost as much as any function, whatever the one around it costs."""
        work, evaluations = self.work, self.evaluations
        self.work = self.evaluations = 0
        try:
            yield
        finally:
            self.work, self.evaluations = work, evaluations

    @abstractmethod
    def context(self, ctx: Context) -> AbstractContextManager[None]:
        """Runs code under the trace ``ctx``."""

    @abstractmethod
    def isolated(self, state: State, ctx: Context, scope: ModuleScope | None) -> AbstractContextManager[None]:
        """Runs code in a state of its own: a module body (``scope``) or a function that is summarised."""

    # -- names ------------------------------------------------------------------------------------

    @abstractmethod
    def lookup(self, name: str) -> Value | None:
        """The value bound to ``name`` here, or None."""

    @abstractmethod
    def external(self, name: str) -> Value:
        """The outside object of a qualified name, in its public spelling."""

    @abstractmethod
    def external_has(self, module: str, name: str) -> bool:
        """Whether a star import of an outside module is known to bring ``name``."""

    @abstractmethod
    def module_attribute(self, scope: ModuleScope, name: str) -> Value:
        """What a module of the project has under that name."""

    @abstractmethod
    def is_transform(self, name: str) -> bool:
        """Whether an outside function of that name, used as a decorator, is known."""

    @abstractmethod
    def has_methods(self, name: str) -> bool:
        """Whether it is a class, or makes objects, of which methods are known."""

    @abstractmethod
    def eval_annotation(self, node: ast.expr, function: Function | ClassValue) -> Value:
        """What an annotation names, looked up where the function or class was defined."""

    def bind(self, name: str, value: Value) -> None:
        self.state.write(self.frame_of(name))[name] = value

    def frame_of(self, name: str) -> Frame:
        """Where an assignment to ``name`` goes: here, or what a ``global`` or ``nonlocal`` says."""
        frame = self.frame
        if name in frame.globals:
            return frame.scope.frame
        if name in frame.nonlocals:
            outer = frame.parent
            while outer is not None:
                if name in self.state.read(outer):
                    return outer
                outer = outer.parent
        return frame

    @contextmanager
    def at_home_in(self, scope: ModuleScope) -> PyIterator[None]:
        """What is run is run for the sake of a module: what it places is entered with that module's functions."""
        outer, self.home = self.home, scope
        try:
            yield
        finally:
            self.home = outer

    def note_step(self, loop: ast.AST, number: int, value: Value) -> None:
        """A pass of a loop has ``value`` as its element or index."""
        for part in (value, *(value.items if isinstance(value, Tuple) else ())):
            self.steps_of_loops[part] = (loop, number)

    def step_of(self, value: Value, state: State) -> tuple[ast.AST, int] | None:
        """The pass of a loop that has ``value`` as its element or index; of a stand-in those know who call."""
        known = self.steps_of_loops.get(value)
        if known is None and state.lent.lender is not None:
            known = state.lent.lender.step_of(value)
        return known

    # -- the trace around, as far as little code asks for it: see `OfTrace` ---------------------------

    def ask_of_trace(self, *parts: OfTrace) -> None:
        """What is found out from here on depends on these parts of the trace."""
        for part in parts:
            for asker in reversed(self.trace_askers):
                if not asker.note_part(part):
                    break  # those around have been told before

    def whole_context(self) -> tuple[Hashable, ...]:
        """All that code finds of the trace around, and may ask for."""
        self.ask_of_trace(*OfTrace)
        return self.ctx.whole_signature

    def with_own_rules(self) -> Context:
        """The context of a function with rules of its own for derivatives."""
        self.ask_of_trace(OfTrace.TRANSFORMS)
        return self.ctx.with_own_rules()

    @property
    def transform(self) -> str:
        self.ask_of_trace(OfTrace.TRANSFORMS)
        return self.ctx.transform

    @property
    def axes(self) -> frozenset[str] | None:
        self.ask_of_trace(OfTrace.AXES)
        return self.ctx.axes

    @property
    def differentiated_by(self) -> str:
        self.ask_of_trace(OfTrace.DERIVATIVES)
        return self.ctx.differentiated_by

    @property
    def differentiations(self) -> int:
        self.ask_of_trace(OfTrace.DERIVATIVES)
        return self.ctx.differentiations

    def facts_of(self, node: FunctionNode) -> FunctionFacts:
        facts = self.facts.get(node)
        if facts is None:
            facts = self.facts[node] = function_facts(node)
        return facts

    def all_classes(self, about: ClassValue | None = None) -> Collection[ClassValue]:
        """The classes of the program, and those that have been made in the function that runs.  Who is only ``about``
        to look for those derived from one says so."""
        self.note_classes(about)
        return self.classes.values()

    def add_class(self, cls: ClassValue) -> None:
        """The body of a class is about to run."""
        self.classes[cls.frame] = cls

    def referring(self) -> list[ModuleScope]:
        """The modules that have to do with references."""
        self.note_references()
        if self.with_references is None or self.with_references[0] != len(self.scopes):
            found = [scope for scope in self.scopes.values() if scope.tree is not None and scope.uses_references]
            self.with_references = len(self.scopes), found
        return self.with_references[1]

    def class_of(self, frame: Frame) -> ClassValue | None:
        """The class whose body ``frame`` runs, if it runs one."""
        return self.classes.get(frame)

    def provenance(self, why: Why, name: str, node: ast.AST, parent: Provenance | None = None) -> Provenance:
        return Provenance(why, (name,), self.frame.scope, node, parent)

    # -- whom to tell -----------------------------------------------------------------------------

    @abstractmethod
    def emit(
        self, event: events.Event, scope: ModuleText | None = None, deliver: bool = True, frame: Frame | None = None
    ) -> bool:
        """Hands ``event`` to the checks, unless the code expects the failure or the path is hypothetical.

        ``scope`` is the event's module, and ``frame`` what it is told of, if those are not the ones that run.  Returns
        whether the event counts; if not to ``deliver`` it, it is only made ready for that.
        """

    @abstractmethod
    def deliver(self, event: events.Event, first: events.Event | None = None) -> None:
        """Hands an event that is ready to the checks, or to the summary that is made.  It may be a ``first`` one that
        another summary tells of."""

    @abstractmethod
    def tell(self, event: events.Event, first: events.Event, call: ast.AST | None = None) -> None:
        """Tells of an event in a summary that is applied here, to a ``call``."""

    @abstractmethod
    def keeping(self) -> AbstractContextManager[Told]:
        """Keeps the events of what is run inside, for those who tell of them; if it breaks off they are told here."""

    @abstractmethod
    def meets(self, limit: Limit, node: ast.AST, scope: ModuleText | None = None) -> None:
        """A limit ended what would be known of ``node``, of the module that runs or another ``scope``."""

    def definition(self) -> str:
        """What the function that runs is called; empty in a module's body."""
        function = self.activation.function
        return "" if function is None else function.qualified

    @contextmanager
    def quiet(self) -> PyIterator[None]:
        work, settled = self.work_begun, self.settled
        self.muted += 1
        try:
            yield
        finally:
            self.muted -= 1
            self.work_begun, self.settled = work, settled

    @contextmanager
    def supposing(self) -> PyIterator[None]:
        """Runs code that may not run like this at all: it is not reported, nor does it count as looked at."""
        self.supposed += 1
        try:
            with self.quiet():
                yield
        finally:
            self.supposed -= 1

    # -- what is kept, and what it depends on ---------------------------------------------------------

    keeps_notes = False

    @abstractmethod
    def known_summary(self, signature: Signature) -> Any:
        """The summary that is kept under a signature, or None."""

    @abstractmethod
    def summarised(self, sign: Callable[[], Signature], evaluate: Callable[[], Any]) -> Any:
        """Evaluates a summary and keeps it under the signature that it has then."""

    @abstractmethod
    def initial_of(self, cls: ClassValue, fill: Callable[[dict[str, Value]], None]) -> dict[str, Value]:
        """The attributes an instance starts with, found out once."""

    @abstractmethod
    def run_by_init(self, classes: tuple[str, ...], name: str) -> bool | None:
        """Whether ``init`` of a flax module runs the method of that name, see `Inits.runs`."""

    @abstractmethod
    def collections_asked_for(self) -> frozenset[str] | None:
        """The rng collections that the program's flax modules draw from, by name; None if that is not known."""

    @abstractmethod
    def note_global(self, scope: ModuleScope, name: str) -> None:
        """A global was looked for."""

    @abstractmethod
    def note_handed_out(self, function: Function, made: Function) -> None:
        """A closure that a summary has, ``function``, is ``made`` where that is applied, with the variables around it
        that are there.  If a module's body has it, it is run with these."""

    @abstractmethod
    def note_import(self, scope: ModuleScope) -> None:
        """A module is imported: its body is run now, or has been."""

    def ask_text(self, scope: ModuleText, question: Callable[..., Answer], *about: Hashable) -> Answer:
        """What a module's text answers: ``question(scope, *about)``, which looks at nothing but the text."""
        return question(scope, *about)

    def ask_program(self, question: Callable[..., Answer], *about: str) -> Answer:
        """What the whole program answers, as its modules are when they are read: ``question(it, *about)``."""
        return question(self, *about)

    @abstractmethod
    def look_at(self, scope: ModuleText, part: str = "") -> None:
        """What is kept on disk depends on a part of a module beyond the function that runs, or on all of its text."""

    def finding(self, found: Hashable) -> AbstractContextManager[None]:
        """What is looked at inside is what everyone has looked at who is told what was ``found``."""
        return nullcontext()

    @abstractmethod
    def note_again(self, found: Hashable) -> None:
        """Somebody is told what was found out before."""

    @abstractmethod
    def note_touched(self, scope: ModuleScope, touched: Iterable[Value], cells: Iterable[Value]) -> None:
        """The body of a module was run: it has changed the contents of some objects that others may have made, and
        leaves those of others."""

    @abstractmethod
    def note_text(self, scope: ModuleText) -> None:
        """A module's text was looked through for something that is no question of the text alone."""

    @abstractmethod
    def note_around(self, scope: ModuleText, node: ast.AST) -> None:
        """The function or method that a node of the module stands in was looked through, or all of its text."""

    @abstractmethod
    def note_class(self, cls: ClassValue) -> None:
        """All that is written in a class was looked at."""

    @abstractmethod
    def note_classes(self, about: ClassValue | None = None) -> None:
        """All classes were looked through, for those derived from one if it is ``about`` that."""

    @abstractmethod
    def note_references(self) -> None:
        """All modules were looked through for those that have to do with references."""

    @abstractmethod
    def note_registrations(self) -> None:
        """The texts of all modules that register classes as pytrees were looked through."""

    @abstractmethod
    def note_function(self, function: Function) -> None:
        """A function's definition was looked at."""
