"""Which objects existed before the innermost trace began.

The functions that wait for a transform to return have everything they can reach from before its trace, and so have the
project's modules.  That is looked up when the first write under a trace asks, which is before anything was written;
it is bounded, and what was found is held for as long as it is used, because Python gives identities again.
"""

from __future__ import annotations

import contextlib
import sys
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from types import CellType, CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from jaxlint.dynamic import places, private

_OBJECTS = 20_000
_DEPTH = 6
_ATOMS = (str, bytes, int, float, complex, bool, type(None))
_CODE = (*_ATOMS, FunctionType, MethodType, CellType)
_OF_RECORDER = frozenset({"__builtins__", "__loader__", "__spec__"})
"""What in a module leads to the probes, and so to the recorder, which holds what was met in other traces."""
_OWN = __name__.rpartition(".")[0].replace(".", "/")


Which = Hashable
"""An object or a trace, by its identity, or a global variable, by that of its module's dict and its name."""


def variable(name: str, frame: FrameType) -> Which:
    """The global variable ``name`` of the module of ``frame``."""
    return (id(frame.f_globals), name)


class Outside:
    """What the traces of one recorder found outside, by the frame of the transform."""

    def __init__(self) -> None:
        self._known: _Found = {}
        self._arguments: _Found = {}

    def forget(self) -> None:
        """Lets go of all objects, and so of the tracers in them."""
        self._known.clear()
        self._arguments.clear()

    def has(self, which: Which, frame: FrameType, sources: places.Sources) -> bool:
        """Whether ``which`` existed before the trace that ``frame`` runs under."""
        return which in self._of(frame, sources)

    def crossed(self, which: Which, frame: FrameType, sources: places.Sources) -> Iterator[FrameType]:
        """The frames of the transforms whose traces ``which`` is older than, the innermost first."""
        boundary = places.boundary(frame)
        while boundary is not None and which in self._of(boundary, sources):
            yield boundary
            boundary = places.boundary(boundary.f_back)

    def leaks(self, traces: list[Which], boundary: FrameType, sources: places.Sources) -> bool:
        """Whether one of ``traces`` ends with that of ``boundary``, or before."""
        return any(trace not in self._of(boundary, sources) for trace in traces)

    def is_argument(self, thing: Any, frame: FrameType, sources: places.Sources) -> bool:
        """Whether ``thing`` is a container that JAX built to call the traced function with, or part of one."""
        entry = boundary = places.boundary(frame)
        waiting: list[Any] = []
        for each in places.frames(frame):
            if each is boundary:
                break
            if sources.path_of(each.f_code):
                entry = each
                waiting.clear()
            else:
                waiting += [value for value in _variables(each) if type(value) in (tuple, list, dict)]
        if entry is None or entry is boundary:
            return False
        return id(thing) in _once(self._arguments, entry, lambda: _contained(waiting))

    def is_given(self, which: Which, given: tuple[Any, ...], sources: places.Sources) -> bool:
        """Whether ``which`` lies in what a call passes, and the project's modules do not lead to it."""
        found = _reached(given, set())
        return which in found and which not in _reached(_modules(sources), _names(_modules(sources)))

    def _of(self, frame: FrameType, sources: places.Sources) -> dict[Any, Any]:
        boundary = places.boundary(frame)
        if boundary is None:
            return {}
        return _once(self._known, boundary, lambda: _reachable(boundary, sources))


_Found = dict[int, tuple[FrameType, dict[Any, Any]]]
"""What was found for a frame, by its identity."""


def _once(known: _Found, frame: FrameType, find: Callable[[], dict[Any, Any]]) -> dict[Any, Any]:
    """What ``find`` found when it was first asked for a frame; what was found for frames that have ended is let go."""
    if id(frame) not in known:
        running = {id(each) for top in sys._current_frames().values() for each in places.frames(top)}
        for ended in known.keys() - running:
            del known[ended]
        known[id(frame)] = frame, find()
    return known[id(frame)][1]


def _contained(containers: list[Any]) -> dict[Any, Any]:
    """The containers and what lies in them, by identity; what a function among it closes over is no part of them."""
    found: dict[Any, Any] = {}
    for _ in range(_DEPTH):
        containers = list({id(each): each for each in containers if id(each) not in found}.values())[:_OBJECTS]
        found.update((id(each), each) for each in containers)
        containers = [part for each in containers for part in _parts(each, set()) if not isinstance(part, _CODE)]
    return found


def _reachable(boundary: FrameType, sources: places.Sources) -> dict[Any, Any]:
    modules = _modules(sources)
    variables = {(id(vars(module)), name): None for module in modules for name in vars(module)}
    return variables | _reached((*_locals(boundary, sources), *modules), _names(modules))


def _modules(sources: places.Sources) -> list[ModuleType]:
    """The project's modules."""
    return [
        module
        for module in list(sys.modules.values())
        if (path := getattr(module, "__file__", None)) and path in sources.paths
    ]


def _names(modules: list[ModuleType]) -> set[str]:
    return {module.__name__ for module in modules} | {"__main__"}


def _reached(things: Iterable[Any], names: set[str]) -> dict[Any, Any]:
    """What can be reached from some things, by identity; classes and modules are looked into if they have the names."""
    found: dict[Any, Any] = {}
    waiting = deque[Any](things)
    while waiting and len(found) < _OBJECTS:
        thing = waiting.popleft()
        if private.is_tracer(thing):
            found[_trace_of(thing)] = None
            continue
        if isinstance(thing, (*_ATOMS, Outside)) or id(thing) in found:
            continue  # `Outside` holds what other traces found
        found[id(thing)] = thing
        waiting.extend(_parts(thing, names))
    return found


def traces_in(value: Any) -> list[Which]:
    """The traces of a tracer, and of those that small containers hold and that functions close over."""
    found: list[Which] = []
    waiting = [value]
    for _ in range(_DEPTH):
        found += [_trace_of(each) for each in waiting if private.is_abstract(each)]
        waiting = [part for each in waiting if isinstance(each, _HOLDING) for part in list(_parts(each, set()))[:_FEW]]
    return found


_FEW = 16
_HOLDING = (tuple, list, dict, partial, FunctionType, CellType)


def _trace_of(tracer: Any) -> Which:
    """The trace that a tracer belongs to, which it does not keep alive."""
    return ("trace", id(private.trace_of(tracer)))


def _locals(boundary: FrameType, sources: places.Sources) -> Iterator[Any]:
    """The variables of the transform itself, of the project's functions that wait for it, and of what runs them."""
    for frame in places.frames(boundary):
        if frame is boundary or sources.path_of(frame.f_code) or _OWN in frame.f_code.co_filename:
            yield from _variables(frame)


def _variables(frame: FrameType) -> list[Any]:
    _looked_at.add(frame.f_code)
    return list(frame.f_locals.values())


_looked_at: set[CodeType] = set()


def let_go_of_variables(frame: FrameType | None) -> None:
    """Makes the frames of a stack that were looked at forget variables that they have deleted since.

    Before Python 3.13 a frame keeps a copy of its variables once somebody has looked at them, until the next look.
    """
    for each in places.frames(frame):
        if each.f_code in _looked_at:
            _variables(each)


def _parts(thing: Any, names: set[str]) -> Iterator[Any]:
    if isinstance(thing, dict):
        yield from list(thing.values())
    elif isinstance(thing, (list, tuple, set, frozenset, deque)):
        yield from list(thing)
    elif isinstance(thing, CellType):
        try:
            yield thing.cell_contents
        except ValueError:  # not bound yet
            return
    elif isinstance(thing, MethodType):
        yield from (thing.__self__, thing.__func__)
    elif isinstance(thing, partial):
        yield from (thing.func, thing.args, thing.keywords)
    elif isinstance(thing, FunctionType):
        yield from (thing.__closure__ or (), thing.__defaults__ or (), thing.__kwdefaults__ or {}, thing.__dict__)
    elif isinstance(thing, (type, ModuleType)):
        if (thing.__name__ if isinstance(thing, ModuleType) else thing.__module__) in names:
            yield from [value for name, value in vars(thing).items() if name not in _OF_RECORDER]
    elif not isinstance(thing, (np.ndarray, np.generic)):
        yield from _attributes(thing)


def _attributes(thing: Any) -> Iterator[Any]:
    """The attributes of an instance, read without running its code."""
    for base in type(thing).__mro__:
        slots = vars(base).get("__slots__", ())
        for name in ("__dict__", *((slots,) if isinstance(slots, str) else slots)):
            with contextlib.suppress(AttributeError, TypeError):
                yield object.__getattribute__(thing, name)
