"""What tells calls of one function apart: a description of the arguments, and stand-ins to evaluate the function on.

A stand-in has the kind of the value that it stands for and an identity of its own.  Values are described by their kind;
objects also by what they hold, as far as the function asks for it (``asked``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

from jaxlint.flow.domain.asked import (
    ALL,
    JOINED,
    LATE,
    NAMES,
    STEP,
    TOUCHED,
    Answer,
    AskerOfTrace,
    Asking,
    Attribute,
    Item,
    Lent,
    LentCell,
    LentTuple,
    NeedsCaller,
    Question,
    names_of,
)
from jaxlint.flow.domain.clocks import EARLIER
from jaxlint.flow.domain.contexts import AnySeed, Context, GivenSeed, OfTrace, Seed
from jaxlint.flow.domain.retold import with_own_reason
from jaxlint.flow.domain.sought import HOLDING, MENTIONING, SAME, Sought
from jaxlint.flow.domain.state import Guard, State
from jaxlint.flow.domain.values import (
    ITEMS,
    NOTHING,
    SEQUENCES,
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
    Key,
    KeyId,
    Lazy,
    Method,
    ModuleValue,
    Opaque,
    Partial,
    Slice,
    Static,
    Stream,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.limits import ASKED_DEPTH, ASKED_PARTS, SUMMARY_DEPTH, SUMMARY_ITEMS
from jaxlint.flow.models.arrays.conditions import STANDING
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.keys.meant import contains
from jaxlint.flow.models.objects import instances
from jaxlint.flow.models.objects.iteration import any_value
from jaxlint.flow.port import Interpreter

_ABSENT = ("absent",)
_LOST = ("lost",)


class Describer(AskerOfTrace):
    """Turns the values of one call into hashable descriptions and stand-ins.

    ``actual`` are the values that have an identity, in the order in which they were met, ``symbols`` their stand-ins,
    and ``distances`` through how many objects each was reached.  ``general``: constants are described by their type.
    ``holds_objects``: there is something among the arguments that can change.  ``standing`` are the conditions that
    hold of everything; ``is_evaluated``: the function runs on the stand-ins.  ``seeds`` are those of the keys among the
    arguments, with what stands for them; ``numbers`` are those of the stand-ins.
    """

    def __init__(self, it: Interpreter, general: bool = False) -> None:
        super().__init__(it.ctx, Asking(None))
        self.it = it
        self.general = general
        self.state: State = it.state
        outer = it.state.lent.lender
        self.outermost: State = outer.outermost if isinstance(outer, Describer) else it.state
        self.decisive = it.ctx.decisive()
        self.function: Function | None = None
        self.seeds: dict[AnySeed, GivenSeed] = {}
        self.rows: dict[KeyId, int] = {}
        self.wholes: dict[KeyId, int] = {}
        self.actual: list[Value] = []
        self.symbols: list[Value] = []
        self.distances: list[int] = []
        self.distance = 0
        self.copies: list[Value] = []
        self.seen: dict[Hashable, int] = {}
        self.numbers: dict[Value, int] = {}
        self.cells = Lent(self, it.base, it.state.any_touched, it.state.is_conditioned)
        self.holds_objects = False
        self.run: Asking | None = None
        self.lent: dict[Question, Value | None] = {}
        self.attributes: dict[Question, Value | None] = {}
        self.lent_whole: dict[int, dict[Any, Value]] = {}
        self.lent_joined: dict[int, Value] = {}
        self.names: dict[int, tuple[Any, ...]] = {}
        self.steps: dict[int, Any] = {}
        self.tuples: list[LentTuple] = []
        self.touched: dict[Value, bool] = {}
        self.conditions: dict[Question, tuple[Guard, ...]] = {}
        self.texts: frozenset[str] | None = None
        self.standing = it.state.guards & STANDING
        self.is_evaluated = False
        self.taken_back: dict[tuple[Value, KeyId], Value] = {}
        self.serial: int | None = None  # once the function runs: what is asked for later is as old as the call

    def describe(self, value: Value) -> Any:
        """A description of an argument, whose stand-in is added to the ``copies``; None if there is none."""
        described = self._describe(value, 0)
        if described is not None:
            self.copies.append(self._copy(value))
        return described

    def close(self) -> None:
        """Nothing more is described or lent: what has been lent no longer holds who has lent it."""
        self.cells.lender = None
        self.cells.clear()
        for one in self.tuples:
            one.lender = None

    def describe_function(self, function: Function) -> tuple[Any, ...]:
        """A description of what the function that is called finds around it."""
        self.function = function
        return self._frames(function.frame)

    def copy_of_function(self, function: Function, receiver: Value | None) -> Function:
        """The function that is called, with stand-ins around it."""
        made = Function(
            function.node, function.scope, self._frame_copy(function.frame), function.name, function.defaults,
            function.kw_defaults, function.owner, receiver, function.kind, function.birth,
        )  # fmt: skip
        made.cached = function.cached
        return made

    def contexts(self) -> tuple[Any, ...]:
        """The transforms around: an object may be older than some of them."""
        return tuple([(ctx.signature, ctx.abstracts) for ctx in self.decisive])

    def new_state(self) -> State:
        """What the function finds when it is evaluated."""
        made = State(self.it.base, self.cells)
        made.guards = self.standing or NOTHING
        return made

    def describe_conditions(self) -> tuple[Any, ...]:
        """Whether any conditions are known here, which the function may ask for, and what holds of everything."""
        return self.cells.conditioned, frozenset(guard.text for guard in self.standing)

    # -- questions ----------------------------------------------------------------------------------

    def follow(self, asking: Asking) -> None:
        """Answers what earlier calls were asked, up to the point where no more is known."""
        self.asking = asking
        while self.asking.question is not None:
            number, name = self.asking.question
            if name == TOUCHED:
                self._ask_run(self.asking)
            elif isinstance(name, OfTrace):
                self.it.ask_of_trace(name)
                self.note_part(name)
            elif isinstance(name, Sought):
                self._conditions(self.asking.question)
            elif name == ALL:
                self.lend_all(number)
            elif name == NAMES:
                self.lend_names(number)
            elif name == JOINED:
                self.lend_joined(number)
            elif name == STEP:
                self.step_of(self.symbols[number])
            elif isinstance(name, Attribute):
                self.lend_attribute(number, name.name)
            elif isinstance(name, Item):
                self._item(number, name)
            else:
                self.lend(number, name)

    def is_touched(self, owner: Value) -> bool:
        """Whether an object of a finished module is not as the module has left it."""
        known = self.touched.get(owner)
        if known is None:
            known = self.touched[owner] = self.state.is_touched(owner)
            self.run = self.asking.run_until(owner, self.run)
            self._answer_run(len(self.run.owners) - 1 if known else None)
        return known

    def is_being_made(self, owner: Value) -> bool:
        """Whether it is an object of a module that is still being read."""
        return not isinstance(owner, Opaque) and owner in self.outermost.cells

    def _ask_run(self, run: Asking) -> None:
        """Answers which of the objects that earlier calls have read is the first that is touched."""
        self.run, first = run, None
        for position, owner in enumerate(run.owners):
            known = self.touched[owner] = self.state.is_touched(owner)
            if known:
                first = position
                break
        self._answer_run(first)

    def _answer_run(self, first: int | None) -> None:
        assert self.run is not None
        assert self.run.question is not None
        self.asking = self.run.after(self.run.question, first)
        if first is not None:
            self.distance = 0
            self._number(self.run.owners[first])

    def lend(self, number: int, name: Any) -> Value | None:
        """The stand-in for what an object holds under that name."""
        question = (number, name)
        if question not in self.lent:
            if self._asks_too_much(number):
                return _unknown(name)
            value = self.state.read(self.actual[number]).get(name)
            answer, self.lent[question] = (_ABSENT, None) if value is None else self._part(value, number)
            self.asking = self.asking.after(question, answer)
            self._give_up_if(answer == _LOST)
        return self.lent[question]

    def lend_attribute(self, number: int, name: str) -> Value | None:
        """The stand-in for an attribute that the object has since it was made: it is found out where the object is."""
        place = (number, name)
        if place not in self.attributes:
            if self._asks_too_much(number):
                return _unknown(name)
            owner = self.actual[number]
            assert isinstance(owner, Instance)
            value = instances.attribute_from_start(self.it, self.state, owner, name)
            answer, found = (_ABSENT, None) if value is None else self._part(value, number)
            self.attributes[place] = self.lent[place] = found
            self.asking = self.asking.after((number, Attribute(name)), answer)
            self._give_up_if(answer == _LOST)
        return self.attributes[place]

    def lend_item(self, number: int, position: int) -> Value:
        """The stand-in for an item of a tuple."""
        name = Item(position)
        if (number, name) in self.lent or (self.is_evaluated and not self._asks_too_much(number)):
            return self._item(number, name)
        return Opaque(LATE)

    def _item(self, number: int, name: Item) -> Value:
        question = (number, name)
        found = self.lent.get(question)
        if found is None:
            owner, held_objects = self.actual[number], self.holds_objects
            assert isinstance(owner, Tuple)
            answer, found = self._part(owner.item(name.number), number)
            self.lent[question] = found
            if self.holds_objects and not held_objects and answer != _LOST:
                answer = (answer, self.contexts())
            self.asking = self.asking.after(question, answer)
            self._give_up_if(answer == _LOST)
        return found

    def lent_items(self, number: int) -> tuple[Value, ...]:
        """The stand-ins for items of a tuple that somebody has looked at."""
        asked = ((name, found) for (owner, name), found in self.lent.items() if owner == number)
        return tuple([found for name, found in asked if isinstance(name, Item) and found is not None])

    def step_of(self, symbol: Value) -> Any:
        """The pass of a loop that has what a stand-in stands for as its element or index."""
        number = self.numbers.get(symbol)
        if number is None:
            return None
        if number not in self.steps:
            self.steps[number] = self.it.step_of(self.actual[number], self.state)
            self.asking = self.asking.after((number, STEP), self.steps[number])
        return self.steps[number]

    def lend_conditions(self, sought: Sought) -> tuple[Guard, ...]:
        """The conditions that are known here of what stand-ins stand for: what the function has made nobody knows."""
        told = [self._told(value) for value in sought.about]
        if sought.how == SAME and None in told:
            return ()
        about = tuple([one for one in told if one is not None])
        return self._conditions((None, Sought(sought.how, sought.texts, about)))

    def _told(self, value: Value) -> int | Value | None:
        """How the value that the function has is told in a question: by the number of the stand-in, or as what a module
        has left."""
        return value if value in self.it.base else self.numbers.get(value)

    def _conditions(self, question: Question) -> tuple[Guard, ...]:
        known = self.conditions.get(question)
        if known is None:
            _, sought = question
            answer: Answer = NOTHING
            known = ()
            if self._may_know(sought):
                about = {self.actual[one] if isinstance(one, int) else one: one for one in sought.about}
                guards = self.state.conditions(Sought(sought.how, sought.texts, tuple(about)))
                found = [(guard, self._over(guard, sought, about)) for guard in guards]
                known = tuple([replace(guard, objects=tuple(map(self._stand_in, over))) for guard, over in found])
                answer = frozenset(
                    [(guard.text, tuple(over), guard.holds, guard.constant, guard.of_pass) for guard, over in found]
                )
            self.conditions[question] = known
            self.asking = self.asking.after(question, answer)
        return known

    def _may_know(self, sought: Sought) -> bool:
        """Whether a condition may be known here: most of those that are sought are not."""
        if sought.how != SAME or self.state.lent.conditioned:
            return True
        if self.texts is None:
            self.texts = frozenset([guard.text for guard in self.state.guards])
        return sought.texts[0] in self.texts

    def _over(self, guard: Guard, sought: Sought, about: dict[Value, Any]) -> list[Any]:
        """What a condition is over, as far as who seeks it looks at that: each as it is told in the question, or by a
        number with a description."""
        if sought.how == MENTIONING:
            return []
        if sought.how != HOLDING:
            return [about[value] for value in guard.objects]
        others = [value for value in guard.objects if isinstance(value, Container) and value not in about]
        return [about[value] for value in guard.objects if value in about] + [
            (described, self._number(value)) for value in others if (described := self._describe(value, 0)) is not None
        ]

    def _stand_in(self, told: Any) -> Value:
        number = told[1] if isinstance(told, tuple) else told
        return self.symbols[number] if isinstance(number, int) else number

    def lend_all(self, number: int) -> dict[Any, Value]:
        """Stand-ins for all that an object holds."""
        if number not in self.lent_whole:
            answers, found = [], {}
            for name, value in list(self.state.read(self.actual[number]).items()):
                answer, copy = self._part(value, number)
                answers.append((name, answer))
                found[name] = self.lent.setdefault((number, name), copy) or copy
            self.lent_whole[number] = found
            self.asking = self.asking.after((number, ALL), tuple(answers))
            self._give_up_if(any(answer == _LOST for _, answer in answers))
        return self.lent_whole[number]

    def lend_names(self, number: int) -> tuple[Any, ...]:
        """The names under which an object holds something."""
        if number not in self.names:
            self.names[number] = tuple(names_of(self.state.read(self.actual[number])))
            self.asking = self.asking.after((number, NAMES), self.names[number])
        return self.names[number]

    def lend_joined(self, number: int) -> Value:
        """The stand-in for what joins all that a dict holds, which is joined where the dict is."""
        if number not in self.lent_joined:
            if self._asks_too_much(number):
                return Opaque(LATE)
            answer, self.lent_joined[number] = self._part(any_value(self.state, self.actual[number]), number)
            self.asking = self.asking.after((number, JOINED), answer)
            self._give_up_if(answer == _LOST)
        return self.lent_joined[number]

    def has_lent(self, number: int, name: Any, value: Value) -> bool:
        """Whether that is what was lent under the name, and not written since."""
        return self.lent.get((number, name)) is value

    def _asks_too_much(self, number: int) -> bool:
        """Whether so much has been asked for, or through so many objects, that the call is told apart by no more."""
        statement = self.it.statement
        assert statement is not None
        if len(self.lent) >= ASKED_PARTS.value:
            self.it.meets(ASKED_PARTS, statement)
        elif self.distances[number] >= ASKED_DEPTH.value:
            self.it.meets(ASKED_DEPTH, statement)
        else:
            return False
        return True

    def _give_up_if(self, is_lost: bool) -> None:
        """Raises NeedsCaller where the function asks for what has no stand-in."""
        if is_lost and self.is_evaluated:
            raise NeedsCaller

    def _part(self, value: Value, number: int) -> tuple[Answer, Value]:
        """A part of an object: its description, and its stand-in."""
        self.distance = self.distances[number] + 1
        described = self._describe(value, 0)
        if described is None:
            return _LOST, Opaque()
        return described, self._copy(value)

    # -- descriptions -------------------------------------------------------------------------------

    def _describe(self, value: Value, depth: int) -> Any:
        kind = type(value)
        if kind is Const:
            if self._generalises(value):
                return ("static", type(value.value).__name__, self._number(value))  # type: ignore[attr-defined]
            return ("const", type(value.value), value.value)  # type: ignore[attr-defined]
        describe = _DESCRIPTIONS.get(kind)
        if describe is not None:
            return describe(value)
        if depth > SUMMARY_DEPTH.value:
            return None
        if isinstance(value, (Opaque, Key, Tree, Array, Static)):
            held = isinstance(value, (Opaque, Tree)) and self.state.holds(value), keys.is_known_key(value)
            number = self._number(value)
            looks = self._looks(value.parameter) if isinstance(value, Tree) else NOTHING
            same = (self.seen[_marker(value)], number, self._row(value), self._seed(value), looks)
            return (*_symbol_description(value), held, *same)
        describe_parts = _WITH_PARTS.get(kind)
        return None if describe_parts is None else describe_parts(self, value, depth + 1)

    def _all(self, values: Any, depth: int) -> tuple[Any, ...] | None:
        found = tuple([self._describe(value, depth) for value in values])
        return None if None in found else found

    def _named(self, values: dict[str, Value], depth: int) -> tuple[Any, ...] | None:
        found = self._all(values.values(), depth)
        return None if found is None else tuple(zip(values, found))

    def _tuple(self, value: Tuple, depth: int) -> Any:
        if value.fields and not (value.around or self.it.traces_read):
            return ("named tuple", value.fields, value.cls, value.declared, value.given_by, self._number(value))
        if len(value.items) > SUMMARY_ITEMS.value:
            return None
        items, trees = self._all(value.items, depth), self._all((one.tree for one in value.around), depth)
        if items is None or trees is None:
            return None
        around = tuple([one._replace(tree=tree) for one, tree in zip(value.around, trees)])
        return ("tuple", value.fields, value.cls, value.declared, value.given_by, items, around)

    def _function(self, value: Function, depth: int) -> Any:
        if value.frame is None and value.receiver is None:
            return ("function", value.node)
        receiver = self._describe(value.receiver, depth) if value.receiver is not None else ()
        defaults = self._all((d for d in (*value.defaults, *value.kw_defaults) if d is not None), depth)
        if receiver is None or defaults is None:
            return None
        kind = (value.node, value.kind, self.state.holds(value))
        return ("function", *kind, self._frames(value.frame), receiver, defaults, self._number(value))

    def _frames(self, frame: Frame | None) -> tuple[Any, ...]:
        """The running functions around a function; what their variables hold is asked for one by one."""
        found = []
        while frame is not None and frame is not frame.scope.frame:
            self.holds_objects = True
            node = frame.function.node if frame.function is not None else None
            found.append((node, self._age(frame.ctx), self._number(frame)))
            frame = frame.parent
        return tuple(found)

    def _class(self, value: ClassValue, depth: int) -> Any:
        """One that a module has left is another one once its statement has run again, with other bases or decorators;
        of one that a function makes all that are made so are alike."""
        return ("class", value if value.frame in self.it.base else value.node)

    def _instance(self, value: Instance, depth: int) -> Any:
        if value.cls.frame not in self.it.base:
            return None
        if value in self.it.base:
            return self._same(value)
        self.holds_objects = True
        kind = (value.cls, value.symbolic, value.level, value.parameter, self._looks(value.parameter))
        return ("instance", *kind, self._age(value.birth), self._number(value))

    def _same(self, value: Value) -> Any:
        """An object that a module has left: it stands for itself, as others reach it, too."""
        self.holds_objects = True
        return ("same", value, self.state.holds(value), self._number(value))

    def _host_array(self, value: HostArray, depth: int) -> Any:
        """One that JAX may read itself is told apart from others; it may be written to later."""
        number = (self._number(value),) if value.narrow else ()
        return ("host", value.readonly, value.kind, value.shape, *number)

    def _container(self, value: Container, depth: int) -> Any:
        if value in self.it.base:
            return self._same(value)
        self.holds_objects = True
        looks = self._looks(value.parameter)
        return ("container", value.kind, value.parameter, looks, self._age(value.birth), self._number(value))

    def _looks(self, parameter: str) -> frozenset[str]:
        """What callers of the trace read afterwards of what it was given."""
        return self.ctx.looked_at(parameter) if parameter else NOTHING

    def _external_instance(self, value: ExternalInstance, depth: int) -> Any:
        if value in self.it.base:
            return self._same(value)
        args, kwargs = self._all(value.args, depth), self._named(value.kwargs, depth)
        if args is None or kwargs is None:
            return None
        self.holds_objects = True
        kind = (
            value.made_by,
            value.parameter,
            self._looks(value.parameter),
            self._age(value.birth),
            self.state.holds(value),
        )
        return ("external instance", *kind, args, kwargs, self._number(value))

    def _union(self, value: Union, depth: int) -> Any:
        options = self._all(value.options, depth)
        return None if options is None else ("union", options, self._number(value))

    def _partial(self, value: Partial, depth: int) -> Any:
        function, args = self._describe(value.function, depth), self._all(value.args, depth)
        kwargs = self._named(value.kwargs, depth)
        if function is None or args is None or kwargs is None:
            return None
        return ("partial", function, args, kwargs, value.more, self._number(value))

    def _transformed(self, value: Transformed, depth: int) -> Any:
        function, options = self._describe(value.function, depth), self._named(value.options, depth)
        receiver = self._describe(value.receiver, depth) if value.receiver is not None else ()
        if function is None or options is None or receiver is None:
            return None
        return ("transformed", value.node, value.name, function, options, receiver, self._number(value))

    def _method(self, value: Method, depth: int) -> Any:
        receiver = self._describe(value.receiver, depth)
        return None if receiver is None else ("method", value.name, receiver, self._number(value))

    def _slice(self, value: Slice, depth: int) -> Any:
        parts = self._all((value.lower, value.upper, value.step), depth)
        return None if parts is None else ("slice", parts, self._number(value))

    def _age(self, birth: Context | None) -> Any:
        """Which of the transforms around an object is older than."""
        if birth is None:
            return None
        age = next((age for age, ctx in enumerate(self.decisive) if ctx.encloses(birth)), len(self.decisive))
        return age, age > 0 and self.ctx.only_staged_since(birth)

    def _generalises(self, value: Value) -> bool:
        """Whether a constant is described by its type alone."""
        return (
            self.general and isinstance(value, Const) and value.value is not None and not isinstance(value.value, bool)
        )

    # -- stand-ins ----------------------------------------------------------------------------------

    def _known(self, value: Value) -> int | None:
        """The number of a value, or of another that has the same key."""
        marker = _marker(value)
        return self.seen.get((marker, *_standing(value)), self.seen.get(marker))

    def _number(self, value: Value) -> int:
        marker = _marker(value)
        first = self.seen.get(marker)
        standing = _standing(value)
        if first is not None and _standing(self.actual[first]) == standing:
            return first
        number = self.seen.get((marker, *standing))
        if number is None:
            number = len(self.actual)
            self.seen[marker if first is None else (marker, *standing)] = number
            self.actual.append(value)
            self.distances.append(self.distance)
            self.symbols.append(value)
            is_left = value in self.it.base
            make = _STAND_INS.get(type(value))
            if not is_left:
                symbol = make(self, value) if make is not None else with_own_reason(_symbol(value, self.serial))
                if isinstance(symbol, Key) and symbol.ident.seed is not None:
                    symbol.ident.seed = self._given(symbol.ident.seed)
                self.symbols[number] = symbol
                if first is not None:
                    _share_key(symbol, self.symbols[first])
                if isinstance(symbol, (Opaque, Tree, Array)) and keys.is_known_key(value):
                    symbol.key.known = True
            self.numbers[self.symbols[number]] = number
            if isinstance(value, _HOLDERS) and (self.state.holds(value) or (type(value) in _OBJECTS and not is_left)):
                self.cells[self.symbols[number]] = LentCell(self, number)
        return number

    def _row(self, value: Value) -> Any:
        """Of which array a value is a row, and of which rows it is the array, among those that are described."""
        key = value.key if isinstance(value, (Opaque, Tree, Array)) and value.has_key else None
        if key is None:
            return None
        if key.row_of is not None:
            return ("row", self.rows.setdefault(key.row_of, len(self.rows)), self.wholes.get(key.row_of))
        self.wholes.setdefault(key.actual, len(self.wholes))
        return self.rows.get(key.actual)

    def _seed(self, value: Value) -> Any:
        """The seed of a key, or its number and what is known of it, where it does not matter where it was made."""
        seed = value.ident.seed if isinstance(value, Key) else None
        if seed is None or not isinstance(given := self._given(seed), GivenSeed):
            return seed
        return [*self.seeds].index(seed), *given.known

    def _given(self, seed: AnySeed) -> AnySeed:
        """What stands for the seed of a key that the call is given.  One that is made where calls are repeated is told
        of there, and so may one of the function's own."""
        if isinstance(seed, Seed) and (seed.repeated or self._is_own(seed)):
            return seed
        if seed not in self.seeds:
            ctx = self.ctx
            self.seeds[seed] = GivenSeed(ctx.where_read(seed), ctx.where_left_out(seed), ctx.assumes_default(seed))
        return self.seeds[seed]

    def _is_own(self, seed: Seed) -> bool:
        """Whether the function that is called makes keys of it itself."""
        called = self.function
        return called is not None and seed.scope is called.scope and contains(called.node, seed.node)

    def _copy(self, value: Value) -> Value:
        number = self._known(value)
        if isinstance(value, Tuple) and number is None:
            made = value.with_items(tuple(self._copy(item) for item in value.items))
            made.around = tuple([one._replace(tree=self._copy(one.tree)) for one in value.around])
            return made
        return value if number is None else self.symbols[number]

    def _copies(self, values: Any) -> tuple[Any, ...]:
        return tuple([value if value is None else self._copy(value) for value in values])

    def _named_copies(self, values: dict[str, Value]) -> dict[str, Value]:
        return {name: self._copy(value) for name, value in values.items()}

    def _frame_copy(self, frame: Frame | None) -> Frame | None:
        if frame is None or frame is frame.scope.frame:
            return frame
        found = self._copy(frame)
        assert isinstance(found, Frame)
        return found

    def _copy_frame(self, frame: Frame) -> Frame:
        parent = frame.parent
        if parent is not None and parent is not frame.scope.frame:
            self._number(parent)
        made = Frame(frame.scope, self._frame_copy(parent), frame.function)
        made.globals, made.nonlocals = frame.globals, frame.nonlocals
        made.ctx = frame.ctx
        return made

    def _copy_function(self, value: Function) -> Function:
        made = Function(
            value.node, value.scope, self._frame_copy(value.frame), value.name, self._copies(value.defaults),
            self._copies(value.kw_defaults), value.owner, None, value.kind, value.birth,
        )  # fmt: skip
        made.receiver = self._copy(value.receiver) if value.receiver is not None else None
        made.cached = value.cached
        return made

    def _copy_partial(self, value: Partial) -> Partial:
        kwargs = self._named_copies(value.kwargs)
        return Partial(self._copy(value.function), self._copies(value.args), kwargs, value.more)

    def _copy_transformed(self, value: Transformed) -> Transformed:
        receiver = self._copy(value.receiver) if value.receiver is not None else None
        options = self._named_copies(value.options)
        function = self._copy(value.function)
        return Transformed(value.wrapper, value.name, function, options, value.scope, value.node, receiver)

    def _copy_external_instance(self, value: ExternalInstance) -> ExternalInstance:
        args, kwargs = self._copies(value.args), self._named_copies(value.kwargs)
        return ExternalInstance(value.made_by, args, kwargs, value.birth, value.parameter)


def _unknown(name: Any) -> Value | None:
    """What is lent where nothing more is told apart: any part of a container, whatever else is in it."""
    return None if name == ITEMS else Opaque(LATE)


def _marker(value: Value) -> int:
    """What two values have in common that are the same: a key may be known as several kinds of value."""
    ident = keys.key_of(value) if not isinstance(value, Array) or value.has_key else None
    return id(ident) if ident is not None else id(value)


def _standing(value: Value) -> tuple[Hashable, ...]:
    """What two values of one key may differ in: one is a tracer, or is differentiated, or has another shape."""
    shape = (value.aval.shape, value.aval.tail) if isinstance(value, Array) else (None, ())
    return value.level, isinstance(value, (Array, Tree)) and value.slope, *shape


def _share_key(symbol: Value, first: Value) -> None:
    """What a trace is given may have the key of what is known outside, and be a tracer where that is none: the two are
    told apart, and what spends the key of one spends that of the other."""
    ident = keys.key_of(first)
    if ident is not None and isinstance(symbol, (Opaque, Array, Tree)):
        symbol._key = ident
    elif ident is not None and isinstance(symbol, Key):
        symbol.ident = ident


def _copy_instance(describer: Describer, value: Instance) -> Instance:
    made = Instance(value.cls, value.birth, value.symbolic)
    made.level, made.parameter, made.provenance = value.level, value.parameter, value.provenance
    return made


def _copy_tuple(describer: Describer, value: Tuple) -> Tuple:
    lent = LentTuple(describer, len(describer.actual) - 1, len(value.fields))
    describer.tuples.append(lent)
    return Tuple.standing_for(value, lent)


def _copy_container(describer: Describer, value: Container) -> Container:
    made = Container(value.kind, value.birth, value.text, value.provenance, value.parameter)
    made.level = value.level
    return made


_OBJECTS = (Frame, Instance, Container)
_HOLDERS = (Frame, Instance, Container, Opaque, Tree, ExternalInstance, Function)
"""What has contents in the state, always or if something was stored in it."""

_STAND_INS: dict[type, Callable[[Describer, Any], Value]] = {
    Frame: Describer._copy_frame,
    Instance: _copy_instance,
    Container: _copy_container,
    Tuple: _copy_tuple,
    Function: Describer._copy_function,
    Partial: Describer._copy_partial,
    Transformed: Describer._copy_transformed,
    ExternalInstance: Describer._copy_external_instance,
    Union: lambda describer, value: Union(describer._copies(value.options)),
    Method: lambda describer, value: Method(describer._copy(value.receiver), value.name),
    Slice: lambda describer, value: Slice(*describer._copies((value.lower, value.upper, value.step))),
    HostArray: lambda _, value: HostArray(
        value.readonly, value.kind, value.birth, value.text, value.no_scalar, value.narrow, value.shape
    ),
}

_DESCRIPTIONS: dict[type, Callable[[Any], Any]] = {
    External: lambda value: ("external", value.name),
    ModuleValue: lambda value: ("module", value.scope),
    Lazy: lambda value: ("lazy", value.module, value.name),
    Stream: lambda value: ("stream", value.name, value.given),
}

_WITH_PARTS: dict[type, Callable[[Describer, Any, int], Any]] = {
    Tuple: Describer._tuple,
    Function: Describer._function,
    ClassValue: Describer._class,
    Instance: Describer._instance,
    Container: Describer._container,
    ExternalInstance: Describer._external_instance,
    Union: Describer._union,
    Partial: Describer._partial,
    Transformed: Describer._transformed,
    Method: Describer._method,
    Slice: Describer._slice,
    HostArray: Describer._host_array,
}


def _symbol_description(value: Value) -> tuple[Any, ...]:
    if isinstance(value, Opaque):
        leaf = value.leaf and value.leaf.or_number
        sequence = value.text if value.text in SEQUENCES.values() else ""
        return ("opaque", sequence, value.holds, value.of_host, value.derived is not None, leaf, value.free)
    if isinstance(value, Static):
        return (
            "static",
            value.kind,
            value.of_shape,
            value.tainted is not None,
            value.concrete_if,
            value.drawn,
            value.look is not None,
            value.sure,
        )
    if isinstance(value, Key):
        return (
            "key",
            value.dims,
            value.ranked,
            value.size,
            value.typed,
            value.level,
            keys.lane_of(value.ident),
        )
    if isinstance(value, Array):
        told = (value.of_statics, value.declared, value.slope, value.flat, value.barriers)
        lane = keys.lane_of(value.key) if value.has_key else 0
        return ("array", value.level, value.kind, value.ndim, value.aval, *told, lane)
    assert isinstance(value, Tree)
    lane = keys.lane_of(value.key) if value.has_key else 0
    known = (value.level, value.sure, value.array_like, value.maybe_name, value.slope, value.free, value.copied)
    return ("tree", *known, value.parameter, value.holds, lane)


def _symbol(value: Value, serial: int | None) -> Value:
    """A stand-in of the same description with an identity of its own, as old as the key of this ``serial``, or new."""
    if isinstance(value, Const):
        return Static(type(value.value).__name__, sure=value.value is not None)
    if isinstance(value, Static):
        look = None if value.look is None else EARLIER
        told = (value.kind, value.of_shape, value.tainted, value.concrete_if)
        return Static(*told, drawn=value.drawn, look=look, sure=value.sure)
    if isinstance(value, Opaque):
        symbol = Opaque(value.text, derived=value.derived, holds=value.holds, leaf=value.leaf)
        symbol.of_host, symbol.free = value.of_host, value.free
        if value.has_key:
            _stand_for(symbol.key, value.key)
        if serial is not None:
            symbol.serial = serial
        return symbol
    if isinstance(value, Key):
        ident = KeyId(value.ident.text, value.ident.site, known=True, seed=value.ident.seed, serial=serial)
        ident.lane = keys.lane_of(value.ident)
        return Key(ident, value.batch, value.size, value.level, value.provenance, value.typed, value.dims, value.ranked)
    if isinstance(value, Array):
        key = KeyId("", serial=serial)
        if value.has_key:
            key.lane = keys.lane_of(value.key)
            _stand_for(key, value.key)
        array = Array(
            value.level, value.provenance, value.kind, value.ndim, value.of_statics, value.sized, key, value.declared,
            value.aval,
        )  # fmt: skip
        array.slope, array.flat, array.barriers = value.slope, value.flat, value.barriers
        return array
    assert isinstance(value, Tree)
    key = KeyId(value.parameter, serial=serial)
    if value.has_key:
        key.lane = keys.lane_of(value.key)
        _stand_for(key, value.key)
    return value.renamed(value.parameter, key)


def _stand_for(symbol: KeyId, key: KeyId) -> None:
    symbol.row_of, symbol.stands_for = key.row_of, key.actual
