"""The small language of rows, from text to terms: `jax.lax.scan(body, init, xs)`, `init = body(init, each(xs))`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from jaxlint.semantics.rows import (
    ANYTHING,
    OF_RESULTS,
    OF_RUNS,
    Called,
    Given,
    Literal,
    Made,
    Outside,
    Parameter,
    Rest,
    Run,
    Several,
    Signature,
    Term,
)
from jaxlint.vocabulary.words import did_you_mean, shown

MOST_CHARACTERS = 1000
"""A longer text is no row of a table."""


def read_signature(value: object) -> Signature:
    """The parameters in a text such as `(init, xs, body, *, reverse=False)`.  Raises ValueError."""
    text = _text(value, '"(init, xs, body)"')
    message = f'expected the parameters as a `def` has them, such as "(init, xs, *, key)", found {shown(text)}'
    if not text.lstrip().startswith("("):
        raise ValueError(message)
    body = _parsed(f"def f{text}: ...", message)
    if len(body) != 1 or not isinstance(body[0], ast.FunctionDef):
        raise ValueError(message)
    spec = body[0].args
    if spec.kwarg is not None:
        raise ValueError(f"`**{spec.kwarg.arg}` cannot be said: name the keywords that matter behind a `*`")
    ordered = [*spec.posonlyargs, *spec.args]
    without = len(ordered) - len(spec.defaults)
    parameters = [
        _parameter(parameter, index, spec.defaults[index - without] if index >= without else None)
        for index, parameter in enumerate(ordered)
    ]
    parameters += [_parameter(*each) for each in zip(spec.kwonlyargs, [None] * len(spec.kwonlyargs), spec.kw_defaults)]
    return Signature(tuple(parameters), spec.vararg.arg if spec.vararg is not None else "")


def _parameter(parameter: ast.arg, position: int | None, default: ast.expr | None) -> Parameter:
    known = None if default is None else _literal(default)
    return Parameter(parameter.arg, position, default is None, known)


def read_like(value: object, signature: Signature | None) -> Term:
    """The function, or the call in terms of the signature's parameters, that a row's function is like.

    Raises ValueError.
    """
    node = _expression(_text(value, '"jax.jit(fun)"'))
    if isinstance(node, ast.Attribute) and signature is None:
        return _outside(node)
    if not isinstance(node, ast.Call):
        raise ValueError(f"expected a call of a function that jaxlint knows, found {shown(value)}")
    return _Reader(signature or Signature()).term(node)


def read_runs(value: object, signature: Signature) -> tuple[Run, ...]:
    """How callables are called: one or several statements, in order.  Raises ValueError."""
    texts = value if isinstance(value, list) else [value]
    reader = _Reader(signature)
    return tuple(reader.run(_text(text, '"init = body(init, each(xs))"')) for text in texts)


def read_returns(value: object, signature: Signature, runs: Iterable[Run]) -> Term:
    """What comes back, in terms of parameters and of what the runs have returned.  Raises ValueError."""
    variables = {target for run in runs for target in run.targets}
    text = _text(value, '"array()"')
    return _Reader(signature, variables).result(_expression(text))


@dataclass
class _Reader:
    """Reads the terms of one row; ``variables`` are the names of what runs have returned."""

    signature: Signature
    variables: set[str] | frozenset[str] = frozenset()

    def term(self, node: ast.expr) -> Term:
        """A piece of ``like``."""
        if isinstance(node, ast.Call):
            function = self.term(node.func)
            if not isinstance(function, (Outside, Called)):
                raise ValueError(f"`{ast.unparse(node.func)}` is no function that jaxlint knows")
            return self._call(node, function, self.term)
        if isinstance(node, ast.Attribute):
            return _outside(node)
        return self._plain(node, self.term)

    def run(self, text: str) -> Run:
        """A statement of ``runs``; what it binds is known to the next ones."""
        message = f'expected a call such as "init = body(init, each(xs))", found {shown(text)}'
        body = _parsed(text.strip(), message)
        statement = body[0] if len(body) == 1 else None
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            targets = target.elts if isinstance(target, ast.Tuple) else [target]
        elif not isinstance(statement, ast.Expr):
            raise ValueError(message)
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        if len(names) != len(targets):
            raise ValueError(message)
        value = statement.value
        options = value.values if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or) else [value]
        calls = tuple(self._run_of(option, message) for option in options)
        self.variables = {*self.variables, *names}
        return Run(calls, tuple(names), one=isinstance(statement, ast.Assign) and targets == statement.targets)

    def _run_of(self, node: ast.expr, message: str) -> Called:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            raise ValueError(message)
        if self.signature.find(node.func.id) is None:
            raise ValueError(self._unknown(node.func.id, "no parameter of the signature", self.signature.names))
        call = self._call(node, Given(node.func.id), self._argument)
        if ANYTHING in call.positional and (len(call.positional), call.named) != (1, ()):
            raise ValueError("`...` stands for all that the callable is given")
        return call

    def _argument(self, node: ast.expr) -> Term:
        if isinstance(node, ast.Constant) and node.value is ...:
            return ANYTHING
        return self._made(node, OF_RUNS) or self._plain(node, self._argument)

    def result(self, node: ast.expr) -> Term:
        """A piece of ``returns``."""
        return self._made(node, OF_RESULTS) or self._plain(node, self.result)

    def _made(self, node: ast.expr, words: dict[str, int]) -> Made | None:
        if not isinstance(node, ast.Call):
            return None
        word = ast.unparse(node.func)
        if word not in words:
            raise ValueError(self._unknown(word, "no word of this language", words))
        if len(node.args) != words[word] or node.keywords:
            raise ValueError(f"`{word}` takes {'one name' if words[word] else 'nothing'}, found `{ast.unparse(node)}`")
        if not node.args:
            return Made(word)
        of = self._plain(node.args[0], self.result)
        if not isinstance(of, Given):
            raise ValueError(f"`{word}` takes one name, found `{ast.unparse(node)}`")
        return Made(word, of)

    def _call(self, node: ast.Call, function: Term, argument: Callable[[ast.expr], Term]) -> Called:
        positional = tuple(self._rest(each) if isinstance(each, ast.Starred) else argument(each) for each in node.args)
        if any(keyword.arg is None for keyword in node.keywords):
            raise ValueError(f"`**` cannot be said: `{ast.unparse(node)}`")
        named = tuple((keyword.arg, argument(keyword.value)) for keyword in node.keywords if keyword.arg is not None)
        return Called(function, positional, named)

    def _rest(self, node: ast.Starred) -> Rest:
        if isinstance(node.value, ast.Name) and node.value.id == self.signature.rest != "":
            return Rest(self.signature.rest)
        raise ValueError(f"`{ast.unparse(node)}` is not what the signature has behind its `*`")

    def _plain(self, node: ast.expr, inner: Callable[[ast.expr], Term]) -> Term:
        if isinstance(node, ast.Name):
            known = (*self.signature.names, *sorted(self.variables))
            if node.id not in known:
                raise ValueError(self._unknown(node.id, "no parameter of the signature", known))
            return Given(node.id)
        if isinstance(node, (ast.Tuple, ast.List)):
            return Several(tuple(inner(item) for item in node.elts))
        found = _literal(node)
        if found is None:
            raise ValueError(f"`{ast.unparse(node)}` is not understood")
        return found

    @staticmethod
    def _unknown(word: str, what: str, known: Iterable[str]) -> str:
        return f"`{word}` is {what}{did_you_mean(word, known)}"


def _outside(node: ast.expr) -> Outside:
    from jaxlint.semantics.known import knows  # where many tables are

    name = ast.unparse(node)
    if not all(part.isidentifier() for part in name.split(".")):
        raise ValueError(f"`{name}` is not understood")
    if not knows(name):
        raise ValueError(f"`{name}` is no function that jaxlint knows")
    return Outside(name)


def _literal(node: ast.expr) -> Literal | Several | None:
    """The constant, or tuple of constants, that is written; None for anything else."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return _constant(value)


def _constant(value: object) -> Literal | Several | None:
    if isinstance(value, (tuple, list)):
        items = [_constant(item) for item in value]
        return Several(tuple(item for item in items if item is not None)) if None not in items else None
    if value is None or isinstance(value, (bool, int, float, str)):
        return Literal(value)
    return None


def _text(value: object, example: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"expected a text such as {example}, found {shown(value)}")
    if len(value) > MOST_CHARACTERS:
        raise ValueError(f"the text has {len(value):,} characters (the limit is {MOST_CHARACTERS:,})")
    return value


def _expression(text: str) -> ast.expr:
    message = f"expected an expression, found {shown(text)}"
    body = _parsed(text.strip(), message)
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        raise ValueError(message)
    return body[0].value


def _parsed(text: str, message: str) -> list[ast.stmt]:
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(message) from None
