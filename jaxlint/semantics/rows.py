"""What a row of a data file says about one function that jaxlint cannot see.

    [functions."foolib.fold"]
    signature = "(init, xs, body)"
    runs = "init = body(init, each(xs))"
    returns = "init"

The rows of `jaxlint.semantics.libraries` name positions; these name parameters, and the signature says where each is.
``jaxlint.settings.row_files`` reads them, ``jaxlint.flow.models.outside.row_calls`` gives them meaning.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; ``position`` is None for keyword only, ``default`` is a term where the signature has a literal."""

    name: str
    position: int | None
    is_required: bool = True
    default: Term | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters that a caller passes; ``rest`` is the name behind `*`, or empty."""

    parameters: tuple[Parameter, ...] = ()
    rest: str = ""

    def find(self, name: str) -> Parameter | None:
        """The parameter of that name."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all parameters."""
        return (*(parameter.name for parameter in self.parameters), *((self.rest,) if self.rest else ()))


# -- terms: the expressions of a row ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Given:
    """What a parameter is given, or what a run has returned by that name."""

    name: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant of Python."""

    value: object


@dataclass(frozen=True, slots=True)
class Several:
    """A tuple."""

    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Outside:
    """A function that jaxlint knows, by its qualified name."""

    name: str


@dataclass(frozen=True, slots=True)
class Called:
    """A call; what a ``Rest`` is given is passed on piece by piece."""

    function: Term
    positional: tuple[Term, ...]
    named: tuple[tuple[str, Term], ...] = ()


@dataclass(frozen=True, slots=True)
class Rest:
    """What the parameter behind `*` is given, each by itself."""

    name: str


@dataclass(frozen=True, slots=True)
class Made:
    """A word of the language with its argument: `array()`, `each(xs)`."""

    word: str
    of: Term | None = None


Term: TypeAlias = "Given | Literal | Several | Outside | Called | Rest | Made"

ANYTHING = Literal(...)
"""As the only argument of a run: as many tracers as the callable takes."""

OF_RUNS = {"each": 1, "same": 1, "index": 0, "tracer": 0, "static": 0, "array": 0, "key": 0}
"""The words for what a callable is given, and how many arguments each has."""

OF_RESULTS = {"array": 0, "static": 0, "host": 0, "key": 0, "keys": 0, "unknown": 0, "stacked": 1}
"""The words for what comes back."""


# -- rows ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Run:
    """One statement of ``runs``: a callable that is called, or one of several, and the names of what it returns.

    ``one``: a single name, which is all that is returned; else ``targets`` are its parts.
    """

    calls: tuple[Called, ...]
    targets: tuple[str, ...] = ()
    one: bool = True


UNDER = ("jit", "filter_jit", "vmap", "grad", "eager", "host")
"""How a callable is run: as the function of this name in JAX or Equinox runs it, as it is, or on the host."""

EFFECTS = ("draw", "split", "fold", "keep", "ignore")
"""What becomes of a key: it is drawn from, split, folded into, kept for later, or none of these."""


@dataclass(frozen=True, slots=True)
class Row:
    """All that is said about one function; ``source`` is the file that says it.

    ``like``: it does what this call does, or, without a signature, what this function does.  Else ``runs`` says how it
    calls its callables, ``under`` what; ``keys`` what it does with keys, by parameter; ``static`` which arguments must
    be known while JAX traces; ``returns`` what comes back.
    """

    name: str
    source: str
    is_method: bool = False
    signature: Signature = Signature()
    like: Term | None = None
    runs: tuple[Run, ...] = ()
    under: str = "jit"
    keys: tuple[tuple[str, str], ...] = ()
    static: tuple[str, ...] = ()
    returns: Term | None = None

    @property
    def stands_for(self) -> str:
        """The function of which it is only another name, or empty."""
        return self.like.name if isinstance(self.like, Outside) else ""

    @property
    def carried(self) -> frozenset[str]:
        """The parameters that a run gives a new value, for the next round."""
        targets = {target for run in self.runs for target in run.targets}
        return frozenset(targets.intersection(self.signature.names))

    @property
    def repeats(self) -> bool:
        """Whether its callables are called over and over."""
        words = {
            term.word
            for run in self.runs
            for call in run.calls
            for term in (*call.positional, *(value for _, value in call.named))
            if isinstance(term, Made)
        }
        return bool(self.carried) or not words.isdisjoint(("each", "index"))


# -- rows as text ---------------------------------------------------------------------------------------------


def rows_as_text(rows: tuple[Row, ...]) -> str:
    """The rows for another process."""
    return repr(rows)


def rows_in_text(text: str) -> tuple[Row, ...]:
    """The rows that `rows_as_text` wrote.  Raises KeyError, TypeError, SyntaxError or ValueError for any other text."""
    rows: tuple[Row, ...] = _read(ast.parse(text, mode="eval").body)
    return rows


def _read(node: Any) -> Any:
    if isinstance(node, ast.Call):
        kind = _KINDS[ast.unparse(node.func)]
        return kind(**{str(keyword.arg): _read(keyword.value) for keyword in node.keywords})
    if isinstance(node, ast.Tuple):
        return tuple(map(_read, node.elts))
    try:
        return ast.literal_eval(node)
    except ValueError:
        return float(ast.unparse(node))  # infinity and what is no number are written as names


_KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (Row, Parameter, Signature, Run, Given, Literal, Several, Outside, Called, Rest, Made)
}
