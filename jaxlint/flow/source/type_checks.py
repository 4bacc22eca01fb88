"""What becomes of a tracer at a check of its type: whether the answer no, which it always gets, is taken for an error.

Many checks are there for values that come without a trace: a number is validated, an array of NumPy converted, and a
tracer passes by on purpose.  A check is a slip where all that is traced ends in the author's own ``raise``, or where
numbers have a result of their own, which then nothing ever returns.
"""

from __future__ import annotations

import ast

from jaxlint.flow.source.trees import descendants


def rejects_tracers(function: ast.AST, check: ast.AST, of_numbers: bool) -> bool:
    """Whether the answer no to ``check``, a call in ``function``, cannot be meant.

    ``of_numbers``: it asks for Python numbers only.
    """
    for block in _blocks(function):
        for number, statement in enumerate(block):
            if isinstance(statement, ast.Assert) and _answer(statement.test, check) is False:
                return True
            if isinstance(statement, ast.If):
                answer = _answer(statement.test, check)
                if answer is not None:
                    return _is_error(statement, block[number + 1 :], answer, of_numbers)
    return False


def _is_error(branch: ast.If, following: list[ast.stmt], answer: bool, of_numbers: bool) -> bool:
    taken, skipped = (branch.body, branch.orelse) if answer else (branch.orelse, branch.body)
    taken, skipped = (taken or following), (skipped or following)
    if _raises(taken):
        return True
    return of_numbers and _returns_result(skipped) and bool(taken) and isinstance(taken[-1], ast.Return)


def _answer(test: ast.AST, check: ast.AST) -> bool | None:
    """What ``test`` is for every tracer; None if ``check`` does not decide it."""
    if test is check:
        return False
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        answer = _answer(test.operand, check)
        return None if answer is None else not answer
    if isinstance(test, ast.BoolOp):
        decides = isinstance(test.op, ast.Or)
        return decides if any(_answer(operand, check) is decides for operand in test.values) else None
    return None


def _raises(block: list[ast.stmt]) -> bool:
    """Whether every way through ``block`` ends in a ``raise``."""
    last = block[-1] if block else None
    if isinstance(last, ast.If):
        return _raises(last.body) and _raises(last.orelse)
    return isinstance(last, ast.Raise)


def _returns_result(block: list[ast.stmt]) -> bool:
    """Whether ``block`` ends by returning what is computed there, not just what there was."""
    last = block[-1] if block else None
    return isinstance(last, ast.Return) and not isinstance(last.value, (ast.Name, ast.Constant, type(None)))


def _blocks(function: ast.AST) -> list[list[ast.stmt]]:
    found = []
    for node in descendants(function):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                found.append(block)
    return found
