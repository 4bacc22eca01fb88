"""Which keys of `rngs={"params": …, "noise": …}` a flax module draws from: what the program's modules ask for, by name.

``init`` draws its parameters from the one that is called params, and what it draws from others goes into an output
that it throws away.  ``apply`` draws from a collection where a module asks for it, or for one that is not given: then
params stands in for it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jaxlint.flow.domain.state import Cell
from jaxlint.flow.domain.values import ANY, Value
from jaxlint.flow.port import Interpreter

if TYPE_CHECKING:
    from jaxlint.project.program import Module, Program

PARAMS = "params"
ASKED = "make_rng"
"""What notes say was asked for."""

_MODULES = re.compile(r"\bcompact\b|\.Module\)|\(Module\)")
_MAKES = re.compile(r"""\bmake_rng\(\s*(?:(?:name\s*=\s*)?["'](\w+)["']|(\)))?""")
_NAMES = re.compile(r"""\brng_collection\b[^\n"']*["'](\w+)["']""")
_DROPS = re.compile(r"[Dd]ropout\w{0,20}\(|dropout_rate|Attention\(")


class Collections:
    """The names of collections that the modules of a program draw from.  They are found out when asked for."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._modules: dict[str, frozenset[str | None]] = {}
        self._names: frozenset[str | None] | None = None

    def names(self) -> frozenset[str] | None:
        """None if that is not known: a name is computed, or the program has no modules of its own."""
        if self._names is None:
            self._names = self._asked_for()
        known = frozenset(name for name in self._names if name is not None)
        return None if None in self._names or not known else known - {""}

    def update(self, module: Module) -> frozenset[str]:
        """The module has another text: returns what notes call this if the answer, asked for before, is another now."""
        self._modules.pop(module.name, None)
        old, self._names = self._names, None
        if old is None:
            return frozenset()
        self._names = self._asked_for()
        return frozenset() if old == self._names else frozenset((ASKED,))

    def _asked_for(self) -> frozenset[str | None]:
        found: set[str | None] = set()
        for name, module in self._program.modules.items():
            if name not in self._program.foreign:
                if name not in self._modules:
                    self._modules[name] = frozenset(_asked_in(module.document.text))
                found |= self._modules[name]
        return frozenset(found)


def _asked_in(text: str) -> set[str | None]:
    """The names that a text asks for; an empty one says that it has flax modules, None that a name is not known."""
    if "flax" not in text:
        return set()
    found: set[str | None] = {""} if _MODULES.search(text) else set()
    found |= {named or (PARAMS if closed else None) for named, closed in _MAKES.findall(text)}
    found |= set(_NAMES.findall(text))
    return found | ({DROPOUT} if _DROPS.search(text) else set())


def sure(it: Interpreter, callee: str, given: Cell) -> dict[str, Value]:
    """Of the keys of a dict those that a flax module's method certainly draws from, into what it gives: `make_rng` asks
    for them by name, and parameters are made, too, where they are among what is given.  Dropout may be off."""
    package, _, method = callee.rpartition(".")
    asked = it.collections_asked_for()
    if not package.startswith("flax.linen.") or method not in _GIVING or asked is None:
        return {}
    wanted = {*asked, PARAMS} if method == "init_with_output" else set(asked)
    wanted.discard(DROPOUT)
    return {entry[1]: value for entry, value in given.items() if isinstance(entry, tuple) and entry[1] in wanted}


_GIVING = frozenset(("apply", "init_with_output"))
"""Methods whose caller gets what is drawn; what ``init`` draws beside parameters is thrown away."""


DROPOUT = "dropout"
"""What flax's own modules ask for beside params: `Dropout` and attention, unless they are deterministic."""


def drawn(it: Interpreter, method: str, given: Cell, *, is_off: bool = False) -> Cell:
    """Of the keys of a dict that ``method`` of a flax module is given as its rngs those that it may draw from.
    ``is_off`` says that dropout is."""
    if is_off and method == "apply":
        given = {entry: value for entry, value in given.items() if not isinstance(entry, tuple) or entry[1] != DROPOUT}
    if ANY in given:
        return given
    names = {entry[1] for entry in given}
    if method in ("init", "lazy_init"):
        return {entry: value for entry, value in given.items() if entry[1] == PARAMS or PARAMS not in names}
    if method != "apply":
        return given
    asked = it.collections_asked_for()
    if asked is None:
        return given
    wanted = {DROPOUT, *(name if name in names else PARAMS for name in asked)}
    return {entry: value for entry, value in given.items() if entry[1] in wanted}
