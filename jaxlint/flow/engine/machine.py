"""The machine that interprets programs: it walks their code, and keeps where the analysis is.

One ``Machine`` analyses one program.  What each kind of node means is in ``statements`` and ``expressions``, what calls
do in ``calls``, and all else in what those use: they see the machine as an ``Interpreter`` (``port``).
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Collection, Hashable, Iterable
from collections.abc import Iterator as PyIterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from jaxlint.flow.domain import events
from jaxlint.flow.domain.asked import AskerOfTrace, Asking, NeedsCaller, known_of
from jaxlint.flow.domain.contexts import Context, OfTrace, Provenance
from jaxlint.flow.domain.met import Failure, Met
from jaxlint.flow.domain.retold import Reasons, Told, Trace
from jaxlint.flow.domain.state import Cell, State, excluded, join_states, join_values
from jaxlint.flow.domain.values import (
    NONE,
    Array,
    ClassValue,
    Const,
    Container,
    External,
    ExternalInstance,
    Frame,
    Function,
    HostArray,
    Instance,
    Iterator,
    Key,
    Lazy,
    ModuleScope,
    Opaque,
    Partial,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
    innermost,
)
from jaxlint.flow.engine.calling import calls
from jaxlint.flow.engine.calling.kinds import kinds_around
from jaxlint.flow.engine.calling.summaries import family_of
from jaxlint.flow.engine.eval import loops
from jaxlint.flow.engine.eval.expressions import EXPRESSIONS
from jaxlint.flow.engine.eval.statements import STATEMENTS
from jaxlint.flow.limits import (
    HANDED_OUT_DEPTH,
    MAX_DEPTH,
    MAX_EVALUATIONS,
    NESTED_FUNCTIONS,
    RECURSION,
    WORK_LIMIT,
    Limit,
    TooMuchWork,
)
from jaxlint.flow.models.arrays.conditions import NOT_RUN, NOT_TRACED
from jaxlint.flow.models.jax import named_axes, unbound_modules
from jaxlint.flow.models.jax.roots import enter, place_of, takes_more
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.keys.rng_collections import Collections
from jaxlint.flow.models.names import expectations, waits
from jaxlint.flow.models.names.imports import external_name, global_constant, module_attribute, module_global, resolve
from jaxlint.flow.models.objects.classes import is_test
from jaxlint.flow.models.objects.iteration import generated
from jaxlint.flow.models.outside.externals import CALLBACK_TABLE, HIGHER_ORDER_TABLE, TRANSFORM_TABLE
from jaxlint.flow.models.random.unseen import enter_unknown
from jaxlint.flow.models.traces import held_writes
from jaxlint.flow.observers import donated, outer_reads, recreated
from jaxlint.flow.port import Activation, Interpreter, Signature
from jaxlint.flow.source.initialised import Inits
from jaxlint.flow.source.modules import (
    FunctionFacts,
    ModuleText,
    called_with_all,
    free_names,
    only_changes,
    reads_beyond_calls,
)
from jaxlint.flow.source.never_read import is_never_read
from jaxlint.flow.source.runs_again import may_run_before
from jaxlint.flow.source.straight import comes_to
from jaxlint.flow.source.trees import FunctionNode, descendants
from jaxlint.semantics import libraries
from jaxlint.semantics.arrays import NEW_AXES
from jaxlint.semantics.collectives import MAPPING_LANES, WITHOUT_A_NAME

if TYPE_CHECKING:
    from jaxlint.project.program import Program
    from jaxlint.vocabulary.findings import Location

Listener = Callable[[Any], None]
KNOWN_NAMES = TRANSFORM_TABLE.keys() | HIGHER_ORDER_TABLE.keys() | CALLBACK_TABLE.keys()
"""Outside functions that a star import is trusted to bring in."""
_REMEMBERED_CALLS = 5_000  # of about 50 kB each, and as many that may be forgotten next


class Machine(Interpreter):
    def __init__(self, program: Program, listeners: dict[type, list[Listener]]) -> None:
        super().__init__(program)
        self.listeners = listeners
        self.deferred: list[tuple[Transformed, Context, ModuleScope | None]] = []  # with the home
        self.failures: list[Failure] = []
        self.met: Met | None = None
        self.transformed: dict[ModuleScope | None, set[ast.AST]] = {}  # functions, by the home they are placed from
        self.placed: set[Any] = set()
        self.tracings: list[set[ast.AST]] = []  # what the traces of closures that are going on have run
        self.cut = 0  # how often a limit has ended what would be known
        self.escaped: list[Value] = []
        self.externals: dict[str, Value] = {}
        self.inits = Inits(program)
        self.collections = Collections(program)
        self.analysed: set[ast.AST] = set()
        self.handed_out: set[Function] = set()  # closures that a module's body has made: run with its functions
        self._stand_ins: set[Function] = set()  # what is such a closure where a call of its maker is applied
        self.summaries: dict[Any, Any] = {}
        self.older_summaries: dict[Any, Any] = {}  # those that have not been asked for since there were too many
        self.told: Told | None = None  # what the summary that is made is told of

    # -- events ---------------------------------------------------------------------------------

    def emit(
        self, event: events.Event, scope: ModuleText | None = None, deliver: bool = True, frame: Frame | None = None
    ) -> bool:
        """Hands ``event`` to the checks, unless the code expects the failure or the path is hypothetical.

        ``scope`` is the event's module, and ``frame`` what it is told of, if those are not the ones that run.  Returns
        whether it happens here, which a failure does that the code expects; if not to ``deliver`` it, it is only made
        ready for that.
        """
        if not self.counts(event):
            return deliver and self._fails_as_expected(event)
        function = self.activation.function if frame is None or frame is self.frame else frame.function
        event.scope = scope or self.frame.scope
        event.context = self.ctx
        event.definition = "" if function is None else function.qualified
        event.in_test = event.scope.module.is_test or is_test(function)
        if deliver:
            self.deliver(event)
        return True

    def counts(self, event: events.Event, is_own: bool = True) -> bool:
        """Whether an event can happen here, and nobody expects it.  ``is_own``: it is one of what runs,
        not of what that has called."""
        if self.muted or self._is_caught(event, is_own):
            return False
        if isinstance(event, events.UnboundAxis) and not self._is_unbound(event):
            return False
        if isinstance(event, events.UnboundModule) and not (self._is_seen(event) and unbound_modules.is_alone(self)):
            return False
        if isinstance(event, _OF_VALUES) and NOT_RUN in self.state.guards:
            return False
        return isinstance(event, _EAGER) or not (self.unstaged or NOT_TRACED in self.state.guards)

    def _fails_as_expected(self, event: events.Event) -> bool:
        return self._is_caught(event) and not (self.muted or self.unstaged or NOT_TRACED in self.state.guards)

    def _is_caught(self, event: events.Event, is_own: bool = True) -> bool:
        caught = (*self.expected, *self.activation.handled) if is_own else self.expected
        return bool(caught) and expectations.is_expected(event, caught)

    def _is_unbound(self, event: events.UnboundAxis) -> bool:
        """Whether nobody binds the name of an axis: none of those who call, or none at all."""
        event.sure, is_seen_in_map = event.sure and self._is_seen(event), self._is_seen_in_map(event)
        return event.sure or (is_seen_in_map and named_axes.is_named_nowhere(self, event))

    def _is_seen_in_map(self, event: events.UnboundAxis) -> bool:
        """Whether what leads here from a map that names its axes is all seen, or from what is mapped without a name or
        compiled, which others can only call."""
        running: Activation | None = self.activation
        while running is not None and self._is_inside(running, event) and not self._may_leave_out(running, event):
            event.run_by = running.context.transform
            running = running.caller
        if running is not None and self._is_inside(running, event):
            return False
        # A static argument, which may be the name of an axis, is another one in each call of what is compiled.
        return event.bound != () or event.run_by in (WITHOUT_A_NAME if event.is_written else MAPPING_LANES)

    def _is_inside(self, running: Activation, event: events.UnboundAxis) -> bool:
        """Whether a function runs in what decides of an axis: in a map that has named one, or else in any trace."""
        return bool(running.context.axes) if event.bound else running.context.tracing

    def _is_seen(self, event: events.UnboundAxis | events.UnboundModule) -> bool:
        """Whether the calls that led here are all seen, and under a trace happen on no condition."""
        running: Activation | None = self.activation
        while running is not None and not running.unseen and not self._may_leave_out(running, event):
            running = running.caller
        return running is None and not self.assumed

    def _may_leave_out(self, running: Activation, event: events.Event) -> bool:
        """Whether a function is not called as it is written, or is traced and does not come to the event."""
        if running.function is None:
            return False
        node = running.function.node
        return node in self.wrapped or (running.context.tracing and not comes_to(node, self.facts_of(node), event.node))

    def deliver(self, event: events.Event, first: events.Event | None = None) -> None:
        """Hands an event that is ready to the checks, or to the summary that is made.  It may be a ``first`` one that
        another summary tells of."""
        if self.told is not None:
            self.told.add(event, first or event)
            return
        for listener in self.listeners.get(type(event), ()):
            listener(event)

    def tell(self, event: events.Event, first: events.Event, call: ast.AST | None = None) -> None:
        """Tells of an event in a summary that is applied here, to a ``call``."""
        if isinstance(event, events.WaitedInLoop) and not waits.find_loop(self, event, call):
            return
        if self.counts(event, is_own=False):
            if isinstance(event, events.CompiledAtEachCall):
                recreated.find_loop(self, event)
            self.deliver(event, first)

    @contextmanager
    def keeping(self) -> PyIterator[Told]:
        """Keeps the events of what is run inside, for those who tell of them; if it breaks off they are told here,
        unless its caller runs it again."""
        outer, self.told = self.told, Told(self.ctx)
        try:
            yield self.told
        except NeedsCaller:
            raise
        except Exception:
            told, self.told = self.told, outer
            told.tell(self, Reasons())
            raise
        finally:
            self.told = outer

    # -- evaluation -----------------------------------------------------------------------------

    def eval(self, node: ast.expr) -> Value:
        """What is known of the value of ``node`` here, with its effects on the state.

        Raises TooMuchWork where the entry has used up what it may cost.
        """
        self.evaluations += 1
        if self.evaluations > MAX_EVALUATIONS.value:
            raise TooMuchWork
        value = EXPRESSIONS[type(node)](self, node)
        if self.donates:
            donated.note_value(self, node, value)
        if self.watch is not None:
            self.watch(self.frame.scope, node, value, self)
        return value

    def exec_block(self, body: Iterable[ast.stmt]) -> None:
        """Runs statements until the path ends; afterwards ``alive`` says whether it arrives."""
        for statement in body:
            if not self.alive:
                break
            self.work += 1
            self.statement = statement
            STATEMENTS[type(statement)](self, statement)

    call = calls.call

    @contextmanager
    def context(self, ctx: Context) -> PyIterator[None]:
        saved, self.ctx = self.ctx, ctx
        logging, self.logging = self.logging, 0  # what a trace computes is more than what is printed of it
        is_run_again = False
        try:
            yield
        except NeedsCaller:
            is_run_again = True
            raise
        finally:
            self.ctx, self.logging = saved, logging
            if self.held and ctx is not saved and not is_run_again:
                held_writes.release(self, ctx)

    @contextmanager
    def isolated(self, state: State, ctx: Context, scope: ModuleScope | None) -> PyIterator[None]:
        """Runs code in a state of its own: a module body (``scope``) or a function that is summarised."""
        saved = self._position()
        work, evaluations, held, applied, told = self.work, self.evaluations, self.held, self.applied, self.told
        kept, waits = self.kept_traces, (self.work_begun, self.waited, self.settled)
        written = self.writes, self.ran_since
        self.state, self.alive, self.ctx, self.loops, self.calls = state, True, ctx, (), ()
        self.depth = self.work = self.evaluations = self.assumed = 0
        self.passes = 1
        self.applied = {}
        self.work_begun = None
        if scope is not None:
            self.frame = scope.frame
            self.activation = Activation(scope.frame, None, ctx)
            self.muted, self.supposed_depth, self.expected, self.held = 0, 0, (), ()
            self.told, self.kept_traces = None, {}
            self.writes, self.ran_since = None, []
            self.stack = []
            self.steps_of_loops, self.told_of_pass = {}, {}
        try:
            yield
        finally:
            self._return_to(saved)
            self.applied, self.work, self.evaluations = applied, work, evaluations
            self.work_begun, self.waited, self.settled = waits
            if scope is not None:
                held_writes.release(self)
                self.held, self.told, self.kept_traces = held, told, kept
                self.writes, self.ran_since = written

    def _position(self) -> tuple[Any, ...]:
        """Where the analysis is, for ``_return_to``."""
        return (
            self.state, self.alive, self.ctx, self.frame, self.activation, self.loops,
            self.muted, self.supposed_depth, self.expected, self.stack, self.depth, self.calls, self.logging,
            self.passes, self.trying, self.unstaged, self.guessing, self.assumed, len(self.operations),
        )  # fmt: skip

    def _return_to(self, position: tuple[Any, ...]) -> None:
        """Goes on from there, whatever has run since and broken off."""
        (
            self.state, self.alive, self.ctx, self.frame, self.activation, self.loops,
            self.muted, self.supposed_depth, self.expected, self.stack, self.depth, self.calls, self.logging,
            self.passes, self.trying, self.unstaged, self.guessing, self.assumed, operations,
        ) = position  # fmt: skip
        del self.operations[operations:]

    # -- names ----------------------------------------------------------------------------------

    def lookup(self, name: str) -> Value | None:
        """The value bound to ``name`` here, or None."""
        here = self.frame
        frame: Frame | None = here.scope.frame if name in here.globals else here
        # State.read, written out: this is the hottest place of all.
        cells, lent, base = self.state.cells, self.state.lent, self.state.base
        is_lent = self.state.is_summarised
        while frame is not None:
            cell = cells.get(frame)
            if cell is None:
                cell = lent[frame] if is_lent else None
                if cell is None:
                    cell = base.get(frame, _NOTHING)
            value = cell.get(name)
            if value is not None:
                kind = value.__class__
                if kind is Lazy:
                    self.note_global(frame.scope, name)
                    return resolve(self, value)
                if kind is Union and value.guards:  # type: ignore[attr-defined]
                    value = self.choose(value)  # type: ignore[arg-type]
                if frame is here:
                    return value
                if kind is Key and self.ctx.tracing:
                    self._note_closed_over(value, name)  # type: ignore[arg-type]
                if frame is frame.scope.frame:
                    return self._global(frame.scope, name, value)
                return self._enclosing(frame, name, value)
            outer = frame.parent
            if outer is None and frame is not frame.scope.frame:
                outer = frame.scope.frame
            frame = outer
        return module_global(self, here.scope, name)

    def choose(self, value: Union) -> Value:
        """What a variable that different paths bound differently holds under the conditions known here."""
        possible = [
            option
            for option, conditions in zip(value.options, value.guards)
            if not excluded(conditions, self.state.guards)
        ]
        if len(possible) == 1:
            return possible[0]
        if not possible:
            return value.merged
        return Union(tuple(possible)) if len(possible) < len(value.options) else value

    def _global(self, scope: ModuleScope, name: str, value: Value) -> Value:
        """A module global read inside a function."""
        if name in scope.rebound:
            outer_reads.check_global(self, scope, name, value, scope.rebound[name])
            if self.ctx.tracing and isinstance(value, Const) and outer_reads.is_mode(value, scope.rebound[name]):
                return value
            value = global_constant(scope, name, value)
        if name in scope.replaced and scope.state == "done" and self._is_above(scope, scope.replaced[name]):
            if not isinstance(value, (Const, Static, Key)):
                return Opaque(name)  # the calls of before see another thing than those of after
        if name in scope.rebound:
            return value
        if self.ctx.staging and isinstance(value, (HostArray, Container)) and name in scope.mutated:
            outer_reads.check_global(self, scope, name, value, [scope.mutated[name]])
        return value

    def _is_above(self, scope: ModuleScope, line: int) -> bool:
        """Whether the function that runs is defined above that line of the module, and may run before it."""
        node = self.frame.function.node if self.frame.function is not None else None
        if node is None or node.lineno >= line or node in scope.globals_timed:
            return False
        return self.frame.scope is not scope or self.ask_text(scope, may_run_before, node, line)

    def _note_closed_over(self, key: Key, name: str) -> None:
        """A traced function reads a key that it is not given: where, if the key is a constant."""
        if key.ident.seed is not None and self.reading is not None and self.reading.id == name:
            self.ctx.closed_over.setdefault(key.ident.seed, (self.frame.scope, self.reading))

    def _enclosing(self, frame: Frame, name: str, value: Value) -> Value:
        """A variable of an enclosing function."""
        if self.ctx.tracing:
            outer_reads.check_closure(self, frame, name, value)
        return value

    def external(self, name: str) -> Value:
        """The outside object of a qualified name, in its public spelling."""
        found = self.externals.get(name)
        if found is None:
            public = external_name(self.rows.like.get(name, name))
            found = self.externals[name] = NONE if public in NEW_AXES else External(public)
        return found

    def external_has(self, module: str, name: str) -> bool:
        """Whether a star import of an outside module is known to bring ``name``."""
        qualified = f"{module}.{name}"
        return external_name(qualified) in KNOWN_NAMES or self.rows.speak_of(qualified)

    def module_attribute(self, scope: ModuleScope, name: str) -> Value:
        return module_attribute(self, scope, name)

    def is_transform(self, name: str) -> bool:
        known = name in TRANSFORM_TABLE or name.startswith(("functools.", "jax."))
        return known or self.rows.function(name) is not None

    def has_methods(self, name: str) -> bool:
        """Whether it is a class, or makes objects, of which methods are known."""
        return name in libraries.KEY_OWNERS or self.rows.owns(name)

    def eval_annotation(self, node: ast.expr, function: Function | ClassValue) -> Value:
        """What an annotation names, looked up where the function or class was defined."""
        while isinstance(node, ast.Subscript):
            owner = self.eval_annotation(node.value, function)
            if isinstance(owner, External) and owner.name.startswith("jaxtyping."):
                first = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
                return self.eval_annotation(first, function) if isinstance(first, (ast.Name, ast.Attribute)) else owner
            return Opaque("a generic type")
        if any(isinstance(part, ast.Call) for part in descendants(node)):
            return Opaque("a type that is made")  # its maker may have the annotation itself
        saved, self.frame = self.frame, function.frame or function.scope.frame
        try:
            with self.quiet():
                return self.eval(node)
        finally:
            self.frame = saved

    # -- transforms and escapes -------------------------------------------------------------------

    def run_traced_loop(
        self, node: ast.AST, carry: Value, run: Callable[[int, Value], Value], unknown: Callable[[], Value]
    ) -> Value:
        return loops.run_traced_loop(self, node, carry, run, unknown)

    def note_transform(self, made: Transformed) -> None:
        """A transform was applied: its function will be traced.  Closures are analysed here and now."""
        function, _, _ = innermost(made)
        if function is None or self.supposed:
            return
        if self.is_running(function.node):
            made.called_at_once = False  # the call is not followed
        if not made.called_at_once and (function.defaults or any(function.kw_defaults)):
            self.activation.offers.append(made)
        self._place(made, function)

    def _place(self, made: Transformed, function: Function) -> None:
        if function.frame is None and _self_contained(made):
            if not self.ctx.traces(function.node):  # else it maps itself, again and again
                if not self.ask_text(made.scope, is_never_read, made.node):  # else nobody can call what it makes
                    self.ask_of_trace(*OfTrace)
                    self.defer(made, function)
            return
        if self.muted or made.called_at_once:
            return  # such a trace has no effect but what it reports; and what is called at once is run by that call
        limit = self._limit_of_trace(function)
        if limit is not None:
            self.meets(limit, made.node, made.scope)
            return
        with self.counted_apart(), self.scratch():
            self._bind_late(function, made.node)
            kinds, reasons = kinds_around(self, made)
            known = self.asked.setdefault(function.node, {})
            asker = AskerOfTrace(self.ctx, known.setdefault(kinds, Asking(("traced", kinds), of_trace=True)))
            while asker.asking.question is not None:
                _, part = asker.asking.question
                self.ask_of_trace(part)
                asker.note_part(part)
            trace = self.known_summary(asker.asking)
            if trace is None:
                if self.ask_text(made.scope, is_never_read, made.node):
                    return
                trace = self.summarised(lambda: asker.asking, lambda: self._trace(made, reasons, asker))
                trace.told.tell(self, Reasons())
            elif trace.tells(self, reasons):
                for node in trace.ran:
                    self._note_run(node)
            else:
                enter(self, made)

    def _offer(self, values: Collection[Value]) -> None:
        """What a transform has made here, and those can call who have one of ``values``, is run on all that they may
        pass to it."""
        offers, self.activation.offers = self.activation.offers, []
        inner = [made.function for made in offers]
        for made in offers:
            function, _, _ = innermost(made)
            if function is None or made in inner or not any(self._leads_to(value, made) for value in values):
                continue
            if takes_more(self, made):
                self._place(made.to_anyone(), function)

    def _trace(self, made: Transformed, reasons: list[Provenance | None], asker: AskerOfTrace) -> Trace:
        """Traces a closure."""
        cut, ran = self.cut, set[ast.AST]()
        self.tracings.append(ran)
        self.trace_askers.append(asker)
        try:
            with self.keeping() as told:
                enter(self, made)
        finally:
            self.trace_askers.pop()
            self.tracings.pop()
        return Trace(ran, told, reasons, self.cut == cut)

    def _note_run(self, node: ast.AST) -> None:
        """A function is run, or known from an earlier run."""
        self.analysed.add(node)
        for ran in self.tracings:
            ran.add(node)

    def _limit_of_trace(self, function: Function) -> Limit | None:
        """What keeps a closure from being traced where it is transformed."""
        if self.is_running(function.node):
            return RECURSION
        if function.frame is not None and function.frame.depth >= NESTED_FUNCTIONS.value:
            return NESTED_FUNCTIONS
        if self.depth >= MAX_DEPTH.value:
            return MAX_DEPTH
        return WORK_LIMIT if self.work >= WORK_LIMIT.value else None

    def _bind_late(self, function: Function, node: ast.AST) -> None:
        """A closure reads its variables when it is called: a key whose name is bound again below ``node``, which
        makes the closure, is not the one that it will find.  Calls before that are looked at where they are."""
        frame, line = function.frame, getattr(node, "lineno", 0)
        read = free_names(function.node, self.facts_of(function.node))
        while frame is not None and frame.function is not None:
            for name, writes in self.facts_of(frame.function.node).stored.items():
                if name in read and any(getattr(write, "lineno", 0) > line for write in writes):
                    value = self.state.read(frame).get(name)
                    if value is not None and keys.is_known_key(value):
                        self.state.write(frame)[name] = Opaque(name)
            frame = frame.parent

    def defer(self, made: Transformed, function: Function) -> None:
        """The transform is entered later, from a fresh state."""
        # The same application met again (in another context of the caller) tells nothing new.
        place = place_of(made, function, self.ctx)
        if made.scope.name not in self.program.foreign:
            self.transformed.setdefault(self.home, set()).add(function.node)
        if place not in self.placed:
            self.placed.add(place)
            self.deferred.append((made, self.ctx, self.home))

    def note_escape(self, value: Value) -> None:
        """A function is handed to code that cannot be seen; it is analysed with unknown arguments."""
        self.escaped.append(value)

    # -- what a result depends on: for those who keep it -------------------------------------------

    def run_by_init(self, classes: tuple[str, ...], name: str) -> bool | None:
        """Whether ``init`` of a flax module runs the method of that name, see `Inits.runs`."""
        return self.inits.runs(classes, name)

    def collections_asked_for(self) -> frozenset[str] | None:
        """The rng collections that the program's flax modules draw from, by name; None if that is not known."""
        return self.collections.names()

    def note_global(self, scope: ModuleScope, name: str) -> None:
        """A global was looked for."""

    def note_import(self, scope: ModuleScope) -> None:
        """A module is imported: its body is run now, or has been."""

    def note_text(self, scope: ModuleText) -> None:
        """A module's text was looked through for something that is no question of the text alone."""

    def look_at(self, scope: ModuleText, part: str = "") -> None:
        """What is kept on disk depends on a part of a module beyond the function that runs, or on all of its text."""

    def note_again(self, found: Hashable) -> None:
        """Somebody is told what was found out before."""

    def note_touched(self, scope: ModuleScope, touched: Iterable[Value], cells: Iterable[Value]) -> None:
        """The body of a module was run."""

    def note_around(self, scope: ModuleText, node: ast.AST) -> None:
        """The function or method that a node of the module stands in was looked through, or all of its text."""

    def note_class(self, cls: ClassValue) -> None:
        """All that is written in a class was looked at."""

    def note_classes(self, about: ClassValue | None = None) -> None:
        """All classes were looked through."""

    def note_references(self) -> None:
        """All modules were looked through for those that have to do with references."""

    def note_registrations(self) -> None:
        """The texts of all modules that register classes as pytrees were looked through."""

    def note_function(self, function: Function) -> None:
        """A function's definition was looked at."""

    def run_toplevel(self, scope: ModuleScope, statement: ast.stmt) -> None:
        """Runs one statement of a module's body; whatever it does, and breaks, the next one is reached."""
        position, self.evaluations = self._position(), 0
        try:
            self.exec_block((statement,))
            if self.activation.offers:
                self._offer(self.state.read(scope.frame).values())
        except Exception as error:
            self._return_to(position)
            self.note_failure(Failure(scope, statement, "this statement", error))
        self.alive = True

    def meets(self, limit: Limit, node: ast.AST, scope: ModuleText | None = None) -> None:
        """A limit ended what would be known of ``node``, of the module that runs or another ``scope``."""
        self.cut += 1
        if self.met is not None:
            self.met.note(limit, scope or self.frame.scope, node)

    def note_failure(self, failure: Failure) -> None:
        """An entry broke off."""
        if isinstance(failure.error, TooMuchWork):
            self.meets(MAX_EVALUATIONS, failure.node, failure.scope)
        self.failures.append(failure)

    def known_summary(self, signature: Signature) -> Any:
        found = self.summaries.get(signature)
        if found is None and signature in self.older_summaries:
            found = self.summaries[signature] = self.older_summaries.pop(signature)
        return found

    def forget_calls(self) -> None:
        """Between two entries: calls that have not been met for long are found out again if they are met once more."""
        if len(self.summaries) > _REMEMBERED_CALLS:
            for signature in self.older_summaries:
                self.variants[family_of(signature)] -= 1
            self.older_summaries, self.summaries = self.summaries, {}

    def summarised(self, sign: Callable[[], Signature], evaluate: Callable[[], Any]) -> Any:
        """Evaluates a summary and keeps it under the signature that it has then."""
        summary = evaluate()
        signature = sign()
        family = family_of(signature)
        self.variants[family] = self.variants.get(family, 0) + 1
        self.summaries[signature] = summary
        return summary

    def initial_of(self, cls: ClassValue, fill: Callable[[dict[str, Value]], None]) -> dict[str, Value]:
        """The attributes an instance starts with, found out once."""
        if cls.initial is None:
            cls.initial = {}
            fill(cls.initial)
        return cls.initial

    # -- functions ------------------------------------------------------------------------------

    def run_function(self, function: Function, bound: dict[str, Value], unseen: bool = False) -> Value:
        """Evaluates the body with ``bound`` parameters in the current state and context."""
        node = function.node
        facts = self.facts_of(node)
        frame = Frame(function.scope, function.frame, function)
        frame.globals, frame.nonlocals = facts.globals, facts.nonlocals
        saved = self.frame, self.activation, self.loops
        self.frame, self.activation = frame, Activation(frame, function, self.ctx, self._caller(), len(self.loops))
        self.activation.unseen = unseen
        if not self.supposed:
            self._note_run(node)
        self.stack.append(node)
        self.ran[node] = function
        if self.held or self.writes is not None:
            self.ran_since.append(node)
        frame.ctx = self.ctx
        if self.ctx.runs_once:
            self.traced[node] = function.scope
        self.depth += 1
        self.supposed_depth += self.supposed > 0
        self.work += 4  # a call costs about as much as a few statements
        self.loops = saved[2]
        self.state.write(frame).update(bound)
        try:
            escaped = len(self.escaped)
            result = self._run_body(node, facts)
            self._report_mutations(result, saved[1])
            if self.activation.offers and not self.ctx.tracing:
                self._offer([result, *bound.values()])
            only_raises = self.only_raises
            if not self.supposed:
                self._run_escaped(result, saved[1], [result, *self.escaped[escaped:], *bound.values()])
            self.only_raises = only_raises
            return result
        finally:
            self.stack.pop()
            self.depth -= 1
            self.supposed_depth -= self.supposed > 0
            if not self.activation.created:
                self.state.cells.pop(frame, None)  # nothing closes over it
            self.frame, self.activation, self.loops = saved

    def _caller(self) -> Activation | None:
        """What calls the function that begins; None where an entry or a summary begins with it."""
        return self.activation if self.depth else None

    def _run_body(self, node: FunctionNode, facts: FunctionFacts) -> Value:
        if isinstance(node, ast.Lambda):
            value = self.eval(node.body)
            self.only_raises, self.alive = not (self.alive or self.activation.broken), True
            return value
        self.exec_block(node.body)
        activation = self.activation
        paths = list(activation.returns)
        if self.alive:
            paths.append((self.state, NONE))
        if not paths and facts.generator and activation.yields:
            paths.append((self.state, NONE))  # it never ends, which is nobody's concern
        is_plain = isinstance(node, ast.FunctionDef) and not facts.generator
        self.only_raises = not paths and is_plain and not activation.broken
        if not paths:  # whether its caller goes on is told by whose call it is
            self.alive = True
            return Opaque("a function that only raises")
        state, value = paths[0]
        for other_state, other in paths[1:]:
            joined = join_states([state, other_state])
            assert joined is not None
            value = join_values(value, state, other, other_state, joined)
            state = joined
        self.state, self.alive = state, True
        if facts.generator:
            value = Iterator(generated(self, activation.yields), "generator", self.ctx)
        return value

    def _report_mutations(self, returned: Value, caller: Activation) -> None:
        """A container argument that is changed and returned loses nothing; any other change is lost.

        Where the container is the caller's own, so is the change.
        """
        function, ctx = self.activation.function, self.activation.context
        copied = caller.ended or (function is not None and function.node in self.custom_rules)
        for target, event in self.activation.mutated:
            if not copied and ctx is caller.context:
                caller.mutated.append((target, event))
            elif not self.state.reaches(returned, target):
                if not copied and target in ctx.uncopied:
                    caller.mutated.append((target, event))
                else:
                    gives_none = isinstance(returned, Const) and returned.value is None
                    if function is not None and gives_none and isinstance(event, events.ArgumentMutated):
                        event.in_vain = only_changes(function.node, event.node)
                    self.deliver(event)

    def _run_escaped(self, result: Value, caller: Activation, left_to: list[Value]) -> None:
        """Nested functions nobody called here (returned, stored) are analysed once, with unknown arguments.

        Under a trace a function that is returned is left to the caller, who knows what it is called with, and one
        that could only be called on a path that is not taken does nothing.  What is in none of ``left_to``, nor in a
        variable around, runs on another path only: what this one has spent is not spent there.  Of what other branches
        have spent than the one that made it, nothing is spent there either.
        """
        self.activation.ended = True
        for function in self.activation.created:
            if not isinstance(function, Function) or function.node in self.analysed:
                continue
            listens = self.ctx.tracing and caller.context is self.ctx and not caller.ended
            if listens and self._hands_out(result, function):
                caller.created.append(function)
            elif self._is_of_a_module(caller) and self._hands_out(result, function):
                self.handed_out.add(function)
            elif not self.ctx.tracing or not self._is_only_called(function):
                outside = (*left_to, *self.activation.yields, *self._outer_variables())
                with self.scratch():
                    if not any(self._leads_to(value, function) for value in outside):
                        self.state.uses = {}
                    self.state.guards |= self.activation.made_where.get(function, frozenset())
                    enter_unknown(self, function)

    def note_handed_out(self, function: Function, made: Function) -> None:
        if function in self.handed_out:
            self.handed_out.discard(function)
            self._stand_ins.add(function)
        if function in self._stand_ins and self._is_of_a_module(self.activation):
            self.functions.append(made)
            self.handed_out.add(made)

    def _is_of_a_module(self, caller: Activation) -> bool:
        """Whether a module's body called the running function: what that returns is run when all of it is known."""
        frame = caller.frame
        return not self.ctx.tracing and frame is frame.scope.frame and frame.scope.state == "running"

    def _hands_out(self, value: Value, function: Function, depth: int = 0) -> bool:
        """Whether who has ``value`` has a function, too."""
        if isinstance(value, Function):
            return value.node is function.node
        if depth > HANDED_OUT_DEPTH.value:
            return False
        if isinstance(value, (Partial, Transformed)):
            return self._hands_out(value.function, function, depth + 1)
        parts: Iterable[Value] = ()
        if isinstance(value, Tuple):
            parts = value.items
        elif isinstance(value, Union):
            parts = value.options
        elif isinstance(value, (Container, Instance)):
            parts = known_of(self.state.read(value)).values()
        return any(self._hands_out(part, function, depth + 1) for part in parts)

    def _is_only_called(self, function: Function) -> bool:
        """Whether the function around does nothing with a nested one but call it, and no call was beyond a limit."""
        outer = self.activation.function
        if outer is None or function in self.beyond or isinstance(function.node, ast.Lambda):
            return False
        return not reads_beyond_calls(outer.node, self.facts_of(outer.node))[function.name]

    def _outer_variables(self) -> PyIterator[Value]:
        """The variables around the running function."""
        frame = self.frame.parent
        while frame is not None:
            yield from known_of(self.state.read(frame)).values()
            frame = frame.parent
        yield from known_of(self.state.read(self.frame.scope.frame)).values()

    def _leads_to(self, value: Value, function: Value, depth: int = 0) -> bool:
        """Whether who has ``value`` can call ``function``, which was made here: what nobody has asked for is older."""
        if value is function or depth > HANDED_OUT_DEPTH.value:
            return value is function
        parts: tuple[Value, ...]
        if isinstance(value, (Partial, Transformed)):
            parts = (value.function, *((*value.args, *value.kwargs.values()) if isinstance(value, Partial) else ()))
        elif isinstance(value, ExternalInstance):
            parts = (*value.args, *value.kwargs.values())
        elif isinstance(value, Tuple):
            parts = value.items
        elif isinstance(value, Union):
            parts = value.options
        elif isinstance(value, (Container, Instance, Opaque, Tree)):
            parts = tuple(known_of(self.state.read(value)).values())
        elif isinstance(value, ClassValue):
            parts = tuple(known_of(self.state.read(value.frame)).values())
        elif isinstance(value, Function):
            parts = tuple(self._called_by(value))
        else:
            return False
        return any(self._leads_to(part, function, depth + 1) for part in parts)

    def _called_by(self, closure: Function) -> PyIterator[Value]:
        """What a closure calls with whatever it is given, as a decorator's does."""
        if closure.frame is None:
            return
        self.note_function(closure)
        variables = self.state.read(closure.frame)
        for name in called_with_all(closure.node, self.facts_of(closure.node)):
            if name in variables:
                yield variables[name]

    def traced_functions(self, known: int = 0) -> PyIterator[Location]:
        """The definitions that ran where Python code is run once for each trace, but for the first that are known."""
        for node, scope in itertools.islice(self.traced.items(), known, None):
            yield scope.location(node)


def _self_contained(value: Value) -> bool:
    """Whether a function value means the same after the code that made it is done."""
    if isinstance(value, Transformed):
        return value.receiver is None and _self_contained(value.function)
    if isinstance(value, Partial):
        parts = (*value.args, *value.kwargs.values())
        return _self_contained(value.function) and all(
            isinstance(p, (Const, Static, Array, Key, External)) for p in parts
        )
    return isinstance(value, Function) and value.receiver is None


_NOTHING: Cell = {}

# Events of what is computed, which nothing is where a branch is only traced.
_OF_VALUES = (events.IndexBeyond, events.SliceMoved, events.BranchBeyond)

# Events that mean the same where nothing is traced.
_EAGER = (
    *(events.KeyReuse, events.SplitAndFold, events.UnpackedKeys, events.KeysAsOne, events.NotAKey),
    *(
        events.ItemAssignment,
        events.FrozenSet,
        events.MapMisused,
        events.TreeMapMisused,
        events.TreesDiffer,
        events.TakenForLeaf,
    ),
)
