"""Failures that the code expects: which exception an event stands for, and which ones a handler catches."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import ClassValue, Const, External, Function, Tuple, Value
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText

ANYTHING = frozenset(("*",))
"""What a bare `except` catches, and a handler for classes that are not known."""

NOTHING_DRAWN = frozenset(("a site without a value",))
"""What stands among the exceptions where sites have values, and who is asked for a number without one is refused it."""

_CONCRETIZATION = frozenset(("ConcretizationTypeError", "TypeError", "JAXTypeError"))
_BOOLEAN = _CONCRETIZATION | {"TracerBoolConversionError"}
_INTEGER = frozenset(("TracerIntegerConversionError", "TypeError", "JAXTypeError"))
_CONVERSION = _BOOLEAN | _INTEGER | {"TracerArrayConversionError"}
_INDEX = frozenset(("NonConcreteBooleanIndexError", "JAXIndexError", "IndexError"))
_KEY = frozenset(("TypeError", "ValueError", "KeyReuseError"))
_FROZEN = frozenset(("FrozenInstanceError", "AttributeError", "FlaxError", "ValueError"))
_FROZEN |= {"SetAttributeFrozenModuleError", "SetAttributeInModuleSetupError"}

_RAISED: dict[type[events.Event], frozenset[str]] = {
    events.TruthTest: _BOOLEAN,
    events.ScalarConversion: _CONCRETIZATION,
    events.HostLibraryCall: _CONVERSION,
    events.SequenceIndex: _INTEGER,
    events.Formatted: _CONVERSION,
    events.HashedArray: frozenset(("TypeError",)),
    events.ImplicitRng: frozenset(("TraceContextError",)) | NOTHING_DRAWN,
    events.ChangedFromOutside: frozenset(("TraceContextError",)),
    events.DeviceQuery: _CONCRETIZATION | {"AttributeError"},
    events.RemovedMember: frozenset(("AttributeError", "TypeError")),
    events.MaskIndex: _INDEX,
    events.DataDependentShape: _CONCRETIZATION,
    events.TracedStaticArgument: _CONVERSION | {"ValueError", "IndexError"},
    **dict.fromkeys(
        (events.UpdateNeeds, events.GradientsInside, events.StateApplied, events.NoState),
        frozenset(("TypeError", "ValueError", "AttributeError")),
    ),
    events.SliceBound: _INTEGER | {"IndexError"},
    events.ItemAssignment: frozenset(("TypeError", "AttributeError")),
    events.InplaceMethod: frozenset(("AttributeError", "TypeError", "NotImplementedError")),
    events.FrozenSet: _FROZEN,
    events.OutArgument: frozenset(("NotImplementedError", "TypeError", "ValueError")),
    events.ReadonlyWrite: frozenset(("ValueError",)),
    events.UnpackedKeys: _KEY,
    events.KeysAsOne: _KEY,
    events.NotAKey: _KEY,
    events.KeyArithmetic: _KEY,
    events.ListArgument: frozenset(("TypeError",)),
    events.IndexRefused: frozenset(("TypeError", "IndexError")),
    events.TransformMisused: frozenset(("TypeError",)),
    events.NoOutput: frozenset(("TypeError",)),
    events.DtypeRefused: frozenset(("TypeError",)),
    **dict.fromkeys((events.RanksRefused, events.AttributeCalled, events.NotSerializable), frozenset(("TypeError",))),
    events.UncallableModule: frozenset(("TypeError",)),
    events.UnboundModule: frozenset(("AttributeError", "CallCompactUnboundModuleError", "FlaxError", "ValueError")),
    events.NameTaken: frozenset(("FlaxError", "NameInUseError")),
    events.PlainContainer: frozenset(("ValueError",)),
    events.ApplyLacks: frozenset(("FlaxError", "InvalidRngError", "MissingRNGError", "ModifyScopeVariableError")),
    events.StateNotKept: frozenset(("NonEmptyStateError", "ValueError")),
    events.KeylessDropout: frozenset(("RuntimeError",)),
    **dict.fromkeys(
        (events.AxesRefused, events.NotOneElement, events.TakenApart), frozenset(("TypeError", "ValueError"))
    ),
    events.NumberBeyond: frozenset(("OverflowError",)),
    events.ForeignName: frozenset(("AttributeError",)),
    events.OptionMisnamed: frozenset(("AttributeError",)),
    events.SetAfterStart: frozenset(("RuntimeError",)),
    events.ForeignKeyword: frozenset(("TypeError",)),
    events.ViewedBySize: frozenset(("TypeError", "NotImplementedError")),
    events.SeedCutOff: frozenset(("OverflowError",)),
    events.FloatSize: frozenset(("TypeError",)),
    events.ShapeInParts: frozenset(("TypeError",)),
    events.BadFoldData: frozenset(("OverflowError", "TypeError", "ValueError")),
    events.CallbackMisused: frozenset(("AttributeError", "TypeError", "RuntimeError", "JaxRuntimeError", "ValueError")),
    events.KernelReturns: frozenset(("ValueError",)),
    events.KernelOperand: frozenset(("AttributeError", "TypeError", "ValueError")),
    events.PytreeDefect: frozenset(("AttributeError", "TypeError", "ValueError")),
    events.NumpyBufferWrite: _CONVERSION | {"ValueError"},
    events.NoArray: frozenset(("TypeError",)),
    events.WrongParameter: frozenset(("ValueError", "TypeError")),
    events.UnhashableStatic: frozenset(("ValueError",)),
    events.ReadAfterDonation: frozenset(("RuntimeError", "ValueError", "JaxRuntimeError")),
    events.DebugPrintMisuse: frozenset(("TypeError", "ValueError", "KeyError", "IndexError", "LookupError")),
    **dict.fromkeys(
        (
            *(events.GradientOfWhole, events.GradientOfMany, events.NoAux, events.NoPair, events.CarryChanged),
            *(events.BranchesDiffer, events.NoFunction, events.ParametersDiffer),
            *(events.ChoiceRefused, events.BoundsDiffer, events.MapMisused, events.TreeMapMisused),
        ),
        frozenset(("TypeError",)),
    ),
    **dict.fromkeys((events.NothingToScan, events.LengthsDiffer, events.NoBranches), frozenset(("ValueError",))),
    events.NoAxisToScan: frozenset(("ValueError", "IndexError")),
    events.NoAxisToMap: frozenset(("ValueError", "TypeError")),
    **dict.fromkeys(
        (
            *(
                events.LanesDiffer,
                events.AxesForOthers,
                events.AxesForOtherTree,
                events.NothingMapped,
                events.OutputMapped,
            ),
            *(events.BatchTested, events.TreesDiffer, events.SpecsMisfit),
        ),
        frozenset(("ValueError",)),
    ),
    events.UnboundAxis: frozenset(("NameError",)),
    events.RuleRefused: frozenset(("TypeError", "ValueError", "AttributeError")),
    events.NoWayBack: frozenset(("ValueError",)),
    events.CallbackDifferentiated: frozenset(("ValueError", "NotImplementedError")),
    events.CallbackMapped: frozenset(("NotImplementedError",)),
    events.UnpackedOtherwise: frozenset(("TypeError", "ValueError")),
    events.PairForLoss: frozenset(("TypeError", "AttributeError")),
    events.TupleOfGradients: frozenset(("TypeError", "AttributeError", "ValueError")),
    events.ArgumentNotPassed: frozenset(("TypeError", "ValueError")),
    events.TangentRefused: frozenset(("TypeError", "ValueError")),
    events.OuterIterator: frozenset(("TypeError", "ValueError", "StopIteration", "RuntimeError")),
}
"""Events that stand for an exception that JAX raises at once, with the names of the classes it is an instance of."""

_RAISED_IF_ASKED: dict[type[events.Event], frozenset[str]] = {events.KeyReuse: frozenset(("KeyReuseError",))}
"""The same for what JAX raises only where it is told to look: whoever expects any exception does not mean these."""

_EVERY_EXCEPTION = frozenset(("Exception", "BaseException"))


def is_expected(event: events.Event, expected: Iterable[frozenset[str]]) -> bool:
    """Whether one of the handlers around, each given by the classes it catches, catches what ``event`` stands for."""
    to_integer = isinstance(event, events.ScalarConversion) and event.how in events.TO_INTEGERS
    raised = _INTEGER if to_integer else _RAISED.get(type(event))
    if raised is None:
        named = _RAISED_IF_ASKED.get(type(event), frozenset())
        return any(caught & named for caught in expected)
    return any("*" in caught or caught & raised for caught in expected)


@contextmanager
def as_all_callers(it: Interpreter, function: Function) -> Iterator[None]:
    """What runs inside stands for callers nobody knows of a function: they expect what all those expect that are seen
    in the text of its module."""
    names, saved = it.ask_text(function.scope, expected_of, function.node), it.expected
    if names:
        it.expected = (*saved, names)
    try:
        yield
    finally:
        it.expected = saved


def expected_of(scope: ModuleText, node: ast.AST) -> frozenset[str]:
    return scope.seen_failing.get(node, frozenset())


def caught_by(it: Interpreter, classes: list[Value]) -> frozenset[str]:
    """The names of the exceptions that a handler for ``classes`` catches; ANYTHING where one is not known."""
    names: set[str] = set()
    for value in classes:
        if isinstance(value, Tuple):
            found = caught_by(it, list(value.items))
        elif isinstance(value, External):
            found = frozenset((value.name.rpartition(".")[2],))
        elif isinstance(value, (ClassValue, Const)):
            found = frozenset()  # a class of the project is none of JAX's, nor above one
        else:
            return ANYTHING
        if found == ANYTHING or found & _EVERY_EXCEPTION:
            return ANYTHING
        names |= found
    return frozenset(names)
