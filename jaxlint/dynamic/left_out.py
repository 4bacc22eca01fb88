"""What an import fails at is left out, and the import goes on: under the assumption that it is.

Python ends at the first statement of a module that raises.  Where no code of the project is prepared for that, the
failure is noted as plain Python has it, what the statement would have bound is unbound, and the next statement runs;
what needs one of these names fails and is left out in turn.  All that is seen later carries the statements as its
assumptions, as it carries the answers that the oracle makes up, and a name that is missing there proves nothing.

A dataclass that has a JAX array as a default is made with a factory in its place.
"""

from __future__ import annotations

import ast
import dataclasses
import sys
from collections.abc import Callable, Iterator
from types import FrameType, ModuleType
from typing import Any, TypeGuard

import jax

from jaxlint.dynamic import places
from jaxlint.dynamic.observations import Kind, Observation, Span, Traced
from jaxlint.dynamic.recording import Recorder, described

_MISSING = frozenset({"NameError", "UnboundLocalError", "AttributeError", "ImportError", "ModuleNotFoundError"})
_MOST_TOLD = 3
_LENGTH = 60


class LeftOut:
    """The statements that this process has left out."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._texts: dict[str, None] = {}
        self._unbound: set[str] = set()
        self.reason = ""  # the first
        self.before_each: Callable[[], None] | None = None

    def assumptions(self) -> tuple[str, ...]:
        """What has to be believed of all that runs from here on."""
        return tuple(self._texts)

    def attempt(self, at: Span, names: tuple[str, ...]) -> _Attempt:
        """What a statement of a module that binds ``names`` runs in."""
        return _Attempt(self, at, names)

    def leave_out(self, at: Span, names: tuple[str, ...], error: BaseException | None, frame: FrameType) -> bool:
        """Whether the module goes on after ``error``, which the statement at ``at`` has raised."""
        if not _is_failure(error) or isinstance(error, MemoryError):
            return False
        if "circular import" in str(error) or self._recorder.sources.handled(frame.f_back, error):
            return False  # it is for others to handle
        if self._recorder.active and isinstance(error, Exception):
            self._recorder.failed(error, frame)
        if not (isinstance(error, NameError) and error.name in self._unbound):
            self.reason = self.reason or described(error)
            self._assume(f"`{_short(places.excerpt(at))}` is left out, which raises {described(error)}")
        for name in names:
            if not isinstance(frame.f_globals.get(name), ModuleType):
                frame.f_globals.pop(name, None)
                self._unbound.add(name)
        return True

    def make_with_factory(self, owner: type[Any], name: str, error: ValueError, frame: FrameType) -> None:
        """The default of a field is an array, which ``error`` says; from now on the field has a factory."""
        recorder = self._recorder
        inner = recorder.sources.innermost(frame)
        default = vars(owner).get(name)
        if isinstance(default, dataclasses.Field):
            default = default.default
        if inner is None or not isinstance(default, jax.Array) or recorder.sources.handled(inner, error):
            raise error
        if recorder.active:
            at = places.field(recorder.sources.span(inner), name)
            recorder.seen(Observation(Kind.ERROR, at, described(error), type(error).__name__))
        setattr(owner, name, dataclasses.field(default_factory=lambda: default))
        self._assume(f"the default of `{owner.__qualname__}.{name}` is made by a factory")

    def _assume(self, text: str) -> None:
        text = text if len(self._texts) < _MOST_TOLD else "more statements that fail are left out"
        self._texts[text] = None
        if self._recorder.active:
            session = self._recorder.session
            session.assumptions = tuple(dict.fromkeys((*session.assumptions, text)))


def _is_failure(error: BaseException | None) -> TypeGuard[BaseException]:
    """Whether a statement has failed.  A program ends with another code than 0 where it lacks arguments or a device."""
    return isinstance(error, Exception) or (isinstance(error, SystemExit) and error.code not in (None, 0, False))


class _Attempt:
    """The context that one statement runs in."""

    def __init__(self, left_out: LeftOut, at: Span, names: tuple[str, ...]) -> None:
        self._left_out = left_out
        self._at = at
        self._names = names

    def __enter__(self) -> None:
        if self._left_out.before_each is not None:
            self._left_out.before_each()

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> bool:
        return error is not None and self._left_out.leave_out(self._at, self._names, error, sys._getframe(1))


def without_consequences(traced: Traced) -> None:
    """Drops what may have been raised only because a name is missing that was left out."""
    traced.observations = [
        seen for seen in traced.observations if not (seen.assumptions or traced.assumptions) or not _is_missing(seen)
    ]


def _is_missing(seen: Observation) -> bool:
    return seen.exception in _MISSING


def install(left_out: LeftOut) -> None:
    """From now on dataclasses take arrays as defaults, once they have said that they do not."""
    original = getattr(dataclasses, "_get_field", None)
    if original is None or hasattr(original, "asked_first"):
        return

    def get_field(owner: type[Any], name: str, *rest: Any, **options: Any) -> Any:
        try:
            return original(owner, name, *rest, **options)
        except ValueError as error:
            left_out.make_with_factory(owner, name, error, sys._getframe(1))
        return original(owner, name, *rest, **options)

    get_field.asked_first = original  # type: ignore[attr-defined]
    dataclasses._get_field = get_field  # type: ignore[attr-defined]


def uninstall() -> None:
    """Dataclasses are Python's own again."""
    patched = getattr(dataclasses, "_get_field", None)
    if hasattr(patched, "asked_first"):
        dataclasses._get_field = patched.asked_first  # type: ignore[attr-defined,union-attr]


def bound_by(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement of a module may bind there, and those of what it changes an item or attribute of."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
                continue
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                continue
            case ast.Name(id=name) if not isinstance(node.ctx, ast.Load):
                yield name
            case ast.Attribute() | ast.Subscript() if not isinstance(node.ctx, ast.Load):
                yield from (part.id for part in ast.walk(node.value) if isinstance(part, ast.Name))
            case ast.alias():
                yield node.asname or node.name.partition(".")[0]
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.ExceptHandler(name=str(name)):
                yield name
        waiting += ast.iter_child_nodes(node)


def _short(text: str) -> str:
    return text if len(text) <= _LENGTH else text[: _LENGTH - 1] + "…"
