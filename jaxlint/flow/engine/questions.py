"""Questions about the whole program: a unit that has asked one depends on the answer, and not on who else there is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from typing import Any, Protocol

from jaxlint.flow.domain.state import Cell
from jaxlint.flow.domain.values import ClassValue, Const, External, Function, Instance, Value
from jaxlint.flow.models.arrays.changeable import is_given_references
from jaxlint.flow.models.jax.derivative_rules import are_rules_given
from jaxlint.flow.models.jax.named_axes import times_written
from jaxlint.flow.models.keys.children import may_be_imported
from jaxlint.flow.models.keys.generators import splits_otherwise
from jaxlint.flow.models.keys.rng_collections import Collections
from jaxlint.flow.models.names.started import is_way_chosen
from jaxlint.flow.models.objects.classes import decorator_names, external_bases, linearized
from jaxlint.flow.models.objects.registered import is_registered, may_be_registered
from jaxlint.flow.models.objects.taken import class_having, is_read_anywhere
from jaxlint.flow.models.objects.unknown_copies import is_written_by_program
from jaxlint.flow.models.random.keyless_dropout import may_turn_dropout_off
from jaxlint.flow.models.random.sampled_models import may_be_run_itself
from jaxlint.flow.models.traces.kept_traces import is_set_again
from jaxlint.flow.observers.outer_reads import is_called_between, setter_of_item
from jaxlint.flow.source.initialised import Inits
from jaxlint.flow.source.parts import frame_of

Question = tuple[Any, ...]
"""What is asked, and about what: strings and numbers, which mean the same in another run."""

ORDER: Question = ("order",)
"""In which order modules were read, where that matters."""

WRITTEN: Question = ("written",)
"""Whose things other modules have changed when they were read: who looks there depends on it that no others do."""


OF_TEXTS = frozenset((is_set_again, is_called_between, setter_of_item))
"""Questions that the texts of modules decide alone: a script that has its own modules gets the answer of all."""


class Asked(Protocol):
    """Who knows the program, all modules of which are read; what he is asked ``aside`` is noted nowhere."""

    order: list[str]
    base: dict[Value, Cell]
    inits: Inits
    collections: Collections
    scripts: Collection[str]

    def aside(self) -> AbstractContextManager[None]: ...

    def loaded_classes(self) -> list[ClassValue]: ...

    def entered(self, name: str) -> list[tuple[str, str, int]]: ...

    def written(self) -> list[tuple[str, list[str]]]: ...


class Questions:
    """Asks, when all modules are read, and knows the answers."""

    def __init__(self, it: Asked) -> None:
        self._it = it
        self._answers: dict[Question, Any] = {}
        self._digests: dict[Question, str] = {}

    def about_classes(self, cls: ClassValue | None) -> Question:
        """All classes, or those derived from one."""
        if cls is None:
            return ("classes",)
        return ("derived", cls.scope.name, cls.name)

    def answer(self, asked: Question) -> Any:
        if asked not in self._answers:
            with self._it.aside():
                self._answers[asked] = _ANSWERS[asked[0]](self._it, *asked[1:])
        return self._answers[asked]

    def digest(self, asked: Question) -> str:
        """What tells an answer from others, in another run too.  Raises KeyError for what is no question."""
        if asked not in self._digests:
            self._digests[asked] = _digest(self.answer(asked))
        return self._digests[asked]


def _digest(answer: Any) -> str:
    text = json.dumps(sorted(answer) if isinstance(answer, (set, frozenset)) else answer)
    return text if len(text) < 65 else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _classes(it: Asked) -> list[Any]:
    return [_described(it, cls) for cls in it.loaded_classes()]


def _derived(it: Asked, module: str, name: str) -> list[Any]:
    """The classes derived from one (if there are several of its name, from any of them), with itself."""
    return [
        _described(it, cls)
        for cls in it.loaded_classes()
        if any((one.scope.name, one.name) == (module, name) for one in linearized(cls))
    ]


def _described(it: Asked, cls: ClassValue) -> list[Any]:
    """All that may be asked of a class by those who look through all of them; who looks into a method notes that."""
    return [
        cls.scope.name,
        cls.name,
        [(part.scope.name, part.name) for part in linearized(cls)],
        sorted(external_bases(cls)),
        sorted(decorator_names(cls)),
        _text(cls),
        [(str(name), _kind(value)) for name, value in it.base.get(cls.frame, {}).items()],
    ]


def _text(cls: ClassValue) -> list[str]:
    if cls.scope.tree is not None and cls.node in cls.scope.tree.body:
        return frame_of(cls.node, cls.scope.lines)
    first = min([cls.node.lineno, *(decorator.lineno for decorator in cls.node.decorator_list)])
    return cls.scope.lines[first - 1 : cls.node.end_lineno]


def _kind(value: Value) -> Any:
    if isinstance(value, Const):
        return repr(value.value)
    if isinstance(value, External):
        return value.name
    if isinstance(value, Function):
        return (value.scope.name, value.qualified, value.kind)
    if isinstance(value, Instance):
        return (value.cls.scope.name, value.cls.name)
    return type(value).__name__


_ANSWERS: dict[str, Callable[..., Any]] = {
    "order": lambda it: it.order,
    "written": lambda it: it.written(),
    "is_script": lambda it, name: name in it.scripts,
    "classes": _classes,
    "derived": _derived,
    "entered": lambda it, name: it.entered(name),
    "run_by_init": lambda it, classes, name: it.inits.runs(tuple(classes), name),
    "collections_asked_for": lambda it: it.collections.names(),
    **{
        ask.__name__: ask
        for ask in (
            *(is_given_references, are_rules_given, is_way_chosen, is_registered, may_be_registered),
            *(splits_otherwise, may_be_imported, times_written, is_set_again, is_called_between),
            *(may_be_run_itself, may_turn_dropout_off, class_having, is_read_anywhere, is_written_by_program),
            setter_of_item,
        )
    },
}
